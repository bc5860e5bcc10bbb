"""Events of the time line, drawn as a line from top to bottom."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from rich.text import Text

from backstory.api import Event, Precision
from backstory.cli.output import Screen, counted
from backstory.cli.plain import one_line

_MONTH: Final = 30
_YEAR: Final = 365
_LONG: Final = 2 * _MONTH
"""Days without an event that are worth a line."""
_WIDTH: Final = len("06-11")
_EAST: Final = timedelta(hours=14)
"""How far the clocks of the easternmost zone are ahead: no calendar has a later date."""


def show_events(screen: Screen, events: Sequence[Event]) -> None:
    """Draw events, one a line; a year is named where it begins, and so is a long gap.

    Args:
        screen: Where to.
        events: In the order of their dates.
    """
    before: date | None = None
    for event in events:
        day = event.occurred_on
        if before is not None:
            _gap(screen, (day - before).days)
        if before is None or day.year != before.year:
            screen.print(Text(str(day.year), "bold"))
        _event(screen, event)
        before = day


def _event(screen: Screen, event: Event) -> None:
    signs = screen.signs
    is_day = event.precision is Precision.DAY
    size = {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4}[event.precision]
    when = event.occurred_on.isoformat()[5:size]
    head = Text(f"{when:{_WIDTH}}  ", "dim")
    head.append(f"{signs.point if is_day else signs.ring} ", "cyan")
    whose = "" if event.subject == "user" else f"{one_line(event.subject)}: "
    told = Text.assemble((whose, "bold"), one_line(event.predicate))
    if event.occurred_on > (event.at + _EAST).date():
        told.append(f" (planned on {event.at.date()})", "dim")
    for place, line in enumerate(told.wrap(screen, max(20, screen.width - head.cell_len))):
        line.rstrip()
        margin = head if place == 0 else Text(f"{'':{_WIDTH}}  {signs.edge} ", "cyan")
        screen.print(Text.assemble(margin, line))


def _gap(screen: Screen, days: int) -> None:
    if days < _LONG:
        return
    size = counted(days // _YEAR, "year") if days >= 2 * _YEAR else counted(days // _MONTH, "month")
    screen.print(Text(f"{'':{_WIDTH}}  {screen.signs.gap} {size}", "dim"))
