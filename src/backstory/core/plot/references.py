"""Which threads a text names: "[T1]", "T1.", "T1, T2", "t01", "#1", 3, in digits of any script."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Final
from unicodedata import digit, normalize

HIGHEST: Final = 10**9 - 1
"""No document has a thread of a higher number."""

_LONGEST_RANGE: Final = 20
_LONGEST_TEXT: Final = 10_000
_LONGEST_QUOTE: Final = 40
# A Latin t, and the Cyrillic and Greek letters that look like it.
_T: Final = "[t\u0442\u03c4]"
_MARK: Final = rf"(?:{_T}(?:hread)?[\s_.:#-]?\s*|\#\s*|no\.?\s*)"
_NAMED: Final = re.compile(
    rf"(?<![^\W_]){_MARK}(?P<first>\d+)(?:\s*[-\u2013\u2014]\s*{_MARK}(?P<last>\d+))?(?![^\W_])"
)
_BARE: Final = re.compile(r"[\s\[\](){}<>'\"`.,;:/&+|*\u3001-]+|\b(?:and|or)\b")
_PLAIN: Final = re.compile(r"(?P<first>\d+)(?P<last>(?!))?")
_NONE: Final = frozenset(
    ("", "none", "null", "nil", "n/a", "na", "new", "new thread", "no", "unknown", "undefined")
)


@dataclass(frozen=True, kw_only=True)
class References:
    """What a text names.

    Attributes:
        numbers: Of threads, in the order of the text, each once.
        strange: What was meant as a reference and is none, shortened; or "".
    """

    numbers: tuple[int, ...] = ()
    strange: str = ""


def read_references(raw: object) -> References:
    """Read what names known threads.

    Args:
        raw: Text, a number, a list of these, None, or anything else. Numbers in other text count
            only with a mark before them: "T3: the war of 1912" names one thread.

    Returns:
        Nothing for None, "", "new", "none" and the like.
    """
    if raw is None:
        return References()
    if isinstance(raw, str):
        return _in_text(raw)
    if isinstance(raw, Real | Decimal) and not isinstance(raw, bool):
        number = _whole(raw)
        return References(strange=_shown(raw)) if number is None else References(numbers=(number,))
    if isinstance(raw, list | tuple):
        return _joined(_in_list(each) for each in raw)
    return References(strange=_shown(raw))


def _in_text(raw: str) -> References:
    text = normalize("NFKC", raw[:_LONGEST_TEXT]).casefold().strip()
    found = list(_NAMED.finditer(text))
    if not found:
        bare = _BARE.sub("", text)
        if bare in _NONE or text.strip(" .[]()<>\"'") in _NONE:
            return References()
        if not bare.isdecimal():
            return References(strange=_shown(raw))
        found = list(_PLAIN.finditer(text))
    return _joined(_one(match) for match in found)


def _in_list(raw: object) -> References:
    is_nested = isinstance(raw, list | tuple)
    return References(strange=_shown(raw)) if is_nested else read_references(raw)


def _one(match: re.Match[str]) -> References:
    first = _value(match["first"])
    last = first if match["last"] is None else _value(match["last"])
    is_short = first <= last < first + _LONGEST_RANGE
    if first < 1 or last > HIGHEST or not is_short:
        return References(strange=_shown(match.group()))
    return References(numbers=tuple(range(first, last + 1)))


def _joined(found: Iterable[References]) -> References:
    parts = list(found)
    numbers = dict.fromkeys(number for part in parts for number in part.numbers)
    strange = ", ".join(part.strange for part in parts if part.strange)
    return References(numbers=tuple(numbers), strange=strange[:_LONGEST_QUOTE])


def _whole(raw: Real | Decimal) -> int | None:
    """The number of a thread, from a number of any type."""
    try:
        value = float(raw)
    except (ValueError, OverflowError):  # a Decimal that signals, a large int
        return None
    return int(value) if 1 <= value <= HIGHEST and value.is_integer() else None


def _value(digits: str) -> int:
    """The value of digits of any script; above HIGHEST where there are too many."""
    plain = "".join(str(digit(char)) for char in digits).lstrip("0")
    return HIGHEST + 1 if len(plain) > len(str(HIGHEST)) else int(plain or "0")


def _shown(raw: object) -> str:
    if isinstance(raw, int | float) and abs(raw) <= HIGHEST:
        return str(raw)
    text = raw if isinstance(raw, str) else type(raw).__name__
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}\u2026"
