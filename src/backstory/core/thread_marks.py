"""Marks of threads ("[T2]") are the library's own: quoted text cannot hold any."""

import re
from typing import Final
from unicodedata import normalize

from backstory.core.text import IGNORABLE

# Square brackets, and those that look like them.
_OPENING: Final = (
    "\\[\uff3b\u3010\u3014\u3016\u3018\u301a\u27e6\u2045\u2772\u27ec\u2983\u298b\u298d\u298f\u2e22"
    "\u2e24\u2e55\u2e57\ufe39\ufe3b\ufe47\ufe5d"
)
_CLOSING: Final = (
    "\\]\uff3d\u3011\u3015\u3017\u3019\u301b\u27e7\u2046\u2773\u27ed\u2984\u298c\u298e\u2990\u2e23"
    "\u2e25\u2e56\u2e58\ufe3a\ufe3c\ufe48\ufe5e"
)
_UNSEEN: Final = re.compile(rf"[\s\u00ad\u200b-\u200f\u2060-\u206f\ufeff{IGNORABLE}]")
_BRACKET: Final = re.compile(
    rf"[{_OPENING}](?P<inner>[^{_OPENING}{_CLOSING}]{{2,}})(?P<close>[{_CLOSING}]?)"
)
# A Latin t and its look-alikes (Cyrillic, Greek, Cherokee), marks on it, signs, a digit.
_MARK: Final = re.compile(
    "[\\W_]*(?:threads?|[t\u0442\u03c4\uabe8\u13a2])[\u0300-\u036f]*[\\W_]*\\d"
)


def without_marks(text: str) -> str:
    """The text with what looks like a mark of a thread in round brackets: "[T2]" as "(T2)".

    Other scripts' letters and brackets that look alike, letters that show nothing, lists ("[T2,
    T3]"), "[thread 2]" and brackets that are not closed count too. Other text in brackets stays.
    """
    return _BRACKET.sub(_in_round_brackets, text)


def _in_round_brackets(found: re.Match[str]) -> str:
    inner = found["inner"]
    if not _is_mark(inner):
        return found.group()
    return f"({inner})" if found["close"] else f"({inner}"


def _is_mark(inner: str) -> bool:
    plain = _UNSEEN.sub("", normalize("NFKC", inner)).casefold()
    return _MARK.match(plain) is not None
