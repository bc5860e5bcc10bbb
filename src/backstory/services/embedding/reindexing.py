"""Moves a store to the vectors of another embedder, while everything else goes on.

A generation is filled beside the active one, pass by pass, until a pass finds nearly nothing to
do; then one transaction makes it the active one, and whatever came too late is pending and made
at once. What is left to do follows from the vectors that are there: a process that is killed
loses what it had in hand, nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from backstory.core.model.embedding import EmbedderIdentity, Generation, find_model
from backstory.core.model.reindex import ReindexResult, ReindexStatus
from backstory.errors import (
    EmbeddingDimensionError,
    EmbeddingError,
    InvalidInputError,
    NotFoundError,
)
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.processes import Processes
from backstory.ports.reindexing import GenerationState, ReindexRequest
from backstory.ports.store import Store
from backstory.services.embedding.filling import Filler
from backstory.services.embedding.leases import Lease
from backstory.services.embedding.vectors import FRESH_S, VectorMaker

if TYPE_CHECKING:
    from backstory.core.model.moving import Progress

_PROBE: Final = "How large is a vector of this model?"
# A pass that made no more than this ends the filling: the rest is made right after the switch.
_FEW: Final = 256
_PASSES: Final = 5
# A local service may be restarted, a remote one may limit the rate: waits in s between tries.
PAUSES: Final = (2.0, 4.0, 8.0, 16.0, 32.0)


class Reindexing:
    """Changes the embedder of a store, and changes it back.

    Args:
        store: The store.
        vectors: The embedder in use.
        clock: The time.
        processes: Names this process.
        pauses: Waits between tries, in s, when a service is not available.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        processes: Processes,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._processes = processes
        self._pauses = pauses

    async def run(self, request: ReindexRequest) -> ReindexResult:
        """Move to another embedder, or go on with an unfinished move.

        Raises:
            StoreBusyError: A reindex of this store is running.
            EmbeddingError: The embedder does not work at all.
            InvalidInputError: There is no embedder to move to.
        """
        embedder = await self._chosen(request.embedder)
        identity = await self._measured(embedder)
        before = await self._store.generations.active()
        known = [] if before is None else [before]
        if find_model(known, identity) is not None:
            return await self._tidied(embedder, str(identity), keep_old=request.keep_old)
        await self._check_meant(request, before, identity)
        async with Lease(self._store, self._clock, self._processes, identity) as lease:
            filler = Filler(self._store, lease, embedder, request.progress, self._pauses)
            result = ReindexResult(
                source=None if before is None else str(before.identity),
                target=str(identity),
                switched=False,
            )
            problem = await self._filled(filler)
            if problem is not None or (filler.failed and not request.skip_failed):
                reasons = {*filler.failed.values(), *([problem] if problem else [])}
                lease.problem = "; ".join(sorted(reasons))
                result = replace(result, pending=lease.total - lease.done)
            else:
                pending = await lease.switch(keep_old=request.keep_old)
                await self._vectors.use(embedder)
                result = replace(result, switched=True)
                result = replace(result, pending=await self._last(filler, pending))
        if result.switched:
            await self._drop_unused()
        return await self._told(result, filler)

    async def undo(
        self, embedder: str | Embedder | None = None, progress: Progress | None = None
    ) -> ReindexResult:
        """Give up an unfinished move, or move back to the embedder before.

        Raises:
            NotFoundError: There is nothing to undo.
            EmbeddingDimensionError: The given embedder has vectors of another size.
            StoreBusyError: A reindex of this store is running.
        """
        states = await self._store.reindexing.states()
        active = next((s.generation for s in states if s.active), None)
        source = None if active is None else str(active.identity)
        if any(state.build and not state.active for state in states):
            await self._store.reindexing.release(self._clock.now(), self._processes.is_over)
            await self._drop_unused()
            left = ReindexResult(
                source=source, target=source or "none", switched=active is not None
            )
            return await self._told(left, None)
        old = _previous(states)
        if old is None:
            raise NotFoundError("there is no reindex to undo: no earlier vectors were kept")
        back, problem = await self._back(embedder, old.identity)
        result = ReindexResult(source=source, target=str(old.identity), switched=True)
        async with Lease(self._store, self._clock, self._processes, old.identity) as lease:
            filler = None
            if back is not None:
                filler = Filler(self._store, lease, back, progress, self._pauses)
                problem = await self._filled(filler)
            # also if some could not be made: they are found by their words until they can
            pending = await lease.switch(keep_old=True)
            if back is not None:
                await self._vectors.use(back)
            self._vectors.look_again()
            if filler is not None and problem is None:
                pending = await self._last(filler, pending)
        reasons = (problem,) if problem else ()
        return await self._told(replace(result, pending=pending, reasons=reasons), filler)

    async def status(self) -> ReindexStatus:
        """Which embedder is in use, and how far a reindex is."""
        states = await self._store.reindexing.states()
        active = next((str(s.generation.identity) for s in states if s.active), None)
        previous = _previous(states)
        status = ReindexStatus(
            active=active, previous=None if previous is None else str(previous.identity)
        )
        for state in states:
            if state.build is not None and not state.active:
                done, total = await self._store.reindexing.count(state.generation)
                status = replace(
                    status,
                    target=str(state.generation.identity),
                    running=state.build.is_held(self._clock.now(), self._processes.is_over),
                    since=state.build.since,
                    done=done,
                    total=total,
                    problem=state.build.problem,
                )
        return status

    async def _chosen(self, embedder: str | Embedder | None) -> Embedder:
        embedders = self._vectors.embedders
        if isinstance(embedder, str):
            return await embedders.named(embedder)
        if embedder is not None:
            embedders.adopt(embedder)
            return embedder
        if embedders.wanted is None:
            raise InvalidInputError("this memory was opened without an embedder; name one")
        return embedders.wanted

    async def _back(
        self, embedder: str | Embedder | None, identity: EmbedderIdentity
    ) -> tuple[Embedder | None, str | None]:
        if embedder is None:
            return await self._vectors.embedders.of(identity)
        chosen = await self._chosen(embedder)
        if not chosen.identity.same_model(identity):
            raise InvalidInputError(f"the vectors that are kept are of {identity}, name that one")
        size = chosen.identity.dimensions
        if size not in (None, identity.dimensions):
            raise EmbeddingDimensionError(
                f"the vectors that are kept have {identity.dimensions} dimensions, not {size}"
            )
        return chosen, None

    async def _check_meant(
        self, request: ReindexRequest, active: Generation | None, identity: EmbedderIdentity
    ) -> None:
        """Refuse to go back, and to drop what is in use, where only the old was to be dropped.

        A program whose settings were not changed after a move would do so.

        Raises:
            InvalidInputError: It is that case.
        """
        if request.embedder is not None or request.keep_old or active is None:
            return
        old = _previous(await self._store.reindexing.states())
        if old is not None and old.identity.same_model(identity):
            raise InvalidInputError(
                f"this memory was opened with {identity}, and the store uses {active.identity}, "
                f"whose vectors would be removed. Name {active.identity} to remove the old ones; "
                "undo goes back"
            )

    async def _measured(self, embedder: Embedder) -> EmbedderIdentity:
        """The embedder's identity with the size of its vectors, which takes one of them."""
        from backstory.services.embedding import guarded  # noqa: PLC0415 - opening needs no numpy

        vectors = await guarded.embed(embedder, [_PROBE])
        return replace(embedder.identity, dimensions=int(vectors.shape[1]))

    async def _filled(self, filler: Filler) -> str | None:
        """Fill the generation until nearly nothing is missing. Gives why it stopped before."""
        await filler.count()
        try:
            for _ in range(_PASSES):
                if await filler.run() <= _FEW:
                    break
                await filler.count()
        except EmbeddingError as error:
            return str(error)
        return None

    async def _last(self, filler: Filler, pending: int) -> int:
        """Make what came between the last pass and the switch. Gives what is pending still."""
        if pending:
            # what fails is pending, and the background goes on
            with contextlib.suppress(EmbeddingError):
                await filler.run()
            await filler.count()
            pending = filler.left
        return pending

    async def _tidied(self, embedder: Embedder, name: str, *, keep_old: bool) -> ReindexResult:
        """There is nothing to move; remove what is not kept."""
        await self._vectors.use(embedder)
        if not keep_old:
            await self._store.reindexing.release(
                self._clock.now(), self._processes.is_over, retired=True
            )
        await self._drop_unused()
        active = await self._store.generations.active()
        pending = 0
        if active is not None:
            done, total = await self._store.reindexing.count(active)
            pending = total - done
        result = ReindexResult(source=name, target=name, switched=True, pending=pending)
        return await self._told(result, None)

    async def _drop_unused(self) -> None:
        if any(state.is_unused for state in await self._store.reindexing.states()):
            # other processes may search it until they have noticed
            await asyncio.sleep(2 * FRESH_S)
            await self._store.reindexing.drop_unused()

    async def _told(self, result: ReindexResult, filler: Filler | None) -> ReindexResult:
        previous = _previous(await self._store.reindexing.states())
        kept = None if previous is None else str(previous.identity)
        if filler is None:
            return replace(result, kept=kept)
        reasons = {*filler.failed.values(), *result.reasons}
        if filler.stopped is not None:
            reasons.add(filler.stopped)
        return replace(
            result,
            kept=kept,
            embedded=filler.made,
            failed=len(filler.failed),
            reasons=tuple(sorted(reasons)),
        )


def _previous(states: Sequence[GenerationState]) -> Generation | None:
    """The generation that an undo goes back to."""
    kept = [(s.retired_at, s.generation) for s in states if s.retired_at is not None]
    return max(kept, key=lambda pair: pair[0])[1] if kept else None
