"""The file that an export writes: under another name until it is whole."""

import contextlib
import hashlib
import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from backstory.core.archive.lines import Header, write_end, write_header, write_record
from backstory.core.model.archive import NAMES, Archived, ArchiveHead
from backstory.core.model.moving import ExportResult
from backstory.errors import FileError

_OWNER_ONLY: Final = 0o600


class ExportFile:
    """Takes the head and the records of one user, and writes their lines.

    It stands beside its place under a hidden name, readable by its owner only, and takes the
    place when it is whole. Made, called and ended in threads: it blocks.

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
        self._part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
        self._lock = threading.Lock()
        self._is_over = False
        self._begin(ArchiveHead())
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            descriptor = os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNER_ONLY)
            self._file = os.fdopen(descriptor, "wb")
        except OSError as error:
            raise self._failure(error) from error

    def __call__(self, given: ArchiveHead | Sequence[Archived]) -> None:
        """Take a head, which begins anew, or a page of records.

        Raises:
            FileError: It cannot be written, or the export was given up.
        """
        with self._lock:
            if self._is_over:
                raise FileError("the export was stopped")
            try:
                if isinstance(given, ArchiveHead):
                    self._file.seek(0)
                    self._file.truncate()
                    self._begin(given)
                    self._write(write_header(self._header(given)))
                else:
                    for item in given:
                        self._write(write_record(item))
                        self._counts[NAMES[type(item)]] += 1
            except OSError as error:
                raise self._failure(error) from error
        self._progress(sum(self._counts.values()), sum(self._expected.values()))

    def finish(self) -> ExportResult:
        """Write the end line, and put the file into its place.

        Raises:
            FileError: It cannot be written.
        """
        with self._lock:
            try:
                self._write(write_end(self._counts))
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                self._part.replace(self._path)
                self._is_over = True
                _sync_folder(self._path.parent)
            except OSError as error:
                raise self._failure(error) from error
        return ExportResult(
            path=str(self._path),
            records=dict(self._counts),
            size=self._size,
            sha256=self._hash.hexdigest(),
        )

    def give_up(self) -> None:
        """Leave no half file. What is still being written ends with an error."""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):
                self._part.unlink(missing_ok=True)

    def _begin(self, head: ArchiveHead) -> None:
        self._expected: Mapping[str, int] = head.records
        self._counts = dict.fromkeys(NAMES.values(), 0)
        self._hash = hashlib.sha256()
        self._size = 0

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._hash.update(line)
        self._size += len(line)

    def _failure(self, error: OSError) -> FileError:
        return FileError(f"{self._path} cannot be written ({error.strerror or error})")


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a loss of power, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
