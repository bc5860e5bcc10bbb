"""Very large users: exact search in memory against the index of the database, by size."""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from backstory import Memory
from backstory.core.location import Location
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.scope import Scope
from backstory.models.local import IDENTITY
from backstory.settings import Settings
from backstory.storage.factory import make_store
from bench.filled import Conversations, places, settle
from bench.latency import rounds_of
from bench.measure import RESULTS, Figure, Result, percentile, positive, timed
from bench.stored import prepare, store

IN_MEMORY, BY_INDEX = "in memory", "by index"
TOP = 10
_LATENT = 64
_BAR = 60.0
_RECALL_BAR = 95.0
_UNREAD = Settings(reading="none", background=False)
_FILTER = {"role": "user"}


class LatentVectors:
    """An embedder whose texts lie near each other if they share words.

    Unlike random directions, embeddings of language fill a small part of their space; an index
    is built on that. Words have a place in 64 dimensions and some noise in all.
    """

    is_local = True
    identity: EmbedderIdentity = IDENTITY

    def __init__(self, words: int = 8192, noise: float = 0.3) -> None:
        """Draw the words' places."""
        size = IDENTITY.dimensions or 0
        random = np.random.default_rng(11)
        latent = random.standard_normal((words, _LATENT)) / np.sqrt(np.arange(1, _LATENT + 1))
        rows = latent @ random.standard_normal((_LATENT, size))
        rows += noise * random.standard_normal((words, size))
        self._words: NDArray[np.float32] = rows.astype(np.float32)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the mean of the words of each text."""
        count = len(self._words)
        rows = np.stack(
            [
                self._words[[crc32(word.encode()) % count for word in text.lower().split()]].mean(0)
                for text in texts
            ]
        )
        made: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return made

    async def aclose(self) -> None:
        """Do nothing."""


def run(sizes: Sequence[int], rounds: int, calls: int) -> Result:
    """Measure users of several sizes on PostgreSQL, each first in memory and then by the index.

    Args:
        sizes: Messages of each user.
        rounds: Rounds; each gives one p50.
        calls: Calls in a round, each with another query.
    """
    parameters = {"sizes": list(sizes), "rounds": rounds, "calls": calls}
    result = Result(name="large", parameters=parameters, full=max(sizes) >= 200_000)
    result.notes.append(
        "Vectors of 384 dimensions are means of the words of a text, which lie in 64 dimensions "
        f"with noise. Recall is the share of the {TOP} hits in memory that the index gives too."
    )
    with places(["postgresql"]) as found:
        url = found["postgresql"]
        prepare(url)
        for size in sizes:
            _measure(result, url, size, rounds, Conversations(5).queries(calls))
    return result


def _measure(result: Result, url: str, size: int, rounds: int, queries: Sequence[str]) -> None:
    user = f"of {size}"
    turns = Conversations(seed=size).turns(size)
    texts = [turn["content"] for turn in turns]
    store("postgresql", url, user, turns, asyncio.run(LatentVectors().embed(texts)))
    settle(url)
    exact = _search(result, url, user, size, rounds, queries, IN_MEMORY)
    took = timed(lambda: asyncio.run(_build(url, user)))
    result.add(Figure(label=f"{size:,} messages, making the index", values=[took / 1000], unit="s"))
    settle(url)
    approximate = _search(result, url, user, size, rounds, queries, BY_INDEX)
    for name, hits in exact.items():
        pairs = zip(hits, approximate[name], strict=True)
        shares = [len(a & b) / len(a) for a, b in pairs if a]
        result.add(
            Figure(
                label=f"{size:,} messages, {name}, recall@{TOP} of the index",
                values=[100 * float(np.mean(shares))],
                unit="%",
                at_least=_RECALL_BAR,
            )
        )


async def _build(url: str, user: str) -> None:
    store = make_store(Location("postgres", url), large_from=1)
    await store.open(may_upgrade=False)
    scope, generation = Scope("default", user), await store.generations.active()
    await store.partitions.get(scope, generation)
    await store.tend()
    await store.large.finish()
    found = await store.partitions.get(scope, generation)
    await store.close()
    if not found.is_distant:
        raise RuntimeError(f"no index was made for the user {user!r}; the log says why")


def _search(
    result: Result,
    url: str,
    user: str,
    size: int,
    rounds: int,
    queries: Sequence[str],
    where: str,
) -> dict[str, list[set[str]]]:
    """Measure, and give the hits of each query without and with a filter."""
    label = f"{size:,} messages, {where}"
    kinds: dict[str, Mapping[str, str] | None] = {"no filter": None, "filter by role": _FILTER}
    found = {}
    with Memory(url, embedder=LatentVectors(), settings=_UNREAD) as memory:
        memory.add("Hello.", user_id="other")
        memory.search("hello", user_id="other")
        cold = timed(memory.search, queries[0], user_id=user)
        result.add(Figure(label=f"{label}, first search", values=[cold]))
        for name, filters in kinds.items():
            call = partial(memory.search, user_id=user, filters=filters, kind="messages")
            times = rounds_of(call, queries, rounds)
            p50s = [percentile(some, 50) for some in times]
            bar = _BAR if size <= 100_000 and where == IN_MEMORY else None
            result.add(Figure(label=f"{label}, {name}, p50", values=p50s, at_most=bar))
            found[name] = [{hit.id for hit in call(query)} for query in queries]
    held = asyncio.run(_held(url, user))
    result.add(Figure(label=f"{label}, memory", values=[held / 2**20], unit="MB"))
    return found


async def _held(url: str, user: str) -> int:
    store = make_store(Location("postgres", url))
    await store.open(may_upgrade=False)
    found = await store.partitions.get(Scope("default", user), await store.generations.active())
    await store.close()
    return found.nbytes


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench large", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--size", type=positive, action="append")
    parser.add_argument("--rounds", type=positive, default=3)
    parser.add_argument("--out", type=Path, help="default: bench/results/large.json if --full")
    options = parser.parse_args(argv)
    sizes = options.size or ([50_000, 100_000, 200_000] if options.full else [5000])
    result = run(sizes, options.rounds, 30 if options.full else 5)
    result.write(options.out or (RESULTS / "large.json" if options.full else None))
    return int(options.full and any(figure.met is False for figure in result.figures))
