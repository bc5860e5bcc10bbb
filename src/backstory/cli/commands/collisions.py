"""``backstory collisions``."""

from typing import Annotated

import typer

from backstory.api import Collision, Residue
from backstory.cli.facts import name_of
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)


@command(app, None)
def collisions(
    common: Common,
    closed: Annotated[bool, typer.Option("--all", help="Settled and closed ones, too.")] = False,
) -> None:
    """Look for things filed under two kinds that exclude each other, and list them.

    No fact is changed by that.
    """
    user = common.user or ""
    with opened(common.settings()) as memory:
        report = memory.collisions.refresh(user)
        found = memory.collisions.list(user, include_closed=closed)
    if common.as_json:
        emit({"report": report.to_dict(), "collisions": [one.to_dict() for one in found]})
        return
    if found:
        _show(Screen(), found)
    else:
        Screen(stderr=True).say(f"Nothing of {user!r} collides.")
    if report.residues:
        Screen(stderr=True).say(
            f"{counted(report.residues, 'settled collision')} with facts that still say "
            "otherwise: `backstory collisions residues`"
        )


@command(app, "settle")
def settle(
    common: Common,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What is filed twice.")],
    kind: Annotated[str, typer.Argument(metavar="KIND", help="The kind that holds.")],
    note: Annotated[str, typer.Option(metavar="TEXT", help="Why.")] = "",
) -> None:
    """Decide which kind a thing is; says which facts still claim otherwise."""
    with opened(common.settings()) as memory:
        residue = memory.collisions.settle(common.user or "", name, note, kind)
    if common.as_json:
        emit(residue.to_dict())
        return
    screen = Screen()
    screen.say(f"Settled: {one_line(name)} is a {one_line(kind)}.")
    _show_residue(screen, residue)


@command(app, "residues")
def residues(common: Common) -> None:
    """List settled collisions that current facts still contradict."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        found = memory.collisions.residues(user)
    if common.as_json:
        emit([residue.to_dict() for residue in found])
        return
    if not found:
        Screen(stderr=True).say(f"No fact of {user!r} contradicts a decision.")
    screen = Screen()
    for residue in found:
        collision = residue.collision
        screen.say((one_line(collision.name), "bold"), f" is a {one_line(collision.kept or '')}")
        _show_residue(screen, residue)


def _show(screen: Screen, found: list[Collision]) -> None:
    screen.table(
        ["name", "family", ("kinds", "fold"), "state", "kept", ("note", "fold"), "since"],
        [
            [
                one.name,
                one.family,
                ", ".join(one.kinds),
                str(one.state),
                one.kept or "",
                one.note or "",
                one.opened_at.date().isoformat(),
            ]
            for one in found
        ],
    )


def _show_residue(screen: Screen, residue: Residue) -> None:
    for fact in residue.facts:
        screen.say(f"still: {name_of(fact)} = {one_line(fact.value)} ({fact.id})", indent=2)
