"""Stored text on its way to a terminal: nothing in it can steer the terminal."""

import re
from typing import Final

from rich.cells import cell_len, set_cell_size

# Escape sequences go as a whole: CSI, then strings such as titles and links, then the short ones.
_SEQUENCE: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c|$)"
    "|\x1b[ -/]*[0-~]"
)
_BREAK: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Controls, embeddings and isolates that reorder a line past their end, lone surrogates.
_HIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BLANKS: Final = re.compile(r"\s+")


def plain(text: str) -> str:
    r"""The text without escape sequences, controls and bidi overrides; breaks become ``\n``."""
    return _HIDDEN.sub("", _BREAK.sub("\n", _SEQUENCE.sub("", text))).replace("\t", "    ")


def one_line(text: str) -> str:
    """The same on one line, each run of blanks being one space."""
    return _BLANKS.sub(" ", plain(text)).strip()


def clipped(text: str, most: int, ellipsis: str = "...") -> str:
    """One line of at most ``most`` characters."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - len(ellipsis)].rstrip() + ellipsis


def fitted(text: str, most: int, ellipsis: str = "...") -> str:
    """One line of at most ``most`` columns of a terminal: a wide character takes two."""
    line = one_line(text)
    if cell_len(line) <= most:
        return line
    return set_cell_size(line, most - len(ellipsis)).rstrip() + ellipsis
