"""The archive that an EPUB is: entries by name, none larger than it may be."""

import posixpath
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Final
from urllib.parse import unquote, urlsplit

from backstory.core.text import clean
from backstory.errors import FileError

MOST_ENTRY: Final = 32 * 2**20
MOST_TOTAL: Final = 256 * 2**20
_MOST_ENTRIES: Final = 50_000
_ENCRYPTED: Final = 1


class EpubArchive:
    """An open archive. Nothing of it is ever written to a disk, so no name in it is a path.

    Sizes that the archive states are not believed: what is unpacked is counted.
    """

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            FileError: It is no archive, or has too many entries.
        """
        self._place = clean(path.name)
        self._left = MOST_TOTAL
        try:
            self._file = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise FileError(f"{self._place} is no EPUB: it cannot be opened ({error})") from error
        entries = self._file.infolist()
        if len(entries) > _MOST_ENTRIES:
            self._file.close()
            raise FileError(f"{self._place} has more than {_MOST_ENTRIES:,} entries")
        self._entries = {entry.filename: entry for entry in entries}

    def __enter__(self) -> "EpubArchive":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """The bytes of an entry.

        Raises:
            FileError: It is not there, encrypted, broken, or unpacks to more than it may.
        """
        entry = self._entries.get(name)
        shown = f"{self._place}, {clean(name)}"
        if entry is None:
            raise FileError(f"{shown}: the archive has no such entry")
        if entry.flag_bits & _ENCRYPTED:
            raise FileError(f"{shown} is encrypted")
        most = min(MOST_ENTRY, self._left)
        try:
            with self._file.open(entry) as stream:
                data = stream.read(most + 1)
        except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, ValueError) as error:
            raise FileError(f"{shown} is broken ({error})") from error
        except zlib.error as error:
            raise FileError(f"{shown} is broken ({error})") from error
        if len(data) > most:
            raise FileError(
                f"{shown} unpacks to more than a book has ({MOST_ENTRY // 2**20} MB an entry, "
                f"{MOST_TOTAL // 2**20} MB in all)"
            )
        self._left -= len(data)
        return data


def resolve(base: str, reference: str) -> tuple[str, str]:
    """The entry and the anchor that a reference names, seen from another entry."""
    split = urlsplit(reference)
    path = unquote(split.path)
    name = posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base
    return name.lstrip("/"), unquote(split.fragment)
