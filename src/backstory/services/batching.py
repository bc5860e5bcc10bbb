"""Which unread messages are read now, and which of them together. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Final

from backstory.core.model.message import Message, Role
from backstory.ports.facts import Unread

# A model reads this much at once; whichever comes first.
BATCH_MESSAGES: Final = 12
BATCH_TOKENS: Final = 3_000
BEFORE: Final = 6
_CHARS_PER_TOKEN: Final = 4
_BATCH_CHARS: Final = BATCH_TOKENS * _CHARS_PER_TOKEN
# Of a turn that is no user's a reader looks at its beginning and its end.
_MOST_OF_OTHERS: Final = 1_101


def due_part(unread: Unread, idle_before: datetime) -> Unread | None:
    """What of a session's unread messages is to be read now: whole batches, or all that will come.

    The rest of a batch waits for more, so that a model is not called for a message or two.
    """
    if unread.ended or unread.messages[-1][0].recorded_at < idle_before:
        return unread
    chars = sum(len(message.text) for message, _ in unread.messages)
    if chars >= _BATCH_CHARS:
        return unread
    whole = len(unread.messages) // BATCH_MESSAGES * BATCH_MESSAGES
    return replace(unread, messages=unread.messages[:whole]) if whole else None


def parts_of(unread: Unread, *, at_once: bool) -> list[Unread]:
    """The batches of one session: a reader that costs calls gets twelve messages at a time."""
    messages = unread.messages
    if at_once or len(messages) <= BATCH_MESSAGES:
        return [unread]
    starts = range(0, len(messages), BATCH_MESSAGES)
    return [_part(unread, start, start + BATCH_MESSAGES) for start in starts]


def batches_across(imported: Sequence[Unread]) -> list[tuple[Unread, ...]]:
    """The batches of several sessions of one user, which cross the borders of sessions.

    Each holds up to 12 messages and 12,000 characters, in order, as parts of sessions. Messages
    that could not be read before come in batches of their own, half as large with each failure, so
    that one that no model can read costs no other in the end.
    """
    found: list[tuple[Unread, ...]] = []
    for failures, some in groupby(imported, key=lambda unread: min(unread.failures, 4)):
        for group in [[one] for one in some] if failures else [list(some)]:
            found += _filled(group, max(1, BATCH_MESSAGES >> failures))
    return found


def without_rest(batches: Sequence[tuple[Unread, ...]]) -> list[tuple[Unread, ...]]:
    """Batches without the last one, if that can still be filled."""
    return list(batches[:-1] if batches and not _is_full(batches[-1]) else batches)


def is_going_on(imported: Sequence[Unread], idle_before: datetime) -> bool:
    """Whether an import has added messages since ``idle_before``: more may come."""
    last = max(message.recorded_at for unread in imported for message, _ in unread.messages)
    return last >= idle_before


def _filled(imported: Sequence[Unread], most: int) -> Iterator[tuple[Unread, ...]]:
    batch: list[Unread] = []
    count = chars = 0
    for unread in imported:
        start = 0
        for place, (message, _) in enumerate(unread.messages):
            size = _read_chars(message)
            if count and (count == most or chars + size > _BATCH_CHARS):
                if place > start:
                    batch.append(_part(unread, start, place))
                yield tuple(batch)
                batch, count, chars, start = [], 0, 0, place
            count, chars = count + 1, chars + size
        batch.append(_part(unread, start, len(unread.messages)))
    if batch:
        yield tuple(batch)


def _part(unread: Unread, start: int, end: int) -> Unread:
    messages = unread.messages
    if start == 0 and end >= len(messages):
        return unread
    earlier = tuple(message for message, _ in messages[max(0, start - BEFORE) : start])
    before = (*unread.before, *earlier)[-BEFORE:]
    return replace(unread, messages=messages[start:end], before=before)


def _is_full(batch: Sequence[Unread]) -> bool:
    count = sum(len(unread.messages) for unread in batch)
    chars = sum(_read_chars(message) for unread in batch for message, _ in unread.messages)
    return count >= BATCH_MESSAGES or chars >= _BATCH_CHARS


def _read_chars(message: Message) -> int:
    size = len(message.text)
    return size if message.role is Role.USER else min(size, _MOST_OF_OTHERS)
