"""What works, what is missing, and how to fix it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from backstory.core.model.results import Check, DoctorReport
from backstory.errors import BackstoryError
from backstory.ports.store import Store
from backstory.services.embedding.reindexing import Reindexing
from backstory.services.embedding.vectors import VectorMaker

if TYPE_CHECKING:
    from backstory.services.consolidating.consolidation import Consolidation
    from backstory.services.embedding.calibrating import Calibrating

_LOOKED_AT = 200
_PROBE = "The quick check of the embedding model."


class Doctor:
    """Looks at an open memory. Changes nothing."""

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        calibrating: Calibrating,
        reindexing: Reindexing,
        tenant_id: str,
        consolidation: Callable[[], Consolidation] | None = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._calibrating = calibrating
        self._reindexing = reindexing
        self._tenant_id = tenant_id
        self._consolidation = consolidation

    async def examine(self) -> DoctorReport:
        """Check the database, its schema, its durability, the embedder and what is pending."""
        facts = await self._store.check()
        checks = [
            Check(
                name="database",
                ok=True,
                detail=f"{facts['database']} {facts['version']} {facts.get('place', '')}".strip(),
            ),
            _schema(facts["schema"], facts["schema_wanted"]),
            _durability(facts),
            await self._embedder(),
            await self._calibration(),
            await self._pending(),
            await self._unread(),
            *await self._runs(),
            *await self._reindex(),
        ]
        return DoctorReport(checks=tuple(checks), facts=facts)

    async def _embedder(self) -> Check:
        if not self._vectors.works:
            problem = self._vectors.problem
            detail = problem or "none: search uses keywords only"
            fix = "open the memory with embedder='local'"
            if problem is not None:
                fix = (
                    "open the memory with the embedder that the store was made with, or move the "
                    "store to this one with reindex()"
                )
            return Check(name="embedder", ok=problem is None, detail=detail, fix=fix)
        try:
            detail = await self._vectors.probe(_PROBE)
        except BackstoryError as error:
            return Check(name="embedder", ok=False, detail=str(error), fix="see the message")
        return Check(name="embedder", ok=True, detail=detail)

    async def _reindex(self) -> list[Check]:
        """An unfinished move to another embedder, if there is one."""
        status = await self._reindexing.status()
        if status.target is None:
            return []
        detail = f"{status.done} of {status.total} have a vector of {status.target}"
        if status.running:
            return [Check(name="reindex", ok=True, detail=f"{detail}; it is running")]
        detail += f"; it stopped: {status.problem}" if status.problem else "; it stopped"
        fix = "call reindex() again, or undo_reindex()"
        return [Check(name="reindex", ok=False, detail=detail, fix=fix)]

    async def _calibration(self) -> Check:
        """What similarities mean. Without it there is no floor, which is no fault."""
        name = "calibration"
        if not self._vectors.works:
            return Check(name=name, ok=True, detail="none: without an embedder none is needed")
        try:
            known = await self._calibrating.current()
        except BackstoryError as error:
            fix = "backstory doctor --calibrate"
            return Check(name=name, ok=False, detail=str(error), fix=fix)
        if known is None:
            detail = "none: similarities have no floor until backstory doctor --calibrate"
            return Check(name=name, ok=True, detail=detail)
        where = "on this store" if known.measured else "as it came with the embedder"
        detail = (
            f"unrelated below {known.low:g}, related from {known.high:g}, measured {where} "
            f"({known.pairs:,} and {known.related:,} pairs)"
        )
        return Check(name=name, ok=True, detail=detail)

    async def _pending(self) -> Check:
        waiting = await self._store.messages.count_pending(None, self._tenant_id)
        fine = waiting == 0 or not self._vectors.works
        fix = None if fine else "call flush(); its result names the reasons of failures"
        detail = f"{waiting} messages without one"
        if not self._vectors.works:
            detail += ", and no embedder to make them"
        return Check(name="vectors", ok=fine, detail=detail, fix=fix)

    async def _unread(self) -> Check:
        """What no reader has read. A model reads in batches, so that some may wait for more."""
        waiting = await self._store.facts.count_unread(None, self._tenant_id)
        failed = [
            unread
            for unread in await self._store.facts.unread(None, self._tenant_id, _LOOKED_AT)
            if unread.failures
        ]
        detail = f"{waiting} messages not read for facts"
        if not failed:
            return Check(name="reading", ok=True, detail=detail)
        detail += f"; reading failed in {len(failed)} sessions"
        fix = "call flush(); its result names the reasons of failures"
        return Check(name="reading", ok=False, detail=detail, fix=fix)

    async def _runs(self) -> list[Check]:
        """What waits to be consolidated, since when, and what failed."""
        if self._consolidation is None:
            return []
        status = await self._consolidation().status()
        waiting = sum(one.queued + one.retrying for one in status.counts)
        detail = f"{status.sessions_due} sessions to digest, {waiting} runs wait"
        if status.oldest_age_s is not None:
            detail += f", the oldest since {status.oldest_age_s / 3600:.1f} hours"
        if not status.next_runs:
            detail += "; nothing runs by itself"
        if not status.failures:
            return [Check(name="consolidation", ok=True, detail=detail)]
        detail += f"; {len(status.failures)} failed, the last: {status.failures[0].problem}"
        fix = "backstory consolidate --status shows them; consolidate() tries them again"
        return [Check(name="consolidation", ok=False, detail=detail, fix=fix)]


def _schema(found: object, wanted: object) -> Check:
    if found == wanted:
        return Check(name="schema", ok=True, detail=f"{found}, current")
    return Check(
        name="schema", ok=False, detail=f"{found}, wanted {wanted}", fix="backstory db upgrade"
    )


def _durability(facts: dict[str, object]) -> Check:
    if facts["database"] == "postgresql":
        ok = facts["fsync"] == "on" and facts["synchronous_commit"] != "off"
        detail = f"fsync={facts['fsync']}, synchronous_commit={facts['synchronous_commit']}"
        fix = "set fsync and synchronous_commit to on in the server"
    else:
        ok = facts["synchronous"] == 2 and facts["journal_mode"] in {"wal", "memory"}
        detail = f"journal {facts['journal_mode']}, synchronous={facts['synchronous']}"
        fix = "the file system refuses WAL; use a local disk"
    return Check(name="durability", ok=ok, detail=detail, fix=None if ok else fix)
