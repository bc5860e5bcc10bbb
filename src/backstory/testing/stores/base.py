"""What every part of the store contract uses: a store to test, and short ways to fill it."""

import asyncio
import itertools
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import numpy as np
import pytest

from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.message import Message, MessageDraft, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.partition import Partition
from backstory.ports.store import MadeVector, NewMessage, Recorded, SessionRequest, Store

MakeStore: TypeAlias = Callable[[], Store]
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
VERA = Scope("default", "vera")
TIMEOUT = timedelta(minutes=5)
DIMENSIONS = 8
MODEL = EmbedderIdentity(provider="test", model="eight", version="1", dimensions=DIMENSIONS)
# Ids are opaque: each of these must work, and none may reach what belongs to another.
ODD_IDS = (
    "%",
    "_",
    "kim_lee",
    "kimxlee",
    "Kim_Lee",
    "' OR '1'='1",
    '"; DROP TABLE messages; --',
    "../../etc/passwd",
    "a b",
    " a b ",
    "émile",
    "e\u0301mile",
    "👩‍👩‍👧",
    "名" * 512,
    "x" * 512,
    "\t\n",
    "{user}",
    "null",
    "0",
    "[1]",
)
_PROCESS = secrets.token_hex(8)
_numbers = itertools.count(1)


class StoreCase:
    """A part of the contract. A subclass gives the fixture ``make_store``."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Give a maker of stores over one empty database; they are not opened yet.

        Each call gives another store on that same database, as another process would have it.
        """
        raise NotImplementedError


def run(make_store: MakeStore, *scenario: Callable[..., Awaitable[None]], stores: int = 1) -> None:
    """Run functions one after the other, each with newly opened stores on one database."""

    async def once(act: Callable[..., Awaitable[None]]) -> None:
        opened: list[Store] = []
        try:
            for _ in range(stores):
                store = make_store()
                opened.append(store)
                await store.open(may_upgrade=True)
            await act(*opened)
        finally:
            for store in opened:
                await store.close()

    for act in scenario:
        asyncio.run(once(act))


def new_id() -> str:
    """A record id that was not used before."""
    return f"{_PROCESS}{next(_numbers):016x}"


def said(
    text: str,
    message_id: str | None = None,
    *,
    role: Role = Role.USER,
    speaker: str | None = None,
    at: datetime = NOW,
    metadata: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> NewMessage:
    """A message to record."""
    draft = MessageDraft(
        role=role,
        text=text,
        speaker=speaker,
        message_id=message_id,
        timestamp=at,
        metadata=metadata or {},
        notes=tuple(notes),
    )
    return NewMessage(id=new_id(), draft=draft, terms=terms(text), terms_version=1)


def terms(text: str) -> bytes:
    """Some words as hashed terms; what they are does not matter to a store."""
    keys = [sum(word.encode()) % 2**16 for word in text.split()]
    return np.array(sorted(keys), dtype="<u4").tobytes()


def into(
    name: str | None = "talk",
    *,
    label: SessionLabel | None = None,
    held: Sequence[str] = (),
    timeout: timedelta = TIMEOUT,
) -> SessionRequest:
    """A request for a session."""
    return SessionRequest(
        name=name,
        new_id=new_id(),
        label=label or SessionLabel(),
        timeout=timeout,
        held=frozenset(held),
    )


async def add(
    store: Store,
    *messages: NewMessage | str,
    scope: Scope = VERA,
    session: SessionRequest | None = None,
    now: datetime = NOW,
) -> Recorded:
    """Record messages."""
    given = [said(item) if isinstance(item, str) else item for item in messages]
    return await store.messages.record(scope, session or into(), given, now)


async def texts(store: Store, scope: Scope = VERA, session: str = "talk") -> list[str]:
    """The texts of a session, in order."""
    return [message.text for message in await store.sessions.tail(scope, session, 100_000)]


def vector_of(text: str) -> bytes:
    """A vector that names a text."""
    places = np.frombuffer(text.encode().ljust(DIMENSIONS, b" ")[:DIMENSIONS], dtype=np.uint8)
    made = places.astype("<f4") + 1
    return bytes((made / np.linalg.norm(made)).astype("<f4").tobytes())


async def generation(store: Store) -> Generation:
    """The store's generation of eight dimensions."""
    return await store.generations.activate_first(MODEL, NOW)


async def embed(store: Store, messages: Sequence[Message], scope: Scope = VERA) -> int:
    """Store the vectors of new messages."""
    made = [MadeVector(message_id=m.id, revision=1, vector=vector_of(m.text)) for m in messages]
    saved = await store.messages.save_vectors(scope, await generation(store), made)
    assert saved is not None
    return saved


def content(partition: Partition) -> dict[str, Any]:
    """All that a partition holds, in a form that can be compared."""
    rows = range(len(partition))
    matrices = [block.matrix for block in partition.blocks]
    zeros = np.zeros(partition.dimensions or 0, dtype=np.float32)
    vectors = []
    for block, matrix in zip(partition.blocks, matrices, strict=True):
        held = [zeros] * block.size if matrix is None else list(matrix)
        vectors += [row.tobytes() for row in held]
    keys = {key for block in partition.blocks for key in block.postings.keys.tolist()}
    found = {key: partition.find(key) for key in sorted(keys)}
    return {
        "seqs": partition.seqs.tolist(),
        "ids": list(partition.message_ids),
        "sessions": [partition.sessions.values[c] for c in partition.sessions.codes.tolist()],
        "times": partition.timestamps.tolist(),
        "recorded": partition.recorded.tolist(),
        "known": partition.known.tolist(),
        "roles": [partition.roles.values[c] for c in partition.roles.codes.tolist()],
        "speakers": [partition.speakers.values[c] for c in partition.speakers.codes.tolist()],
        "agents": [partition.agents.values[c] for c in partition.agents.codes.tolist()],
        "lengths": partition.lengths.tolist(),
        "terms": {key: (r.tolist(), c.tolist()) for key, (r, c) in found.items() if len(r)},
        "vectors": [vectors[row] if partition.has_vector[row] else None for row in rows],
        "previous": partition.previous.tolist(),
        "following": partition.following.tolist(),
    }
