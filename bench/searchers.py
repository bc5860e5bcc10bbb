"""Searchers to compare: two baselines over words, and the library with all or one of its arms."""

import re
import sqlite3
from collections import Counter, defaultdict
from datetime import timedelta
from math import log
from statistics import mean
from typing import Any, Protocol

from snowballstemmer import stemmer

from backstory import Memory, Recall
from bench.datasets import Conversation

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


def _words(text: str) -> list[str]:
    """Words in lower case without stop words and possessive endings."""
    found = re.findall(r"\w+", text.lower().replace("'s", ""))
    return [word for word in found if word not in _STOP]


class Bm25:
    """Okapi BM25 over stemmed words with the speaker's name before the text."""

    def __init__(self, conversation: Conversation, k1: float = 1.2, b: float = 0.75) -> None:
        """Index a conversation."""
        self._stem = stemmer("english").stemWords
        texts = [self._stems(f"{turn.speaker}: {turn.text}") for turn in conversation.turns]
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
        for word in set(self._stems(query)):
            found = self._weights.get(word, {})
            idf = log(1 + (len(self._ids) - len(found) + 0.5) / (len(found) + 0.5))
            for place, weight in found.items():
                scores[place] += idf * weight
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [self._ids[place] for place in best[:limit]]

    def _stems(self, text: str) -> list[str]:
        stems: list[str] = self._stem(_words(text))
        return stems


class Fts5:
    """SQLite's full-text index: Porter's stemmer, the query's words joined by OR, a stop list."""

    def __init__(self, conversation: Conversation) -> None:
        """Index a conversation, with the speaker's name before the text."""
        self._ids = [turn.id for turn in conversation.turns]
        self._index = sqlite3.connect(":memory:")
        self._index.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='porter unicode61')")
        rows = [(n, f"{turn.speaker}: {turn.text}") for n, turn in enumerate(conversation.turns)]
        self._index.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", rows)

    def search(self, query: str, limit: int) -> list[str]:
        """The best turns by FTS5's bm25."""
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(_words(query)))
        if not words:
            return []
        found = self._index.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank, rowid LIMIT ?", (words, limit)
        )
        return [self._ids[row] for (row,) in found]

    def close(self) -> None:
        """Free the index."""
        self._index.close()


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
