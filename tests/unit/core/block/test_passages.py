"""Search among passages: by words, by meaning, with a floor; and passages that come later."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.block.passage_table import Row
from backstory.core.block.passages import Passages, Wanted
from backstory.core.terms import QueryTerms
from backstory.language.terms import query_terms
from backstory.services.documents.passage_terms import passage_terms

TEXTS = ["a brass key", "a silver ring", "the brass bell rang", "rain on the sea", "a key, a key"]
KEYS = [(1, 0), (1, 1), (1, 2), (2, 0), (3, 0)]
WORDS = ("brass", "key", "silver", "ring", "bell", "rain")
ALL = Wanted(before=99, floor=0.3, most=9)


def _row(key: tuple[int, int], text: str, vector: list[float] | None = None) -> Row:
    data = None if vector is None else np.array(vector, dtype="<f4").tobytes()
    return Row(*key, passage_terms(text), data)


def _made(vectors: list[list[float] | None] | None = None) -> Passages:
    given_ones = vectors or [None] * len(TEXTS)
    return Passages([_row(*one) for one in zip(KEYS, TEXTS, given_ones, strict=True)])


def test_the_passage_with_most_of_the_query_comes_first() -> None:
    found = _made().best(query_terms("the brass key"), None, ALL)
    assert found[0] == (1, 0)
    assert set(found) == {(1, 0), (1, 2), (3, 0)}


def test_what_may_not_be_shown_is_not_found() -> None:
    query = query_terms("brass key rain")
    early = Wanted(before=3, floor=0.3, most=9)
    assert {number for number, _ in _made().best(query, None, early)} == {1, 2}
    some = Wanted(before=99, floor=0.3, most=9, within=frozenset({3, 7}))
    assert _made().best(query, None, some) == [(3, 0)]


def test_at_most_two_of_a_chapter_and_no_more_than_asked() -> None:
    query = query_terms("brass key silver ring bell")
    assert [number for number, _ in _made().best(query, None, ALL)].count(1) == 2
    assert len(_made().best(query, None, Wanted(before=99, floor=0, most=1))) == 1


def test_a_vector_below_the_floor_does_not_pass_by_its_words() -> None:
    made = _made([[1, 0], [0, 1], None, [0.8, 0.6], [0, 1]])
    query = np.array([1, 0], dtype=np.float32)
    found = made.best(query_terms("key"), query, Wanted(before=99, floor=0.5, most=9))
    assert found == [(1, 0), (2, 0)]
    alone = made.best(query_terms("bell"), query, Wanted(before=99, floor=0.9, most=9))
    assert alone == [(1, 0), (1, 2)]


@pytest.mark.parametrize("terms", [QueryTerms(), query_terms("zebra")])
def test_nothing_is_found_where_nothing_is_alike(terms: QueryTerms) -> None:
    assert _made().best(terms, None, ALL) == []
    assert Passages([]).best(terms, None, ALL) == []
    assert Passages([]).nbytes < _made().nbytes


places = st.tuples(st.integers(1, 4), st.integers(0, 2))
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
rows = st.dictionaries(places, st.tuples(texts, st.booleans()), max_size=8)


@given(rows, st.lists(rows, max_size=3), texts, st.integers(1, 6))
def test_passages_that_come_later_are_as_if_they_had_been_there(
    first: dict[tuple[int, int], tuple[str, bool]],
    later: list[dict[tuple[int, int], tuple[str, bool]]],
    asked: str,
    before: int,
) -> None:
    def as_rows(some: dict[tuple[int, int], tuple[str, bool]]) -> list[Row]:
        return [
            _row(key, text, [len(text) % 2, 1 - len(text) % 2] if has else None)
            for key, (text, has) in sorted(some.items())
        ]

    made: Passages | None = Passages(as_rows(first))
    whole = dict(first)
    for more in later:
        assert made is not None
        made = made.changed(as_rows(more))
        whole |= more
    assert made is not None
    anew = Passages(as_rows(whole))
    assert len(made) == len(anew) == len(whole)
    assert made.has_vectors >= anew.has_vectors
    wanted = Wanted(before=before, floor=0.3, most=9)
    for vector in (None, np.array([1, 0], dtype=np.float32)):
        found = made.best(query_terms(asked), vector, wanted)
        assert found == anew.best(query_terms(asked), vector, wanted)


def test_too_many_that_come_later_are_built_anew() -> None:
    made: Passages | None = _made()
    for number in range(10, 400):
        assert made is not None
        made = made.changed([_row((number, 0), "a key")])
        if made is None:
            break
    assert made is None
