"""Reads conversations with questions and reference answers: files like LoCoMo's and LongMemEval's.

No data is shipped; both have licences of their own.
"""

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dateutil import parser as dates

from bench.datasets import Conversation, Turn, load_locomo, of_format

_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_UNANSWERABLE = 5
_SESSION = re.compile(r"D:?(\d+):\d+")
_WEEKDAY = re.compile(r"\(\w+\)")
_ABSTENTION = "_abs"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question.

    Attributes:
        id: Unique in its file.
        text: As it is asked.
        reference: The answer, or for an unanswerable one why there is none; may be empty.
        kind: The category.
        answerable: Whether the conversations hold an answer.
        gold: Numbers of the sessions that hold the evidence.
        at: When it is asked.
    """

    id: str
    text: str
    reference: str
    kind: str
    answerable: bool
    gold: frozenset[int]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Talk:
    """The conversations of one user, and what is asked about them."""

    conversation: Conversation
    asked: Sequence[Asked]


def load(name: str, path: Path) -> list[Talk]:
    """Read a file by the name of its format: "locomo" or "longmemeval", plain or gzipped."""
    return LOADERS[name](path)


def _read(path: Path) -> Any:
    content = path.read_bytes()
    return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)


@of_format("of LoCoMo")
def _load_locomo(path: Path) -> list[Talk]:
    pairs = zip(_read(path), load_locomo(path), strict=True)
    return [_locomo_talk(sample, conversation) for sample, conversation in pairs]


def _locomo_talk(sample: Mapping[str, Any], conversation: Conversation) -> Talk:
    # The questions name no day: they are asked on the day after the last session.
    at = max(turn.date for turn in conversation.turns) + timedelta(days=1)
    asked = [
        Asked(
            id=f"{conversation.id}/{place}",
            text=one["question"],
            reference=str(one.get("answer", "")),
            kind=_KINDS.get(one["category"], str(one["category"])),
            answerable=one["category"] != _UNANSWERABLE,
            gold=frozenset(
                int(number)
                for text in one.get("evidence") or ()
                for number in _SESSION.findall(text)
            ),
            at=at,
        )
        for place, one in enumerate(sample["qa"])
    ]
    return Talk(conversation=conversation, asked=asked)


@of_format("of LongMemEval")
def _load_longmemeval(path: Path) -> list[Talk]:
    return [_longmemeval_talk(one) for one in _read(path)]


def _longmemeval_talk(one: Mapping[str, Any]) -> Talk:
    sessions = sorted(
        zip(
            map(_date, one["haystack_dates"]),
            one["haystack_session_ids"],
            one["haystack_sessions"],
            strict=True,
        ),
        key=lambda session: session[0],
    )
    turns = [
        Turn(
            id=f"{number}:{place}",
            speaker=said["role"],
            text=said["content"],
            date=at,
            session=number,
        )
        for number, (at, _, session) in enumerate(sessions)
        for place, said in enumerate(session)
        if said["content"].strip()
    ]
    gold = set(one["answer_session_ids"])
    asked = Asked(
        id=one["question_id"],
        text=one["question"],
        reference=str(one["answer"]),
        kind=one["question_type"],
        answerable=not one["question_id"].endswith(_ABSTENTION),
        gold=frozenset(number for number, (_, id, _) in enumerate(sessions) if id in gold),
        at=_date(one["question_date"]),
    )
    return Talk(conversation=Conversation(id=one["question_id"], turns=turns), asked=[asked])


def _date(text: str) -> datetime:
    found: datetime = dates.parse(_WEEKDAY.sub("", text))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


LOADERS: Mapping[str, Callable[[Path], list[Talk]]] = {
    "locomo": _load_locomo,
    "longmemeval": _load_longmemeval,
}
