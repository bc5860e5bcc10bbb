"""Export of one user: everything that is stored, in one file, as of one moment."""

import asyncio
from pathlib import Path

from backstory._version import __version__
from backstory.core.archive.lines import Header
from backstory.core.model.archive import ArchiveHead
from backstory.core.model.moving import ExportResult, Progress
from backstory.core.model.scope import Scope
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.services.moving.export_file import ExportFile
from backstory.threads import run_in_thread


class Exporting:
    """Writes exports.

    Args:
        store: Where the records are.
        clock: The time of the export.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def export(self, scope: Scope, path: Path, progress: Progress | None) -> ExportResult:
        """Write everything of a user to a file.

        Raises:
            FileError: The file cannot be written; a file that was there before is still there.
        """
        facts = await self._store.check()
        now = self._clock.now()
        loop = asyncio.get_running_loop()

        def header(head: ArchiveHead) -> Header:
            return Header(
                user_id=scope.user_id,
                tenant=scope.tenant_id,
                package=__version__,
                schema=str(facts.get("schema", "")),
                exported_at=now,
                head=head,
            )

        def tell(done: int, total: int) -> None:
            if progress is not None:
                loop.call_soon_threadsafe(progress, done, total)

        file = await run_in_thread(ExportFile, path, header, tell)
        try:
            await self._store.archive.read_out(scope, file)
            return await run_in_thread(file.finish)
        except BaseException:
            await asyncio.shield(run_in_thread(file.give_up))
            raise
