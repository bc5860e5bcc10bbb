"""What exports of other memories have in common, and how their parts are read."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from backstory.core.identity import MAX_ID_CHARS, check_id
from backstory.core.model.message import MessageDraft
from backstory.core.text import clean
from backstory.core.times import parse_instant
from backstory.errors import InvalidInputError


@dataclass(frozen=True, kw_only=True)
class ForeignMemory:
    """One memory of another library.

    Attributes:
        position: Its place among the records of the file, from 0.
        id: Its id there; without one, made of its place and text.
        text: What it says.
        owner: Whose it is, if the file says so.
        created_at: Since when it was known there.
        valid_from, valid_until: When it is true in the world, if the file says so.
        ended_at: When the other library learnt that it is over, or None.
    """

    position: int
    id: str
    text: str
    owner: str | None = None
    created_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ForeignTurn:
    """One message from elsewhere, and the conversation that it belongs to.

    Attributes:
        position: The place of its record in the file.
        session: The id of the conversation there.
        draft: What was said. It always has a message id.
        owner: Whose it is, if the file says so.
        about: What is kept of the conversation as metadata.
        user_name: The name of the user in the conversation, if the file says so.
        is_dated: Whether the file says when it was said.
    """

    position: int
    session: str
    draft: MessageDraft
    owner: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    user_name: str | None = None
    is_dated: bool = True


@dataclass(frozen=True, kw_only=True)
class ForeignProblem:
    """A record, or a message in one, that could not be read or is left out, and why.

    Attributes:
        position: The place of the record in the file.
        reason: Why, in words.
        session, id: Of the message, where it is known.
    """

    position: int
    reason: str
    session: str | None = None
    id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """What a file, or one record of it, holds.

    Attributes:
        memories: What another library remembers.
        turns: What was said.
        problems: What cannot be read.
        left_out: What is not taken over by rule, such as hidden messages.
    """

    memories: tuple[ForeignMemory, ...] = ()
    turns: tuple[ForeignTurn, ...] = ()
    problems: tuple[ForeignProblem, ...] = ()
    left_out: tuple[ForeignProblem, ...] = ()

    @property
    def owners(self) -> list[str]:
        """The users that the records name, each once."""
        named = [part.owner for part in self.memories] + [part.owner for part in self.turns]
        return list(dict.fromkeys(owner for owner in named if owner is not None))


Reader: TypeAlias = Callable[[int, Any], Foreign]
"""Reads one record of a file; it is given the record's place."""


def made_id(*parts: object) -> str:
    """An id for what has none: the same for the same parts."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:32]


def records_of(data: Any, *names: str) -> list[Any] | None:
    """The list of records in a document: the document itself, or what stands under a name."""
    if isinstance(data, list):
        return data
    if isinstance(data, Mapping):
        for name in names:
            if isinstance(data.get(name), list):
                return list(data[name])
    return None


def object_of(record: Any) -> Mapping[str, Any]:
    """A record as an object."""
    if not isinstance(record, Mapping):
        raise InvalidInputError("it is no object")
    return record


def text_of(record: Mapping[str, Any], *names: str) -> str:
    """The text under the first of some names that has one."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return clean(value)
    raise InvalidInputError(f"it has no text under {' or '.join(names)}")


def name_of(record: Mapping[str, Any], *names: str) -> str | None:
    """A short text under the first of some names that has one, or None."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return clean(value)[:MAX_ID_CHARS]
    return None


def id_of(record: Mapping[str, Any], *names: str) -> str | None:
    """An id under the first of some names that has one, or None."""
    found = name_of(record, *names)
    return None if found is None else check_id(found, "its id")


def instant_of(record: Mapping[str, Any], *names: str) -> datetime | None:
    """A time under the first of some names that has one, or None."""
    for name in names:
        if record.get(name) is not None:
            return parse_instant(record[name], name)
    return None


def sentence_of(value: Any) -> str:
    """Any JSON value as words: texts as they are, objects as "name: value"."""
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, Mapping):
        parts = ((str(name), sentence_of(part)) for name, part in value.items())
        return "; ".join(f"{name}: {part}" for name, part in parts if part)
    if isinstance(value, Iterable):
        return ", ".join(filter(None, map(sentence_of, value)))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def memories_of(
    records: Sequence[Any], read: Callable[[int, Mapping[str, Any]], ForeignMemory]
) -> Foreign:
    """Read records one by one; one that cannot be read is a problem, and the others are kept."""
    memories = []
    problems = []
    for position, record in enumerate(records):
        try:
            memories.append(read(position, object_of(record)))
        except InvalidInputError as error:
            problems.append(ForeignProblem(position=position, reason=str(error)))
    return Foreign(memories=tuple(memories), problems=tuple(problems))
