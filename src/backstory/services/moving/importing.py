"""Import of an export of backstory: what is not there yet is stored, the rest is left alone."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from backstory.core.identity import check_scope
from backstory.core.model.archive import (
    NAMES,
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ErasedClaim,
    Restored,
)
from backstory.core.model.embedding import Generation
from backstory.core.model.moving import ImportRequest, ImportResult
from backstory.core.model.scope import Scope
from backstory.errors import StoreError
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.facts.vectors import FactVectors
from backstory.services.moving.import_file import ImportFile, Line
from backstory.services.moving.import_tally import Tally
from backstory.threads import run_in_thread

_EMBED_S: Final = 24 * 3600.0


class Importing:
    """Reads exports.

    Args:
        store: Where the records go.
        vectors: Knows whether the file's vectors are of use, and makes others.
        fact_vectors: Makes those of facts.
        clock: The time of each commit.
        tenant_id: Whose data it works on.
        wake: Called when something is left to the background.
    """

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        fact_vectors: FactVectors,
        clock: Clock,
        tenant_id: str,
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._fact_vectors = fact_vectors
        self._clock = clock
        self._tenant_id = tenant_id
        self._wake = wake

    async def run(self, path: Path, asked: ImportRequest) -> ImportResult:
        """Store what a file holds and the user has not.

        A trial run only reads and counts: nothing is compared with what is there.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is no export, or one of a newer version; nothing was stored.
        """
        file = await run_in_thread(ImportFile, path)
        try:
            return await self._read(file, asked, Tally(asked.each, dry_run=asked.dry_run))
        finally:
            await asyncio.shield(run_in_thread(file.close))

    async def _read(self, file: ImportFile, asked: ImportRequest, tally: Tally) -> ImportResult:
        head = file.header.head
        user = check_scope(self._tenant_id, asked.user_id or file.header.user_id)
        scope = Scope(self._tenant_id, user)
        file.user_id = user
        if user == file.header.user_id and head.claim_key is not None:
            own = await self._store.archive.claim_key(self._tenant_id)
            file.keeps_claims = head.claim_key == own
        usable: dict[int, Generation] = {}
        if not tally.dry_run:
            found = {n: await self._vectors.generation_for(i) for n, i in head.generations.items()}
            usable = {n: generation for n, generation in found.items() if generation is not None}
        done = 0
        while lines := await run_in_thread(file.batch):
            await self._store_lines(scope, lines, usable, tally)
            done += len(lines)
            if asked.progress is not None:
                asked.progress(done, max(done, file.total))
        await self._embed(scope, tally)
        return tally.result(user, "backstory")

    async def _store_lines(
        self,
        scope: Scope,
        lines: Sequence[Line],
        usable: Mapping[int, Generation],
        tally: Tally,
    ) -> None:
        for line in lines:
            if line.problem is not None:
                tally.note(line.number, line.problem)
        held = [(line.number, line.item) for line in lines if line.item is not None]
        items = [item for _, item in held]
        if tally.dry_run:
            outcomes = [Restored(stored=True)] * len(items)
        else:
            outcomes = await self._restored(scope, items, usable)
        for (number, item), outcome in zip(held, outcomes, strict=True):
            kind = NAMES[type(item)]
            name = _id_of(item)
            if outcome.problem is not None:
                tally.note(number, f"{kind}: {outcome.problem}", kind=kind, name=name)
            elif not outcome.stored:
                tally.present(kind, number, name)
            else:
                tally.stored(kind, number, name)
                if not tally.dry_run:
                    _count_vectors(item, usable, tally)

    async def _restored(
        self, scope: Scope, items: Sequence[Archived], usable: Mapping[int, Generation]
    ) -> list[Restored]:
        """Restore a batch; if one record of it breaks a rule of the database, one by one."""
        if not items:
            return []
        archive = self._store.archive
        try:
            return await archive.restore(scope, items, usable, self._clock.now())
        except StoreError as error:
            # its subclasses speak of the database as a whole: nothing would become better
            if type(error) is not StoreError:
                raise
            if len(items) == 1:
                return [Restored(stored=False, problem=str(error))]
        return [outcome for i in items for outcome in await self._restored(scope, [i], usable)]

    async def _embed(self, scope: Scope, tally: Tally) -> None:
        """Make the vectors that the file had not, at once if that costs no call."""
        if not tally.pending:
            return
        if not self._vectors.works:
            tally.pending = tally.pending if self._vectors.problem else 0
            return
        if not self._vectors.embeds_at_once:
            self._wake()
            return
        await self._vectors.flush(scope, self._tenant_id, _EMBED_S)
        await self._fact_vectors.flush(scope, self._tenant_id)
        # looked up, because the background may have made some of them meanwhile
        messages = await self._store.messages.count_pending(scope, self._tenant_id)
        facts = await self._store.facts.pending(scope, self._tenant_id, tally.pending)
        tally.pending = min(tally.pending, messages + len(facts))


def _id_of(item: Archived) -> str | None:
    if isinstance(item, ArchivedMessage):
        return item.message.id
    if isinstance(item, ArchivedFact):
        return item.fact.id
    return None if isinstance(item, (ErasedClaim, ArchivedRun)) else item.id


def _count_vectors(item: Archived, usable: Mapping[int, Generation], tally: Tally) -> None:
    if isinstance(item, (ArchivedMessage, ArchivedFact)):
        kept = sum(number in usable for number in item.vectors)
        tally.vectors += kept
        tally.pending += not kept
    elif isinstance(item, ArchivedDerived):
        tally.vectors += sum(n in usable for version in item.versions for n in version.vectors)
