"""A file that is written whole or not at all: under another name until it is done."""

import contextlib
import hashlib
import os
import secrets
from pathlib import Path
from typing import Final

from backstory.errors import FileError

_OWNER_ONLY: Final = 0o600


class WholeFile:
    """Stands beside its place under a hidden name, and takes the place when it is whole.

    Readable by its owner only. It blocks.

    Args:
        path: Its place.

    Raises:
        FileError: It cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
        self._hash = hashlib.sha256()
        self._size = 0
        try:
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder")
            descriptor = os.open(self._part, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNER_ONLY)
            self._file = os.fdopen(descriptor, "wb")
        except OSError as error:
            raise self._failure(error) from error

    def write(self, line: bytes) -> None:
        """Add a line.

        Raises:
            FileError: It cannot be written.
        """
        try:
            self._file.write(line)
        except OSError as error:
            raise self._failure(error) from error
        self._hash.update(line)
        self._size += len(line)

    def restart(self) -> None:
        """Begin anew, with nothing in it.

        Raises:
            FileError: It cannot be written.
        """
        try:
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            raise self._failure(error) from error
        self._hash = hashlib.sha256()
        self._size = 0

    def finish(self) -> tuple[int, str]:
        """Put the file into its place; gives its bytes and their SHA-256.

        Raises:
            FileError: It cannot be written.
        """
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._part.replace(self._path)
        except OSError as error:
            raise self._failure(error) from error
        _sync_folder(self._path.parent)
        return self._size, self._hash.hexdigest()

    def give_up(self) -> None:
        """Leave no half file."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._part.unlink(missing_ok=True)

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
