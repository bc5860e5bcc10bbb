"""Ranking with some cosines: which are asked for, and what stands for the rest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from backstory.core.columns import ELSEWHERE, PartitionColumns
from backstory.core.partition import Partition, build_partition
from backstory.core.ranking import distant, rank
from backstory.core.ranking.dense import cosines
from backstory.core.ranking.distant import Compared, completed, sampled, worth_comparing
from backstory.core.terms import QueryTerms
from backstory.errors import EmbeddingDimensionError

SIZE = 8


def unit(count: int, seed: int) -> NDArray[np.float32]:
    """Random directions."""
    rows = np.random.default_rng(seed).standard_normal((count, SIZE), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def partition(count: int, seed: int, *, elsewhere: bool = False) -> Partition:
    """Messages in sessions of five; each holds one of seven words."""
    rows = unit(count, seed)
    return build_partition(
        PartitionColumns(
            seqs=range(1, count + 1),
            message_ids=[f"m{n}" for n in range(count)],
            sessions=[f"s{n // 5}" for n in range(count)],
            timestamps=range(count),
            recorded=range(count),
            known=range(count),
            roles=["user"] * count,
            speakers=[None] * count,
            agents=[None] * count,
            lengths=[20] * count,
            terms=[np.array([n % 7 + 1], dtype="<u4").tobytes() for n in range(count)],
            vectors=[ELSEWHERE if elsewhere else row.tobytes() for row in rows],
        )
    )


def test_vectors_that_are_elsewhere_take_no_room() -> None:
    near, far = partition(40, 1), partition(40, 1, elsewhere=True)
    assert far.is_distant
    assert not near.is_distant
    assert far.has_vector.all()
    assert near.nbytes - far.nbytes == 40 * SIZE * 4


def test_vectors_are_in_one_place() -> None:
    one = PartitionColumns(
        seqs=[1, 2],
        message_ids=["a", "b"],
        sessions=["s", "s"],
        timestamps=[1, 2],
        recorded=[1, 2],
        known=[1, 2],
        roles=["user", "user"],
        speakers=[None, None],
        agents=[None, None],
        lengths=[1, 1],
        terms=[b"", b""],
        vectors=[ELSEWHERE, unit(1, 1).tobytes()],
    )
    with pytest.raises(EmbeddingDimensionError):
        build_partition(one)


@given(st.integers(1, 60), st.integers(0, 9))
def test_with_all_cosines_known_the_ranking_is_that_in_memory(count: int, seed: int) -> None:
    near, far = partition(count, seed), partition(count, seed, elsewhere=True)
    query, terms = unit(1, seed + 100)[0], QueryTerms(keys=(3,), words=("three",))
    known = Compared(cosines=cosines(near, query), known=np.ones(count, dtype=np.bool_))
    exact = rank(near, terms=terms, vector=query, limit=10)
    found = rank(far, terms=terms, vector=None, limit=10, compared=known)
    assert found.rows.tolist() == exact.rows.tolist()
    assert found.scores.tolist() == exact.scores.tolist()
    assert found.dense_ranks.tolist() == exact.dense_ranks.tolist()


def test_what_can_come_near_the_top_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distant, "SAMPLE", 10)
    monkeypatch.setattr(distant, "BY_WORDS", 5)
    far = partition(300, 2, elsewhere=True)
    allowed = np.ones(300, dtype=np.bool_)
    allowed[101] = False
    terms = QueryTerms(keys=(3,), words=("three",))
    rows = worth_comparing(far, np.array([100, 200]), terms, allowed)
    assert {100, 200, 201} <= set(rows.tolist())
    assert 101 not in rows
    assert sum(row % 7 + 1 == 3 for row in rows.tolist()) >= 5
    assert set(sampled(far, allowed).tolist()) <= set(rows.tolist())
    assert len(rows) < 60


def test_the_farthest_and_their_neighbours_are_compared_as_the_scale_begins_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distant, "SAMPLE", 10)
    far = partition(300, 2, elsewhere=True)
    allowed = np.ones(300, dtype=np.bool_)
    allowed[152] = False
    nearest = np.array([100])
    rows = worth_comparing(far, nearest, QueryTerms(), allowed, farthest=np.array([151, 152]))
    more = set(rows.tolist()) - set(worth_comparing(far, nearest, QueryTerms(), allowed).tolist())
    assert more == {150, 151, 153}


def test_sessions_of_the_first_ranking_are_whole_while_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    far = partition(300, 2, elsewhere=True)
    allowed = np.ones(300, dtype=np.bool_)
    allowed[12] = False
    ranked = np.array([11, 203, 14, 55])
    assert distant.of_sessions(far, ranked, allowed).tolist() == [
        *(10, 11, 13, 14, 55, 56, 57, 58, 59, 200, 201, 202, 203, 204)
    ]
    monkeypatch.setattr(distant, "OF_SESSIONS", 10)
    assert distant.of_sessions(far, ranked, allowed).tolist() == [
        *(10, 11, 13, 14, 200, 201, 202, 203, 204)
    ]


def test_a_guess_is_not_shown_as_a_cosine() -> None:
    far = partition(300, 3, elsewhere=True)
    allowed = np.ones(300, dtype=np.bool_)
    rows = np.arange(0, 300, 2)
    made = completed(far, rows, np.linspace(0, 1, 150, dtype=np.float32), allowed)
    guesses = set(made.cosines[1::2].tolist())
    assert len(guesses) == 1
    assert 0.4 < guesses.pop() < 0.6
    found = rank(far, terms=QueryTerms(), vector=None, limit=300, compared=made)
    assert found.cosines is not None
    shown = dict(zip(found.rows.tolist(), found.cosines.tolist(), strict=True))
    assert all(np.isnan(shown[row]) == (row % 2 == 1) for row in shown)
    assert found.rows[0] % 2 == 0
