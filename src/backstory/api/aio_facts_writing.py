"""The calls of ``memory.facts`` that change something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import (
    claim_of,
    days_of,
    optional_instant,
    set_instant,
)
from backstory.core.facts.correcting import FactChanges
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.fact import (
    USER,
    Cardinality,
    Category,
    Evidence,
    Fact,
    FactCorrection,
    FactKind,
    Trust,
)
from backstory.core.text import clean
from backstory.core.unset import UNSET, Unset


class _FactWriting(_OfMemory):
    """Stating, correcting and erasing."""

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
        claim = claim_of(
            self._memory._clock.now(),
            subject=subject,
            key=key,
            value=value,
            category=category,
            cardinality=cardinality,
            kind=kind,
            valid_from=valid_from,
            valid_until=valid_until,
            confidence=confidence,
            trust=trust,
            intent_id=intent_id,
            evidence=evidence,
        )
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.facts.store_one(scope, claim)

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
