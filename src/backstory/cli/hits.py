"""Search results for people."""

import re
from collections.abc import Callable
from datetime import datetime

from rich.text import Text

from backstory.api import Hit, Message, Why
from backstory.cli.facts import period_of
from backstory.cli.output import Screen, Signs
from backstory.cli.plain import clipped, one_line, plain

_ARMS = {
    "keyword": "words",
    "dense": "meaning",
    "centroid": "the mean of its turns",
    "summary": "its summary",
}
_LONGEST = 600
_SHOWN = 0.005  # less would be printed as 0.00


def by_day(moment: datetime) -> str:
    """The day, in UTC."""
    return moment.date().isoformat()


def who(message: Message) -> str:
    """Who speaks: the name, else the role."""
    return one_line(message.speaker or str(message.role))


def source(hit: Hit) -> str:
    """Who said a hit, or what else it is; of a fact what became of it."""
    if hit.message is not None:
        return who(hit.message)
    if hit.kind == "conversation":
        return "conversation"
    status = "" if hit.fact is None else str(hit.fact.status)
    return f"fact ({status})"


def show_hit(
    screen: Screen,
    place: int,
    hit: Hit,
    *,
    window: bool = True,
    when: Callable[[datetime], str] = by_day,
) -> None:
    """Print a hit: place, score, time, speaker, text between its neighbours, and why."""
    dot = screen.signs.dot
    session = hit.message.session_id if hit.message else ""
    if hit.kind == "conversation":
        session = hit.id
    head = Text.assemble(
        (f"{place:>2}", "bold cyan"),
        f"  {hit.score:.2f}  ",
        (f"{when(hit.created_at)} {dot} {source(hit)}", "bold"),
        (f"  {one_line(session)}" if session else "", "dim"),
        (f"  {period_of(hit.fact, screen.signs)}" if hit.fact else "", "dim"),
    )
    screen.print(head)
    before, after = _around(hit) if window else ([], [])
    for turn in before:
        _turn(screen, turn)
    text = plain(hit.text)
    if len(text) > _LONGEST:
        text = text[:_LONGEST].rstrip() + screen.signs.ellipsis
    screen.paragraph(_marked(text, hit.why), 4)
    for turn in after:
        _turn(screen, turn)
    if hit.why is not None:
        for line in reasons(hit.why, screen.signs):
            screen.paragraph(Text(line, "yellow"), 4)


def _around(hit: Hit) -> tuple[list[Message], list[Message]]:
    """The turns of the window before the hit, and those after it; ids are in order of recording."""
    before = [turn for turn in hit.window if turn.id < hit.id]
    return before, list(hit.window[len(before) :])


def _turn(screen: Screen, turn: Message) -> None:
    room = max(20, screen.width - 8)
    line = clipped(f"{who(turn)}: {turn.text}", room, screen.signs.ellipsis)
    screen.paragraph(Text(line, "dim"), 4)


def _marked(text: str, why: Why | None) -> Text:
    shown = Text(text)
    for term in why.terms if why else ():
        shown.highlight_regex(rf"(?i)\b{re.escape(term)}\w*", "bold")
    return shown


def reasons(why: Why, signs: Signs) -> list[str]:
    """Why a hit is there, in one or two lines: what found it, and what its score is made of."""
    found = [
        f"{_ARMS.get(arm.arm, arm.arm)} #{arm.rank} ({arm.score:.2f})"
        for arm in why.arms
        if arm.rank
    ]
    if why.terms:
        found.append("holds " + ", ".join(one_line(term) for term in why.terms))
    dot = f" {signs.dot} "
    parts = dict(why.bonuses)
    factor = parts.pop("answer factor", 1.0)
    made = [
        f"{_ARMS.get(name, name)} {value:+.2f}"
        for name, value in parts.items()
        if abs(value) >= _SHOWN
    ]
    if abs(factor - 1) >= _SHOWN:
        made.append(f"long answer {signs.times}{factor:.2f}")
    lines = ["found by " + dot.join(found)] if found else ["found by no arm; fills the list"]
    if made:
        lines.append("score of " + dot.join(made))
    if why.moved:
        lines.append("moved from #{} to #{}, so that no session fills the list".format(*why.moved))
    return lines
