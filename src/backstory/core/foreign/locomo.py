"""Conversations in the form of LoCoMo: two people, numbered sessions, each with its time.

A record has ``sample_id`` and ``conversation``: ``speaker_a``, ``speaker_b``, and for each number
``session_1`` (a list of turns) and ``session_1_date_time``. A turn has ``speaker``, ``dia_id``,
``text``, and for a picture ``img_url`` and ``blip_caption``.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from backstory.core.content import read_metadata
from backstory.core.foreign.model import Foreign, Reader, object_of
from backstory.core.foreign.talks import Talk, id_in, moment_in, text_in
from backstory.core.model.message import MessageDraft, Role
from backstory.errors import InvalidInputError

_SESSION: Final = re.compile(r"session_(\d{1,9})")
_TIME: Final = re.compile(
    r"(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]{3})[a-z]*,?\s+(\d{4})",
    re.IGNORECASE,
)
_MONTHS: Final = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
]


def is_locomo(record: Mapping[str, Any]) -> bool:
    """Whether a record looks like a conversation of LoCoMo."""
    return bool(_numbers(_conversation(record)))


def locomo_reader(_: str) -> Reader:
    """What reads the conversations of one file."""
    return _read


def _conversation(record: Mapping[str, Any]) -> Mapping[str, Any]:
    within = record.get("conversation")
    return within if isinstance(within, Mapping) else record


def _numbers(conversation: Mapping[str, Any]) -> list[int]:
    found = ((_SESSION.fullmatch(str(name)), value) for name, value in conversation.items())
    return sorted(int(m.group(1)) for m, value in found if m and isinstance(value, list))


def _read(position: int, record: Any) -> Foreign:
    sample = object_of(record)
    conversation = _conversation(sample)
    numbers = _numbers(conversation)
    if not numbers:
        raise InvalidInputError("it has no list under session_1")
    owner = id_in(sample, "sample_id")
    turns: list[Foreign] = []
    for number in numbers:
        name = f"session_{number}"
        talk = Talk(
            position,
            name if owner is None else f"{owner}/{name}",
            about={"source": "locomo"},
            owner=owner,
            started=_moment(conversation, f"{name}_date_time"),
            user_name=text_in(conversation, "speaker_a"),
        )
        _take(talk, conversation[name], _moment(conversation, f"{name}_date_time"))
        turns.append(talk.done())
    return Foreign(
        turns=tuple(turn for part in turns for turn in part.turns),
        problems=tuple(problem for part in turns for problem in part.problems),
        left_out=tuple(left for part in turns for left in part.left_out),
    )


def _take(talk: Talk, turns: list[Any], started: datetime | None) -> None:
    for place, turn in enumerate(turns):
        if not isinstance(turn, Mapping):
            talk.refuse(None, "a turn is no object")
            continue
        caption = text_in(turn, "blip_caption")
        said = (text_in(turn, "text"), f"[shares {caption}]" if caption else None)
        links = turn.get("img_url")
        images = [links] if isinstance(links, str) else links
        talk.say(
            MessageDraft(
                role=Role.USER,
                text=" ".join(filter(None, said)),
                speaker=text_in(turn, "speaker"),
                message_id=id_in(turn, "dia_id"),
                # the file times sessions only; a second each keeps the order
                timestamp=None if started is None else started + timedelta(seconds=place),
                metadata=read_metadata({"images": images} if isinstance(images, list) else None),
            )
        )


def _moment(conversation: Mapping[str, Any], name: str) -> datetime | None:
    """A time such as "9:30 am on 2 June, 2024", or ISO 8601. Without a zone it is read as UTC."""
    found = _TIME.search(text_in(conversation, name) or "")
    if found is None:
        return moment_in(conversation, name)
    hour, minute, half, day, month, year = found.groups()
    try:
        return datetime(
            int(year),
            _MONTHS.index(month.lower()) + 1,
            int(day),
            int(hour) % 12 + (12 if half.lower() == "p" else 0),
            int(minute),
            tzinfo=UTC,
        )
    except ValueError:
        return None
