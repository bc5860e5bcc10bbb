"""The lines of an export: one JSON object each, a header first and an end line last.

Version 2 of the format. A file of a newer version is refused: what it means is not known here.
Files of version 1, which knows no derived records and no runs, are read.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import numpy as np

from backstory.core.codec import decode, encode
from backstory.core.derived.rows import record_of
from backstory.core.identity import check_id
from backstory.core.model.archive import (
    KINDS,
    NAMES,
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchivedSession,
    ArchiveHead,
    DerivedVersion,
    ErasedClaim,
)
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.derived import Derived
from backstory.core.model.fact import FactCorrection
from backstory.errors import InvalidInputError

FORMAT: Final = "backstory"
VERSION: Final = 2
MAX_RECORD_ID: Final = 64
_HASH_DIGITS: Final = 64
_LENGTH_TOLERANCE: Final = 1e-2


@dataclass(frozen=True, kw_only=True)
class Header:
    """The first line.

    Attributes:
        user_id, tenant: Whose memory it was.
        package: The version of backstory that wrote it.
        schema: Of the store it came from.
    """

    user_id: str
    tenant: str
    package: str
    schema: str
    exported_at: datetime
    head: ArchiveHead = field(default_factory=ArchiveHead)


def write_header(header: Header) -> bytes:
    """The first line of a file."""
    return _line({"kind": "header", "format": FORMAT, "version": VERSION, **encode(header)})


def write_record(item: Archived) -> bytes:
    """The line of one record. The user is named by the header alone."""
    data = encode(item)
    for part in (data, *(data.get(name) for name in _HOLDING)):
        if isinstance(part, dict):
            part.pop("user_id", None)
            part.pop("created", None)
    return _line({"kind": NAMES[type(item)], **data})


def write_end(records: Mapping[str, int]) -> bytes:
    """The last line: without it a file is not whole."""
    return _line({"kind": "end", "records": dict(records)})


def read_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        InvalidInputError: It is no header, or one of a newer version.
    """
    wrong = "the first line is not the header of a backstory export"
    try:
        data = _object(line)
    except InvalidInputError as error:
        raise InvalidInputError(wrong) from error
    if data.pop("kind", None) != "header" or data.pop("format", None) != FORMAT:
        raise InvalidInputError(wrong)
    version = data.pop("version", None)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInputError(f"{wrong}: it names no version")
    if version > VERSION:
        raise InvalidInputError(
            f"the file has version {version} of the export format and this backstory reads "
            f"version {VERSION} at most; import it with a newer backstory"
        )
    header = decode(Header, data, "header")
    check_id(header.user_id, "header.user_id")
    return header


def read_line(line: bytes, user_id: str) -> Archived | Mapping[str, int]:
    """Read a line behind the header: a record, or the counts of the end line.

    Args:
        line: One line.
        user_id: Whose the record is to be.

    Raises:
        InvalidInputError: It is damaged; the message says what is wrong.
    """
    data = _object(line)
    kind = data.pop("kind", None)
    if kind == "end":
        records = data.get("records")
        return records if isinstance(records, dict) else {}
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidInputError(f"kind must be one of {', '.join(KINDS)}")
    if kind in _OWNED:
        data["user_id"] = user_id
    elif kind in _HOLDING and isinstance(data.get(kind), dict):
        data[kind]["user_id"] = user_id
    item: Archived = decode(KINDS[kind], data, kind)
    _CHECKS[type(item)](item)
    return item


_OWNED: Final = frozenset({"correction", "contradiction", "collision"})
_HOLDING: Final = frozenset({"message", "fact", "run"})


def _line(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("the line is no JSON, or was cut off") from error
    if not isinstance(data, dict):
        raise InvalidInputError("the line is no JSON object")
    return data


def _check_session(item: ArchivedSession) -> None:
    _check_ids(item.id)
    check_id(item.name, "session.name")


def _check_message(item: ArchivedMessage) -> None:
    _check_ids(item.message.id)
    check_id(item.message.session_id, "message.session_id")
    numbers = [version.revision for version in item.versions]
    if numbers != sorted(set(numbers)) or any(n >= item.revision for n in numbers):
        raise InvalidInputError("message.versions are not in order, or behind its revision")
    _check_index(item.terms, item.vectors)


def _check_fact(item: ArchivedFact) -> None:
    fact = item.fact
    _check_ids(fact.id, fact.superseded_by, *(e.message_id for e in fact.evidence))
    if not 0 <= fact.confidence <= 1:
        raise InvalidInputError("fact.confidence must be from 0 to 1")
    if not fact.value.strip() or not fact.key or not fact.subject:
        raise InvalidInputError("the fact has no value, key or subject")
    numbers = [state.revision for state in item.revisions]
    if len(numbers) != len(set(numbers)):
        raise InvalidInputError("two of the fact's revisions have one number")
    if any(state.fact_id != fact.id for state in item.revisions):
        raise InvalidInputError("a revision is of another fact")
    _check_index(item.terms, item.vectors)


def _check_correction(item: FactCorrection) -> None:
    _check_ids(item.id, item.fact_id, item.other_id, *(e.message_id for e in item.evidence))


def _check_contradiction(item: Contradiction) -> None:
    _check_ids(
        item.id,
        item.stored_fact_id,
        item.stated_fact_id,
        *(e.message_id for e in item.evidence),
    )


def _check_collision(item: Collision) -> None:
    _check_ids(item.id, *item.fact_ids)


def _check_erased(item: ErasedClaim) -> None:
    if len(item.claim_hash) != _HASH_DIGITS:
        raise InvalidInputError(f"claim_hash must have {_HASH_DIGITS} digits")


def _check_derived(item: ArchivedDerived) -> None:
    _check_ids(item.id)
    if not item.versions:
        raise InvalidInputError("the record has no version")
    for version in item.versions:
        record = record_in(item, version, "")
        _check_ids(*(e.message_id for e in record.evidence))
        _check_vectors(version.vectors)
    if any(version.replaced_at is None for version in item.versions[:-1]):
        raise InvalidInputError("a version that is not the last one is current")


def record_in(item: ArchivedDerived, version: DerivedVersion, user_id: str) -> Derived:
    """A version as a record.

    Raises:
        InvalidInputError: It is not one of its kind.
    """
    return record_of(
        item.type,
        version.body,
        id=item.id,
        user_id=user_id,
        at=version.at,
        recorded_at=version.recorded_at,
        known_from=version.known_from,
        replaced_at=version.replaced_at,
    )


def _check_run(item: ArchivedRun) -> None:
    check_id(item.run.period, "run.period")


def _check_ids(*ids: str | None) -> None:
    for value in ids:
        if value is not None and not 0 < len(value) <= MAX_RECORD_ID:
            raise InvalidInputError(f"an id has {len(value)} characters; 1 to {MAX_RECORD_ID}")


def _check_index(terms: bytes, vectors: Mapping[int, bytes]) -> None:
    if len(terms) % 4:
        raise InvalidInputError("terms are no uint32 numbers")
    _check_vectors(vectors)


def _check_vectors(vectors: Mapping[int, bytes]) -> None:
    for vector in vectors.values():
        if not vector or len(vector) % 4:
            raise InvalidInputError("a vector is no float32 numbers")
        values = np.frombuffer(vector, dtype="<f4").astype(np.float64)
        # a length that is not finite is not near 1 either
        if not abs(float(values @ values) - 1) <= _LENGTH_TOLERANCE:
            raise InvalidInputError("a vector has not the length 1")


_CHECKS: Final[dict[type[Any], Any]] = {
    ArchivedSession: _check_session,
    ArchivedMessage: _check_message,
    ArchivedFact: _check_fact,
    FactCorrection: _check_correction,
    Contradiction: _check_contradiction,
    Collision: _check_collision,
    ErasedClaim: _check_erased,
    ArchivedDerived: _check_derived,
    ArchivedRun: _check_run,
}
