"""A partition does not show how it came about."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.core.columns import Labels, PartitionColumns
from backstory.core.partition import (
    SMALL_BLOCK,
    Partition,
    build_partition,
    extend_partition,
    shrink_partition,
)
from backstory.core.ranking import rank
from backstory.core.ranking.dense import cosines
from backstory.core.terms import term_key
from backstory.errors import EmbeddingDimensionError, InvalidInputError
from backstory.language.terms import query_terms
from tests.counts import cases
from tests.unit.core.message_columns import Said, columns, unit

WORDS = ("kettle", "violin", "harbour", "lantern", "ticket")
COLUMN_NAMES = tuple(field.name for field in fields(PartitionColumns))
# More rows than go into one block, so that a batch touches old blocks, new ones or both.
BASE = [
    Said(seq=seq, text=WORDS[seq % 5], session="ab"[seq // 7 % 2], meaning=seq)
    for seq in range(0, 2 * SMALL_BLOCK, 2)
]
FIRST = build_partition(columns(BASE[: SMALL_BLOCK - 3]))


@st.composite
def said(draw: st.DrawFn, seq: int) -> Said:
    return Said(
        seq=seq,
        text=" ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))),
        session=draw(st.sampled_from(["a", "b"])),
        role=draw(st.sampled_from(["user", "assistant"])),
        speaker=draw(st.sampled_from([None, "Ida", "Noor"])),
        meaning=draw(st.none() | st.integers(0, 9)),
    )


@st.composite
def batches(draw: st.DrawFn) -> list[list[Said]]:
    """Batches in which a number may come again: a message edited or embedded later."""
    number = st.integers(480, 540) | st.integers(0, 520)
    numbers = st.lists(number, min_size=1, max_size=8, unique=True)
    return [
        [draw(said(seq)) for seq in draw(numbers)]
        for _ in range(draw(st.integers(min_value=1, max_value=6)))
    ]


def decoded(labels: Labels) -> list[str | None]:
    return [labels.values[code] for code in labels.codes]


def content(partition: Partition) -> dict[str, object]:
    return {
        "seqs": partition.seqs.tolist(),
        "ids": partition.message_ids,
        "sessions": decoded(partition.sessions),
        "roles": decoded(partition.roles),
        "speakers": decoded(partition.speakers),
        "agents": decoded(partition.agents),
        "times": partition.timestamps.tolist(),
        "recorded": partition.recorded.tolist(),
        "lengths": partition.lengths.tolist(),
        "term counts": partition.term_counts.tolist(),
        "has vector": partition.has_vector.tolist(),
        "previous": partition.previous.tolist(),
        "following": partition.following.tolist(),
        "postings": [
            [array.tolist() for array in partition.find(term_key(word))]
            for word in (*WORDS, "lantern", "violin", "ida", "noor", "mark question")
        ],
    }


@settings(max_examples=cases(12, 300))
@given(batches())
def test_extending_gives_what_building_from_the_last_state_gives(steps: list[list[Said]]) -> None:
    state = {message.seq: message for message in BASE[: SMALL_BLOCK - 3]}
    partition = FIRST
    for batch in steps:
        partition = extend_partition(partition, columns(batch))
        state |= {message.seq: message for message in batch}
    whole = build_partition(columns(list(state.values())))
    assert content(partition) == content(whole)
    assert (cosines(partition, unit(3)) == cosines(whole, unit(3))).all()
    terms = query_terms("Noor lantern violin?")
    for vector in (None, unit(3)):
        ours = rank(partition, terms=terms, vector=vector, limit=10)
        theirs = rank(whole, terms=terms, vector=vector, limit=10)
        assert ours.rows.tolist() == theirs.rows.tolist()
        assert ours.scores.tobytes() == theirs.scores.tobytes()


@settings(max_examples=cases(12, 300))
@given(batches(), st.sets(st.integers(0, 540)))
def test_shrinking_gives_what_building_from_the_rest_gives(
    steps: list[list[Said]], gone: set[int]
) -> None:
    state = {
        message.seq: message for batch in [BASE[: SMALL_BLOCK - 3], *steps] for message in batch
    }
    partition = FIRST
    for batch in steps:
        partition = extend_partition(partition, columns(batch))
    rest = [message for message in state.values() if message.seq not in gone]
    assert content(shrink_partition(partition, sorted(gone))) == content(
        build_partition(columns(rest))
    )


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
def test_blocks_cover_the_rows_and_stay_few(sizes: list[int]) -> None:
    partition = build_partition(columns([]))
    seq = 0
    for size in sizes:
        batch = [Said(seq=seq + i, text="kettle", meaning=i) for i in range(size)]
        partition = extend_partition(partition, columns(batch))
        seq += size
        assert partition.blocks[0].start == 0
        for block, after in zip(partition.blocks, partition.blocks[1:], strict=False):
            assert block.start + block.size == after.start
            assert block.size + after.size > SMALL_BLOCK
        assert partition.blocks[-1].start + partition.blocks[-1].size == seq
        assert len(partition.blocks) <= 4


def test_a_partition_is_not_changed_by_extending_it() -> None:
    first = build_partition(columns([Said(seq=1, text="kettle", meaning=1)]))
    before = content(first)
    extend_partition(first, columns([Said(seq=1, text="violin"), Said(seq=2, text="harbour")]))
    assert content(first) == before


def test_neighbours_are_those_of_the_session() -> None:
    partition = build_partition(
        columns([Said(seq=i, text="x", session=s) for i, s in enumerate("abab")])
    )
    assert partition.previous.tolist() == [4, 4, 0, 1]
    assert partition.following.tolist() == [2, 3, 4, 4]


def test_rows_of_numbers_that_exist() -> None:
    partition = build_partition(columns([Said(seq=seq, text="x") for seq in (2, 5, 9)]))
    assert partition.rows_of([9, 2, 3, 11]).tolist() == [2, 0]
    assert build_partition(columns([])).rows_of([1]).tolist() == []


def test_labels_mark_rows() -> None:
    labels = Labels.of(["a", None, "b", "a"])
    assert labels.is_any_of(["a"]).tolist() == [True, False, False, True]
    assert labels.is_any_of([None, "b"]).tolist() == [False, True, True, False]
    assert Labels.of([]).is_any_of(["a"]).tolist() == []


def test_wrong_columns_are_refused() -> None:
    good = columns([Said(seq=1, text="x", meaning=1), Said(seq=2, text="y", meaning=2)])
    with pytest.raises(InvalidInputError):
        replace(good, roles=["user"])
    with pytest.raises(InvalidInputError):
        build_partition(replace(good, seqs=[1, 1]))
    with pytest.raises(EmbeddingDimensionError):
        build_partition(replace(good, vectors=[bytes(16), bytes(20)]))
    with pytest.raises(EmbeddingDimensionError):
        extend_partition(
            build_partition(good),
            replace(columns([Said(seq=3, text="z")]), vectors=[np.ones(5, "<f4").tobytes()]),
        )


def test_nbytes_counts_the_matrix() -> None:
    with_vectors = build_partition(columns([Said(seq=1, text="x", meaning=1)]))
    without = build_partition(columns([Said(seq=1, text="x")]))
    assert with_vectors.nbytes - without.nbytes == 16


def test_cosines_do_not_depend_on_the_rows_beside() -> None:
    """At a real width, where a matrix product's last bits do."""
    random = np.random.default_rng(5)
    vectors = random.standard_normal((501, 384)).astype("<f4")
    query = random.standard_normal(384).astype(np.float32)
    said = columns([Said(seq=seq, text="kettle") for seq in range(len(vectors))])
    whole = replace(said, vectors=[vector.tobytes() for vector in vectors])
    at_once = cosines(build_partition(whole), query)
    for start, end in ((0, 77), (77, 78), (78, 411), (411, 501)):
        part = PartitionColumns(
            **{name: list(getattr(whole, name))[start:end] for name in COLUMN_NAMES}
        )
        assert (cosines(build_partition(part), query) == at_once[start:end]).all()
