"""What a reader gets to read: built once, stored with a hash, the same bytes for every reader.

A row is a budget in tokens ("2000"), "gold" (the sessions that hold the evidence, whole) or "full"
(all sessions). The file is JSON Lines; a line that was cut off by a crash is built again.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from backstory import Memory, Settings
from backstory.core.tokens import token_upper_bound
from bench.datasets import Turn
from bench.measure import commit
from bench.qa.datasets import Asked, Talk
from bench.qa.files import as_line, read_lines
from bench.searchers import remember

GOLD, FULL = "gold", "full"
BUDGETS = ("500", "1000", "2000", "4000")
ROWS = (*BUDGETS, GOLD, FULL)
_FORMAT = 1


class ContextsError(Exception):
    """A file of contexts is not for these questions, or was changed; the message says how."""


@dataclass(frozen=True, kw_only=True)
class Built:
    """One context.

    Attributes:
        question: The id of the question.
        row: Which of the rows.
        text: What the reader reads.
        sha256: Of the text in UTF-8.
        tokens: Of the text, from above (the built-in bound).
    """

    question: str
    row: str
    text: str
    sha256: str
    tokens: int


Key = tuple[str, str]


def digest(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def contexts_for(
    path: Path, source: Path, talks: Sequence[Talk], wanted: Sequence[str], rows: Sequence[str]
) -> dict[Key, Built]:
    """Every context of the wanted questions; what the file lacks is built and added to it.

    Args:
        path: The file of contexts, made if it is not there.
        source: The file that the questions come from.
        talks: What was read from it.
        wanted: Ids of questions.
        rows: Which rows.

    Raises:
        ContextsError: The file belongs to other questions, or a text does not have its hash.
    """
    head = {"format": _FORMAT, "source_sha256": hashlib.sha256(source.read_bytes()).hexdigest()}
    found = _read(path, head)
    chosen = set(wanted)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists() or path.stat().st_size == 0
    with path.open("a", encoding="utf-8") as file:
        if new:
            file.write(as_line({**head, "commit": commit()}))
        for talk in talks:
            missing = [
                (asked, row)
                for asked in talk.asked
                if asked.id in chosen
                for row in rows
                if (asked.id, row) not in found and (row != GOLD or asked.gold)
            ]
            for built in _built(talk, missing):
                found[built.question, built.row] = built
                file.write(as_line(asdict(built)))
            file.flush()
    keys = {(question, row) for question in chosen for row in rows}
    return {key: built for key, built in found.items() if key in keys}


def builder_of(path: Path) -> str:
    """The commit of the library that began a file of contexts."""
    lines = read_lines(path)
    return str(lines[0]["commit"]) if lines else "unknown"


def _read(path: Path, head: Mapping[str, object]) -> dict[Key, Built]:
    lines = read_lines(path)
    if lines and {name: lines[0].get(name) for name in head} != head:
        message = f"{path.name} was built for another file of questions, or by another version"
        raise ContextsError(message)
    found = {}
    for line in lines[1:]:
        built = Built(**line)
        if digest(built.text) != built.sha256:
            message = f"{path.name}: the context {built.question} {built.row} was changed"
            raise ContextsError(message)
        found[built.question, built.row] = built
    return found


def _built(talk: Talk, missing: Sequence[tuple[Asked, str]]) -> Iterator[Built]:
    recalled = [(asked, int(row)) for asked, row in missing if row.isdecimal()]
    if recalled:
        yield from _recalled(talk, recalled)
    for asked, row in missing:
        if row in {GOLD, FULL}:
            turns = [
                turn
                for turn in talk.conversation.turns
                if row == FULL or turn.session in asked.gold
            ]
            yield _one(asked.id, row, transcript(turns))


def _recalled(talk: Talk, wanted: Sequence[tuple[Asked, int]]) -> Iterator[Built]:
    """Contexts of the library with its defaults, from a store of this talk alone."""
    user = talk.conversation.id
    with tempfile.TemporaryDirectory(prefix="backstory-bench-") as folder:
        sys.stdout.write(f"  contexts of {user}: {len(wanted)}\n")
        sys.stdout.flush()
        with Memory(str(Path(folder) / "memory.db"), settings=Settings()) as memory:
            remember(memory, user, talk.conversation)
            memory.flush(user, timeout_s=600)
            for asked, budget in wanted:
                context = memory.context(user, asked.text, max_tokens=budget, now=asked.at)
                yield _one(asked.id, str(budget), context.text)


def _one(question: str, row: str, text: str) -> Built:
    size = token_upper_bound(text)
    return Built(question=question, row=row, text=text, sha256=digest(text), tokens=size)


def transcript(turns: Iterable[Turn]) -> str:
    """Sessions as they were, with their dates."""
    parts = []
    for _, group in groupby(turns, key=lambda turn: turn.session):
        said = list(group)
        parts.append(f"Conversation on {said[0].date:%A, %d %B %Y, %H:%M}")
        parts += [f"{turn.speaker}: {turn.text}" for turn in said]
        parts.append("")
    return "\n".join(parts).strip()
