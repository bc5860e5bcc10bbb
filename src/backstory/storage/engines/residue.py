"""Finds text that SQLite left behind in a file although ``secure_delete`` is on.

When SQLite shares out rows between neighbouring pages, it writes each page anew and leaves what
stood in the space between the page's pointers and its rows: copies of rows that moved, which a
later deletion does not reach. Such space is recognised by its bytes; VACUUM gets rid of it.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_LEAF = 13  # the type of a page that holds rows of a table
_HEADER = 8
_FILE_HEADER = 100
_PAGES_AT_ONCE = 4096


def has_residue(path: Path) -> bool:
    """Whether a page with rows has more than old pointers in its unused space.

    The WAL must be empty, so that the file is all there is.
    """
    with path.open("rb") as file:
        head = file.read(_FILE_HEADER)
        if len(head) < _FILE_HEADER:
            return False
        size = int.from_bytes(head[16:18], "big")
        size = 65536 if size == 1 else size
        file.seek(0)
        while data := file.read(size * _PAGES_AT_ONCE):
            whole = len(data) // size * size
            if _any_residue(np.frombuffer(data[:whole], dtype=np.uint8).reshape(-1, size)):
                return True
    return False


def _any_residue(pages: NDArray[np.uint8]) -> bool:
    # Rows of the first page, which begins with the file's header, are the schema: no text.
    leaves = pages[pages[:, 0] == _LEAF]
    if not len(leaves):
        return False
    wide = leaves.astype(np.int32)
    first = _HEADER + 2 * (wide[:, 3] << 8 | wide[:, 4])
    last = wide[:, 5] << 8 | wide[:, 6]
    places = np.arange(pages.shape[1])
    unused = (places >= first[:, None]) & (places < last[:, None])
    # A pointer is below the size of a page: one of its two bytes is small. Text has no such gaps.
    large = (leaves >= 0x10) & unused
    return bool((large[:, 1:] & large[:, :-1]).any())
