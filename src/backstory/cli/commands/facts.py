"""``backstory facts``: what is true, what was, and how it came to be so."""

from typing import Annotated, TypeAlias

import typer

from backstory.api import Fact
from backstory.cli.commands import fact_changes
from backstory.cli.facts import found_fact, show_facts, show_history
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.reading import moment_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)
fact_changes.register(app)

Subject: TypeAlias = Annotated[
    str | None, typer.Option(metavar="WHO", help='Only about "user", or about "friend.sam".')
]
Key: TypeAlias = Annotated[
    str | None, typer.Option(metavar="KEY", help='Only this slot; "pet." is all that begin so.')
]
Category: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME", help="Only of this category.")
]


@command(app, None)
def facts(
    common: Common,
    history: Annotated[bool, typer.Option("--all", help="Past ones, too.")] = False,
    subject: Subject = None,
    key: Key = None,
    category: Category = None,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="Only of this status.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most facts, the latest.")] = 1000,
) -> None:
    """List what is true of a user now, and since when."""
    if history and status is not None:
        raise typer.BadParameter("--all is of every status; leave --status out")
    user = common.user or ""
    with opened(common.settings()) as memory:
        found = memory.facts.get(
            user,
            subject=subject,
            category=category,
            key=key,
            status="all" if history else status or "active",
            limit=limit,
        )
    past = history or status not in (None, "active")
    _print(common, found, f"No such fact of {user!r} is known", statuses=past)
    if len(found) == limit and not common.as_json:
        Screen(stderr=True).say((f"only the latest {counted(limit, 'fact')}; see --limit", "dim"))


@command(app, "as-of")
def as_of(
    common: Common,
    date: Annotated[str, typer.Argument(metavar="DATE", help="A date, or a time with a zone.")],
    known_at: Annotated[
        str | None, typer.Option(metavar="DATE", help="As it was known then. None: now.")
    ] = None,
    subject: Subject = None,
    key: Key = None,
    category: Category = None,
) -> None:
    """Say what was true on a day, as it is known now or as it was known on another.

    A date is the end of that day in UTC.
    """
    user = common.user or ""
    then = moment_of(date, "DATE", end_of_day=True) or ""
    believed = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        found = memory.facts.as_of(
            user,
            valid_at=then,
            known_at=believed,
            subject=subject,
            category=category,
            key=key,
        )
    known = "" if known_at is None else f", as it was known at {known_at},"
    _print(common, found, f"Nothing is known of {user!r} at {date}{known}", statuses=False)


@command(app, "history", user="optional")
def history(
    common: Common,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a fact.")],
) -> None:
    """Show a fact's slot in time: its values, its earlier states, and who changed what."""
    with opened(common.settings()) as memory:
        found = memory.facts.history(found_fact(memory, id, common.user), user_id=common.user)
    if common.as_json:
        emit(found.to_dict())
        return
    show_history(Screen(), found)


def _print(common: Common, found: list[Fact], nothing: str, *, statuses: bool) -> None:
    if common.as_json:
        emit([fact.to_dict() for fact in found])
    elif found:
        show_facts(Screen(), found, statuses=statuses)
    else:
        Screen(stderr=True).say(f"{nothing}. `backstory users` lists who is known.")
