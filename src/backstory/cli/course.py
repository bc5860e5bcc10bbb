"""The valence of days, drawn as bars above and below a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from rich.text import Text

from backstory.api import FeelingDay
from backstory.cli.output import Screen

_ROWS: Final = 4
"""On each side of the line."""
_LEAST_SCALE: Final = 0.25
_MARGIN: Final = 7
_DAY_CHARS: Final = 10
_WIDE: Final = 2


@dataclass(frozen=True)
class Column:
    """Some days side by side.

    Attributes:
        first: The first of them.
        valence: Their mean, None where nothing was said.
    """

    first: date
    valence: float | None


def columns_of(days: Sequence[FeelingDay], most: int) -> list[Column]:
    """All days from the first to the last, so many together that they fit.

    Args:
        days: In order, one at least.
        most: How many columns there may be, 1 or more.
    """
    first, last = days[0].day, days[-1].day
    span = (last - first).days + 1
    step = -(-span // most)
    found: list[list[FeelingDay]] = [[] for _ in range(-(-span // step))]
    for day in days:
        found[(day.day - first).days // step].append(day)
    return [
        Column(first + timedelta(days=place * step), _mean(some))
        for place, some in enumerate(found)
    ]


def _mean(days: Sequence[FeelingDay]) -> float | None:
    said = sum(day.messages for day in days)
    return sum(day.valence * day.messages for day in days) / said if said else None


def show_course(screen: Screen, days: Sequence[FeelingDay]) -> None:
    """Draw the days, pleasant above the line and unpleasant below it; nothing for no days.

    Args:
        screen: Where to.
        days: In order.
    """
    if not days:
        return
    room = max(20, screen.width - _MARGIN - 1)
    columns = columns_of(days, room // _WIDE)
    scale = max(_LEAST_SCALE, *(abs(one.valence or 0.0) for one in columns))
    for row in range(_ROWS, -_ROWS - 1, -1):
        if row and not any((one.valence or 0.0) * row > 0 for one in columns):
            continue  # that side is empty
        label = f"{row / _ROWS * scale:+.1f}" if row in (_ROWS, -_ROWS) else "0" if not row else ""
        line = Text(f"{label:>{_MARGIN - 2}} {screen.signs.edge}", "dim")
        for column in columns:
            line.append_text(_cell(screen, column, row, scale))
        line.rstrip()
        screen.print(line, no_wrap=True, overflow="ignore", crop=False)
    begin, end = columns[0].first.isoformat(), days[-1].day.isoformat()
    gap = max(1, len(columns) * _WIDE - 2 * _DAY_CHARS)
    shown = begin if begin == end else f"{begin}{' ' * gap}{end}"
    screen.print(Text(" " * _MARGIN + shown, "dim"), no_wrap=True, overflow="ignore", crop=False)


def _cell(screen: Screen, column: Column, row: int, scale: float) -> Text:
    """One row of one column."""
    signs, valence = screen.signs, column.valence
    if row == 0:
        return Text(signs.line * _WIDE if valence is None else signs.dot + signs.line, "dim")
    height = 0 if valence is None else round(abs(valence) / scale * _ROWS)
    filled = (valence or 0.0) * row > 0 and height >= abs(row)
    style = "green" if row > 0 else "red"
    return Text((signs.full if filled else " ") + " ", style)
