"""Reads the lines of an export, a batch at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from backstory.core.archive.lines import Header, read_header, read_line
from backstory.core.archive.readdress import readdressed
from backstory.core.facts.phrases import indexed_text
from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ErasedClaim,
)
from backstory.core.model.embedding import EmbedderIdentity
from backstory.errors import FileError, InvalidInputError
from backstory.language.terms import TERMS_VERSION
from backstory.services.embedding.indexing import terms_of

_LINES: Final = 500
_BYTES: Final = 8 * 2**20
MOST_LINE_BYTES: Final = 64 * 2**20
_OTHER_STORE: Final = "a mark of something erased holds only in the store and for the user it is of"
_CUT: Final = "the file ends without its end line: it was cut off, and records are missing"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line: a record, or why it is none."""

    number: int
    item: Archived | None = None
    problem: str | None = None


class ImportFile:
    """An export that is being read. Made and used in threads: it blocks.

    Args:
        path: Where it is.

    Raises:
        FileError: It cannot be read.
        InvalidInputError: It is no export, or one of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 1
        self._end: Mapping[str, int] | None = None
        self._seen = 0
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise FileError(f"{path} cannot be read ({error.strerror or error})") from error
        try:
            self.header: Header = read_header(self._raw() or b"")
        except BaseException:
            self._file.close()
            raise
        self.user_id = self.header.user_id
        self.keeps_claims = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    @property
    def total(self) -> int:
        """How many records the header promises."""
        return sum(self.header.head.records.values())

    def batch(self) -> list[Line]:
        """The next lines; none at the end.

        Raises:
            FileError: It cannot be read.
        """
        lines: list[Line] = []
        size = 0
        while len(lines) < _LINES and size < _BYTES:
            raw = self._raw()
            if raw is None:
                lines += self._closing()
                break
            size += len(raw)
            self._number += 1
            line = self._line(raw)
            if line is not None:
                lines.append(line)
        return lines

    def _closing(self) -> list[Line]:
        """What is wrong with the file as a whole, told once."""
        if self._end is not None:
            return []
        self._end = {}
        return [Line(number=self._number + 1, problem=_CUT)]

    def _line(self, raw: bytes) -> Line | None:
        number = self._number
        if not raw.strip():
            return None
        if self._end is not None:
            return Line(number=number, problem="it stands behind the end line")
        if len(raw) >= MOST_LINE_BYTES:
            return Line(number=number, problem=f"it has more than {MOST_LINE_BYTES} bytes")
        try:
            item = read_line(raw, self.user_id)
            if isinstance(item, Mapping):
                return self._ended(item)
            self._seen += 1
            return self._taken(number, item)
        except InvalidInputError as error:
            self._seen += 1
            return Line(number=number, problem=str(error))

    def _ended(self, counts: Mapping[str, int]) -> Line | None:
        self._end = counts
        wanted = sum(n for n in counts.values() if isinstance(n, int))
        if wanted == self._seen:
            return None
        reason = f"the end line tells of {wanted} records; there are {self._seen}"
        return Line(number=self._number, problem=reason)

    def _taken(self, number: int, item: Archived) -> Line:
        if isinstance(item, ErasedClaim) and not self.keeps_claims:
            return Line(number=number, problem=_OTHER_STORE)
        if isinstance(item, (ArchivedMessage, ArchivedFact)):
            _check_vectors(item.vectors, self.header.head.generations)
            item = _with_terms(item)
        elif isinstance(item, ArchivedDerived):
            for version in item.versions:
                _check_vectors(version.vectors, self.header.head.generations)
        if self.user_id == self.header.user_id:
            return Line(number=number, item=item)
        return Line(number=number, item=readdressed(item, self.user_id))

    def _raw(self) -> bytes | None:
        """The next line, cut if it is too long; None at the end."""
        try:
            raw = self._file.readline(MOST_LINE_BYTES)
            rest = raw
            while len(rest) == MOST_LINE_BYTES and not rest.endswith(b"\n"):
                rest = self._file.readline(MOST_LINE_BYTES)
        except OSError as error:
            raise FileError(f"{self._path} cannot be read ({error.strerror or error})") from error
        return raw or None


def _check_vectors(
    vectors: Mapping[int, bytes], generations: Mapping[int, EmbedderIdentity]
) -> None:
    for number, vector in vectors.items():
        if number not in generations:
            raise InvalidInputError(f"a vector is of generation {number}, which the header has not")
        if len(vector) != 4 * (generations[number].dimensions or 0):
            raise InvalidInputError("a vector has another size than its model gives")


def _with_terms(item: ArchivedMessage | ArchivedFact) -> ArchivedMessage | ArchivedFact:
    """The record with words as this version makes them."""
    if item.terms_version == TERMS_VERSION:
        return item
    if isinstance(item, ArchivedMessage):
        message = item.message
        terms = terms_of(message.text, message.speaker, message.timestamp, message.role)
    else:
        terms = terms_of(
            indexed_text(item.fact), None, item.fact.valid_from or item.fact.recorded_at
        )
    return replace(item, terms=terms, terms_version=TERMS_VERSION)
