"""Documents out to files and in from them, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from backstory._version import __version__
from backstory.core.archive.documents import (
    DocumentHeader,
    counts,
    is_document,
    read_document,
    write_document,
)
from backstory.core.model.moving import ExportResult, ImportItem, ImportOutcome, ImportResult
from backstory.errors import FileError, NotFoundError
from backstory.language.terms import TERMS_VERSION
from backstory.ports.documents import DocumentScope
from backstory.services.documents.passage_terms import passage_terms
from backstory.services.moving.whole_file import WholeFile
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.document_archive import DocumentRecords
    from backstory.core.model.moving import ImportRequest
    from backstory.ports.clock import Clock
    from backstory.ports.document_archive import DocumentArchive
    from backstory.services.documents.vectors import PassageVectors

FORMAT: Final = "document"
_HEAD: Final = 1 << 20


class DocumentMoving:
    """Exports and imports documents.

    Args:
        archive: Reads and stores whole documents.
        vectors: Makes the vectors of imported passages.
        clock: The time of the export.
        tenant_id: Whose documents.
        wake: Called when something is left to the background.
    """

    def __init__(
        self,
        archive: DocumentArchive,
        vectors: PassageVectors,
        clock: Clock,
        tenant_id: str,
        wake: Callable[[], None],
    ) -> None:
        self._archive = archive
        self._vectors = vectors
        self._clock = clock
        self._tenant_id = tenant_id
        self._wake = wake

    async def export(self, scope: DocumentScope, path: Path) -> ExportResult:
        """Write all of a document to a file, readable by its owner only.

        Raises:
            NotFoundError: Nothing is stored of it.
            FileError: It cannot be written; a file that was there is still there.
        """
        records = await self._archive.read_out(scope)
        if records is None:
            raise NotFoundError(f"nothing is stored of the document {scope.document_id!r}")
        header = DocumentHeader(
            id=scope.document_id,
            tenant=scope.tenant_id,
            package=__version__,
            exported_at=self._clock.now(),
            unit=records.unit,
            planned_chapters=records.planned_chapters,
            created_at=records.created_at,
            next_thread=records.next_thread,
        )
        size, digest = await run_in_thread(_write, path, header, records)
        return ExportResult(path=str(path), records=counts(records), size=size, sha256=digest)

    async def is_one(self, path: Path) -> bool:
        """Whether a file is the export of a document."""
        return await run_in_thread(_is_one, path)

    async def load(self, path: Path, asked: ImportRequest) -> ImportResult:
        """Store the document of a file.

        Raises:
            FileError: It cannot be read.
            InvalidInputError: It is none, damaged, or of a newer version; nothing was stored.
            ConflictError: A document of its id with other content is there.
        """
        header, records = await run_in_thread(_read, path)
        scope = DocumentScope(self._tenant_id, header.id)
        found = {kind: count for kind, count in counts(records).items() if count}
        stored = True
        if not asked.dry_run:
            stored = await self._archive.restore(scope, records, passage_terms, TERMS_VERSION)
        if asked.each is not None:
            outcome = ImportOutcome.STORED if stored else ImportOutcome.PRESENT
            asked.each(ImportItem(position=1, kind=FORMAT, outcome=outcome, id=header.id))
        pending = 0
        if stored and not asked.dry_run:
            pending = await self._vectors.count_pending(scope)
            if pending:
                self._wake()
        return ImportResult(
            user_id="",
            format=FORMAT,
            imported=found if stored else {},
            skipped={} if stored else found,
            dry_run=asked.dry_run,
            pending=pending,
        )


def _write(path: Path, header: DocumentHeader, records: DocumentRecords) -> tuple[int, str]:
    file = WholeFile(path)
    try:
        for line in write_document(header, records):
            file.write(line)
        return file.finish()
    except BaseException:
        file.give_up()
        raise


def _read(path: Path) -> tuple[DocumentHeader, DocumentRecords]:
    try:
        with path.open("rb") as file:
            return read_document(file)
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror or error})") from error


def _is_one(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_document(file.readline(_HEAD))
    except OSError:
        return False  # who reads it says why
