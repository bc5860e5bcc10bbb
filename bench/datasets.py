"""Reads conversations with questions from files in the format of LoCoMo or BEAM, or in our own.

Neither data set is shipped; both have licences of their own. A question's evidence is the set of
turns that hold its answer.

Our own format is JSON Lines, in the order of the conversation::

    {"conversation": "a", "turn": "a1", "session": 1, "date": "2024-05-08", "speaker": "Ida",
     "text": "I bought a kettle."}
    {"conversation": "a", "question": "What did Ida buy?", "kind": "fact", "evidence": ["a1"]}

``speaker`` is a name, or "user" or "assistant".
"""

import gzip
import json
import re
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from dateutil import parser as dates

T = TypeVar("T")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_PLAN_MARK = re.compile(r"\s*->->[\d,\sN/A]*$")
_ADVERSARIAL = 5


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message. ``speaker`` is a name, or "user" or "assistant"."""

    id: str
    speaker: str
    text: str
    date: datetime
    session: int


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, and the ids of the turns that answer it; ``id`` names it in its conversation."""

    id: str = ""
    text: str
    kind: str
    evidence: frozenset[str]


@dataclass(kw_only=True)
class Conversation:
    """A conversation and what is asked of it."""

    id: str
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


class DataError(Exception):
    """A file is not there, or not in the format that it is read in."""


def of_format(
    name: str,
) -> Callable[[Callable[[Path], list[T]]], Callable[[Path], list[T]]]:
    """Let a loader say which file it cannot read, and in which format."""

    def named(load: Callable[[Path], list[T]]) -> Callable[[Path], list[T]]:
        @wraps(load)
        def read(path: Path) -> list[T]:
            try:
                return load(path)
            except _UNREADABLE as error:
                what = f"{type(error).__name__}: {error}"
                raise DataError(f"{path} cannot be read in the format {name} ({what})") from error

        return read

    return named


_UNREADABLE = (
    OSError,
    EOFError,
    zlib.error,
    tarfile.TarError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
)


@of_format("of LoCoMo")
def load_locomo(path: Path) -> list[Conversation]:
    """Read a file like locomo10.json, plain or gzipped; adversarial questions are left out."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return [_locomo_conversation(sample) for sample in json.loads(content)]


def _locomo_conversation(sample: dict[str, Any]) -> Conversation:
    found = Conversation(id=sample["sample_id"])
    said = sample["conversation"]
    numbers = sorted(int(m.group(1)) for key in said if (m := _SESSION.fullmatch(key)))
    for number in numbers:
        date = _date(said.get(f"session_{number}_date_time", ""))
        for turn in said[f"session_{number}"] or ():
            shared = turn.get("blip_caption")
            text = f"{turn['text']} [shares {shared}]" if shared else turn["text"]
            found.turns.append(
                Turn(
                    id=turn["dia_id"], speaker=turn["speaker"], text=text, date=date, session=number
                )
            )
    known = {turn.id for turn in found.turns}
    for number, asked in enumerate(sample["qa"]):
        named = {
            f"D{int(session)}:{int(turn)}"
            for text in asked.get("evidence") or ()
            for session, turn in _EVIDENCE.findall(text)
        }
        if named & known and asked["category"] != _ADVERSARIAL:
            found.questions.append(
                Question(
                    id=f"q{number}",
                    text=asked["question"],
                    kind=str(asked["category"]),
                    evidence=frozenset(named & known),
                )
            )
    return found


@of_format("of BEAM")
def load_beam(path: Path) -> list[Conversation]:
    """Read an archive of BEAM chats; questions without evidence are left out."""
    parts: dict[str, dict[str, Any]] = defaultdict(dict)
    with tarfile.open(path) as archive:
        for member in archive:
            name = member.name
            file = archive.extractfile(member) if name.endswith(".json") else None
            if file is not None and name.endswith(("/chat.json", "/probing_questions.json")):
                _, chat, *_, last = name.split("/")
                parts[chat][last] = json.load(file)
    return [_beam_conversation(chat, parts[chat]) for chat in sorted(parts, key=int)]


@of_format("of bench/datasets.py")
def load_lines(path: Path) -> list[Conversation]:
    """Read a file in our own format, see above; questions without known evidence are left out."""
    found: dict[str, Conversation] = {}
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        name = entry["conversation"]
        conversation = found.setdefault(name, Conversation(id=name))
        if "turn" in entry:
            turn = Turn(
                id=entry["turn"],
                speaker=entry["speaker"],
                text=entry["text"],
                date=_date(entry.get("date", "")),
                session=entry.get("session", 1),
            )
            conversation.turns.append(turn)
            continue
        evidence = frozenset(entry["evidence"]) & {turn.id for turn in conversation.turns}
        if evidence:
            question = Question(
                id=f"q{len(conversation.questions)}",
                text=entry["question"],
                kind=entry.get("kind", "all"),
                evidence=evidence,
            )
            conversation.questions.append(question)
    return list(found.values())


def _beam_conversation(chat: str, files: dict[str, Any]) -> Conversation:
    found = Conversation(id=chat, turns=list(_beam_turns(files["chat.json"])))
    known = {turn.id for turn in found.turns}
    for kind, questions in files["probing_questions.json"].items():
        for number, asked in enumerate(questions):
            evidence = {str(part) for part in _leaves(asked.get("source_chat_ids"))} & known
            if evidence:
                found.questions.append(
                    Question(
                        id=f"{kind}-{number}",
                        text=asked["question"],
                        kind=kind,
                        evidence=frozenset(evidence),
                    )
                )
    return found


def _beam_turns(batches: Iterable[dict[str, Any]]) -> Iterator[Turn]:
    date = _date("")
    for batch in batches:
        for turn in (turn for group in batch["turns"] for turn in group):
            date = _date(turn["time_anchor"]) if turn.get("time_anchor") else date
            if turn["role"] in {"user", "assistant"}:
                yield Turn(
                    id=str(turn["id"]),
                    speaker=turn["role"],
                    text=_PLAN_MARK.sub("", turn["content"]),
                    date=date,
                    session=batch.get("batch_number", 0),
                )


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif value is not None:
        yield value


def _date(text: str) -> datetime:
    first = datetime(2024, 1, 1, tzinfo=UTC)
    plain = re.sub(r"\bon\b|,", " ", text).strip()
    found: datetime = dates.parse(plain, default=first) if plain else first
    return found if found.tzinfo else found.replace(tzinfo=UTC)
