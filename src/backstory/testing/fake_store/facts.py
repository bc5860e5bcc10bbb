"""Facts in memory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from backstory.core.facts.asof import as_of, is_current
from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.facts.phrases import indexed_text
from backstory.core.model.embedding import Generation
from backstory.core.model.fact import Fact, FactHistory
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter, FactPending, FactText, NewTexts, Planner, Unread
from backstory.testing.fake_store.books import (
    apply_plan,
    facts_of,
    load_book,
    revisions_of,
)
from backstory.testing.fake_store.derived import apply_derived, derived_book
from backstory.testing.fake_store.reading import unread_of
from backstory.testing.fake_store.sizes import check_sizes
from backstory.testing.fake_store.state import FactRow, MemoryDatabase, UserState
from backstory.testing.fake_store.withdrawing import delete_messages, erase_fact


class MemoryFacts:
    """Implements ``FactStore``."""

    def __init__(self, database: MemoryDatabase) -> None:
        self._database = database

    async def change(
        self,
        scope: Scope,
        wanted: FactsWanted,
        announced: frozenset[tuple[str, str, str]],
        plan: Planner,
        texts: Callable[[Sequence[Fact]], NewTexts],
        now: datetime,
    ) -> FactPlan:
        """Load, decide, write."""
        with self._database.change(scope) as state:
            hashed = {claim: self._database.hash_claim(scope, claim) for claim in announced}
            erased = frozenset(c for c, name in hashed.items() if name in state.erased)
            book = load_book(state, wanted, erased)
            planned = plan(book)
            apply_plan(state, planned, texts(list(planned.facts.values())))
            for name in book.unread:
                state.messages[name] = replace(state.messages[name], needs_reading=False)
            if planned.derived is not None:
                apply_derived(state, scope, planned.derived(derived_book(state)), now)
        return planned

    async def find(self, tenant_id: str, fact_id: str, user_id: str | None) -> Fact | None:
        """Find one fact by its id."""
        for state in self._database.users(tenant_id, user_id).values():
            if fact_id in state.facts:
                return state.facts[fact_id].fact
        return None

    async def many(self, scope: Scope, ids: Sequence[str]) -> dict[str, Fact]:
        """Fetch facts by id."""
        rows = self._database.user(scope).facts
        return {name: rows[name].fact for name in ids if name in rows}

    async def listed(
        self, scope: Scope, chosen: FactFilter, limit: int | None, after: int = -1
    ) -> list[tuple[int, Fact]]:
        """Facts with their numbers, in order of recording, behind ``after``."""
        rows = sorted(self._database.user(scope).facts.values(), key=lambda row: row.seq)
        found = [(r.seq, r.fact) for r in rows if r.seq > after and _passes(r.fact, chosen)]
        return found[:limit]

    async def latest(self, scope: Scope, chosen: FactFilter, limit: int) -> list[Fact]:
        """The facts recorded last, in order of recording."""
        found = [fact for _, fact in await self.listed(scope, chosen, None)]
        return found[len(found) - min(limit, len(found)) :]

    async def count(self, scope: Scope, chosen: FactFilter) -> int:
        """How many facts pass."""
        return len(await self.listed(scope, chosen, None))

    async def as_of(
        self, scope: Scope, valid_at: datetime, known_at: datetime | None, chosen: FactFilter
    ) -> list[Fact]:
        """What was believed at ``known_at`` to be true at ``valid_at``."""
        state = self._database.user(scope)
        facts = [fact for fact in facts_of(state) if _passes(fact, chosen)]
        states = revisions_of(state, [fact.id for fact in facts])
        return as_of(facts, states, valid_at, known_at)

    async def history(self, scope: Scope, fact_id: str) -> FactHistory | None:
        """Rows, earlier states and log of the slot of a fact."""
        state = self._database.user(scope)
        row = state.facts.get(fact_id)
        if row is None:
            return None
        slot = (row.fact.subject, row.fact.key)
        book = FactBook(facts={name: r.fact for name, r in state.facts.items()})
        rows = book.slot(*slot)
        lines = [c for c in state.corrections.values() if (c.subject, c.key) == slot]
        return FactHistory(
            facts=tuple(rows),
            revisions=revisions_of(state, [fact.id for fact in rows]),
            corrections=tuple(lines),
        )

    async def erase(self, scope: Scope, fact_id: str, *, erase_source: bool, now: datetime) -> bool:
        """Remove a row with all that it said; one keyed hash stays."""
        if fact_id not in self._database.user(scope).facts:
            return False
        with self._database.change(scope) as state:
            fact = state.facts[fact_id].fact
            for claim in erase_fact(state, fact, now):
                state.erased.add(self._database.hash_claim(scope, claim))
            if erase_source:
                delete_messages(state, scope, frozenset(e.message_id for e in fact.evidence), now)
        return True

    async def texts(
        self, scope: Scope, generation: Generation | None, after: int
    ) -> list[FactText]:
        """What search reads, of the rows that changed behind ``after``."""
        return texts_of(self._database.user(scope), generation, after)

    async def stamp(self, scope: Scope) -> tuple[int, int]:
        """(next number, epoch) of the user."""
        state = self._database.user(scope)
        return state.next_seq, state.epoch

    async def pending(self, scope: Scope | None, tenant_id: str, limit: int) -> list[FactPending]:
        """Facts that need a vector."""
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        found = [
            FactPending(
                scope=whose,
                id=row.fact.id,
                text=indexed_text(row.fact),
                believed_at=row.fact.believed_at,
            )
            for whose, state in self._database.users(tenant, user).items()
            for row in sorted(state.facts.values(), key=lambda row: row.seq)
            if row.needs_vector
        ]
        return found[:limit]

    async def save_vectors(
        self, scope: Scope, generation: Generation, vectors: Mapping[str, tuple[datetime, bytes]]
    ) -> int | None:
        """Store vectors by fact id; stale ones drop."""
        check_sizes(generation, [vector for _, vector in vectors.values()])
        if not self._database.is_active(generation):
            return None
        fitting = fitting_facts(self._database.user(scope), vectors)
        with self._database.change(scope) as state:
            for name, vector in fitting.items():
                row = state.facts[name]
                made = {**row.vectors, generation.id: vector}
                state.facts[name] = replace(
                    row, vectors=made, needs_vector=False, change_no=state.take()
                )
        return len(fitting)

    async def unread(
        self,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        session_id: str | None = None,
        after: Unread | None = None,
    ) -> list[Unread]:
        """Sessions with messages that no reader has read."""
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        found: list[Unread] = []
        for whose, state in self._database.users(tenant, user).items():
            if after is None or whose.user_id >= after.scope.user_id:
                left = limit - sum(len(part.messages) for part in found)
                found += unread_of(whose, state, left, session_id, after)
        return found

    async def count_unread(self, scope: Scope | None, tenant_id: str) -> int:
        """How many messages no reader has read."""
        tenant, user = (scope.tenant_id, scope.user_id) if scope else (tenant_id, None)
        states = self._database.users(tenant, user).values()
        return sum(row.needs_reading for state in states for row in state.messages.values())

    async def note_unreadable(self, scope: Scope, ids: Sequence[str], reason: str) -> None:
        """Remember why a reading failed; the messages stay unread."""
        with self._database.change(scope) as state:
            for name in ids:
                row = state.messages.get(name)
                if row is not None and row.needs_reading:
                    state.messages[name] = replace(row, failures=row.failures + 1, failure=reason)


def texts_of(state: UserState, generation: Generation | None, after: int) -> list[FactText]:
    """What search reads, of the rows that changed behind ``after``."""
    rows = sorted(state.facts.values(), key=lambda row: row.seq)
    return [_text(row, generation) for row in rows if row.change_no > after]


def fitting_facts(
    state: UserState, vectors: Mapping[str, tuple[datetime, bytes]]
) -> dict[str, bytes]:
    """The vectors that fit the present state of their fact."""
    known = state.facts
    return {
        name: vector
        for name, (believed_at, vector) in vectors.items()
        if name in known and known[name].fact.believed_at == believed_at
    }


def _passes(fact: Fact, chosen: FactFilter) -> bool:
    at = chosen.current_at
    return chosen.passes(fact) and (at is None or is_current(fact, at))


def _text(row: FactRow, generation: Generation | None) -> FactText:
    vector = row.vectors.get(generation.id) if generation else None
    return FactText(fact=row.fact, terms=row.terms, vector=vector, change_no=row.change_no)
