"""How much of the evidence for a question is among the first hits: ours, each arm alone, BM25.

Recall at k: the share of a question's evidence turns among the first k hits, averaged over all
questions. The data is read from files that are not part of this repository.
"""

import argparse
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from math import log
from pathlib import Path
from statistics import mean
from typing import Any, Protocol

from snowballstemmer import stemmer

from backstory import Memory, Recall
from bench.datasets import Conversation, load_beam, load_locomo
from bench.filled import DATABASES, places
from bench.measure import RESULTS, Figure, Result, percentile, timed

AT = (5, 10, 25, 50)
_BARS = {"locomo": 74.0, "beam": 58.0}
_FILES = {"locomo": "locomo/locomo-dev.json.gz", "beam": "beam/beam-100k.tar.gz"}
_LOADERS = {"locomo": load_locomo, "beam": load_beam}
_STOP = frozenset(
    "a an and are as at be but by can could did do does for from had has have he her his how i if "  # noqa: SIM905
    "in is it its me my of on or our she so that the their them they this to was we were what "
    "when where which who why will with would you your".split()
)


class Searcher(Protocol):
    """Something that finds turns."""

    def search(self, query: str, limit: int) -> list[str]:
        """The ids of the best turns, best first."""
        ...


class Bm25:
    """The baseline: Okapi BM25 over stemmed words with the speaker's name before the text."""

    def __init__(self, conversation: Conversation, k1: float = 1.2, b: float = 0.75) -> None:
        """Index a conversation."""
        self._stem = stemmer("english").stemWords
        texts = [self._words(f"{turn.speaker}: {turn.text}") for turn in conversation.turns]
        self._ids = [turn.id for turn in conversation.turns]
        average = mean(map(len, texts))
        self._weights: dict[str, dict[int, float]] = defaultdict(dict)
        for place, words in enumerate(texts):
            for word, count in Counter(words).items():
                length = k1 * (1 - b + b * len(words) / average)
                self._weights[word][place] = count / (count + length)

    def search(self, query: str, limit: int) -> list[str]:
        """The best turns by the sum of idf times saturated count; without a shared word none."""
        scores: dict[int, float] = defaultdict(float)
        for word in set(self._words(query)):
            found = self._weights.get(word, {})
            idf = log(1 + (len(self._ids) - len(found) + 0.5) / (len(found) + 0.5))
            for place, weight in found.items():
                scores[place] += idf * weight
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [self._ids[place] for place in best[:limit]]

    def _words(self, text: str) -> list[str]:
        words = re.findall(r"\w+", text.lower().replace("'s", ""))
        stems: list[str] = self._stem([word for word in words if word not in _STOP])
        return stems


class Ours:
    """The library through its public API, with its defaults or with one arm only."""

    def __init__(self, memory: Memory, user: str, recall: Recall) -> None:
        """Search one user's memory."""
        self._memory, self._user, self._recall = memory, user, recall

    def search(self, query: str, limit: int) -> list[str]:
        """The best turns."""
        hits = self._memory.search(
            query, user_id=self._user, kind="messages", recall=self._recall, top_k=limit
        )
        return [str(hit.message.message_id) for hit in hits if hit.message is not None]


ARMS = {"ours": Recall(), "keyword arm alone": Recall(dense=False)} | {
    "dense arm alone": Recall(keyword=False)
}


def remember(memory: Memory, user: str, conversation: Conversation) -> None:
    """Store a conversation as an import does: each session in one call."""
    sessions: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for place, turn in enumerate(conversation.turns):
        plain = turn.speaker in {"user", "assistant"}
        sessions[turn.session].append(
            {
                "role": turn.speaker if plain else "user",
                "content": turn.text,
                "speaker": None if plain else turn.speaker,
                "timestamp": turn.date + timedelta(seconds=place),
                "message_id": turn.id,
            }
        )
    for number, messages in sessions.items():
        name = f"session {number}"
        with memory.session(user_id=user, session_id=name, bulk_import=True) as session:
            session.add_many(messages)


def run(name: str, path: Path, database: str, limit: int | None, full: bool) -> Result:
    """Measure one data set on one database.

    Args:
        name: "locomo" or "beam", the format.
        path: The file.
        database: "sqlite" or "postgresql".
        limit: Only so many conversations.
        full: Whether the bars apply.
    """
    conversations = _LOADERS[name](path)[:limit]
    questions = sum(len(conversation.questions) for conversation in conversations)
    parameters = {
        "set": name,
        "file": path.name,
        "database": database,
        "conversations": len(conversations),
        "questions": questions,
    }
    result = Result(name=f"retrieval-{name}-{database}", parameters=parameters, full=full)
    shares: dict[str, list[list[float]]] = defaultdict(list)
    times: list[float] = []
    with places([database]) as found, Memory(found[database]) as memory:
        for conversation in conversations:
            remember(memory, conversation.id, conversation)
            searchers: dict[str, Searcher] = {"BM25": Bm25(conversation)}
            for arm, recall in ARMS.items():
                searchers[arm] = Ours(memory, conversation.id, recall)
            for label, searcher in searchers.items():
                took = _ask(conversation, searcher.search, shares[label])
                times += took if label == "ours" else []
    for label, rows in shares.items():
        for column, k in enumerate(AT):
            bar = _BARS[name] if full and (label, k) == ("ours", 10) else None
            share = 100 * mean(row[column] for row in rows)
            figure = Figure(
                label=f"{name}, {database}, {label}, recall@{k}",
                values=[share],
                unit="%",
                at_least=bar,
            )
            result.add(figure)
    p50 = Figure(
        label=f"{name}, {database}, search of {AT[-1]}, p50", values=[percentile(times, 50)]
    )
    result.add(p50)
    return result


def _collect(found: list[str], search: Callable[[str, int], list[str]], query: str) -> None:
    found += search(query, AT[-1])


def _ask(
    conversation: Conversation,
    search: Callable[[str, int], list[str]],
    rows: list[list[float]],
) -> list[float]:
    times = []
    for question in conversation.questions:
        found: list[str] = []
        times.append(timed(_collect, found, search, question.text))
        share = len(question.evidence)
        rows.append([len(question.evidence & set(found[:k])) / share for k in AT])
    return times


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench retrieval", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all conversations, and the bars")
    parser.add_argument(
        "--data",
        type=Path,
        help=f"a folder with {' and '.join(_FILES.values())}; "
        "default: the folder data in the one that BACKSTORY_SHARED names",
    )
    parser.add_argument("--locomo", type=Path, help="a file in the format of locomo10.json")
    parser.add_argument("--beam", type=Path, help="an archive in the format of BEAM's chats")
    parser.add_argument("--limit", type=int, help="only so many conversations")
    parser.add_argument("--database", choices=DATABASES, action="append")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    files = _files(options)
    if not files:
        parser.error("give the data: --data, --locomo or --beam")
    failed = False
    for name, path in files.items():
        for database in options.database or DATABASES:
            limit = options.limit or (None if options.full else 1)
            result = run(name, path, database, limit, options.full and not options.limit)
            folder = options.out or (RESULTS if options.full else None)
            result.write(folder / f"{result.name}.json" if folder else None)
            failed |= any(figure.met is False for figure in result.figures)
    return int(failed)


def _files(options: argparse.Namespace) -> dict[str, Path]:
    shared = os.environ.get("BACKSTORY_SHARED")
    folder = options.data or (Path(shared) / "data" if shared else None)
    files = {name: folder / place for name, place in _FILES.items()} if folder else {}
    if options.locomo or options.beam:
        files = {name: path for name in _FILES if (path := getattr(options, name))}
    return files
