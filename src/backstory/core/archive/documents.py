"""The lines of a document's export: one JSON object each, a header first and an end line last.

Version 1 of the format. A document is imported whole or not at all: it would mean something else
without one of its parts.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from backstory.core.archive.document_checks import check_records
from backstory.core.codec import decode, encode
from backstory.core.identity import check_id
from backstory.core.model.document import Draft
from backstory.core.model.document_archive import (
    ArchivedChapter,
    ArchivedEntity,
    ArchivedSighting,
    ArchivedState,
    ArchivedThread,
    DocumentRecords,
)
from backstory.core.model.plot import ThreadEvent
from backstory.errors import InvalidInputError

FORMAT: Final = "backstory-document"
VERSION: Final = 1
_KINDS: Final[Mapping[str, tuple[str, type[Any]]]] = {
    "chapter": ("chapters", ArchivedChapter),
    "entity": ("entities", ArchivedEntity),
    "sighting": ("sightings", ArchivedSighting),
    "state": ("states", ArchivedState),
    "thread": ("threads", ArchivedThread),
    "event": ("events", ThreadEvent),
    "draft": ("drafts", Draft),
}


@dataclass(frozen=True, kw_only=True)
class DocumentHeader:
    """The first line.

    Attributes:
        id, tenant: Which document it was.
        package: The version of backstory that wrote it.
    """

    id: str
    tenant: str
    package: str
    exported_at: datetime
    unit: str
    planned_chapters: int | None
    created_at: datetime
    next_thread: int


def write_document(header: DocumentHeader, records: DocumentRecords) -> Iterator[bytes]:
    """The lines of a file."""
    yield _line({"kind": "header", "format": FORMAT, "version": VERSION, **encode(header)})
    for kind, (name, _) in _KINDS.items():
        for record in getattr(records, name):
            yield _line({"record": kind, **encode(record)})
    yield _line({"record": "end", "records": counts(records)})


def counts(records: DocumentRecords) -> dict[str, int]:
    """How many records of each kind there are."""
    return {kind: len(getattr(records, name)) for kind, (name, _) in _KINDS.items()}


def is_document(line: bytes) -> bool:
    """Whether a file that begins with this line is the export of a document."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and (head.get("kind"), head.get("format")) == ("header", FORMAT)


def read_document(lines: Iterable[bytes]) -> tuple[DocumentHeader, DocumentRecords]:
    """Read the lines of a file.

    Raises:
        InvalidInputError: It is no export of a document, of a newer version, damaged, or its parts
            do not fit together; the message names the line.
    """
    numbered = enumerate(lines, start=1)
    _, first = next(numbered, (1, b""))
    header = _header(first)
    found: dict[str, list[Any]] = {name: [] for name, _ in _KINDS.values()}
    end: Mapping[str, Any] | None = None
    for number, raw in numbered:
        if not raw.strip():
            continue
        if end is not None:
            raise InvalidInputError(f"line {number} stands behind the end line")
        try:
            name, item = _read(raw)
        except InvalidInputError as error:
            raise InvalidInputError(f"line {number}: {error}; nothing was stored") from error
        if name == "end":
            end = item
        else:
            found[name].append(item)
    records = DocumentRecords(
        unit=header.unit,
        planned_chapters=header.planned_chapters,
        created_at=header.created_at,
        next_thread=header.next_thread,
        **{name: tuple(items) for name, items in found.items()},
    )
    _check_end(end, records)
    check_records(records)
    return header, records


def _read(line: bytes) -> tuple[str, Any]:
    """Where a record belongs, and the record; the end line belongs to "end"."""
    data = _object(line)
    # not "kind": entities, threads and events have one of their own
    kind = data.pop("record", None)
    if kind == "end":
        return "end", data
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidInputError(f"record must be one of {', '.join(_KINDS)}")
    name, shape = _KINDS[kind]
    return name, decode(shape, data, kind)


def _header(line: bytes) -> DocumentHeader:
    if not is_document(line):
        raise InvalidInputError("the first line is not the header of a document's export")
    data = _object(line)
    del data["kind"], data["format"]
    version = data.pop("version", None)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInputError("the header names no version")
    if version > VERSION:
        raise InvalidInputError(
            f"the file has version {version} of the export format and this backstory reads "
            f"version {VERSION} at most; import it with a newer backstory"
        )
    header = decode(DocumentHeader, data, "header")
    check_id(header.id, "header.id")
    return header


def _check_end(end: Mapping[str, Any] | None, records: DocumentRecords) -> None:
    if end is None:
        raise InvalidInputError(
            "the file ends without its end line: it was cut off; nothing was stored"
        )
    if end.get("records") != counts(records):
        raise InvalidInputError(
            "the end line tells of other numbers of records than there are; nothing was stored"
        )


def _line(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("it is no JSON, or was cut off") from error
    if not isinstance(data, dict):
        raise InvalidInputError("it is no JSON object")
    return data
