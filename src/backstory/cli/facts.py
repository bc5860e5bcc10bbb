"""Facts for people."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from backstory.api import Fact, FactCorrection, FactHistory, Memory
from backstory.cli.output import Screen, Signs
from backstory.cli.plain import clipped, one_line
from backstory.cli.records import is_whole, short, whole_id
from backstory.cli.timeline import show_time_line

ALL: Final = 1_000_000
_LONGEST: Final = 600
_NO_END: Final = 1_000_000
_WIDEST_NAME: Final = 24
_USER: Final = "user"


def found_fact(memory: Memory, given: str, user: str | None) -> str:
    """The whole id of a fact of which the beginning or end is given, if the user is known.

    Raises:
        NotFoundError: No fact fits.
        BadParameter: Several do.
    """
    if user is None or is_whole(given):
        return given
    known = [fact.id for fact in memory.facts.get(user, status="all", limit=ALL)]
    return whole_id(given, known, "fact")


def name_of(fact: Fact) -> str:
    """What a fact is about: the slot, behind another person if it is about one."""
    return fact.key if fact.subject == _USER else f"{fact.subject} {fact.key}"


def period_of(fact: Fact, signs: Signs) -> str:
    """When it is true, in days (UTC)."""
    begin, end = _day(fact.valid_from), _day(fact.valid_until)
    if begin and end:
        return f"{begin} {signs.dash} {end}"
    if begin:
        return f"from {begin}" if fact.scheduled else f"since {begin}"
    return f"until {end}" if end else "always"


def _day(moment: datetime | None) -> str:
    return "" if moment is None else moment.date().isoformat()


def show_facts(screen: Screen, facts: Sequence[Fact], *, statuses: bool = False) -> None:
    """Print facts by category, in the order given.

    Args:
        screen: Where to.
        facts: The facts.
        statuses: Whether to say what became of each; else only of disputed ones.
    """
    signs = screen.signs
    said = statuses or any(fact.status != "active" for fact in facts)
    by_category: dict[str, list[Fact]] = {}
    for fact in facts:
        by_category.setdefault(str(fact.category), []).append(fact)
    most = _LONGEST if len(facts) > 1 else _NO_END
    rows: list[list[str]] = []
    for category, members in by_category.items():
        rows.append([category])
        for fact in members:
            value = clipped(fact.value, most, signs.ellipsis)
            cells = [f"  {one_line(name_of(fact))}", value, period_of(fact, signs)]
            cells += [str(fact.status)] if said else []
            rows.append([*cells, short(fact.id)])
    _print_table(screen, ["fact", "value", "valid", *(["status"] if said else []), "id"], rows)


def _print_table(screen: Screen, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows; only values are folded, unless the name of a fact is very long."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
    table.padding = (0, 1, 0, 0)
    for place, title in enumerate(titles):
        widest = max(cell_len(row[place]) for row in rows if place < len(row))
        folds = title == "value" or (title == "fact" and widest > _WIDEST_NAME)
        least = None if folds else widest
        table.add_column(title, overflow="fold", no_wrap=not folds, min_width=least)
    for row in rows:
        table.add_row(*(Text(cell, "" if len(row) > 1 else "bold") for cell in row))
    screen.print(table)


def show_history(screen: Screen, history: FactHistory) -> None:
    """Print a slot's time line, its rows, their earlier states, and the log of its changes."""
    signs = screen.signs
    latest = history.facts[-1]
    screen.say((name_of(latest), "bold"), f" of {one_line(latest.user_id)}\n")
    if latest.cardinality == "one" and any(not fact.retracted_at for fact in history.facts):
        show_time_line(screen, history.facts, indent=2)
        screen.print()
    show_facts(screen, history.facts, statuses=True)
    if history.revisions:
        screen.say(("\nEarlier states", "bold"))
        screen.table(
            [("value", "fold"), ("status", "keep"), ("believed", "keep"), ("id", "keep")],
            [
                [
                    state.value,
                    str(state.status),
                    f"{_day(state.believed_at)} {signs.dash} {_day(state.replaced_at)}",
                    short(state.fact_id),
                ]
                for state in history.revisions
            ],
        )
    if history.corrections:
        screen.say(("\nLog", "bold"))
        for correction in history.corrections:
            undone = "; undone" if correction.undone else ""
            said = f"{_day(correction.at)}  {change_of(correction, signs)}{undone}"
            screen.paragraph(Text(said), 2)


def change_of(correction: FactCorrection, signs: Signs) -> str:
    """One line of the log of corrections."""
    old, new = correction.old_value, correction.new_value
    both = old is not None and new is not None and old != new
    values = f"{old} {signs.arrow} {new}" if both else (old or new or "")
    why = f": {correction.reason}" if correction.reason else ""
    return one_line(f"{correction.change} {values} (by {correction.actor}{why})")
