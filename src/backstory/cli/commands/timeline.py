"""``backstory timeline``: what happened when."""

from typing import Annotated

import typer

from backstory.api import Event
from backstory.cli.events import show_events
from backstory.cli.options import Common, KnownAt, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.reading import moment_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)


@command(app, "timeline")
def timeline(
    common: Common,
    query: Annotated[
        str | None,
        typer.Argument(metavar="[QUERY]", help="Only events that it is about. None: all."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="DATE", help='The first day: "2024-05-12", "2024-05", "2024".'
        ),
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="The last day, itself included.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=10_000, help="Most events, the latest.")
    ] = 100,
    known_at: KnownAt = None,
) -> None:
    """Show what happened when, as a line from the earliest to the latest.

    A full point is a day; a ring is a month or a year of which no more is known.
    """
    if query is not None and (start is not None or end is not None):
        raise typer.BadParameter("a query and a range exclude each other", param_hint="QUERY")
    user = common.user or ""
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        if query is not None:
            found = memory.timeline.order(user, query, top_k=limit, known_at=known)
        else:
            found = memory.timeline.between(user, start, end, known_at=known)
    _print(common, found[-limit:], len(found))


def _print(common: Common, events: list[Event], total: int) -> None:
    if common.as_json:
        emit([event.to_dict() for event in events])
    elif events:
        show_events(Screen(), events)
    else:
        Screen(stderr=True).say(
            f"No such event of {common.user!r} is known: dated events are found when a session has "
            "ended."
        )
    if len(events) < total and not common.as_json:
        Screen(stderr=True).say(
            (f"only the latest {counted(len(events), 'event')}; see --limit", "dim")
        )
