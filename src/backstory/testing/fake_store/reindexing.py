"""The move to the vectors of another embedder, in memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from backstory.core.facts.phrases import indexed_text
from backstory.core.model.embedding import EmbedderIdentity, Generation, find_model
from backstory.core.model.scope import Scope
from backstory.errors import StoreBusyError
from backstory.ports.derived import DerivedPending
from backstory.ports.facts import FactPending
from backstory.ports.reindexing import Build, GenerationState, MissingPage, Place
from backstory.ports.store import MadeVector, Pending
from backstory.testing.fake_store.derived import fitting_derived, to_pending
from backstory.testing.fake_store.facts import fitting_facts
from backstory.testing.fake_store.messages import fitting_messages
from backstory.testing.fake_store.sizes import check_sizes
from backstory.testing.fake_store.state import (
    DerivedRow,
    FactRow,
    MemoryDatabase,
    MessageRow,
)

R = TypeVar("R")


class MemoryReindexing:
    """Implements ``ReindexStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def states(self) -> list[GenerationState]:
        """All generations, oldest first."""
        return list(self._database.states.values())

    async def begin(
        self,
        identity: EmbedderIdentity,
        holder: str,
        now: datetime,
        lease_until: datetime,
        is_over: Callable[[str], bool],
    ) -> Generation:
        """Begin to fill the generation of a model, or go on with it."""
        states = self._database.states
        self._refuse_held(now, is_over)
        known = find_model([state.generation for state in states.values()], identity)
        if known is None:
            known = self._database.make(identity)
        for number, state in states.items():
            if number != known.id:
                states[number] = replace(state, build=None)
        state = states[known.id]
        old = state.build or Build(since=now)
        fresh = replace(old, holder=holder, lease_until=lease_until, problem=None)
        states[known.id] = replace(state, build=fresh)
        return known

    def _refuse_held(self, now: datetime, is_over: Callable[[str], bool]) -> None:
        for state in self._database.states.values():
            if state.build is not None and state.build.is_held(now, is_over):
                raise StoreBusyError(f"a reindex to {state.generation.identity} is running")

    async def note(
        self,
        generation: Generation,
        holder: str,
        *,
        lease_until: datetime | None,
        done: int,
        total: int,
        problem: str | None = None,
    ) -> bool:
        """Write down how far it is."""
        state = self._mine(generation, holder)
        if state is None or state.build is None:
            return False
        build = replace(
            state.build,
            holder=None if lease_until is None else holder,
            lease_until=lease_until,
            done=done,
            total=total,
            problem=problem,
        )
        self._database.states[generation.id] = replace(state, build=build)
        return True

    def _mine(self, generation: Generation, holder: str) -> GenerationState | None:
        state = self._database.states.get(generation.id)
        held = state is not None and state.build is not None and state.build.holder == holder
        return state if held else None

    async def count(self, generation: Generation) -> tuple[int, int]:
        """How many records have a vector, and how many there are."""
        vectors = [row.vectors for _, _, row in self._messages()]
        vectors += [row.vectors for _, _, row in self._facts()]
        vectors += [row.vectors for _, _, row in self._derived() if _has_text(row)]
        return sum(generation.id in made for made in vectors), len(vectors)

    async def missing_messages(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[Pending]:
        """Messages without a vector, among the ``limit`` behind a place."""
        page, end = _page(list(self._messages()), limit, after)
        items = [
            Pending(
                scope=scope,
                id=row.message.id,
                seq=row.seq,
                revision=row.revision,
                text=row.message.text,
            )
            for _, scope, row in page
            if generation.id not in row.vectors
        ]
        return MissingPage(items=tuple(items), end=end)

    async def missing_facts(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[FactPending]:
        """Facts without a vector, among the ``limit`` behind a place."""
        page, end = _page(list(self._facts()), limit, after)
        items = [
            FactPending(
                scope=scope,
                id=row.fact.id,
                text=indexed_text(row.fact),
                believed_at=row.fact.believed_at,
            )
            for _, scope, row in page
            if generation.id not in row.vectors
        ]
        return MissingPage(items=tuple(items), end=end)

    async def missing_derived(
        self, generation: Generation, limit: int, after: Place | None = None
    ) -> MissingPage[DerivedPending]:
        """Derived records without a vector, among the ``limit`` behind a place."""
        page, end = _page(list(self._derived()), limit, after)
        items = [
            to_pending(scope, row)
            for _, scope, row in page
            if _has_text(row) and generation.id not in row.vectors
        ]
        return MissingPage(items=tuple(items), end=end)

    async def save_messages(
        self, scope: Scope, generation: Generation, vectors: Sequence[MadeVector]
    ) -> int:
        """Store vectors of a generation that is not active."""
        check_sizes(generation, [made.vector for made in vectors])
        if generation.id not in self._database.states:
            return 0
        fitting = fitting_messages(self._database.user(scope), vectors)
        if fitting:
            with self._database.change(scope) as state:
                for name, vector in fitting.items():
                    row = state.messages[name]
                    made = {**row.vectors, generation.id: vector}
                    state.messages[name] = replace(row, vectors=made)
        return len(fitting)

    async def save_facts(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of facts of a generation that is not active."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        if generation.id not in self._database.states:
            return 0
        fitting = fitting_facts(self._database.user(scope), vectors)
        if fitting:
            with self._database.change(scope) as state:
                for name, vector in fitting.items():
                    row = state.facts[name]
                    made = {**row.vectors, generation.id: vector}
                    state.facts[name] = replace(row, vectors=made)
        return len(fitting)

    async def save_derived(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int:
        """Store vectors of derived records of a generation that is not active."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        if generation.id not in self._database.states:
            return 0
        fitting = fitting_derived(self._database.user(scope), vectors)
        if fitting:
            with self._database.change(scope) as state:
                for seq, vector in fitting.items():
                    row = state.derived[seq]
                    made = {**row.vectors, generation.id: vector}
                    state.derived[seq] = replace(row, vectors=made)
        return len(fitting)

    async def switch(
        self, generation: Generation, holder: str, now: datetime, *, keep_old: bool
    ) -> int | None:
        """Make a generation the active one."""
        states = self._database.states
        if self._mine(generation, holder) is None:
            return None
        for number, state in states.items():
            kept = now if state.active and keep_old else None
            states[number] = replace(state, active=False, retired_at=kept)
        state = states[generation.id]
        states[generation.id] = replace(state, active=True, retired_at=None, build=None)
        return self._owe(generation.id)

    def _owe(self, number: int) -> int:
        pending = 0
        for scope in list(self._database.all_users()):
            with self._database.change(scope) as state:
                for name, message in state.messages.items():
                    owed = number not in message.vectors
                    state.messages[name] = replace(message, needs_vector=owed)
                    pending += owed
                for name, fact in state.facts.items():
                    owed = number not in fact.vectors
                    state.facts[name] = replace(fact, needs_vector=owed)
                    pending += owed
                for seq, derived in state.derived.items():
                    owed = _has_text(derived) and number not in derived.vectors
                    state.derived[seq] = replace(derived, needs_vector=owed)
                    pending += owed
                state.epoch += 1
        return pending

    async def release(
        self, now: datetime, is_over: Callable[[str], bool], *, retired: bool = False
    ) -> int:
        """Give up unfinished generations; with ``retired`` the kept ones as well."""
        self._refuse_held(now, is_over)
        released = 0
        for number, state in self._database.states.items():
            kept = None if retired else state.retired_at
            if not state.active and (state.build or kept != state.retired_at):
                self._database.states[number] = replace(state, retired_at=kept, build=None)
                released += 1
        return released

    async def drop_unused(self) -> int:
        """Remove unused generations with their vectors."""
        states = self._database.states
        unused = {number for number, state in states.items() if state.is_unused}
        dropped = 0
        for scope in list(self._database.all_users()):
            with self._database.change(scope) as state:
                for name, message in state.messages.items():
                    left = {n: v for n, v in message.vectors.items() if n not in unused}
                    dropped += len(message.vectors) - len(left)
                    state.messages[name] = replace(message, vectors=left)
                for name, fact in state.facts.items():
                    left = {n: v for n, v in fact.vectors.items() if n not in unused}
                    dropped += len(fact.vectors) - len(left)
                    state.facts[name] = replace(fact, vectors=left)
                for seq, derived in state.derived.items():
                    left = {n: v for n, v in derived.vectors.items() if n not in unused}
                    dropped += len(derived.vectors) - len(left)
                    state.derived[seq] = replace(derived, vectors=left)
        for number in unused:
            del states[number]
        return dropped

    def _messages(self) -> Iterator[tuple[Place, Scope, MessageRow]]:
        for scope, state in self._database.all_users().items():
            for row in sorted(state.messages.values(), key=lambda row: row.seq):
                yield (scope.tenant_id, scope.user_id, row.seq), scope, row

    def _facts(self) -> Iterator[tuple[Place, Scope, FactRow]]:
        for scope, state in self._database.all_users().items():
            for row in sorted(state.facts.values(), key=lambda row: row.seq):
                yield (scope.tenant_id, scope.user_id, row.seq), scope, row

    def _derived(self) -> Iterator[tuple[Place, Scope, DerivedRow]]:
        for scope, state in self._database.all_users().items():
            for seq, row in state.derived.items():
                yield (scope.tenant_id, scope.user_id, seq), scope, row


def _has_text(row: DerivedRow) -> bool:
    return row.record.replaced_at is None and row.record.indexed_text != ""


def _page(
    rows: Sequence[tuple[Place, Scope, R]], limit: int, after: Place | None
) -> tuple[list[tuple[Place, Scope, R]], Place | None]:
    behind = [row for row in rows if after is None or row[0] > after]
    page = behind[:limit]
    return page, page[-1][0] if len(page) == limit else None
