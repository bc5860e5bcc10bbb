"""Days and weeks: what was said in them, and what plans their summaries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import partial
from typing import Final

import numpy as np

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.fence import strip_memory
from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.partition import Partition
from backstory.core.secrets import redact
from backstory.core.summaries.choosing import summary_slot
from backstory.core.times import date_in, from_micros
from backstory.errors import ModelError
from backstory.ports.derived import DerivedPlanner
from backstory.ports.store import Store
from backstory.ports.summariser import Summariser
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.summaries.digesting import INLINE_CHARS
from backstory.services.summaries.planning import (
    DAY_CHARS,
    WEEK_CHARS,
    ModelText,
    plan_day,
    plan_week,
    source_of,
)
from backstory.services.summaries.talks import Talk
from backstory.threads import run_in_thread

DAYS_BACK: Final = 7
"""So many days are looked at again: a day that was missed, or lost its summary, gets one."""
_WEEK: Final = timedelta(days=7)
# In microseconds. No zone is further from UTC.
_A_DAY: Final = 86_400_000_000
_EPOCH_DAY: Final = date(1970, 1, 1)


class PeriodSummaries:
    """Reads what was said in a day or a week.

    Args:
        store: Where messages and summaries are.
        vectors: Says which vectors the cached messages have beside them.
        redaction: Whether secrets are masked.
        summariser: Writes summaries; None = they are extracts.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        *,
        redaction: bool = True,
        summariser: Summariser | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._redaction = redaction
        self._summariser = summariser

    async def plan(
        self, scope: Scope, kind: SummaryKind, starts_on: date, now: datetime, zone: tzinfo = UTC
    ) -> DerivedPlanner:
        """Read what was said, and give what plans the summary of a day or week.

        Args:
            scope: Whose.
            kind: ``DAY`` or ``WEEK``.
            starts_on: The day, or the first day of the week.
            now: The time of the run.
            zone: Where the user's days begin and end.
        """
        is_day = kind is SummaryKind.DAY
        ends_on = starts_on if is_day else starts_on + _WEEK - timedelta(days=1)
        talks = await self.talks(scope, starts_on, ends_on, zone)
        plan = plan_day if is_day else plan_week
        written = await self._written(scope, kind, talks, zone)

        # what is edited or deleted from here on is not summarised
        seen = tuple(message for talk in talks for message in talk.messages)

        def planner(book: DerivedBook) -> DerivedPlan:
            made = plan(book, starts_on, now, talks, scope=scope, zone=zone, written=written)
            return replace(made, seen=seen)

        return planner

    async def _written(
        self, scope: Scope, kind: SummaryKind, talks: Sequence[Talk], zone: tzinfo
    ) -> ModelText | None:
        """What a model makes of it; one that fails costs nothing but that."""
        if self._summariser is None or not talks:
            return None
        book = await self._store.derived.book(scope)
        source = await run_in_thread(source_of, book, kind, talks, zone)
        if not source:
            return None
        most = DAY_CHARS if kind is SummaryKind.DAY else WEEK_CHARS
        try:
            text = await self._summariser.summarise(source, most)
        except ModelError:
            return None
        return ModelText(text=text, model=self._summariser.model)

    async def due(
        self, scope: Scope, kind: SummaryKind, now: datetime, zone: tzinfo = UTC
    ) -> list[date]:
        """First days of periods that are over and want a summary: theirs is missing or outdated.

        Days of the last week, or the last two weeks. What has nothing to say is given every time:
        planning it writes nothing.
        """
        today = date_in(now, zone)
        if kind is SummaryKind.DAY:
            starts = [today - timedelta(days=back) for back in range(DAYS_BACK, 0, -1)]
            length = timedelta(days=1)
        else:
            monday = today - timedelta(days=today.weekday())
            starts = [monday - 2 * _WEEK, monday - _WEEK]
            length = _WEEK
        partition, rows = await self._rows(scope, starts[0], today)
        times = (from_micros(int(partition.timestamps[row])) for row in rows)
        days = [date_in(moment, zone) for moment in times]
        book = await self._store.derived.book(scope)
        found = []
        for start in starts:
            count = sum(start <= day < start + length for day in days)
            known = book.in_slot(Summary, summary_slot(kind, start.isoformat()))
            if (known.messages if known is not None else 0) != count:
                found.append(start)
        return found

    async def talks(
        self, scope: Scope, starts_on: date, ends_on: date, zone: tzinfo = UTC
    ) -> tuple[Talk, ...]:
        """What was said from one day to another, both inclusive, session by session."""
        partition, rows = await self._rows(scope, starts_on, ends_on)
        found = await self._read(scope, partition, rows)
        inside = [m for m in found if starts_on <= date_in(m.timestamp, zone) <= ends_on]
        if not inside:
            return ()
        codes = partition.sessions.codes
        sizes = np.bincount(codes)
        row_of = {partition.message_ids[row]: row for row in rows}
        by_session: dict[str, list[Message]] = {}
        for message in inside:
            by_session.setdefault(message.session_id, []).append(message)
        is_long = sum(len(message.text) for message in inside) > INLINE_CHARS
        clean = partial(self._cleaned, by_session)
        cleaned = await run_in_thread(clean) if is_long else clean()
        return tuple(
            Talk(
                session_id=name,
                messages=tuple(messages),
                whole=len(messages) == int(sizes[codes[row_of[messages[0].id]]]),
                bulk=all(message.known_from is not None for message in messages),
            )
            for name, messages in cleaned.items()
        )

    def _cleaned(self, said: Mapping[str, list[Message]]) -> dict[str, list[Message]]:
        return {name: [self._clean(one) for one in some] for name, some in said.items()}

    def _clean(self, message: Message) -> Message:
        text = strip_memory(message.text)
        if self._redaction:
            text = redact(text).text
        return message if text == message.text else replace(message, text=text)

    async def _rows(
        self, scope: Scope, starts_on: date, ends_on: date
    ) -> tuple[Partition, list[int]]:
        """The user's messages, and the rows of those that may be of these days in any zone."""
        partition = await self._store.partitions.get(scope, await self._vectors.generation())
        first = _micros(starts_on) - _A_DAY
        after = _micros(ends_on) + 2 * _A_DAY
        near = (partition.timestamps >= first) & (partition.timestamps < after)
        rows = np.flatnonzero(near)
        order = np.argsort(partition.timestamps[rows], kind="stable")
        return partition, [int(row) for row in rows[order]]

    async def _read(self, scope: Scope, partition: Partition, rows: Sequence[int]) -> list[Message]:
        found = await self._store.partitions.messages(scope, partition, rows)
        ids = (partition.message_ids[row] for row in rows)
        return [found[message_id] for message_id in ids if message_id in found]


def _micros(day: date) -> int:
    return (day - _EPOCH_DAY).days * _A_DAY
