"""``backstory contradictions``."""

from typing import Annotated

import typer

from backstory.api import Contradiction, Memory
from backstory.cli.chats import Outcome, finish
from backstory.cli.contradictions import show_contradictions
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, emit
from backstory.cli.plain import one_line
from backstory.cli.records import is_whole, whole_id
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)
_STATES = ("open", "held", "resolved", "all")


@command(app, None)
def contradictions(
    common: Common,
    state: Annotated[
        str, typer.Option(metavar="STATE", help='"open", "held", "resolved" or "all".')
    ] = "open",
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Only those first seen in it.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most of them.")] = 1000,
) -> None:
    """List statements that cannot both hold, until somebody decides."""
    if state not in _STATES:
        raise typer.BadParameter(f"must be one of {', '.join(_STATES)}", param_hint="--state")
    user = common.user or ""
    with opened(common.settings()) as memory:
        found = memory.contradictions.list(
            user, None if state == "all" else state, session_id=session, limit=limit
        )
    if common.as_json:
        emit([one.to_dict() for one in found])
    elif found:
        show_contradictions(Screen(), found)
    else:
        shown = "" if state == "all" else f"{state} "
        Screen(stderr=True).say(f"There is no {shown}contradiction of {user!r}.")


@command(app, "resolve", user="optional")
def resolve(
    common: Common,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a contradiction.")],
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="user_stated, stored or neither.")
    ],
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Why.")] = None,
    apply: Annotated[
        bool, typer.Option("--apply/--no-apply", help="Whether the facts follow.")
    ] = True,
) -> None:
    """Decide which side holds; the facts follow at once."""
    with opened(common.settings()) as memory:
        meant = _found(memory, id, common.user)
        decided = memory.contradictions.resolve(
            meant, decision, note=note, apply=apply, user_id=common.user
        )
        finish(memory, decided.user_id, Outcome(pending=1))
    _say(common, "Resolved", decided)


@command(app, "hold", user="optional")
def hold(
    common: Common,
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a contradiction.")],
    reason: Annotated[str, typer.Argument(metavar="REASON", help="Why it can wait.")],
) -> None:
    """Put a contradiction aside, as long as the stored value stays what it is now."""
    with opened(common.settings()) as memory:
        held = memory.contradictions.hold(
            _found(memory, id, common.user), reason, user_id=common.user
        )
    _say(common, "Held", held)


def _found(memory: Memory, given: str, user: str | None) -> str:
    if user is None or is_whole(given):
        return given
    known = [one.id for one in memory.contradictions.list(user, limit=1_000_000)]
    return whole_id(given, known, "contradiction")


def _say(common: Common, done: str, one: Contradiction) -> None:
    if common.as_json:
        emit(one.to_dict())
        return
    holds = "" if one.decision is None else f"; {str(one.decision).replace('_', ' ')} holds"
    screen = Screen()
    screen.say(
        f"{done}: {one_line(one.key)}, {one_line(one.stored_value)} or "
        f"{one_line(one.stated_value)}{holds}."
    )
