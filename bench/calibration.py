"""What similarities of the built-in embedder mean: the floors that it brings along.

They are those of the demo conversation of the package, between its sessions. Beside them: a book,
between its chapters; both as two users of one store, whose texts have not even the manner of
speaking in common; and with ``--conversations`` other messages, each conversation being a user.
"""

import argparse
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from backstory import Memory
from backstory.core.model.calibration import Calibration
from backstory.models.local import CALIBRATION
from backstory.settings import Settings
from bench.datasets import Conversation, load_beam, load_lines, load_locomo
from bench.longform_books import read_rows
from bench.measure import RESULTS, Figure, Result

_DEMO = Path(__file__).resolve().parent.parent / "src/backstory/data/demo/conversation.jsonl"
_SENTENCE = re.compile(r"[^.?!]+[.?!]+[\u201d\u2019']*\s*")
_SHORTEST = 20
_PER_CHAPTER = 25
_LOADERS = {"locomo": load_locomo, "beam": load_beam, "lines": load_lines}
_CLOSE = 0.01
_Sessions = dict[int, list[str]]


def run(book: Path | None, chapters: int, conversations: Sequence[Conversation]) -> Result:
    """Measure on the demo conversation, on a book, and on conversations if there are any.

    Args:
        book: JSON Lines, with gzip or without, each with a ``text``: a chapter.
        chapters: How many of them, spread over the book.
        conversations: Each becomes a user.
    """
    parameters = {"chapters": chapters, "conversations": len(conversations)}
    result = Result(name="calibration", parameters=parameters, full=book is not None)
    demo = _demo()
    found = _note(result, "demo conversation, between sessions", {"vera": demo})
    for name in ("low", "high"):
        away = abs(getattr(found, name) - getattr(CALIBRATION, name))
        label = f"{name} floor, as measured and as shipped: difference"
        result.add(Figure(label=label, values=[away], unit="cosine", at_most=_CLOSE))
    if book is not None:
        read = _chapters(book, chapters)
        _note(result, "book, between chapters", {"book": read})
        _note(result, "demo conversation and book, between both", {"vera": demo, "book": read})
    if conversations:
        _note(result, "conversations, between users", _users(conversations))
    return result


def _note(result: Result, label: str, users: Mapping[str, _Sessions]) -> Calibration:
    found = _measured(users)
    for name in ("low", "high"):
        values = [getattr(found, name)]
        result.add(Figure(label=f"{label}: {name} floor", values=values, unit="cosine"))
    result.notes.append(f"{label}: {found.pairs:,} unrelated and {found.related:,} related pairs.")
    return found


def _measured(users: Mapping[str, _Sessions]) -> Calibration:
    with tempfile.TemporaryDirectory(prefix="backstory-bench-") as folder:
        settings = Settings(reading="none", background=False)
        with Memory(str(Path(folder) / "memory.db"), settings=settings) as memory:
            for user, sessions in users.items():
                for number, texts in sessions.items():
                    with memory.session(user_id=user, session_id=str(number)) as session:
                        session.add_many(texts)
            found = memory.calibrate()
    if found is None or not found.measured:
        raise SystemExit("too few messages to measure anything")
    return found


def _demo() -> _Sessions:
    _, *lines = map(json.loads, _DEMO.read_text("utf-8").splitlines())
    return _grouped((line["session"], line["content"]) for line in lines)


def _chapters(book: Path, most: int) -> _Sessions:
    chapters = [row["text"] for row in read_rows(book)]
    return _grouped(
        (number, sentence.strip())
        for number, chapter in enumerate(chapters[:: max(len(chapters) // most, 1)])
        for sentence in _SENTENCE.findall(chapter)[:_PER_CHAPTER]
        if len(sentence) >= _SHORTEST
    )


def _users(conversations: Sequence[Conversation]) -> dict[str, _Sessions]:
    return {
        talk.id: _grouped((turn.session, turn.text) for turn in talk.turns if turn.text.strip())
        for talk in conversations
    }


def _grouped(turns: Iterable[tuple[int, str]]) -> _Sessions:
    sessions: _Sessions = defaultdict(list)
    for number, text in turns:
        sessions[number].append(text)
    return sessions


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when the shipped floors are not those that are measured."""
    parser = argparse.ArgumentParser(prog="python -m bench calibration", description=__doc__)
    parser.add_argument("--book", type=Path, help="chapters as gzipped JSON Lines with a text")
    parser.add_argument("--chapters", type=int, default=60)
    parser.add_argument("--conversations", type=Path)
    parser.add_argument("--format", choices=_LOADERS, default="lines")
    parser.add_argument("--out", type=Path, help="default: bench/results/calibration.json")
    options = parser.parse_args(argv)
    talks = _LOADERS[options.format](options.conversations) if options.conversations else []
    result = run(options.book, options.chapters, talks)
    result.write(options.out or (RESULTS / "calibration.json" if options.book else None))
    return int(any(figure.met is False for figure in result.figures))
