"""Search among passages: by words, by meaning, with a floor."""

import numpy as np
import pytest

from backstory.core.block.passages import PassageTable, build_table
from backstory.core.terms import QueryTerms
from backstory.language.terms import query_terms
from backstory.services.documents.passage_terms import passage_terms

TEXTS = ["a brass key", "a silver ring", "the brass bell rang", "rain on the sea", "a key, a key"]


def _table(vectors: list[list[float] | None] | None = None) -> PassageTable:
    given: list[bytes | None] = [
        None if vector is None else np.array(vector, dtype="<f4").tobytes()
        for vector in (vectors or [None] * len(TEXTS))
    ]
    return build_table([1, 1, 1, 2, 3], [0, 1, 2, 0, 0], list(map(passage_terms, TEXTS)), given)


def _all(table: PassageTable) -> "np.typing.NDArray[np.bool_]":
    return np.ones(len(table), dtype=np.bool_)


def test_the_passage_with_most_of_the_query_comes_first() -> None:
    table = _table()
    found = table.best(query_terms("the brass key"), None, _all(table), 0.3, 9)
    assert found[0] == (1, 0)
    assert set(found) == {(1, 0), (1, 2), (3, 0)}


def test_what_may_not_be_shown_is_not_found() -> None:
    table = _table()
    found = table.best(query_terms("brass key"), None, table.numbers > 1, 0.3, 9)
    assert found == [(3, 0)]


def test_at_most_two_of_a_chapter_and_no_more_than_asked() -> None:
    table = _table()
    query = query_terms("brass key silver ring bell")
    assert [number for number, _ in table.best(query, None, _all(table), 0, 9)].count(1) == 2
    assert len(table.best(query, None, _all(table), 0, 1)) == 1


def test_a_vector_below_the_floor_does_not_pass_by_its_words() -> None:
    table = _table([[1, 0], [0, 1], None, [0.8, 0.6], [0, 1]])
    query = np.array([1, 0], dtype=np.float32)
    found = table.best(query_terms("key"), query, _all(table), 0.5, 9)
    assert found == [(1, 0), (2, 0)]
    alone = table.best(query_terms("bell"), query, _all(table), 0.9, 9)
    assert alone == [(1, 0), (1, 2)]


@pytest.mark.parametrize("terms", [QueryTerms(), query_terms("zebra")])
def test_nothing_is_found_where_nothing_is_alike(terms: QueryTerms) -> None:
    table = _table()
    assert table.best(terms, None, _all(table), 0.3, 9) == []
    empty = build_table([], [], [], [])
    assert empty.best(terms, None, _all(empty), 0.3, 9) == []
    assert empty.nbytes >= 0
