"""Contradictions for people."""

from collections.abc import Sequence

from rich.text import Text

from backstory.api import Contradiction
from backstory.cli.output import Screen
from backstory.cli.plain import one_line
from backstory.cli.records import short


def show_contradictions(screen: Screen, found: Sequence[Contradiction]) -> None:
    """Print each with both answers, what raised it, and how it ended."""
    for place, one in enumerate(found):
        if place:
            screen.print()
        show_contradiction(screen, one)


def show_contradiction(screen: Screen, one: Contradiction, *, indent: int = 0) -> None:
    """Print one: the slot, both answers, what raised it, and how it ended."""
    name = one.key if one.subject == "user" else f"{one.subject} {one.key}"
    dot = f" {screen.signs.dot} "
    screen.say((one_line(name), "bold"), f"{dot}{one.state}{dot}{short(one.id)}", indent=indent)
    times = f"seen {one.repeat_count + 1} times" if one.repeat_count else "seen once"
    lines = [
        ("stored", one.stored_value),
        ("stated", one.stated_value),
        ("raised", f"{one.opened_at.date()} by {one.gate_path}: {one.gate_reason}; {times}"),
    ]
    if one.hold_reason is not None and one.state == "held":
        lines.append(("held", one.hold_reason))
    if one.decision is not None:
        day = "" if one.resolved_at is None else f"{one.resolved_at.date()} "
        lines.append(("decided", f"{day}{one.decision}{f': {one.note}' if one.note else ''}"))
    for title, said in lines:
        screen.paragraph(Text(f"{title:8} ", "dim").append(Text(one_line(said))), indent + 2)
