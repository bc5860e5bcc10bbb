"""Facts by hand: stating, reading, correcting and erasing them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.facts.correcting import FactChanges, end, retract, update
from backstory.core.facts.expiring import expire
from backstory.core.facts.gate import admit
from backstory.core.facts.mentioning import touch
from backstory.core.facts.undoing import undo
from backstory.core.graph.erasing import said_by
from backstory.core.model.fact import (
    USER,
    Change,
    Fact,
    FactCorrection,
    FactHistory,
    FactStatus,
    Profile,
    SimilarFact,
)
from backstory.core.model.reading import Claim
from backstory.core.model.results import Page
from backstory.core.model.scope import Scope
from backstory.core.unset import Unset
from backstory.core.values import normal_value
from backstory.errors import InvalidInputError, NotFoundError
from backstory.language.words import tokens
from backstory.ports.clock import Clock
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.services.cursors import missing, read_cursor, write_cursor
from backstory.services.facts.near import NearFacts
from backstory.services.facts.writer import FactWriter

_EVERYTHING: Final = FactFilter()


class Facts:
    """Works on single facts and on lists of them.

    Args:
        store: Where they are.
        writer: Writes them.
        near: Finds similar ones.
        clock: The time.
        tenant_id: Whose data it works on.
        redaction: Whether secrets are masked.
    """

    def __init__(
        self,
        store: Store,
        writer: FactWriter,
        near: NearFacts,
        clock: Clock,
        tenant_id: str,
        *,
        redaction: bool = True,
    ) -> None:
        self._store = store
        self._writer = writer
        self._near = near
        self._clock = clock
        self._tenant_id = tenant_id
        self._redaction = redaction

    async def store_one(self, scope: Scope, claim: Claim) -> Fact:
        """State one fact.

        Raises:
            InvalidInputError: It was refused.
        """
        ids = [evidence.message_id for evidence in claim.evidence]
        found = await self._store.messages.many(scope, ids)
        absent = [message_id for message_id in ids if message_id not in found]
        if absent:
            raise InvalidInputError(
                f"evidence names {absent[0]!r}, which is no message of the user"
            )
        sources = {message.id: message.text for message in found.values()}
        written = await self._writer.write(scope, [claim], sources=sources)
        if written.rejections:
            refusal = written.rejections[0]
            raise InvalidInputError(f"the fact was refused ({refusal.guard}): {refusal.reason}")
        fact_id = written.plan.outcomes[0].fact_id
        if fact_id is None:
            raise InvalidInputError("the fact changed nothing that is stored")
        return await self.get(fact_id, scope.user_id)

    async def get(self, fact_id: str, user_id: str | None) -> Fact:
        """One fact.

        Raises:
            NotFoundError: There is none of this id in this scope.
        """
        found = await self._store.facts.find(self._tenant_id, fact_id, user_id)
        if found is None:
            raise NotFoundError(missing(fact_id, user_id))
        return found

    async def latest(self, scope: Scope, chosen: FactFilter, limit: int) -> list[Fact]:
        """Facts in order of recording; of more than ``limit``, the latest."""
        return await self._store.facts.latest(scope, chosen, limit)

    async def page(self, scope: Scope, *, limit: int, cursor: str | None) -> Page[Fact]:
        """All facts with their history, a page at a time."""
        after = read_cursor(cursor)
        rows = await self._store.facts.listed(scope, _EVERYTHING, limit + 1, after)
        shown = rows[:limit]
        more = len(rows) > limit
        return Page(
            items=tuple(fact for _, fact in shown),
            next_cursor=write_cursor(shown[-1][0]) if more else None,
            total=await self._store.facts.count(scope, _EVERYTHING),
        )

    async def as_of(
        self, scope: Scope, valid_at: datetime, known_at: datetime | None, chosen: FactFilter
    ) -> list[Fact]:
        """What was believed at one time to be true at another."""
        return await self._store.facts.as_of(scope, valid_at, known_at, chosen)

    async def profile(self, scope: Scope) -> Profile:
        """What is true of the user now, by category."""
        chosen = FactFilter(subject=USER, current_at=self._clock.now())
        found: dict[str, tuple[Fact, ...]] = {}
        for _, fact in await self._store.facts.listed(scope, chosen, None):
            category = str(fact.category)
            found[category] = (*found.get(category, ()), fact)
        return dict(sorted(found.items()))

    async def history(self, fact_id: str, user_id: str | None) -> FactHistory:
        """The rows, earlier states and log of a fact's slot."""
        fact = await self.get(fact_id, user_id)
        found = await self._store.facts.history(self._scope_of(fact), fact_id)
        if found is None:
            raise NotFoundError(missing(fact_id, user_id))
        return found

    async def update(
        self, fact_id: str, user_id: str | None, changes: FactChanges, reason: str
    ) -> Fact:
        """Correct a fact in place."""
        if changes == FactChanges():
            raise InvalidInputError("give a value, valid_from, valid_until, or some of them")
        fact = await self.get(fact_id, user_id)
        checked = self._checked(fact, changes)
        return await self._on_one(
            fact,
            lambda book, common: update(book, fact_id, checked, reason=reason, **common),
        )

    def _checked(self, fact: Fact, changes: FactChanges) -> FactChanges:
        """The changes, their value passed through the gate."""
        if isinstance(changes.value, Unset):
            return changes
        claim = Claim(
            subject=fact.subject,
            key=fact.key,
            value=changes.value,
            said_at=self._clock.now(),
            actor="api",
        )
        admitted = admit([claim], {}, redaction=self._redaction)
        if admitted.rejections:
            refusal = admitted.rejections[0]
            raise InvalidInputError(f"the value was refused ({refusal.guard}): {refusal.reason}")
        value = admitted.claims[0].value
        return changes if value is None else replace(changes, value=value)

    async def end(
        self, fact_id: str, user_id: str | None, at: datetime | None, reason: str
    ) -> Fact:
        """Close a fact's valid time."""
        fact = await self.get(fact_id, user_id)
        moment = at or self._clock.now()
        return await self._on_one(
            fact,
            lambda book, common: end(book, fact_id, moment, reason=reason, **common),
        )

    async def retract(self, fact_id: str, user_id: str | None, reason: str) -> Fact:
        """End belief in a fact."""
        fact = await self.get(fact_id, user_id)
        if fact.status is FactStatus.RETRACTED:
            raise InvalidInputError("the fact was retracted already")
        return await self._on_one(
            fact, lambda book, common: retract(book, fact_id, reason=reason, **common)
        )

    async def touch(self, fact_id: str, user_id: str | None) -> Fact:
        """Count a mention."""
        fact = await self.get(fact_id, user_id)
        now = self._clock.now()
        return await self._on_one(fact, lambda book, _: touch(book, fact_id, now=now))

    async def undo(self, scope: Scope, fact_id: str | None) -> FactCorrection:
        """Take back the last correction.

        Raises:
            NotFoundError: There is nothing to undo, or no such fact.
        """
        if fact_id is not None:
            await self.get(fact_id, scope.user_id)
        ids = frozenset() if fact_id is None else frozenset({fact_id})
        wanted = FactsWanted(fact_ids=ids, everything=fact_id is None)
        common = self._writer.terms(scope)
        plan = await self._writer.apply_values(
            scope, wanted, lambda book: undo(book, fact_id, **common)
        )
        undone = [line for line in plan.corrections if line.undone]
        # what an operation brought back is logged beside what it did
        own = [line for line in undone if line.change is not Change.RESTORED]
        return (own or undone)[-1]

    async def delete(self, fact_id: str, user_id: str | None, *, erase_source: bool) -> None:
        """Erase a fact, and the relation that a model found beside it."""
        fact = await self.get(fact_id, user_id)
        scope = self._scope_of(fact)
        await self._erase_relations(scope, fact)
        gone = await self._store.facts.erase(
            scope, fact_id, erase_source=erase_source, now=self._clock.now()
        )
        if not gone:
            raise NotFoundError(missing(fact_id, user_id))

    async def _erase_relations(self, scope: Scope, fact: Fact) -> None:
        if not said_by(fact, tuple(await self._store.derived.book(scope))):
            return

        def plan(book: DerivedBook) -> DerivedPlan:
            return DerivedPlan(erase=said_by(fact, tuple(book)))

        await self._store.derived.change(scope, plan, self._clock.now())

    async def find_similar(
        self, scope: Scope, text: str, threshold: float, limit: int
    ) -> list[SimilarFact]:
        """Current facts that say much the same."""
        now = self._clock.now()
        if await self._near.measures_meaning():
            found = await self._near.similar(scope, text, threshold, now, limit)
        else:
            near = await self._near.to_texts(scope, [text], now)
            shared = [(fact, _in_common(text, fact)) for fact in near]
            found = sorted(
                (pair for pair in shared if pair[1] >= threshold), key=lambda pair: -pair[1]
            )[:limit]
        return [SimilarFact(fact=fact, similarity=min(near, 1.0)) for fact, near in found]

    async def expire(self, scope: Scope | None, days: float) -> list[Fact]:
        """Let temporary facts expire."""
        if scope is None:
            users = await self._store.sessions.users(self._tenant_id)
            scopes = [Scope(self._tenant_id, user.user_id) for user in users]
        else:
            scopes = [scope]
        expired: list[Fact] = []
        for one in scopes:
            plan = partial(expire, days=days, **self._writer.terms(one))
            done = await self._writer.apply(one, FactsWanted(everything=True), plan)
            expired += (f for f in done.facts.values() if f.status is FactStatus.EXPIRED)
        return expired

    async def _on_one(
        self, fact: Fact, decide: Callable[[FactBook, dict[str, Any]], FactPlan]
    ) -> Fact:
        """Apply a decision about one fact, and give it as it is then."""
        scope = self._scope_of(fact)
        common = self._writer.terms(scope)
        wanted = FactsWanted(fact_ids=frozenset({fact.id}))
        await self._writer.apply_values(scope, wanted, lambda book: decide(book, common))
        return await self.get(fact.id, scope.user_id)

    def _scope_of(self, fact: Fact) -> Scope:
        return Scope(self._tenant_id, fact.user_id)


def _in_common(text: str, fact: Fact) -> float:
    """The share of words in common (Jaccard), of the value or of the whole sentence."""
    said = set(tokens(text))
    value, whole = set(tokens(fact.value)), set(tokens(f"{fact.key} {fact.value}"))
    if normal_value(text) == normal_value(fact.value):
        return 1.0
    return max(_jaccard(said, value), _jaccard(said, whole))


def _jaccard(one: set[str], other: set[str]) -> float:
    both = one | other
    return len(one & other) / len(both) if both else 0.0
