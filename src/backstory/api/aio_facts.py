"""The sub-service ``memory.facts``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from backstory.api.aio_opened import _Opened
from backstory.api.fact_inputs import (
    days_of,
    evidence_of,
    fact_filter,
    known_at_of,
    limit_of,
    member_of,
    optional_instant,
    set_instant,
    share_of,
)
from backstory.api.inputs import recall_of
from backstory.core.facts.correcting import FactChanges
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.fact import (
    USER,
    Cardinality,
    Category,
    Evidence,
    Fact,
    FactCorrection,
    FactHistory,
    FactKind,
    SimilarFact,
    Trust,
)
from backstory.core.model.reading import Claim
from backstory.core.model.recall import Hits
from backstory.core.text import clean
from backstory.core.times import parse_instant
from backstory.core.unset import UNSET, Unset
from backstory.services.requests import FactRequest


class AsyncFacts:
    """What is true of a user and of those around them: since when, until when, and who said so.

    From ``memory.facts``.
    """

    def __init__(self, memory: _Opened) -> None:
        self._memory = memory

    async def store(
        self,
        *,
        user_id: str,
        key: str,
        value: str,
        subject: str = USER,
        category: Category | str | None = None,
        cardinality: Cardinality | str | None = None,
        kind: FactKind | str = FactKind.PERMANENT,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        confidence: float = 1.0,
        trust: Trust | str = Trust.USER,
        intent_id: str | None = None,
        evidence: Sequence[str | Evidence | Mapping[str, str]] = (),
    ) -> Fact:
        """State a fact. The same value again is a mention; another value is a change.

        Args:
            user_id: Whose memory.
            key: The slot, dotted, such as "work.employer". Of the slots that the readers use it
                is known how many values they hold and whether they can change.
            value: The value, up to 10,000 characters. Secrets in it are masked.
            subject: "user", or another person such as "friend.sam".
            category: What it is about; None = what the slot is known for, else "context".
            cardinality: "one" or "many" values at a time; None = what is known of the slot, else
                "one". What is known of a slot goes before what is given.
            kind: "permanent", or "temporary" for what passes by itself.
            valid_from: Since when it is true; None = now, or always for a slot without time. A
                time before the current value's is late news: the current value stays.
            valid_until: Until when, exclusive; None = open.
            confidence: How sure it is, 0 to 1.
            trust: Where it comes from.
            intent_id: A label of yours, and a filter.
            evidence: Messages it comes from: ids, or ids with the quoted words.

        Returns:
            The row that holds the value now.

        Raises:
            InvalidInputError: A guard refused it (the message says which), or it was erased.
        """
        claim = Claim(
            subject=check_id(subject, "subject"),
            key=check_id(key, "key"),
            value=clean(value, "value"),
            said_at=self._memory._clock.now(),
            changed=True,
            category=member_of(Category, category, "category"),
            cardinality=member_of(Cardinality, cardinality, "cardinality"),
            kind=member_of(FactKind, kind, "kind") or FactKind.PERMANENT,
            confidence=share_of(confidence, "confidence"),
            valid_from=optional_instant(valid_from, "valid_from"),
            valid_until=optional_instant(valid_until, "valid_until"),
            trust=member_of(Trust, trust, "trust") or Trust.USER,
            intent_id=check_optional_id(intent_id, "intent_id"),
            actor="api",
            reason="stored by the caller",
            evidence=evidence_of(evidence),
        )
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.facts.store_one(scope, claim)

    async def get(
        self,
        user_id: str,
        *,
        subject: str | None = None,
        category: Category | str | None = None,
        key: str | None = None,
        status: str = "active",
        intent_id: str | None = None,
        limit: int = 100,
    ) -> list[Fact]:
        """List facts, in order of recording.

        Args:
            user_id: Whose.
            subject: Only about "user", or about another person; None = about anybody.
            category: Only of this category.
            key: Only this slot, or with a trailing "." all slots under a prefix ("pet.").
            status: "active" = what is current now (disputed pairs too), "all" = with history, or
                one status: "disputed", "ended", "superseded", "retracted", "expired".
            intent_id: Only with this label.
            limit: Most facts, 1 or more; the latest recorded ones are kept.

        Raises:
            InvalidInputError: An argument is outside its range.
        """
        chosen = fact_filter(subject, category, key, status, intent_id, self._memory._clock.now())
        scope = self._memory._scope(user_id)
        most = limit_of(limit)
        services = await self._memory._open()
        return await services.facts.latest(scope, chosen, most)

    async def as_of(
        self,
        user_id: str,
        *,
        valid_at: datetime | str,
        known_at: datetime | str | None = None,
        subject: str | None = None,
        category: Category | str | None = None,
        key: str | None = None,
    ) -> list[Fact]:
        """Say what was true at one time, as it was known at another.

        Args:
            user_id: Whose.
            valid_at: The time that is asked about.
            known_at: The time of knowing; None = all that is known now. It compares with
                ``recorded_at``, and in a bulk import with the time of the message.
            subject: As in ``get``.
            category: As in ``get``.
            key: As in ``get``.

        Returns:
            The facts as they were believed at ``known_at``, in order of recording.
        """
        chosen = fact_filter(subject, category, key, "all", None, self._memory._clock.now())
        valid = parse_instant(valid_at, "valid_at")
        known = known_at_of(known_at)
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.facts.as_of(scope, valid, known, chosen)

    async def search(
        self,
        query: str,
        *,
        user_id: str,
        top_k: int | None = None,
        threshold: float | None = None,
        valid_at: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_history: bool = False,
        explain: bool = False,
    ) -> Hits:
        """Find facts about something, best first.

        Args:
            query: A question or some words.
            user_id: Whose memory is searched.
            top_k: How many, 1 to 10,000; None = 10.
            threshold: Least raw cosine, 0 to 1; a fact that holds a word of the query passes.
            valid_at: Facts that were true then; None = now.
            known_at: As it was known then; None = now.
            include_history: Past facts too; their ``status`` says what became of them.
            explain: Whether each hit says why it is there.
        """
        chosen = recall_of(None, top_k, threshold)
        request = FactRequest(
            scope=self._memory._scope(user_id),
            query=clean(query, "query"),
            top_k=chosen.top_k or 10,
            threshold=chosen.threshold,
            now=self._memory._clock.now(),
            valid_at=optional_instant(valid_at, "valid_at"),
            known_at=known_at_of(known_at),
            include_history=include_history,
            explain=explain,
        )
        services = await self._memory._open()
        return await services.fact_search.search(request)

    async def history(self, id: str, *, user_id: str | None = None) -> FactHistory:
        """Everything that is known of a fact's slot: its rows, their earlier states, the log.

        Raises:
            NotFoundError: There is no such fact in this scope.
        """
        services = await self._memory._open()
        return await services.facts.history(
            check_id(id, "id"), self._memory._optional_user(user_id)
        )

    async def update(
        self,
        id: str,
        *,
        value: str | None = None,
        valid_from: datetime | str | Unset | None = UNSET,
        valid_until: datetime | str | Unset | None = UNSET,
        reason: str = "",
        user_id: str | None = None,
    ) -> Fact:
        """Correct a fact in place: it keeps its id, and what was believed before is kept.

        For a change in the world use ``store``: it closes the old value's time.

        Args:
            id: The fact.
            value: The right value.
            valid_from: Since when it is true; None = always.
            valid_until: Until when; None = open.
            reason: For the log.
            user_id: When given, a fact of another user is "not found".

        Raises:
            NotFoundError: There is no such fact in this scope.
            InvalidInputError: There is nothing to change, or a guard refused the value.
        """
        changes = FactChanges(
            value=UNSET if value is None else clean(value, "value"),
            valid_from=set_instant(valid_from, "valid_from"),
            valid_until=set_instant(valid_until, "valid_until"),
        )
        services = await self._memory._open()
        return await services.facts.update(
            check_id(id, "id"), self._memory._optional_user(user_id), changes, clean(reason)
        )

    async def end(
        self,
        id: str,
        *,
        at: datetime | str | None = None,
        reason: str = "",
        user_id: str | None = None,
    ) -> Fact:
        """Say that a fact is true no longer. It is still believed about its own time.

        Args:
            id: The fact.
            at: When it ceased to be true; None = now.
            reason: For the log.
            user_id: When given, a fact of another user is "not found".

        Raises:
            NotFoundError: There is no such fact in this scope.
            InvalidInputError: It ended already, or ``at`` is before its beginning.
        """
        moment = optional_instant(at, "at")
        services = await self._memory._open()
        return await services.facts.end(
            check_id(id, "id"), self._memory._optional_user(user_id), moment, clean(reason)
        )

    async def retract(self, id: str, *, reason: str = "", user_id: str | None = None) -> Fact:
        """Say that a fact was never true. Only its history shows it then.

        Raises:
            NotFoundError: There is no such fact in this scope.
            InvalidInputError: It was retracted already.
        """
        services = await self._memory._open()
        return await services.facts.retract(
            check_id(id, "id"), self._memory._optional_user(user_id), clean(reason)
        )

    async def undo(self, user_id: str, *, id: str | None = None) -> FactCorrection:
        """Take back the last correction of a user, or of one fact; again, the one before it.

        Returns:
            The line of the log that was undone.

        Raises:
            NotFoundError: There is nothing to undo.
        """
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.facts.undo(scope, check_optional_id(id, "id"))

    async def delete(
        self, id: str, *, erase_source: bool = False, user_id: str | None = None
    ) -> None:
        """Erase a fact: its row, vector, words, states and the values in its log.

        Reading the same messages again does not bring it back: a keyed hash remembers it, without
        its text, until ``forget_user``.

        Args:
            id: The fact.
            erase_source: Whether the messages that it was read from are deleted as well.
            user_id: When given, a fact of another user is "not found".

        Raises:
            NotFoundError: There is no such fact in this scope, or not any more.
        """
        services = await self._memory._open()
        await services.facts.delete(
            check_id(id, "id"), self._memory._optional_user(user_id), erase_source=erase_source
        )

    async def find_similar(
        self, text: str, *, user_id: str, threshold: float = 0.9, limit: int = 10
    ) -> list[SimilarFact]:
        """Find current facts that say much the same as a text, nearest first.

        Args:
            text: A statement.
            user_id: Whose facts.
            threshold: Least similarity, 0 to 1: the cosine of the embeddings, or without an
                embedder the share of words in common. A negation or another value is near as
                well: similarity is a hint, not a verdict.
            limit: Most facts.
        """
        said, least, most = clean(text), share_of(threshold, "threshold"), limit_of(limit)
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.facts.find_similar(scope, said, least, most)

    async def touch_mention(self, id: str, *, user_id: str | None = None) -> Fact:
        """Count that a fact was said again, now.

        Raises:
            NotFoundError: There is no such fact in this scope.
        """
        services = await self._memory._open()
        return await services.facts.touch(check_id(id, "id"), self._memory._optional_user(user_id))

    async def expire_temporary(self, user_id: str | None = None, *, days: float = 30) -> list[Fact]:
        """Let temporary facts expire: those past their end, and those long unsaid.

        It changes their status and deletes nothing; saying one again makes it active.

        Args:
            user_id: Whose; None = everybody's of this tenant.
            days: A temporary fact without an end expires when it was not said for so many days
                (its last mention, else its update, else its recording); ``inf`` = never.

        Returns:
            What expired.
        """
        scope = None if user_id is None else self._memory._scope(user_id)
        age = days_of(days)
        services = await self._memory._open()
        return await services.facts.expire(scope, age)
