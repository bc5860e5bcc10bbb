"""The same conversations and questions for every memory: evidence found, adds a second, search."""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import Any, Protocol

import numpy as np

from backstory import Memory, Recall, Settings
from backstory.models.local import LocalEmbedder
from bench.datasets import Conversation, Question
from bench.measure import percentile
from bench.peers.environments import PeerError, python_of, version_of
from bench.peers.known import Peer
from bench.peers.process import PeerProcess
from bench.peers.programs.serve import PROBE
from bench.retrieval import AT
from bench.searchers import Bm25, Ours, remember

OURS, RAW, BASELINE = "backstory", 'backstory, reading="none"', "BM25"
_PLAIN_SPEAKERS = frozenset({"user", "assistant"})
_SAME = 1e-5


class Contestant(Protocol):
    """A memory under measurement."""

    def add(self, conversation: Conversation) -> float | None:
        """Store a conversation; the seconds it took, None where that is no figure."""
        ...

    def search(self, conversation: Conversation, query: str) -> tuple[list[str], float]:
        """The best turns, and the seconds."""
        ...


@dataclass(kw_only=True)
class Row:
    """What was found of one contestant.

    Attributes:
        name: With its version.
        set_to: What is not as it comes.
        shares: For each question the recall at each k, from 0 to 1.
        added: Turns and seconds of each conversation.
        searches: Seconds of each search.
        failed: Why it has no figures.
    """

    name: str
    set_to: str = ""
    shares: list[list[float]] = field(default_factory=list)
    added: list[tuple[int, float]] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    failed: str | None = None

    def recalls(self) -> list[float]:
        """Recall at each k in percent."""
        return [100 * mean(row[column] for row in self.shares) for column in range(len(AT))]

    def adds_per_second(self) -> float | None:
        """Turns stored and embedded in a second; None where that is no figure."""
        seconds = sum(took for _, took in self.added)
        return sum(count for count, _ in self.added) / seconds if seconds else None

    def p50_ms(self) -> float:
        """The median search in milliseconds."""
        return 1000 * percentile(self.searches, 50)


class Baseline:
    """BM25 over stemmed words."""

    def __init__(self) -> None:
        """Begin without a conversation."""
        self._indexes: dict[str, Bm25] = {}

    def add(self, conversation: Conversation) -> None:
        """Index a conversation; building an index in memory is no figure for adding."""
        self._indexes[conversation.id] = Bm25(conversation)

    def search(self, conversation: Conversation, query: str) -> tuple[list[str], float]:
        """The best turns."""
        return _timed(self._indexes[conversation.id].search, query, AT[-1])


class Backstory:
    """This library on SQLite, each session added by one call."""

    def __init__(self, memory: Memory) -> None:
        """Load the embedder before anything is timed."""
        self._memory = memory
        memory.add(PROBE, user_id="first")
        memory.search("Who fixed it?", user_id="first")

    def add(self, conversation: Conversation) -> float:
        """Store a conversation and wait until all of it is embedded."""
        started = time.perf_counter()
        remember(self._memory, conversation.id, conversation)
        self._memory.flush(conversation.id)
        return time.perf_counter() - started

    def search(self, conversation: Conversation, query: str) -> tuple[list[str], float]:
        """The best turns."""
        return _timed(Ours(self._memory, conversation.id, Recall()).search, query, AT[-1])


class Other:
    """A peer in its process."""

    def __init__(self, process: PeerProcess, *, named: bool, ours: Sequence[float]) -> None:
        """Start it, and see that its vectors are ours.

        Args:
            process: Its process, running.
            named: Whether the speaker's name stands before each text.
            ours: The vector of the probe.

        Raises:
            PeerError: It does not start, or its vectors are others.
        """
        self._process, self._named = process, named
        if not np.allclose(process.open(), ours, atol=_SAME):
            message = "its embedder gives other vectors than ours"
            raise PeerError(message)
        turn = {"id": "0", "text": PROBE, "role": "user", "session": 0, "date": ""}
        process.add("first", [turn])
        process.search("first", "Who fixed it?", 1)

    def add(self, conversation: Conversation) -> float:
        """Store a conversation, session by session."""
        sessions = groupby(conversation.turns, key=lambda turn: turn.session)
        return sum(
            self._process.add(conversation.id, [self._turn(turn) for turn in turns])
            for _, turns in sessions
        )

    def search(self, conversation: Conversation, query: str) -> tuple[list[str], float]:
        """The best turns."""
        return self._process.search(conversation.id, query, AT[-1])

    def _turn(self, turn: Any) -> dict[str, Any]:
        return {
            "id": turn.id,
            "text": f"{turn.speaker}: {turn.text}" if self._named else turn.text,
            "role": turn.speaker if turn.speaker in _PLAIN_SPEAKERS else "user",
            "session": turn.session,
            "date": turn.date.isoformat(),
        }


def measure(
    conversations: Sequence[Conversation],
    peers: Sequence[Peer],
    cache: Path,
    stores: Path,
    *,
    named: bool = True,
) -> list[Row]:
    """Run all contestants, one conversation after the other, in turns.

    Args:
        conversations: With their questions.
        peers: Which other memories.
        cache: The folder of their environments.
        stores: A folder for our stores.
        named: Give peers the speaker's name before each text, where speakers have names.

    Returns:
        A row for each contestant, in order; a peer that failed has a row that says why.
    """
    probe = asyncio.run(_probe())
    named &= not {turn.speaker for one in conversations for turn in one.turns} <= _PLAIN_SPEAKERS
    with ExitStack() as stack:
        whole = stack.enter_context(Memory(str(stores / "whole.db")))
        raw = stack.enter_context(Memory(str(stores / "raw.db"), settings=Settings(reading="none")))
        running: list[tuple[Row, Contestant]] = [
            (Row(name=OURS, set_to="as it comes"), Backstory(whole)),
            (Row(name=RAW, set_to="messages are not read for facts"), Backstory(raw)),
            (Row(name=BASELINE), Baseline()),
        ]
        rows = [row for row, _ in running]
        for peer in peers:
            row, other = _started(peer, cache, stack, named=named, probe=probe)
            rows.append(row)
            running += [(row, other)] if other else []
        for conversation in conversations:
            for row, contestant in running:
                if row.failed is None:
                    _measure_one(row, contestant, conversation)
    return rows


async def _probe() -> list[float]:
    embedder = LocalEmbedder()
    try:
        row: list[float] = (await embedder.embed([PROBE]))[0].tolist()
    finally:
        await embedder.aclose()
    return row


def _started(
    peer: Peer, cache: Path, stack: ExitStack, *, named: bool, probe: Sequence[float]
) -> tuple[Row, Other | None]:
    """A peer in its process; where it fails, only a row that says so."""
    row = Row(name=peer.label(""), set_to=peer.set_to)
    try:
        python = python_of(peer, cache)
    except PeerError as error:
        row.failed = f"could not be installed: {error}"
        return row, None
    try:
        row.name = peer.label(version_of(peer, python) if peer.requirements else "")
        process = stack.enter_context(PeerProcess(peer, python))
        return row, Other(process, named=named, ours=probe)
    except PeerError as error:
        row.failed = str(error)
        return row, None


def _measure_one(row: Row, contestant: Contestant, conversation: Conversation) -> None:
    sys.stdout.write(f"  {conversation.id}: {row.name}\n")
    sys.stdout.flush()
    try:
        took = contestant.add(conversation)
        row.added += [] if took is None else [(len(conversation.turns), took)]
        for question in conversation.questions:
            found, seconds = contestant.search(conversation, question.text)
            row.searches.append(seconds)
            row.shares.append(_shares(question, found))
    except PeerError as error:
        row.failed = str(error)


def _shares(question: Question, found: Sequence[str]) -> list[float]:
    return [len(question.evidence & set(found[:k])) / len(question.evidence) for k in AT]


def _timed(
    search: Callable[[str, int], list[str]], query: str, limit: int
) -> tuple[list[str], float]:
    started = time.perf_counter()
    found = search(query, limit)
    return found, time.perf_counter() - started
