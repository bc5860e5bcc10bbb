"""The temporal arm of the ranking."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.partition import build_partition
from backstory.core.ranking import RankOptions, rank
from backstory.core.ranking.telling import told
from backstory.core.terms import QueryTerms, date_key
from backstory.language.terms import query_terms
from tests.unit.core.message_columns import Said, columns

OPTIONS = RankOptions()


def ranked(query: str, *messages: Said, **changed: object) -> list[str]:
    partition = build_partition(columns(messages))
    terms = replace(query_terms(query), is_temporal=True, **changed)  # type: ignore[arg-type]
    found = rank(partition, terms=terms, vector=None, limit=10)
    return [partition.message_ids[row] for row in found.rows]


def test_a_turn_with_a_time_beside_what_is_asked_for_comes_before_its_like() -> None:
    talk = [
        Said(seq=1, text="Tell me of the two turtles in your kitchen, how nice"),
        Said(seq=2, text="I've had them for three years now"),
        Said(seq=3, text="They bring me joy"),
        *(Said(seq=n, text=f"turtles are fun {n}", session="b") for n in range(4, 7)),
    ]
    when = ranked("When did I get the two turtles?", *talk)
    assert when.index("m2") < when.index("m3")
    assert set(when[:2]) == {"m1", "m2"}


def test_an_answer_of_the_assistant_lends_nothing() -> None:
    def gain(role: str) -> float:
        partition = build_partition(
            columns(
                [
                    Said(seq=1, text="You ask when you got the turtles", role=role),
                    Said(seq=2, text="three years ago"),
                ]
            )
        )
        terms = replace(query_terms("when did I get the turtles"), is_temporal=True)
        base = np.array([1, 0], dtype=np.float32)
        return float(told(partition, terms, base, OPTIONS)["told beside"][1])

    assert gain("assistant") == 0
    assert gain("user") > 0


def test_a_message_that_tells_of_the_asked_date_comes_first() -> None:
    talk = [
        Said(seq=1, text="I went to a castle last Friday"),
        Said(seq=2, text="I went to a castle, a nice one"),
    ]
    # the messages are of 9 March 2024
    assert ranked("the castle", *talk, told=(date_key(2024, 3, 8),))[0] == "m1"


@given(st.text(max_size=40), st.booleans())
def test_nothing_changes_for_other_questions(query: str, asks_when: bool) -> None:
    partition = build_partition(
        columns([Said(seq=1, text="I moved last week"), Said(seq=2, text="x")])
    )
    base = np.ones(2, dtype=np.float32)
    terms = replace(query_terms(query), asks_when=asks_when)
    assert told(partition, terms, base, OPTIONS) == {}
    empty = build_partition(columns([]))
    temporal = replace(terms, is_temporal=True, told=(date_key(2024),))
    added = told(empty, temporal, np.zeros(0, dtype=np.float32), OPTIONS)
    assert all(len(values) == 0 for values in added.values())


def test_scores_stay_in_their_scale() -> None:
    partition = build_partition(
        columns([Said(seq=n, text="when did I move last week, in March 2024?") for n in range(3)])
    )
    terms = replace(
        query_terms("when did I move last week, in March 2024?"),
        is_temporal=True,
        told=(date_key(2024, 3),),
    )
    found = rank(partition, terms=terms, vector=None, limit=3)
    assert (found.scores <= 1).all()
    assert QueryTerms().is_temporal is False
