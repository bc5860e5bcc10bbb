"""Cut a text into units and bound the tokens of each unit.

Both byte-pair encoders first cut a text into words (runs of letters with one sign before them,
groups of three digits, runs of signs, white space) and then merge bytes inside each word. A unit
here needs no text outside itself: where the two encoders could cut differently, the unit is larger
than both cuts, or its bound allows for either.

A unit that is one token in both vocabularies costs 1. The bound of any other unit rests on a
property of byte-pair encoding: when it stops, no two neighbouring tokens join to a string of the
vocabulary. So there are at most as many tokens as in the longest chain of pieces in which no two
neighbours join to a known string. The longest chain is found by dynamic programming over known
strings of up to four characters; knowing fewer strings makes the bound larger, never smaller.
"""

import base64
import re
import zlib
from functools import cache, lru_cache
from itertools import compress
from typing import Final, NamedTuple

from backstory.core import _token_tables as tables

# A run is cut here, so that units are short enough to be kept in a cache.
LONGEST_RUN: Final = 48
LONGEST_BLANK: Final = 256

_WHITE: Final = " \t\r\n\x0b\x0c"
_SIGN: Final = r"\x00-\x08\x0e-\x1f!-/:-@\[-`{-\x7f"
# Signs that no token of either vocabulary joins to a letter before them.
_QUIET: Final = r"\xa0-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\u2000-\u203a\u20a0-\u20bf"
_FOREIGN: Final = (
    r"\x80-\x9f\xaa\xb2\xb3\xb5\xb9\xba\xbc-\xbe\xc0-\u1fff\u203b-\u209f\u20c0-\U0010ffff"
)
# After a sign beyond ASCII an apostrophe may belong to that sign.
_HEAD: Final = r"(?: |(?<![\x80-\U0010ffff])')?"

# Line ends belong to the signs before them; for one encoder, slashes after the line ends do too.
_SIGNS_THEN_LINES: Final = (
    rf" ?[{_SIGN}]{{1,{LONGEST_RUN}}}+"
    rf"(?:[\r\n]{{1,16}}+(?:/[{_SIGN}]{{0,{LONGEST_RUN}}}+)?+){{0,4}}+"
)
_UNITS: Final = re.compile(
    rf"{_HEAD}[A-Za-z]{{1,{LONGEST_RUN}}}+(?![{_FOREIGN}])"
    rf"|{_HEAD}[A-Za-z{_FOREIGN}]{{1,{LONGEST_RUN}}}+[0-9]{{0,96}}"
    r"|[0-9]{1,96}"
    rf"|{_SIGNS_THEN_LINES}"
    rf"| ?[{_QUIET}]"
    rf"|[{_WHITE}]{{0,{LONGEST_BLANK}}}[\r\n]"
    rf"|[ \t\x0b\x0c]{{1,{LONGEST_BLANK}}}(?![^{_WHITE}])"
    rf"|[{_WHITE}]"
)
_CHAINED: Final = re.compile(f"[{tables.CHAINED}]+")
_RUNS: Final = re.compile(r"(.)\1*", re.DOTALL)
_BLANKS_PER_TOKEN: Final = {" ": 64, "\t": 16, "\n": 8}
_COST_BITS: Final = 7
_SPACE_SHIFT: Final = 3


class Tables(NamedTuple):
    """The decoded tables.

    Attributes:
        known: Strings that are one token in both vocabularies.
        grams: Known strings of 2-4 characters, and which of their endings are known: bit 0 for
            the last two characters, bit 1 for the last three, bit 2 for the last four.
        costs: By code point up to 0x1FFFF: tokens of the character in bits 0-2; bits 3-4 hold
            what a space before it adds.
        joints: By first byte of a character: the texts before it after which a token may end
            inside it.
        move: The chain machine: next state (a multiple of 8), at ``state + endings``.
        gain: The chain machine: tokens that the move adds, at the same place.
    """

    known: frozenset[str]
    grams: dict[str, int]
    costs: bytes
    joints: dict[int, list[str]]
    move: tuple[int, ...]
    gain: bytes


def _inflate(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


def _known_strings() -> set[str]:
    """Undo the front coding of the word list: kept beginning, new ending, forms of the word."""
    words: list[str] = []
    word = ""
    for keep, ending in zip(
        _inflate(tables.KEEPS), _inflate(tables.ENDINGS).decode().split("\x7f"), strict=True
    ):
        word = word[:keep] + ending
        words.append(word)
    forms = _inflate(tables.FORMS)
    plain, spaced, title, spaced_title = (
        compress(words, forms.translate(bytes(code >> bit & 1 for code in range(256))))
        for bit in range(4)
    )
    known = set(plain)
    known.update(map(" ".__add__, spaced))
    known.update(word[0].upper() + word[1:] for word in title)
    known.update(f" {word[0].upper()}{word[1:]}" for word in spaced_title)
    return known


def _known_endings(text: str, known: set[str]) -> int:
    """Bit 0: the last two characters are a known string; bit 1: three; bit 2: four."""
    return (text[-2:] in known) | (len(text) > 2 and text[-3:] in known) << 1 | (len(text) > 3) << 2


@cache
def load_tables() -> Tables:
    """Decode the generated tables, once per process.

    Returns:
        The tables.
    """
    known = _known_strings()
    grams = {text: _known_endings(text, known) for text in known if 2 <= len(text) <= 4}
    joints: dict[int, list[str]] = {}
    for item in tables.JOINTS:
        joints.setdefault(int(item[-2:], 16), []).append(item[:-2])
    flat = _inflate(tables.MOVES)
    return Tables(
        known=frozenset(known),
        grams=grams,
        costs=_inflate(tables.COSTS),
        joints=joints,
        move=tuple(8 * (flat[i] | flat[i + 1] << 8) for i in range(0, len(flat), 2)),
        gain=_inflate(tables.GAINS),
    )


def longest_chain(text: str, cuts: frozenset[int] = frozenset()) -> int:
    """Most tokens of a text by the chain rule.

    Args:
        text: Characters that are one token each in both vocabularies.
        cuts: Places between characters where one of the encoders may have a border: strings over
            such a place forbid nothing.

    Returns:
        Tokens; at least those of any part of the text.
    """
    _, grams, _, _, move, gain = load_tables()
    known = grams.get
    state = total = first = 0
    for end in range(1, len(text) + 1):
        if end - 1 in cuts:
            first = end - 1
        window = text[max(first, end - 4) : end]
        endings = known(window) or known(window[1:]) or known(window[2:]) or 0
        total += gain[state + endings]
        state = move[state + endings]
    return total


def _case_cuts(text: str) -> frozenset[int]:
    """Borders of one encoder only: before a capital after a small letter, after a contraction."""
    cuts = {2, 3} if text[:1] == "'" else set()
    if not text[2:].islower():
        cuts.update(
            at for at in range(1, len(text)) if text[at].isupper() and not text[at - 1].isupper()
        )
        cuts.discard(1 if text[:1] in " '" else 0)
    return frozenset(cuts)


def _sign_cuts(text: str) -> frozenset[int]:
    """Borders of one encoder only: a slash after a line end belongs to the signs before it."""
    line = min((at for at in (text.find("\n"), text.find("\r")) if at >= 0), default=len(text))
    return frozenset(at for at in range(line + 1, len(text)) if "/" in text[at - 1 : at + 1])


def _may_split(text: str, at: int) -> bool:
    """Whether a token that ends inside the bytes of character ``at`` is possible."""
    _, _, _, joints, _, _ = load_tables()
    lead = text[at].encode("utf-8", "surrogatepass")[0]
    return any(
        text.endswith(body, 0, at) and body + text[at] not in load_tables().known
        for body in joints.get(lead, ())
    )


def _letters_cost(text: str) -> int:
    """Letters of the chained alphabets, cut where a token may end inside a character."""
    if text.isascii():
        return longest_chain(text, _case_cuts(text))
    total = start = 0
    for at in range(1, len(text)):
        if not text[at].isascii() and _may_split(text, at):
            part = text[start:at]
            total += longest_chain(part, _case_cuts(part)) + (1 if at == 1 else 2)
            start = at
    part = text[start:]
    return total + longest_chain(part, _case_cuts(part))


def _foreign_cost(text: str) -> int:
    """A run with characters beyond ASCII, perhaps with a space or an apostrophe before it."""
    costs = load_tables().costs
    body = text.rstrip("0123456789")
    digits = len(text) - len(body)
    total = (digits + 4) // 3 if digits else 0
    at = 0
    if body[0] == " " and not _CHAINED.match(body, 1):
        code = ord(body[1])
        total += costs[code] >> _SPACE_SHIFT if code < len(costs) else 2
        at = 1
    while at < len(body):
        code = ord(body[at])
        match = _CHAINED.match(body, at)
        if match:
            at = match.end()
            total += _letters_cost(match.group()) + (at < len(body) and _may_split(body, at))
        else:
            total += costs[code] & _COST_BITS if code < len(costs) else 4
            at += 1
    return total


def _blank_run_cost(text: str) -> int:
    """White space: by runs of one character, each of which is a few long tokens."""
    if text in load_tables().known:
        return 1
    runs = [(match[1], len(match[0])) for match in _RUNS.finditer(text)]
    by_runs = sum(1 + (size - 1) // _BLANKS_PER_TOKEN.get(char, 1) for char, size in runs)
    return min(by_runs + len(runs) - 1, longest_chain(text))


def _blank_cost(text: str) -> int:
    """White space; line ends at its beginning may belong to a sign before it."""
    rest = text.lstrip("\r\n")
    lines = text[: len(text) - len(rest)]
    if not lines or not rest:
        return _blank_run_cost(text)
    return max(_blank_run_cost(text), _blank_run_cost(lines) + _blank_run_cost(rest))


@lru_cache(maxsize=1 << 15)
def unit_cost(unit: str) -> int:
    """Bound of one unit.

    Args:
        unit: A unit of :func:`units`.

    Returns:
        Tokens, at least those of both encoders.
    """
    if unit in load_tables().known and not (unit[0] in "\r\n" and unit[-1] in _WHITE):
        return 1
    slack = 2 if len(unit) >= LONGEST_RUN else 0
    last = unit[-1]
    if not unit.isascii():
        return _foreign_cost(unit) + slack
    if last.isalpha():
        return longest_chain(unit, _case_cuts(unit)) + slack
    if last.isdigit():
        return (len(unit) + 2) // 3
    if not unit.strip(_WHITE):
        return _blank_cost(unit) + (2 if len(unit) >= LONGEST_BLANK else 0)
    return longest_chain(unit, _sign_cuts(unit)) + slack


def units(text: str) -> list[str]:
    """Cut a text into units.

    Args:
        text: Any text.

    Returns:
        The units; joined they are the text.
    """
    return _UNITS.findall(text)
