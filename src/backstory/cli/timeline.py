"""One slot's values in time, drawn as a line."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from backstory.api import Fact
from backstory.cli.output import Screen, Signs
from backstory.cli.plain import fitted

_WIDEST_VALUE: Final = 30
_Piece = tuple[str, str, str]


def show_time_line(screen: Screen, facts: Sequence[Fact], *, indent: int = 0) -> None:
    """Draw what a slot held, one value after the other, with the days they began.

    Args:
        screen: Where to.
        facts: The rows of a slot of one value at a time, in order of valid time. Those that were
            never true are left out.
        indent: Blanks before each line.
    """
    pieces = _pieces([fact for fact in facts if fact.retracted_at is None], screen.signs)
    room = max(20, screen.width - indent)
    line: list[_Piece] = []
    for piece in pieces:
        if line and sum(map(_width, line)) + _width(piece) > room:
            _print(screen, line, indent)
            line = []
        line.append(piece)
    if line:
        _print(screen, line, indent)


def _pieces(facts: Sequence[Fact], signs: Signs) -> list[_Piece]:
    """Each value with the sign that leads on from it, and the day it began."""
    pieces = []
    for place, fact in enumerate(facts):
        following = facts[place + 1] if place + 1 < len(facts) else None
        value = fitted(fact.value, _WIDEST_VALUE, signs.ellipsis)
        begin = "" if fact.valid_from is None else fact.valid_from.date().isoformat()
        pieces.append((value, f" {_link(fact, following, signs)}", begin))
        ended = fact.valid_until
        if ended is not None and (following is None or _apart(fact, following)):
            pieces.append(("", "", ended.date().isoformat()))
    return pieces


def _link(fact: Fact, following: Fact | None, signs: Signs) -> str:
    """An arrow into what follows or is open; a stop at an end; a question where two hold."""
    if fact.valid_until is None:
        return signs.line * 2 + signs.tip if following is None else signs.line * 2 + "?"
    if following is None or _apart(fact, following):
        return signs.line * 2 + signs.stop
    return signs.line * 2 + signs.tip


def _apart(fact: Fact, following: Fact) -> bool:
    begins, ends = following.valid_from, fact.valid_until
    return begins is not None and ends is not None and begins > ends


def _width(piece: _Piece) -> int:
    value, link, day = piece
    return max(cell_len(value) + cell_len(link), cell_len(day)) + 2


def _print(screen: Screen, pieces: Sequence[_Piece], indent: int) -> None:
    above, below = Text(" " * indent), Text(" " * indent)
    for value, link, day in pieces:
        width = _width((value, link, day)) - 1
        above.append(value, "bold").append(link, "cyan")
        stretch = width - cell_len(value) - cell_len(link)
        above.append(" " * (stretch + 1))
        below.append(day, "dim").append(" " * (width + 1 - cell_len(day)))
    for line in (above, below):
        line.rstrip()
        screen.print(line, no_wrap=True, overflow="ignore", crop=False)
