"""Facts are scored by all the words of a question, and by meaning where there are vectors."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.core.facts import index
from backstory.core.facts.asof import is_current
from backstory.core.facts.index import FactTable, IndexedFact, build_fact_table
from backstory.core.facts.phrases import indexed_text
from backstory.core.model.fact import Fact, FactStatus
from backstory.language.terms import message_terms, query_terms
from tests.counts import cases

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FACTS = (("personal.name", "Vera"), ("home.place", "Lund"), ("work.employer", "Tetra"))


def table(vectors: bool = False) -> FactTable:
    items = []
    for place, (key, value) in enumerate(FACTS):
        fact = Fact(id=key, user_id="u", key=key, value=value, recorded_at=NOON, believed_at=NOON)
        terms = message_terms(indexed_text(fact), speaker=None, timestamp=NOON)
        vector = np.eye(len(FACTS), dtype=np.float32)[place] if vectors else None
        items.append(IndexedFact(fact=fact, terms=terms, vector=vector))
    return build_fact_table(items)


def best(question: str) -> tuple[str, float]:
    facts = table()
    fused = facts.score(query_terms(question), None).fused(0.4)
    return facts.facts[int(fused.argmax())].key, float(fused.max())


def test_the_name_in_a_question_is_no_answer_to_it() -> None:
    key, score = best("where does Vera live?")
    assert key == "home.place" or score < 0.6
    assert best("where do I live?")[0] == "home.place"


def test_a_fact_that_holds_one_word_of_many_scores_low() -> None:
    _, score = best("did Vera ever finish the blue boat in the shed behind grandfather's barn?")
    assert score < 0.3


def test_scores_stay_in_their_range() -> None:
    for question in ("Vera Vera Vera", "Vera", "lives Lund city town", "", "\u6c49\u5b57"):
        scores = table().score(query_terms(question), None)
        assert 0 <= float(scores.fused(0.4).min()) <= float(scores.fused(0.4).max()) <= 1


def test_vectors_decide_where_words_say_nothing() -> None:
    vector = np.array([0, 0, 1], dtype=np.float32)
    scores = table(vectors=True).score(query_terms("zzz"), vector)
    assert int(scores.fused(0.4).argmax()) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_few_facts_are_a_table_too(count: int) -> None:
    facts = build_fact_table([])
    assert len(facts) == 0
    assert len(facts.score(query_terms("x"), None).keyword) == 0


moments = st.none() | st.integers(-3, 3).map(lambda days: NOON + timedelta(days=days))


@given(
    st.lists(st.tuples(st.sampled_from(FactStatus), moments, moments), max_size=8),
    st.integers(-4, 4),
)
def test_current_rows_are_those_of_the_rule(
    given_rows: list[tuple[FactStatus, datetime | None, datetime | None]], days: int
) -> None:
    facts = [
        Fact(
            id=str(number),
            user_id="u",
            key="home.place",
            value="Lund",
            status=status,
            valid_from=begun,
            valid_until=over,
            recorded_at=NOON,
            believed_at=NOON,
        )
        for number, (status, begun, over) in enumerate(given_rows)
    ]
    none = np.zeros(0, dtype=np.uint32)
    made = build_fact_table([IndexedFact(fact=fact, terms=none, vector=None) for fact in facts])
    now = NOON + timedelta(days=days)
    assert made.current(now).tolist() == [is_current(fact, now) for fact in facts]
    assert made.retracted.tolist() == [fact.status is FactStatus.RETRACTED for fact in facts]


WORDS = (
    "Lund",
    "Malm\u00f6 boat",
    "\u6c49\u5b57 \u5317\u4eac",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f40c boat",
)
Given = tuple[int, str, FactStatus, datetime | None, int | None]
changes = st.lists(
    st.lists(
        st.tuples(
            st.integers(0, 6),
            st.sampled_from(WORDS),
            st.sampled_from(FactStatus),
            moments,
            st.none() | st.integers(0, 3),
        ),
        max_size=4,
        unique_by=lambda item: item[0],
    ),
    max_size=6,
)


def indexed(given: Given) -> IndexedFact:
    number, words, status, begun, direction = given
    fact = Fact(
        id=str(number),
        user_id="u",
        key="home.place",
        value=words,
        status=status,
        valid_from=begun,
        recorded_at=NOON,
        believed_at=NOON,
    )
    terms = message_terms(words, speaker=None, timestamp=NOON)
    vector = None if direction is None else np.eye(4, dtype=np.float32)[direction]
    return IndexedFact(fact=fact, terms=terms, vector=vector)


@pytest.mark.parametrize("recent", [0, 2, 256])
@settings(max_examples=cases(12, 200))
@given(changes, st.sampled_from(WORDS))
def test_a_table_that_was_changed_is_as_one_made_anew(
    recent: int,
    steps: list[list[Given]],
    words: str,
) -> None:
    table, known = build_fact_table([]), dict[str, IndexedFact]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_MOST_RECENT", recent)
        for step in steps:
            items = [indexed(item) for item in step]
            before, seen = table, same(table, words)
            table = table.changed(items)
            known.update({item.fact.id: item for item in items})
            assert same(table, words) == same(build_fact_table(list(known.values())), words)
            assert same(before, words)[:5] == seen[:5]


def same(table: FactTable, words: str) -> tuple[object, ...]:
    """What a table says, cosines last: a fact without a vector may get one in an older table."""
    vector = np.array([1, 2, 3, 4], dtype=np.float32)
    scores = table.score(query_terms(words), vector)
    cosines = None if scores.cosines is None or not table.has_vector.any() else scores.cosines
    return (
        table.facts,
        table.rows,
        (table.current(NOON).tolist(), table.retracted.tolist(), table.has_vector.tolist()),
        scores.keyword.tolist(),
        scores.most,
        None if cosines is None else cosines.tolist(),
    )
