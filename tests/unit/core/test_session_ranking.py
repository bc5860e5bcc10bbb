"""Conversations scored whole: the cosine of a centroid, and words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from backstory.core.partition import Partition, PartitionColumns, build_partition, extend_partition
from backstory.core.ranking.dense import cosines
from backstory.core.ranking.sessions import (
    block_sums,
    centroid_cosines,
    fused,
    keyword_scores,
    norms,
)

SIZE = 8


def _columns(sessions: list[int], vectors: list[bytes | None], first: int = 1) -> PartitionColumns:
    count = len(sessions)
    words = [np.array([10 + n % 3], dtype="<u4").tobytes() for n in range(count)]
    return PartitionColumns(
        seqs=range(first, first + count),
        message_ids=[f"m{first + n}" for n in range(count)],
        sessions=[f"s{code}" for code in sessions],
        timestamps=range(count),
        recorded=range(count),
        known=range(count),
        roles=["user"] * count,
        speakers=[None] * count,
        agents=[None] * count,
        lengths=[10] * count,
        terms=words,
        vectors=vectors,
    )


def _vectors(seed: int, count: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, SIZE))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)


def _found(
    partition: Partition, query: NDArray[np.float32], mask: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    lengths = norms(partition, [block_sums(partition, b, mask) for b in partition.blocks])
    return centroid_cosines(partition, cosines(partition, query), lengths, mask)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=40),
    st.integers(0, 99),
    st.integers(1, 39),
)
def test_the_cosine_of_a_centroid_is_that_of_the_mean(
    turns: list[tuple[int, bool]], seed: int, cut: int
) -> None:
    codes = [code for code, _ in turns]
    rows, query = _vectors(seed, len(turns)), _vectors(seed + 1, 1)[0]
    blobs = [row.tobytes() if has else None for row, (_, has) in zip(rows, turns, strict=True)]
    partition = build_partition(_columns(codes, blobs))
    grown = build_partition(_columns(codes[:cut], blobs[:cut]))
    grown = extend_partition(grown, _columns(codes[cut:], blobs[cut:], cut + 1))
    mask = np.arange(len(turns)) % 2 == 0
    for known in (None, mask):
        found = _found(partition, query, known)
        assert np.array_equal(_found(grown, query, known), found, equal_nan=True)
        for code, name in enumerate(partition.sessions.values):
            mine = [
                rows[at]
                for at, (session, has) in enumerate(turns)
                if has and f"s{session}" == name and (known is None or known[at])
            ]
            if not mine:
                assert np.isnan(found[code])
                continue
            mean = np.mean(mine, axis=0)
            assert found[code] == pytest.approx(mean @ query / np.linalg.norm(mean), abs=1e-4)


def test_words_count_by_how_rare_they_are_among_sessions() -> None:
    partition = build_partition(_columns([0, 0, 0, 1, 1, 2], [None] * 6))
    scores = keyword_scores(partition, (10, 12))
    # the first session holds both, each of the others one
    assert scores[0] > max(scores[1], scores[2]) > 0
    assert keyword_scores(partition, (10,))[2] == 0
    assert (scores <= 1).all()
    assert (keyword_scores(partition, ()) == 0).all()
    assert (keyword_scores(partition, (99,)) == 0).all()
    none = np.zeros(6, dtype=np.bool_)
    assert (keyword_scores(partition, (10,), none) == 0).all()


def test_the_score_stays_in_its_range_and_a_summary_alone_counts() -> None:
    nan = np.float32(np.nan)
    keyword = np.array([0, 1, 0.5, 0], dtype=np.float32)
    turn = np.array([0, 1, -1, 0], dtype=np.float32)
    centroid = np.array([nan, 1, -1, nan], dtype=np.float32)
    summary = np.array([0.8, 1, nan, nan], dtype=np.float32)
    found = fused(keyword, turn, centroid, summary, is_by_words=False)
    assert found.score.tolist() == pytest.approx([0.4, 1.0, 0.25, 0.0])
    assert found.nearest.tolist() == pytest.approx([0.8, 1.0, 0.0, 0.0])
    alone = fused(keyword, turn, centroid, summary, is_by_words=True)
    assert alone.score.tolist() == keyword.tolist()
