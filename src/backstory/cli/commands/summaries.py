"""``backstory summaries`` and ``backstory observations``."""

from typing import Annotated

import typer
from rich.text import Text

from backstory.api import Observation, Summary
from backstory.cli.options import Common, KnownAt, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line, plain
from backstory.cli.reading import moment_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)
patterns = typer.Typer(add_completion=False)
_KINDS = ("session", "day", "week", "all")


@command(app, "summaries")
def summaries(
    common: Common,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help='"session", "day", "week" or "all".')
    ] = "session",
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only of this session.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most of them.")] = 20,
    known_at: KnownAt = None,
) -> None:
    """Show conversations, days and weeks in short, the latest first."""
    if kind not in _KINDS:
        raise typer.BadParameter(f"must be one of {', '.join(_KINDS)}", param_hint="--kind")
    user = common.user or ""
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        if session is not None:
            one = memory.summaries.for_session(user, session, known_at=known)
            found = [] if one is None else [one]
        else:
            found = memory.summaries.recent(user, limit=limit, kind=kind, known_at=known)
    if common.as_json:
        emit([one.to_dict() for one in found])
    elif found:
        screen = Screen()
        for place, one in enumerate(found):
            if place:
                screen.print()
            _show(screen, one)
    else:
        what = "session" if kind == "all" else kind
        Screen(stderr=True).say(
            f"No {what} of {user!r} has a summary yet: sessions get theirs when they have ended, "
            "days and weeks when they are over."
        )


@command(patterns, "observations")
def observations(common: Common, known_at: KnownAt = None) -> None:
    """Show what the user does again and again, and in how many conversations it was seen."""
    user = common.user or ""
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        found = memory.observations.get_active(user, known_at=known)
    if common.as_json:
        emit([one.to_dict() for one in found])
    elif found:
        screen = Screen()
        for one in found:
            _pattern(screen, one)
    else:
        Screen(stderr=True).say(
            f"No pattern of {user!r} is known: the weekly run finds those that were seen in three "
            "conversations of three weeks."
        )


def _show(screen: Screen, one: Summary) -> None:
    last = "" if one.starts_on == one.ends_on else f" to {one.ends_on}"
    dot = screen.signs.dot
    name = "" if one.session_id is None else f"  {one_line(one.session_id)}"
    count = counted(one.messages, "message")
    head = Text.assemble(
        (f"{one.starts_on}{last} {dot} {one.kind}", "bold"), (name, "dim"), f"  {count}"
    )
    screen.print(head)
    for line in one.text.split("\n"):
        screen.paragraph(Text(plain(line)), 2)
    if one.made_by != "extractive":
        screen.paragraph(Text(f"by {one_line(one.made_by)}", "dim"), 2)


def _pattern(screen: Screen, one: Observation) -> None:
    dot = screen.signs.dot
    seen = counted(len(one.sessions), "conversation")
    days = f"{one.first_seen.date()} to {one.last_seen.date()}"
    screen.print(
        Text.assemble(
            (f"{one.confidence:.2f}  ", "bold cyan"),
            plain(one.text),
            (f"  {seen} {dot} {days}", "dim"),
        )
    )
