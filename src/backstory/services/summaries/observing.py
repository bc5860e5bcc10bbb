"""Observations: what plans them, and what is seen at present."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Final

import numpy as np

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.fence import strip_memory
from backstory.core.model.derived import Observation
from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.core.summaries.choosing import active_observations
from backstory.core.times import date_in, to_micros
from backstory.language.recurring import Heard
from backstory.ports.derived import DerivedPlanner
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.summaries.patterns import LOOKED_BACK, Begun, plan_observations
from backstory.threads import run_in_thread

_MOST_MESSAGES: Final = 5_000
"""The latest of the user's own turns; more are not read in one run."""
_MOST_CHARS: Final = 4_000


class Observing:
    """Finds patterns over many conversations, and shows those that hold.

    Args:
        store: Where messages and observations are.
        vectors: Says which vectors the cached messages have beside them.
        redaction: Whether secrets are masked.
    """

    def __init__(self, store: Store, vectors: VectorMaker, *, redaction: bool = True) -> None:
        self._store = store
        self._vectors = vectors
        self._redaction = redaction

    async def get_active(self, scope: Scope, known_at: datetime | None = None) -> list[Observation]:
        """The patterns that are still seen, the surest first."""
        return active_observations(await self._store.derived.book(scope), known_at)

    async def plan(self, scope: Scope, now: datetime, zone: tzinfo = UTC) -> DerivedPlanner:
        """Read the last half year, and give what plans the observations.

        Args:
            scope: Whose.
            now: The time of the run.
            zone: Where the user's hours and days are read.
        """
        messages = await self._messages(scope, now)
        heard, begun = await run_in_thread(lambda: self._sorted(messages, zone))

        def planner(book: DerivedBook) -> DerivedPlan:
            made = plan_observations(book, heard, begun, now, scope=scope, zone=zone)
            # what is edited or deleted from here on is no pattern
            return replace(made, seen=tuple(messages))

        return planner

    async def _messages(self, scope: Scope, now: datetime) -> list[Message]:
        partition = await self._store.partitions.get(scope, await self._vectors.generation())
        since = to_micros(now - LOOKED_BACK)
        inside = (partition.timestamps >= since) & (partition.timestamps <= to_micros(now))
        rows = np.flatnonzero(inside & partition.roles.is_any_of([str(Role.USER)]))
        rows = rows[np.argsort(partition.timestamps[rows], kind="stable")][-_MOST_MESSAGES:]
        wanted = [int(row) for row in rows]
        found = await self._store.partitions.messages(scope, partition, wanted)
        ids = (partition.message_ids[row] for row in wanted)
        return [found[message_id] for message_id in ids if message_id in found]

    def _sorted(self, messages: Sequence[Message], zone: tzinfo) -> tuple[list[Heard], list[Begun]]:
        by_session: dict[str, list[Message]] = {}
        for message in messages:
            by_session.setdefault(message.session_id, []).append(message)
        begun = [
            Begun(
                session_id=name,
                message_id=some[0].id,
                at=some[0].timestamp,
                bulk=all(message.known_from is not None for message in some),
            )
            for name, some in by_session.items()
        ]
        heard = [
            Heard(
                session_id=name,
                on=date_in(some[0].timestamp, zone),
                turns=tuple((message.id, self._clean(message.text)) for message in some),
            )
            for name, some in by_session.items()
        ]
        return heard, begun

    def _clean(self, text: str) -> str:
        kept = strip_memory(text[:_MOST_CHARS])
        return redact(kept).text if self._redaction else kept
