"""Reading the bytes of a file, with a limit."""

from pathlib import Path
from typing import Final

from backstory.errors import FileError

MAX_BYTES: Final = 64 * 2**20


def read_bytes(path: Path, place: str, most: int = MAX_BYTES) -> bytes:
    """The whole of a file.

    Raises:
        FileError: It cannot be read, or has more than ``most`` bytes.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise FileError(f"{place} cannot be read ({error.strerror})") from error
    except ValueError as error:  # a NUL in the path
        raise FileError(f"{place} cannot be read ({error})") from error
    if len(data) > most:
        raise FileError(f"{place} has more than {most // 2**20} MB; that is no chapter of a book")
    return data
