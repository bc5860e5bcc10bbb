"""The laws of the ranking, on invented messages."""

import gc
import math
import weakref
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backstory.core.partition import Partition, build_partition
from backstory.core.ranking import Ranking, RankOptions, rank
from backstory.core.terms import QueryTerms
from backstory.errors import EmbeddingDimensionError
from backstory.language.terms import query_terms
from tests.counts import cases
from tests.unit.core.message_columns import Said, columns, unit

NOTHING = QueryTerms()
WORDS = ("kettle", "violin", "harbour", "lantern", "ticket", "why?", "yesterday")


def partition_of(*messages: Said) -> Partition:
    return build_partition(columns(messages))


def texts(*contents: str, **common: str) -> Partition:
    return partition_of(
        *(Said(seq=seq, text=text, **common) for seq, text in enumerate(contents))  # type: ignore[arg-type]
    )


def search(
    partition: Partition,
    query: str,
    vector: NDArray[np.float32] | None = None,
    mask: NDArray[np.bool_] | None = None,
    limit: int = 10,
) -> Ranking:
    return rank(partition, terms=query_terms(query), vector=vector, mask=mask, limit=limit)


@st.composite
def conversations(draw: st.DrawFn) -> list[Said]:
    return [
        Said(
            seq=seq,
            text=" ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))),
            session=draw(st.sampled_from("abc")),
            role=draw(st.sampled_from(["user", "assistant"])),
            speaker=draw(st.sampled_from([None, "Ida", "Noor"])),
            meaning=draw(st.none() | st.integers(0, 9)),
        )
        for seq in range(draw(st.integers(0, 25)))
    ]


queries = st.lists(st.sampled_from([*WORDS, "Ida", "when", "?"]), max_size=6).map(" ".join)
vectors = st.none() | st.integers(0, 9).map(unit)


@settings(max_examples=cases(15, 300))
@given(conversations(), queries, vectors, st.integers(0, 30), st.data())
def test_laws(
    said: list[Said],
    query: str,
    vector: NDArray[np.float32] | None,
    limit: int,
    data: st.DataObject,
) -> None:
    partition = partition_of(*said)
    passes = data.draw(st.lists(st.booleans(), min_size=len(said), max_size=len(said)))
    mask = np.array(passes, dtype=np.bool_)
    found = search(partition, query, vector, mask, limit)
    assert len(found) == min(limit, sum(passes))
    assert len(set(found.rows.tolist())) == len(found)
    assert mask[found.rows].all()
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    assert (np.diff(found.scores) <= 0).all()
    again = search(partition_of(*said), query, vector, mask, limit)
    assert found.rows.tolist() == again.rows.tolist()
    assert found.scores.tobytes() == again.scores.tobytes()
    longer = search(partition, query, vector, mask, limit + 3)
    assert longer.rows[: len(found)].tolist() == found.rows.tolist()
    for values in found.parts.values():
        assert len(values) == len(found)


@settings(max_examples=cases(15, 300))
@given(conversations(), queries, vectors, st.data())
def test_what_is_filtered_out_gives_no_score(
    said: list[Said], query: str, vector: NDArray[np.float32] | None, data: st.DataObject
) -> None:
    """Another text and vector in a hidden message change nothing but word statistics."""
    if not said:
        return
    hidden = data.draw(st.integers(0, len(said) - 1))
    mask = np.ones(len(said), dtype=np.bool_)
    mask[hidden] = False
    old = said[hidden]
    new = Said(
        seq=old.seq, text=old.text, session=old.session, role=old.role, speaker=old.speaker,
        meaning=data.draw(st.none() | st.integers(0, 9)),
    )  # fmt: skip
    one = search(partition_of(*said), query, vector, mask)
    other = search(partition_of(*said[:hidden], new, *said[hidden + 1 :]), query, vector, mask)
    assert one.rows.tolist() == other.rows.tolist()
    assert one.scores.tolist() == other.scores.tolist()


def test_a_hidden_neighbour_shares_no_keyword_score() -> None:
    partition = texts("the kettle boils", "it is warm", "a violin", "a harbour")
    mask = np.array([False, True, True, True])
    found = search(partition, "kettle", mask=mask)
    assert found.scores.tolist() == [0.0, 0.0, 0.0]


@settings(max_examples=cases(15, 300))
@given(conversations(), st.data(), st.booleans())
def test_a_word_for_word_query_finds_its_message_first(
    said: list[Said], data: st.DataObject, with_vector: bool
) -> None:
    if not said:
        return
    wanted = data.draw(st.sampled_from(said))
    vector = None if wanted.meaning is None or not with_vector else unit(wanted.meaning)
    partition = partition_of(*said)
    first = search(partition, wanted.text, vector, limit=1)
    assert said[int(first.rows[0])].text == wanted.text
    assert first.scores[0] == search(partition, wanted.text, vector).scores.max()


def test_word_for_word_holds_in_unspaced_scripts_and_against_repetition() -> None:
    partition = texts("会議室は三階です", "会議室 会議室 三階 三階 です", "三階です")
    assert search(partition, "会議室は三階です").rows[0] == 0
    assert search(partition, "三階です。").rows[0] == 2


def test_the_nearest_vector_is_first_without_terms() -> None:
    partition = partition_of(
        *(Said(seq=i, text=f"word{i}", session=str(i), meaning=i) for i in range(20))
    )
    found = rank(partition, terms=NOTHING, vector=unit(7), limit=20)
    assert found.rows[0] == 7
    assert found.cosines is not None
    assert found.cosines[0] == pytest.approx(1.0, abs=1e-6)
    assert found.dense_ranks.tolist() == list(range(1, 21))
    assert found.keyword_ranks.tolist() == [0] * 20


def test_rare_words_count_more() -> None:
    partition = texts(*["the kettle boils"] * 5, "a violin plays", *["the harbour is grey"] * 5)
    assert search(partition, "kettle violin").rows[0] == 5


def test_the_users_messages_alone_decide() -> None:
    # There is nothing else in a partition; a row that holds no term of the query gets none.
    found = search(texts("kettle", "violin", session="x"), "lantern")
    assert found.keyword.tolist() == [0.0, 0.0]


def test_equal_scores_are_ordered_newest_first() -> None:
    partition = texts("kettle", "kettle", "kettle", session="s")
    assert search(texts("a", "b", "c"), "lantern").rows.tolist() == [2, 1, 0]
    assert sorted(search(partition, "lantern", limit=2).rows.tolist()) == [1, 2]


def test_a_pending_message_is_judged_by_its_words() -> None:
    said = [Said(seq=i, text=f"word{i} here", session=str(i), meaning=i) for i in range(10)]
    said.append(Said(seq=10, text="the lantern", session="new"))
    found = search(partition_of(*said), "lantern", unit(3))
    assert found.rows[0] == 10
    assert found.cosines is not None
    assert math.isnan(found.cosines[0])
    assert found.dense_ranks[0] == 0


def test_without_vectors_the_dense_arm_is_silent() -> None:
    partition = texts("kettle", "violin")
    with_vector = search(partition, "kettle", unit(1))
    without = search(partition, "kettle")
    assert with_vector.rows.tolist() == without.rows.tolist()
    assert with_vector.scores.tolist() == without.scores.tolist()


def test_neighbours_inherit() -> None:
    partition = texts(*["rain"] * 5, "which violin is yours", "the old brown thing", *["rain"] * 5)
    assert search(partition, "violin").rows[:2].tolist() == [5, 6]


def test_the_named_speaker_comes_first() -> None:
    said = [
        Said(seq=seq, text="bought a kettle", speaker=name, session=str(seq))
        for seq, name in enumerate(["Ida", "Noor", "Ida"])
    ]
    found = search(partition_of(*said), "what did Noor buy")
    assert found.rows[0] == 1
    assert found.parts["speaker"].tolist() == pytest.approx([RankOptions().speaker_bonus, 0.0, 0.0])
    assert "speaker" not in search(partition_of(*said), "what was bought").parts


def test_an_auxiliary_verb_is_not_a_speaker() -> None:
    partition = partition_of(Said(seq=0, text="kettle", speaker="Will"))
    assert "speaker" not in search(partition, "what will she buy").parts
    assert "speaker" in search(partition, "what did Will buy").parts


def test_a_name_in_an_unspaced_script_is_recognised() -> None:
    partition = partition_of(Said(seq=0, text="茶壶", speaker="小明"))
    assert "speaker" in search(partition, "小明买了什么").parts


def test_a_question_of_when_prefers_a_time() -> None:
    partition = partition_of(
        Said(seq=0, text="sold the violin yesterday", session="a"),
        Said(seq=1, text="sold the violin quickly", session="b"),
    )
    assert search(partition, "when was the violin sold").rows[0] == 0
    assert "time" in search(partition, "when was the violin sold").parts
    assert "time" not in search(partition, "was the violin sold").parts


def test_a_named_day_prefers_what_was_said_on_it() -> None:
    days = [datetime(2024, month, day, tzinfo=UTC) for month, day in ((5, 8), (5, 20), (6, 8))]
    partition = partition_of(
        *(
            Said(seq=int(day.timestamp()), text="rain", session=str(day))  # said at its number
            for day in days
        )
    )
    bonus = RankOptions().date_bonus
    for query, shares in (
        ("what was on May 7", [1.0, 0.5, 0.0]),
        ("what was in May 2024", [0.5, 0.5, 0.0]),
        ("what was on 8 June 2024", [0.0, 0.0, 1.0]),
        ("what was on 8 June 2023", [0.0, 0.0, 0.0]),
    ):
        found = search(partition, query)
        order = np.argsort(found.rows)
        assert found.parts["date"][order].tolist() == pytest.approx([bonus * s for s in shares])
    assert "date" not in search(partition, "what was it").parts


def test_a_request_brings_how_the_user_wants_to_be_answered() -> None:
    partition = partition_of(
        Said(seq=0, text="always answer in metric units", session="a"),
        Said(seq=1, text="always mind the units", session="b", role="assistant"),
        Said(seq=2, text="a grey harbour", session="c"),
    )
    assert search(partition, "how long should i boil an egg").rows[0] == 0
    assert search(partition, "how long did i boil an egg").rows[0] == 2
    assert ((search(partition, "how should i boil an egg").scores) <= 1).all()


def test_among_named_people_a_question_steps_back() -> None:
    def pair(speaker: str | None) -> Partition:
        return partition_of(
            Said(seq=0, text="sold the violin", session="a", speaker=speaker),
            Said(seq=1, text="sold the violin?", session="b", speaker=speaker),
        )

    assert search(pair("Ida"), "violin").rows.tolist() == [0, 1]
    assert search(pair(None), "violin").rows.tolist() == [1, 0]


def test_a_long_answer_of_the_assistant_steps_back() -> None:
    long = "sold the violin " + "and so on " * 100
    partition = partition_of(
        Said(seq=0, text=long, session="a"),
        Said(seq=1, text=long, session="b", role="assistant"),
    )
    assert search(partition, "violin").rows.tolist() == [0, 1]
    assert search(partition, "what did you say of a violin").rows.tolist() == [1, 0]


def test_a_query_of_another_size_is_refused() -> None:
    partition = partition_of(Said(seq=0, text="kettle", meaning=1))
    with pytest.raises(EmbeddingDimensionError):
        search(partition, "kettle", np.ones(3, dtype=np.float32))


def test_an_empty_partition_has_no_hits() -> None:
    found = search(partition_of(), "kettle", unit(1))
    assert len(found) == 0
    assert found.rows.tolist() == []


@given(
    conversations(),
    queries,
    vectors,
    st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 1e30]),
    st.sets(st.integers(0, 24)),
)
def test_a_vector_that_is_none_counts_as_none(
    messages: list[Said],
    query: str,
    vector: NDArray[np.float32] | None,
    value: float,
    spoilt: set[int],
) -> None:
    """Rows of NaN, infinity, zeros or beyond any length rank as if they had no vector."""
    said = columns(messages)
    without = [None if at in spoilt else blob for at, blob in enumerate(said.vectors)]
    bad = np.full(len(unit(0)), value, dtype="<f4").tobytes()
    broken = [bad if at in spoilt else blob for at, blob in enumerate(said.vectors)]
    wanted = search(build_partition(replace(said, vectors=without)), query, vector)
    found = search(build_partition(replace(said, vectors=broken)), query, vector)
    assert found.rows.tolist() == wanted.rows.tolist()
    assert found.scores.tolist() == wanted.scores.tolist()
    assert np.isfinite(found.scores).all()


@given(said=conversations(), query=queries, vector=vectors)
def test_what_was_asked_before_changes_nothing(
    said: list[Said], query: str, vector: NDArray[np.float32] | None
) -> None:
    other = RankOptions(short_turn=3, long_answer=5, question_malus=0.7)
    partition = partition_of(*said)
    terms = query_terms(query)
    for options in (None, other, None):
        found = rank(partition, terms=terms, vector=vector, limit=30, options=options)
        fresh = rank(partition_of(*said), terms=terms, vector=vector, limit=30, options=options)
        assert found.rows.tolist() == fresh.rows.tolist()
        assert found.scores.tolist() == fresh.scores.tolist()


def test_what_was_made_of_messages_goes_with_them() -> None:
    partition = texts("a kettle", "a violin")
    search(partition, "kettle")
    gone = weakref.ref(partition)
    del partition
    gc.collect()
    assert gone() is None
