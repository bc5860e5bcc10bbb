"""The one writer of facts: claims pass the gate, a pure plan decides, one transaction applies it.

Its callers are listed by a test: whoever stores a fact passes here.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted, wanted_of
from backstory.core.facts.gate import admit
from backstory.core.facts.news import NO_VERDICT
from backstory.core.facts.observing import Sighting, file_sightings
from backstory.core.facts.phrases import indexed_text
from backstory.core.facts.stating import plan_claims
from backstory.core.findings.model import Findings
from backstory.core.judging import Judgement
from backstory.core.model.contradiction import ContradictionState
from backstory.core.model.fact import Fact, FactStatus
from backstory.core.model.reading import Claim, ClaimRejection
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.errors import BackstoryError, InvalidInputError
from backstory.language.terms import TERMS_VERSION
from backstory.ports.at_once import FactChange
from backstory.ports.clock import Clock
from backstory.ports.facts import NewTexts
from backstory.ports.ids import Ids
from backstory.ports.judge import Judge
from backstory.ports.store import Store
from backstory.services.embedding.indexing import terms_of
from backstory.services.facts.near import NearFacts
from backstory.services.facts.rivals import Rivals, with_verdicts
from backstory.services.facts.vectors import FactVectors

if TYPE_CHECKING:
    from backstory.services.facts.recording import FoundRecorder
    from backstory.services.facts.recording import Recorded as RecordedFinds

# A claim writes a row or two, a correction, a contradiction.
_IDS_PER_CLAIM: Final = 6
_IDS_PER_DECISION: Final = 8
# Messages of one call of a reader; more are of several.
_ONE_BATCH: Final = 12
_JUDGE_S: Final = 10.0


@dataclass(frozen=True)
class Written:
    """What a call wrote, and what was refused, with the reason."""

    plan: FactPlan
    rejections: tuple[ClaimRejection, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The rows that carry the claims now, each once, in order."""
        ids = dict.fromkeys(o.fact_id for o in self.plan.outcomes if o.fact_id is not None)
        return tuple(self.plan.facts[i] for i in ids if i in self.plan.facts)


class FactWriter:
    """Writes facts.

    Args:
        store: Where they go.
        vectors: Makes their vectors.
        near: Finds what a judge should look at.
        clock: The time of the commit.
        ids: New record ids.
        redaction: Whether secrets are masked.
        judge: Says whether two statements are the same claim; None = by rules, within the plan.
        recorder: Makes records of what a model found beside statements; None = there is no model.
        changed: Called with whose facts were written, for what follows them.
    """

    def __init__(
        self,
        store: Store,
        vectors: FactVectors,
        near: NearFacts,
        clock: Clock,
        ids: Ids,
        *,
        redaction: bool = True,
        judge: Judge | None = None,
        recorder: "FoundRecorder | None" = None,
        changed: Callable[[Scope], None] | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._ids = ids
        self._redaction = redaction
        self._judge = judge
        self._recorder = recorder
        self._changed = changed
        self._rivals = Rivals(store, near)

    async def write(
        self,
        scope: Scope,
        claims: Sequence[Claim],
        *,
        sources: Mapping[str, str] | None = None,
        unread: frozenset[tuple[str, int]] = frozenset(),
        rejections: Sequence[ClaimRejection] = (),
        found: Sequence[Findings] = (),
    ) -> Written:
        """Write claims and what was found beside them, and mark the messages as read.

        Args:
            scope: Whose facts.
            claims: What was said.
            sources: The text of each message that may be quoted.
            unread: (message id, revision) pairs that this reading is of; what another process has
                read meanwhile is left out.
            rejections: What the reader itself refused.
            found: What was found beside them, batch by batch in order; it passes the same guards.
        """
        admitted = admit(claims, sources or {}, redaction=self._redaction)
        recorded = (
            self._recorder.admit(found, redaction=self._redaction) if self._recorder else None
        )
        refused = (*rejections, *admitted.rejections, *(recorded.rejections if recorded else ()))
        if not admitted.claims and not unread:
            return Written(FactPlan(), refused)
        many = len(unread) > _ONE_BATCH
        claims, verdicts = await self._judged(scope, admitted.claims, many=many)
        change = self._change(scope, claims, verdicts, unread, recorded)
        written = await self._apply(scope, change.wanted, change.announced, change.plan)
        await self._note_similarity(scope, written)
        return Written(written, (*refused, *written.rejections))

    @property
    def asks_nobody(self) -> bool:
        """Whether what becomes of claims is decided by rules alone: then ``planned`` serves."""
        return self._judge is None and self._recorder is None

    def planned(
        self,
        scope: Scope,
        claims: Sequence[Claim],
        sources: Mapping[str, str],
        unread: frozenset[tuple[str, int]],
    ) -> tuple[FactChange | None, tuple[ClaimRejection, ...]]:
        """What ``write`` would apply, for a transaction that others began; and what is refused.

        It may be called in any thread. ``follow`` is for what comes after the commit.
        """
        admitted = admit(claims, sources, redaction=self._redaction)
        if not admitted.claims:
            return None, admitted.rejections
        change = self._change(scope, admitted.claims, {}, unread, None)
        return change, admitted.rejections

    async def follow(self, scope: Scope, written: FactPlan) -> None:
        """Do what follows a plan that was written."""
        await self._make_known(scope, written)
        await self._note_similarity(scope, written)

    def _change(
        self,
        scope: Scope,
        claims: Sequence[Claim],
        verdicts: dict[tuple[str, str], Judgement],
        unread: frozenset[tuple[str, int]],
        recorded: "RecordedFinds | None",
    ) -> FactChange:
        wanted = replace(wanted_of(claims, normal_value), unread=unread)
        ids = [self._ids.new() for _ in range(max(1, _IDS_PER_CLAIM * len(claims)))]

        def plan(book: FactBook) -> FactPlan:
            # the clock is read when it is this writer's turn: others may have written meanwhile
            now = self._clock.now()
            made = plan_claims(
                book,
                claims,
                user_id=scope.user_id,
                now=now,
                new_ids=ids,
                verdicts=verdicts,
                read_from_messages=bool(unread),
            )
            return made if recorded is None else recorded.added(made, book.unread, now)

        return FactChange(wanted=wanted, announced=_announced(claims), plan=plan, texts=texts_of)

    async def _note_similarity(self, scope: Scope, written: FactPlan) -> None:
        """Record how alike the two answers of a new contradiction look: it is seldom made."""
        found: dict[str, float] = {}
        for one in written.contradictions.values():
            if one.state is ContradictionState.OPEN and one.gate_similarity is None:
                slot = one.key
                cosine = await self._vectors.similarity(
                    f"{slot}: {one.stored_value}", f"{slot}: {one.stated_value}"
                )
                if cosine is not None:
                    found[one.id] = cosine
        if not found:
            return

        def plan(book: FactBook) -> FactPlan:
            known = {i: c for i in found if (c := book.contradictions.get(i)) is not None}
            return FactPlan(
                contradictions={i: replace(c, gate_similarity=found[i]) for i, c in known.items()}
            )

        await self.apply(scope, FactsWanted(contradiction_ids=frozenset(found)), plan)

    async def observe(self, scope: Scope, sightings: Sequence[Sighting]) -> None:
        """File what seems to contradict facts. It changes none of them."""
        if not sightings:
            return
        wanted = FactsWanted(fact_ids=frozenset(sighting.fact_id for sighting in sightings))
        plan = partial(
            file_sightings,
            sightings=sightings,
            user_id=scope.user_id,
            now=self._clock.now(),
            new_ids=[self._ids.new() for _ in sightings],
        )
        await self.apply(scope, wanted, plan)

    def terms(self, scope: Scope) -> dict[str, Any]:
        """What every decision is told: whose facts, the time, and ids for what it makes."""
        return {
            "user_id": scope.user_id,
            "now": self._clock.now(),
            "new_ids": [self._ids.new() for _ in range(_IDS_PER_DECISION)],
        }

    async def apply(
        self, scope: Scope, wanted: FactsWanted, plan: Callable[[FactBook], FactPlan]
    ) -> FactPlan:
        """Apply a decision that makes no statement: a retraction, an end, a resolution."""
        return await self._apply(scope, wanted, frozenset(), plan)

    async def apply_values(
        self, scope: Scope, wanted: FactsWanted, plan: Callable[[FactBook], FactPlan]
    ) -> FactPlan:
        """Apply a decision that may bring values back: an update, an undoing.

        Raises:
            InvalidInputError: One of them was erased, and does not come back.
        """
        announced: frozenset[tuple[str, str, str]] = frozenset()
        while True:
            seen: list[frozenset[tuple[str, str, str]]] = []

            def checked(
                book: FactBook, asked: frozenset[tuple[str, str, str]] = announced, seen: Any = seen
            ) -> FactPlan:
                made = plan(book)
                brought = _values_of(made)
                seen.append(brought)
                if book.erased & brought:
                    raise InvalidInputError("the value was deleted, and does not come back")
                # what was not asked about is asked first: nothing is written
                return made if brought <= asked else FactPlan()

            written = await self._apply(scope, wanted, announced, checked)
            if seen[-1] <= announced:
                return written
            announced |= seen[-1]

    async def _apply(
        self,
        scope: Scope,
        wanted: FactsWanted,
        announced: frozenset[tuple[str, str, str]],
        plan: Callable[[FactBook], FactPlan],
    ) -> FactPlan:
        written = await self._store.facts.change(
            scope, wanted, announced, plan, texts_of, self._clock.now()
        )
        await self._make_known(scope, written)
        return written

    async def _make_known(self, scope: Scope, written: FactPlan) -> None:
        await self._vectors.make_of(scope, list(written.facts.values()))
        if self._changed is not None:
            self._changed(scope)

    async def _judged(
        self, scope: Scope, claims: Sequence[Claim], *, many: bool = False
    ) -> tuple[tuple[Claim, ...], dict[tuple[str, str], Judgement]]:
        """Ask the judge about claims that share a slot with another value, or are near a fact.

        It fails open: a judge that is down, slow or unclear says nothing, and the write goes on.
        """
        if self._judge is None:
            return tuple(claims), {}
        rivals = await self._rivals.of(scope, claims, self._clock.now(), many=many)
        if not rivals:
            return tuple(claims), {}
        try:
            async with asyncio.timeout(_JUDGE_S):
                judged = await self._judge.judge([rival.pair for rival in rivals])
        except (TimeoutError, BackstoryError) as error:
            reason = str(error) or f"no answer within {_JUDGE_S:g} s"
            judged = [_no_verdict(reason)] * len(rivals)
        return with_verdicts(claims, rivals, judged)


def _values_of(plan: FactPlan) -> frozenset[tuple[str, str, str]]:
    """The values that a plan leaves believed."""
    return frozenset(
        (fact.subject, fact.key, normal_value(fact.value))
        for fact in plan.facts.values()
        if fact.status is not FactStatus.RETRACTED
    )


def _no_verdict(reason: str) -> Judgement:
    return Judgement(
        compatible=False, separation=None, axis="value", reason=f"{NO_VERDICT}: {reason}"
    )


def _announced(claims: Sequence[Claim]) -> frozenset[tuple[str, str, str]]:
    """What claims may store: an erased claim among it does not come back."""
    return frozenset(
        (claim.subject, claim.key, normal_value(claim.value))
        for claim in claims
        if claim.key is not None and claim.value is not None
    )


def texts_of(facts: Sequence[Fact]) -> NewTexts:
    """The words of facts as search reads them."""
    return NewTexts(
        terms={
            fact.id: terms_of(indexed_text(fact), None, fact.valid_from or fact.recorded_at)
            for fact in facts
        },
        terms_version=TERMS_VERSION,
    )
