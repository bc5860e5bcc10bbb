"""A user's messages as columns: what a database gives to build a partition from."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.errors import InvalidInputError

ELSEWHERE: Final = b""
"""In the place of a vector that is not in memory."""


@dataclass(frozen=True, kw_only=True)
class PartitionColumns:
    """Messages as a database gives them, one entry per message, in any order.

    Attributes:
        seqs: The user's running number of the message; unique, kept when it is edited.
        message_ids: Ids of the messages.
        sessions: Id of the session.
        timestamps: When it was said, in µs since 1970 UTC.
        recorded: When it was stored, in µs since 1970 UTC.
        known: Since when it counts as known: as ``recorded``, in a bulk import as ``timestamps``.
        roles: Such as "user" and "assistant".
        speakers: Names, or None.
        agents: Agent ids, or None.
        lengths: Characters of the text.
        terms: What ``message_terms`` returned, as little-endian uint32 bytes.
        vectors: Little-endian float32 bytes of length 1 as vectors; None while not embedded,
            ELSEWHERE if only the database holds it. All vectors of a user are in one place.
    """

    seqs: Sequence[int]
    message_ids: Sequence[str]
    sessions: Sequence[str]
    timestamps: Sequence[int]
    recorded: Sequence[int]
    known: Sequence[int]
    roles: Sequence[str]
    speakers: Sequence[str | None]
    agents: Sequence[str | None]
    lengths: Sequence[int]
    terms: Sequence[bytes]
    vectors: Sequence[bytes | None]

    def __post_init__(self) -> None:
        if len({len(getattr(self, field.name)) for field in fields(self)}) > 1:
            message = "The columns differ in length."
            raise InvalidInputError(message)

    def __len__(self) -> int:
        return len(self.seqs)

    def in_order(self) -> "PartitionColumns":
        """Return the same messages in the order of ``seqs``."""
        order = sorted(range(len(self)), key=self.seqs.__getitem__)
        if order == list(range(len(self))):
            return self
        columns = {f.name: [getattr(self, f.name)[at] for at in order] for f in fields(self)}
        return PartitionColumns(**columns)


NO_COLUMNS: Final = PartitionColumns(
    seqs=(),
    message_ids=(),
    sessions=(),
    timestamps=(),
    recorded=(),
    known=(),
    roles=(),
    speakers=(),
    agents=(),
    lengths=(),
    terms=(),
    vectors=(),
)
"""No messages."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Grouped:
    """Rows group by group, so that something can be found of all groups at once.

    Attributes:
        rows: All rows, those of one group together.
        starts: Where each group begins in them.
        sizes: How many rows each has.
        group_of_row: The place among ``starts`` of the group of each row.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    group_of_row: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Labels:
    """A column of repeated texts: distinct values, and each row's place among them.

    None is a value like any other here. Values stand in order of first appearance.
    """

    values: tuple[str | None, ...]
    codes: NDArray[np.int32]

    @staticmethod
    def of(column: Sequence[str | None], known: tuple[str | None, ...] = ()) -> "Labels":
        """Code a column, continuing the values that are known."""
        places = {value: place for place, value in enumerate(known)}
        codes = [places.setdefault(value, len(places)) for value in column]
        return Labels(values=tuple(places), codes=np.array(codes, dtype=np.int32))

    @cached_property
    def grouped(self) -> Grouped:
        """The rows by their label."""
        rows = np.argsort(self.codes, kind="stable")
        is_first = np.diff(self.codes[rows], prepend=-1) != 0
        groups = np.cumsum(is_first) - 1
        of_row = np.empty_like(groups)
        of_row[rows] = groups
        starts = np.flatnonzero(is_first)
        sizes = np.diff(starts, append=len(rows))
        return Grouped(rows=rows, starts=starts, sizes=sizes, group_of_row=of_row)

    def is_any_of(self, wanted: Sequence[str | None]) -> NDArray[np.bool_]:
        """Mark the rows that hold one of the wanted values."""
        chosen = set(wanted)
        table = np.array([value in chosen for value in self.values], dtype=np.bool_)
        if not table.any():
            return np.zeros(len(self.codes), dtype=np.bool_)
        return np.ones(len(self.codes), dtype=np.bool_) if table.all() else table[self.codes]
