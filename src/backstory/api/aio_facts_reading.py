"""The calls of ``memory.facts`` that read."""

from __future__ import annotations

from datetime import datetime

from backstory.api.aio_of_memory import _OfMemory
from backstory.api.fact_inputs import (
    fact_filter,
    known_at_of,
    limit_of,
    optional_instant,
    share_of,
)
from backstory.api.inputs import recall_of
from backstory.core.identity import check_id
from backstory.core.model.fact import (
    Category,
    Fact,
    FactHistory,
    SimilarFact,
)
from backstory.core.model.recall import Hits
from backstory.core.text import clean
from backstory.core.times import parse_instant
from backstory.services.facts.requests import FactRequest


class _FactReading(_OfMemory):
    """What is true, and what was."""

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
