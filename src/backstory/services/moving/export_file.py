"""The file that an export of a user writes."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from backstory.core.archive.lines import Header, write_end, write_header, write_record
from backstory.core.model.archive import NAMES, Archived, ArchiveHead
from backstory.core.model.moving import ExportResult
from backstory.errors import FileError
from backstory.services.moving.whole_file import WholeFile


class ExportFile:
    """Takes the head and the records of one user, and writes their lines, whole or not at all.

    Made, called and ended in threads: it blocks.

    Args:
        path: Its place.
        header: Makes the first line of a head.
        progress: Hears how many records are written, and how many there are.

    Raises:
        FileError: It cannot be made.
    """

    def __init__(
        self,
        path: Path,
        header: Callable[[ArchiveHead], Header],
        progress: Callable[[int, int], None],
    ) -> None:
        self._path = path
        self._header = header
        self._progress = progress
        self._lock = threading.Lock()
        self._is_over = False
        self._begin(ArchiveHead())
        self._file = WholeFile(path)

    def __call__(self, given: ArchiveHead | Sequence[Archived]) -> None:
        """Take a head, which begins anew, or a page of records.

        Raises:
            FileError: It cannot be written, or the export was given up.
        """
        with self._lock:
            if self._is_over:
                raise FileError("the export was stopped")
            if isinstance(given, ArchiveHead):
                self._file.restart()
                self._begin(given)
                self._file.write(write_header(self._header(given)))
            else:
                for item in given:
                    self._file.write(write_record(item))
                    self._counts[NAMES[type(item)]] += 1
        self._progress(sum(self._counts.values()), sum(self._expected.values()))

    def finish(self) -> ExportResult:
        """Write the end line, and put the file into its place.

        Raises:
            FileError: It cannot be written.
        """
        with self._lock:
            self._file.write(write_end(self._counts))
            size, digest = self._file.finish()
            self._is_over = True
        return ExportResult(
            path=str(self._path), records=dict(self._counts), size=size, sha256=digest
        )

    def give_up(self) -> None:
        """Leave no half file. What is still being written ends with an error."""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
            self._file.give_up()

    def _begin(self, head: ArchiveHead) -> None:
        self._expected: Mapping[str, int] = head.records
        self._counts = dict.fromkeys(NAMES.values(), 0)
