"""The sub-services ``memory.contradictions`` and ``memory.collisions``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import limit_of, member_of
from backstory.core.identity import check_id, check_optional_id
from backstory.core.model.collision import Collision, CollisionReport, Residue
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
    Decision,
)
from backstory.core.text import clean
from backstory.errors import InvalidInputError

# A class with a method ``list`` cannot name the type in its annotations.
ContradictionList: TypeAlias = list[Contradiction]
CollisionList: TypeAlias = list[Collision]
ResidueList: TypeAlias = list[Residue]


class AsyncContradictions(_OfMemory):
    """Statements that cannot both hold, until somebody decides. From ``memory.contradictions``."""

    async def list_open(
        self, user_id: str, session_id: str | None = None, *, limit: int = 100
    ) -> ContradictionList:
        """The open contradictions, oldest first. A hold whose value has moved is open again.

        Args:
            user_id: Whose.
            session_id: Only those first seen in this conversation.
            limit: Most of them, 1 or more.
        """
        return await self.list(user_id, "open", session_id=session_id, limit=limit)

    async def list(
        self,
        user_id: str,
        state: ContradictionState | str | None = None,
        *,
        session_id: str | None = None,
        limit: int = 100,
    ) -> ContradictionList:
        """Contradictions in a state ("open", "held", "resolved"), or in any, oldest first."""
        wanted = member_of(ContradictionState, state, "state")
        states = frozenset(ContradictionState) if wanted is None else frozenset({wanted})
        scope = self._memory._scope(user_id)
        name = check_optional_id(session_id, "session_id")
        most = limit_of(limit)
        services = await self._memory._open()
        return await services.contradictions.listed(scope, states, name, most)

    async def counts(self, user_id: str) -> ContradictionCounts:
        """How many are open, held and resolved."""
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.contradictions.counts(scope)

    async def resolve(
        self,
        id: str,
        decision: Decision | str,
        *,
        note: str | None = None,
        apply: bool = True,
        user_id: str | None = None,
    ) -> Contradiction:
        """Decide a contradiction, and let the facts follow in the same transaction.

        Args:
            id: The contradiction.
            decision: "user_stated" = the new statement holds, "stored" = the old one does,
                "neither" = both are retracted.
            note: Why.
            apply: False leaves the facts as they are.
            user_id: When given, one of another user is "not found".

        Raises:
            NotFoundError: There is no such contradiction in this scope.
            InvalidInputError: It was resolved already, or the decision is none of the three.
        """
        chosen = member_of(Decision, decision, "decision")
        if chosen is None:
            raise InvalidInputError("a decision is required: 'user_stated', 'stored' or 'neither'")
        services = await self._memory._open()
        return await services.contradictions.resolve(
            check_id(id, "id"),
            self._memory._optional_user(user_id),
            chosen,
            None if note is None else clean(note),
            apply=apply,
        )

    async def hold(self, id: str, reason: str, *, user_id: str | None = None) -> Contradiction:
        """Put a contradiction aside, as long as the stored value stays what it is now.

        Raises:
            NotFoundError: There is no such contradiction in this scope.
            InvalidInputError: It is resolved.
        """
        services = await self._memory._open()
        return await services.contradictions.hold(
            check_id(id, "id"), self._memory._optional_user(user_id), clean(reason)
        )


class AsyncCollisions(_OfMemory):
    """Things filed under two kinds that exclude each other. From ``memory.collisions``.

    A collision is found by looking at all current facts; it never changes one.
    """

    async def refresh(
        self, user_id: str, *, families: Mapping[str, Sequence[str]] | None = None
    ) -> CollisionReport:
        """Look for collisions now.

        Args:
            user_id: Whose facts.
            families: For each family its exclusive kinds, which are also the words of keys:
                {"species": ["cat", "dog"]}; None = the setting ``families``.
        """
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.collisions.refresh(scope, families)

    async def list(self, user_id: str, *, include_closed: bool = False) -> CollisionList:
        """The open collisions, oldest first; with ``include_closed`` also those that are over."""
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.collisions.listed(scope, include_closed=include_closed)

    async def count_open(self, user_id: str) -> int:
        """How many are open."""
        return len(await self.list(user_id))

    async def settle(self, user_id: str, subject: str, note: str, kept: str) -> Residue:
        """Decide which kind a thing is.

        Args:
            user_id: Whose.
            subject: The thing that is filed twice, such as "Gaia".
            note: Why.
            kept: The kind that holds, such as "cat".

        Returns:
            The current facts that still say otherwise. It is shown until it is empty.

        Raises:
            NotFoundError: Nothing of this name collides.
            InvalidInputError: ``kept`` is none of the kinds; nothing was recorded.
        """
        scope = self._memory._scope(user_id)
        named, why = clean(subject, "subject"), clean(note, "note")
        side = clean(kept, "kept")
        services = await self._memory._open()
        return await services.collisions.settle(scope, named, why, side)

    async def residues(self, user_id: str) -> ResidueList:
        """Settled collisions that current facts still contradict, measured now."""
        scope = self._memory._scope(user_id)
        services = await self._memory._open()
        return await services.collisions.residues(scope)
