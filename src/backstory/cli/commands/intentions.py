"""``backstory intentions``: what a user means to do."""

from typing import Annotated

import typer

from backstory.api import Intention, Memory
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, emit
from backstory.cli.plain import one_line
from backstory.cli.reading import moment_of, text_of
from backstory.cli.records import is_whole, short, whole_id
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)
_STATUSES = ("open", "proposed", "done", "let_go", "all")


@command(app, None)
def intentions(
    common: Common,
    status: Annotated[
        str, typer.Option(metavar="STATUS", help='"open", "proposed", "done", "let_go" or "all".')
    ] = "open",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most of them.")] = 1000,
) -> None:
    """List what a user means to do, the oldest first. Listing brings nothing up."""
    if status not in _STATUSES:
        raise typer.BadParameter(f"must be one of {', '.join(_STATUSES)}", param_hint="--status")
    user = common.user or ""
    with opened(common.settings()) as memory:
        page = memory.intentions.list_all(user, None if status == "all" else status, limit=limit)
    if common.as_json:
        emit([one.to_dict() for one in page.items])
    elif page.items:
        _show(Screen(), page.items, statuses=status == "all")
    else:
        shown = "" if status == "all" else f"{status} "
        Screen(stderr=True).say(f"There is no {shown}intention of {user!r}.")


@command(app, "save")
def save(
    common: Common,
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help='What is meant to be done; "-" reads stdin.')
    ],
    when: Annotated[
        str | None, typer.Option(metavar="TEXT", help='When, in words: "next week".')
    ] = None,
) -> None:
    """Save an intention. The same one twice is one."""
    with opened(common.settings(), create=True) as memory:
        saved = memory.intentions.save(common.user or "", text_of(what), when)
    _say(common, "Saved", saved)


@command(app, "prompt")
def prompt(
    common: Common,
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="NAME", help="Where days begin, by its IANA name.")
    ] = "UTC",
    now: Annotated[
        str | None, typer.Option(metavar="TIME", help="The time of asking. None: now.")
    ] = None,
) -> None:
    """Bring up the oldest open one, at most one a day. This counts as putting it off."""
    with opened(common.settings()) as memory:
        found = memory.intentions.get_prompt(
            common.user or "", timezone, moment_of(now, "--now", end_of_day=False)
        )
    if common.as_json:
        emit(None if found is None else found.to_dict())
    elif found is None:
        Screen(stderr=True).say("Nothing is to be brought up now.")
    else:
        typer.echo(found.text)


@command(app, "resolve")
def resolve(
    common: Common,
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="done or let_go.")],
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="None: the one brought up last.")
    ] = None,
) -> None:
    """Say that an intention was done, or let it go."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        meant = None if id is None else _found(memory, id, user)
        resolved = memory.intentions.resolve(user, outcome, meant)
    _say(common, "Done" if resolved.status == "done" else "Let go", resolved)


@command(app, "confirm")
def confirm(
    common: Common,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a proposed intention.")],
) -> None:
    """Open an intention that was read in a message and is only proposed."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        confirmed = memory.intentions.confirm(_found(memory, id, user), user_id=user)
    _say(common, "Confirmed", confirmed)


@command(app, "delete")
def delete(
    common: Common,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of an intention.")],
    yes: Yes = False,
) -> None:
    """Erase an intention with its past."""
    user = common.user or ""
    if not yes:
        raise typer.BadParameter("erasing cannot be undone; add --yes to do it")
    with opened(common.settings()) as memory:
        name = _found(memory, id, user)
        memory.intentions.delete(name, user_id=user)
    if common.as_json:
        emit({"deleted": name})
    else:
        Screen().say("Erased.")


def _found(memory: Memory, given: str, user: str) -> str:
    if is_whole(given):
        return given
    page = memory.intentions.list_all(user, limit=1_000_000)
    return whole_id(given, [one.id for one in page.items], "intention")


def _say(common: Common, done: str, one: Intention) -> None:
    if common.as_json:
        emit(one.to_dict())
    else:
        Screen().say(f"{done}: {one_line(one.what)} ({short(one.id)})")


def _show(screen: Screen, found: tuple[Intention, ...], *, statuses: bool) -> None:
    screen.table(
        [
            ("id", "keep"),
            ("since", "keep"),
            ("meant", "fold"),
            ("when", "fold"),
            ("brought up", "right"),
            *([("status", "keep")] if statuses else []),
        ],
        [
            (
                short(one.id),
                f"{one.at:%Y-%m-%d}",
                one.what,
                one.when_hint or "",
                f"{one.deferrals}",
                *([str(one.status)] if statuses else []),
            )
            for one in found
        ],
    )
