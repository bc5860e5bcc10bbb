"""One user's messages as arrays: what search scores.

A partition is a value: extending one gives another that shares what did not change. Rows are
ordered by ``seq``, the user's own running number of messages. The matrix and the index are kept
in blocks of falling size, so that one more message copies the last block and not the first.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.columns import NO_COLUMNS, Labels, PartitionColumns
from backstory.core.postings import Postings
from backstory.core.terms import KEY_BITS
from backstory.errors import EmbeddingDimensionError, InvalidInputError

__all__ = [
    "Block",
    "Partition",
    "PartitionColumns",
    "build_partition",
    "extend_partition",
    "shrink_partition",
]

SMALL_BLOCK: Final = 256
"""Rows. Remaking a block of this size costs less than 1 ms."""
MERGE_FACTOR: Final = 8
"""Rows join the block before them when they are at least this share of it: 10,000 messages that
came one by one then lie in at most four blocks."""
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)
_NO_COUNTS: Final = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """Consecutive rows: their index and, once any is embedded, their vectors.

    Attributes:
        start: First row.
        size: Number of rows.
        postings: The index; its rows are rows of the partition.
        matrix: Shape (size, dimensions); zeros where a message has no vector. None if none has.
    """

    start: int
    size: int
    postings: Postings
    matrix: NDArray[np.float32] | None

    @property
    def nbytes(self) -> int:
        """Memory of the arrays in bytes."""
        return self.postings.nbytes + (0 if self.matrix is None else self.matrix.nbytes)


@dataclass(frozen=True, kw_only=True, eq=False)
class Partition:
    """One user's messages, ordered by ``seq``. Build it by `build_partition`.

    Attributes:
        seqs: int64, ascending.
        message_ids: Ids of the messages.
        sessions: Session ids.
        timestamps: int64, µs since 1970 UTC.
        recorded: int64, µs since 1970 UTC.
        known: int64, µs since 1970 UTC: since when a message counts as known.
        roles: Roles.
        speakers: Names of speakers; None where there is only a role.
        agents: Agent ids.
        lengths: int32, characters of the text.
        term_counts: float32, words of the text: the length in the sense of BM25.
        has_vector: Whether the message is embedded.
        previous: Row before this one in the same session; the number of rows where there is none.
        following: Row after this one in the same session; likewise.
        blocks: Index and vectors.
        dimensions: Of the vectors; None while there are none in memory.
    """

    seqs: NDArray[np.int64]
    message_ids: tuple[str, ...]
    sessions: Labels
    timestamps: NDArray[np.int64]
    recorded: NDArray[np.int64]
    known: NDArray[np.int64]
    roles: Labels
    speakers: Labels
    agents: Labels
    lengths: NDArray[np.int32]
    term_counts: NDArray[np.float32]
    has_vector: NDArray[np.bool_]
    previous: NDArray[np.intp]
    following: NDArray[np.intp]
    blocks: tuple[Block, ...]
    dimensions: int | None

    def __len__(self) -> int:
        return len(self.seqs)

    @property
    def nbytes(self) -> int:
        """Memory in bytes, message ids included (an estimate of 90 bytes for each)."""
        per_row = 8 * 5 + 4 * 6 + 1 + 90
        return len(self) * per_row + sum(block.nbytes for block in self.blocks)

    @property
    def is_distant(self) -> bool:
        """Whether messages are embedded, and their vectors are in the database alone."""
        return self.dimensions is None and bool(self.has_vector.any())

    def rows_of(self, seqs: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of those of the given numbers that exist, in the given order."""
        wanted = np.asarray(seqs, dtype=np.int64)
        at = np.searchsorted(self.seqs, wanted)
        padded = np.append(self.seqs, np.iinfo(np.int64).max)
        found: NDArray[np.int64] = at[padded[at] == wanted]
        return found

    def find(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows that hold a term key, ascending, and how often they do."""
        found = [hit for block in self.blocks if len((hit := block.postings.find(key))[0])]
        if not found:
            return _NO_ROWS, _NO_COUNTS
        if len(found) == 1:
            return found[0]
        rows, counts = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(counts)


def build_partition(columns: PartitionColumns) -> Partition:
    """Build a partition from all messages of a user.

    Raises:
        InvalidInputError: A ``seq`` occurs twice, or columns differ in length.
        EmbeddingDimensionError: Vectors differ in size.
    """
    return extend_partition(_EMPTY, columns)


def extend_partition(partition: Partition, columns: PartitionColumns) -> Partition:
    """Add messages. One with a ``seq`` that is there replaces that message, its vector included.

    The result is that of building from all messages at once. Messages with the highest numbers
    are cheap to add or to replace; an old one costs as much as building the block that holds it.

    Raises:
        InvalidInputError: A ``seq`` occurs twice in the columns, or they differ in length.
        EmbeddingDimensionError: The vectors have another size than the partition's.
    """
    if not len(columns):
        return partition
    return _compose(partition, _Rows.of(columns), np.zeros(0, dtype=np.int64))


def shrink_partition(partition: Partition, seqs: Sequence[int]) -> Partition:
    """Leave out the messages with the given numbers; unknown numbers are ignored."""
    gone = partition.rows_of(sorted(set(seqs)))
    if not len(gone):
        return partition
    return _compose(partition, _Rows.of(NO_COLUMNS), gone)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Rows:
    """Columns in the order of ``seq``, as arrays; terms flattened."""

    columns: PartitionColumns
    seqs: NDArray[np.int64]
    terms: NDArray[np.uint32]
    row_of_term: NDArray[np.int64]
    has_vector: NDArray[np.bool_]
    matrix: NDArray[np.float32] | None

    @classmethod
    def of(cls, columns: PartitionColumns) -> "_Rows":
        columns = columns.in_order()
        seqs = np.array(columns.seqs, dtype=np.int64)
        if (np.diff(seqs) == 0).any():
            message = "The same seq occurs twice."
            raise InvalidInputError(message)
        counts = np.array([len(blob) // 4 for blob in columns.terms], dtype=np.int64)
        has_vector, matrix = _matrix(columns.vectors)
        return cls(
            columns=columns,
            seqs=seqs,
            terms=np.frombuffer(b"".join(columns.terms), dtype="<u4").astype(np.uint32),
            row_of_term=np.repeat(np.arange(len(seqs)), counts),
            has_vector=has_vector,
            matrix=matrix,
        )

    @property
    def term_counts(self) -> NDArray[np.float32]:
        is_word = self.terms >> np.uint32(KEY_BITS) == 0
        return np.bincount(self.row_of_term[is_word], minlength=len(self.seqs)).astype(np.float32)


def _matrix(
    vectors: Sequence[bytes | None],
) -> tuple[NDArray[np.bool_], NDArray[np.float32] | None]:
    """Which messages have a vector, and the matrix; None if none has.

    A stored row of zeros, with NaN or infinity, or whose length is not a number counts as none.
    """
    has_vector = np.array([blob is not None for blob in vectors], dtype=np.bool_)
    present = [blob for blob in vectors if blob is not None]
    if not any(present):
        return has_vector, None  # none, or all of them ELSEWHERE
    if len({len(blob) for blob in present}) > 1:
        message = "The vectors of one generation differ in size."
        raise EmbeddingDimensionError(message)
    rows = np.frombuffer(b"".join(present), dtype="<f4").reshape(len(present), -1)
    with np.errstate(all="ignore"):
        squares = np.vecdot(rows, rows)
    usable = np.isfinite(squares) & (squares > 0)
    has_vector[has_vector] = usable
    if not usable.any():
        return has_vector, None
    if len(present) == len(vectors) and usable.all():
        return has_vector, rows.astype(np.float32, copy=False)
    matrix = np.zeros((len(vectors), rows.shape[1]), dtype=np.float32)
    matrix[has_vector] = rows[usable]
    return has_vector, matrix


def _compose(partition: Partition, new: _Rows, gone: NDArray[np.int64]) -> Partition:
    """Give the partition without the rows ``gone`` and with new rows, replacing equal seqs."""
    dimensions = partition.dimensions
    if new.matrix is not None:
        if dimensions not in (None, new.matrix.shape[1]):
            message = f"The store holds vectors of {dimensions}, not {new.matrix.shape[1]}."
            raise EmbeddingDimensionError(message)
        dimensions = new.matrix.shape[1]
    kept = np.ones(len(partition), dtype=np.bool_)
    kept[gone] = False
    kept[partition.rows_of(new.seqs.tolist())] = False
    order = np.argsort(np.concatenate([partition.seqs[kept], new.seqs]), kind="stable")
    place = _Placement(kept=kept, order=order)
    changed = int(np.searchsorted(partition.seqs, new.seqs[0])) if len(new.seqs) else len(kept)
    changed = min(changed, int(gone[0]) if len(gone) else changed)
    columns = new.columns
    sessions = place.labels(partition.sessions, columns.sessions)
    previous, following = _neighbours(sessions.codes)
    return Partition(
        seqs=place.array(partition.seqs, new.seqs),
        message_ids=place.texts(partition.message_ids, columns.message_ids),
        sessions=sessions,
        timestamps=place.array(partition.timestamps, columns.timestamps),
        recorded=place.array(partition.recorded, columns.recorded),
        known=place.array(partition.known, columns.known),
        roles=place.labels(partition.roles, columns.roles),
        speakers=place.labels(partition.speakers, columns.speakers),
        agents=place.labels(partition.agents, columns.agents),
        lengths=place.array(partition.lengths, columns.lengths),
        term_counts=place.array(partition.term_counts, new.term_counts),
        has_vector=place.array(partition.has_vector, new.has_vector),
        previous=previous,
        following=following,
        blocks=_blocks(partition.blocks, new, place, changed),
        dimensions=dimensions,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Placement:
    """Where the kept old rows and the new rows go: ``order`` permutes old[kept] + new."""

    kept: NDArray[np.bool_]
    order: NDArray[np.int64]

    def array(self, old: NDArray[Any], new: Sequence[int] | NDArray[Any]) -> NDArray[Any]:
        joined = np.concatenate([old[self.kept], np.asarray(new, dtype=old.dtype)])
        return joined[self.order]

    def texts(self, old: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
        if self.kept.all() and self.is_append:
            return (*old, *new)
        joined = [*itertools.compress(old, self.kept.tolist()), *new]
        return tuple(joined[at] for at in self.order.tolist())

    def labels(self, old: Labels, new: Sequence[str | None]) -> Labels:
        added = Labels.of(new, old.values)
        return Labels(values=added.values, codes=self.array(old.codes, added.codes))

    @property
    def is_append(self) -> bool:
        return bool((np.diff(self.order) == 1).all())

    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The new place of each old row, -1 for those that go, and of each new row."""
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        old = np.full(len(self.kept), -1, dtype=np.int64)
        held = int(self.kept.sum())
        old[self.kept] = place[:held]
        return old, place[held:]


def _neighbours(sessions: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows before and after each row in its session; the number of rows for none."""
    size = len(sessions)
    order = np.argsort(sessions, kind="stable")
    same = np.diff(sessions[order]) == 0
    previous = np.full(size, size, dtype=np.intp)
    following = np.full(size, size, dtype=np.intp)
    previous[order[1:][same]] = order[:-1][same]
    following[order[:-1][same]] = order[1:][same]
    return previous, following


def _blocks(
    old: tuple[Block, ...], new: _Rows, place: _Placement, changed: int
) -> tuple[Block, ...]:
    """Keep the blocks before the first changed row and make one of all that follows."""
    total = len(place.order)
    intact = sum(block.start + block.size <= changed for block in old)
    start = old[intact].start if intact < len(old) else (old[-1].start + old[-1].size if old else 0)
    while intact and _belongs(old[intact - 1].size, total - start):
        intact -= 1
        start = old[intact].start
    if start == total:
        return old[:intact]
    old_place, new_place = place.rows()
    postings = Postings.build(new.terms, new_place[new.row_of_term])
    for block in old[intact:]:
        postings = block.postings.moved(old_place).merged(postings)
    matrix = _joined_matrix(
        old[intact:], new, old_place, new_place, start=start, size=total - start
    )
    return (*old[:intact], Block(start=start, size=total - start, postings=postings, matrix=matrix))


def _belongs(before: int, size: int) -> bool:
    return before + size <= SMALL_BLOCK or size * MERGE_FACTOR >= before


def _joined_matrix(
    blocks: tuple[Block, ...],
    new: _Rows,
    old_place: NDArray[np.int64],
    new_place: NDArray[np.int64],
    *,
    start: int,
    size: int,
) -> NDArray[np.float32] | None:
    known = [block for block in blocks if block.matrix is not None]
    if new.matrix is None and not known:
        return None
    if new.matrix is not None and not blocks:
        return new.matrix
    first = new.matrix if new.matrix is not None else known[0].matrix
    assert first is not None  # noqa: S101 (narrows the type)
    joined = np.zeros((size, first.shape[1]), dtype=np.float32)
    for block in known:
        rows = old_place[block.start : block.start + block.size]
        assert block.matrix is not None  # noqa: S101
        joined[rows[rows >= 0] - start] = block.matrix[rows >= 0]
    if new.matrix is not None:
        joined[new_place - start] = new.matrix
    return joined


def _empty() -> Partition:
    labels = Labels(values=(), codes=np.zeros(0, dtype=np.int32))
    longs = np.zeros(0, dtype=np.int64)
    ints = np.zeros(0, dtype=np.int32)
    return Partition(
        seqs=longs,
        message_ids=(),
        sessions=labels,
        timestamps=longs,
        recorded=longs,
        known=longs,
        roles=labels,
        speakers=labels,
        agents=labels,
        lengths=ints,
        term_counts=np.zeros(0, dtype=np.float32),
        has_vector=np.zeros(0, dtype=np.bool_),
        previous=longs,
        following=longs,
        blocks=(),
        dimensions=None,
    )


_EMPTY: Final = _empty()
