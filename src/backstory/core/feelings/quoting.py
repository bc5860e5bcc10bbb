"""Words of a message, no longer than a limit, and never a part of a word or of a sign."""

import unicodedata
from typing import Final

ELLIPSIS: Final = "\u2026"
_JOINER: Final = "\u200d"
_NEAR: Final = 3
"""A blank in the last third of the limit is near enough to cut at it."""


def bounded(text: str, most: int) -> str:
    """A text of at most ``most`` characters, cut behind a whole word, with "…" where it is cut.

    Where no blank is near, as in Chinese, it is cut between two characters that belong to no
    common sign: marks, joined emoji, skin tones and flags stay whole.

    Args:
        text: Any text.
        most: Characters, 2 or more.
    """
    if len(text) <= most:
        return text
    room = most - len(ELLIPSIS)
    blank = max(text.rfind(blank, 0, room + 1) for blank in " \n\t\u3000")
    cut = blank if blank > room - room // _NEAR else _between_signs(text, room)
    return f"{text[:cut].rstrip()}{ELLIPSIS}"


def _between_signs(text: str, cut: int) -> int:
    place = cut
    while place > 0 and _belongs(text, place):
        place -= 1
    return place or cut  # nothing but one sign: it cannot stay whole


def _belongs(text: str, place: int) -> bool:
    """Whether the character at a place belongs to the one before it."""
    char, before = text[place], text[place - 1]
    if before == _JOINER or char == _JOINER or unicodedata.combining(char):
        return True
    if unicodedata.category(char) in {"Mn", "Mc", "Me", "Sk"} and ord(char) > 0x7F:
        return True
    return _is_flag(char) and _is_flag(before) and _flags_before(text, place) % 2 == 1


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    start = place
    while start > 0 and _is_flag(text[start - 1]):
        start -= 1
    return place - start
