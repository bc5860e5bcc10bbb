"""``backstory book entities``: who and what occurs, what is so of them, and who knows."""

from typing import Annotated, TypeAlias

import typer

from backstory.api import Entity
from backstory.cli.books import AsOf, BookName, opened_book, said_of, show_entities
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, emit
from backstory.cli.plain import clipped, one_line

app = typer.Typer(add_completion=False, invoke_without_command=True)

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Any name of it.")]
Hidden: TypeAlias = Annotated[bool, typer.Option("--hidden", help="Only the author may see it.")]


@command(app, None, user="none")
def entities(
    common: Common,
    as_of: AsOf = None,
    book: BookName = None,
) -> None:
    """List who and what occurs, with what is so of them."""
    with opened_book(common, book) as document:
        found = document.entities.list(as_of)
    if common.as_json:
        emit([one.to_dict() for one in found])
        return
    if found:
        show_entities(Screen(), found)
    else:
        Screen(stderr=True).say("Nobody and nothing is known of yet.")


@command(app, "get", user="none")
def get(common: Common, name: Name, as_of: AsOf = None, book: BookName = None) -> None:
    """Show one of them, with the passages that say what is so."""
    with opened_book(common, book) as document:
        found = document.entities.get(name, as_of)
    _print(common, found)


@command(app, "save", user="none")
def save(
    common: Common,
    name: Name,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="person, place, thing, group, lore or other.")
    ] = "other",
    alias: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name. Repeatable.")
    ] = None,
    any_case: Annotated[
        bool, typer.Option("--any-case", help="The names count in small letters, too.")
    ] = False,
    hidden: Hidden = False,
    book: BookName = None,
) -> None:
    """Enter somebody or something, or say more of a known one."""
    with opened_book(common, book) as document:
        found = document.entities.save(
            name, kind, aliases=alias or (), case_sensitive=not any_case, hidden=hidden
        )
    _print(common, found)


@command(app, "note", user="none")
def note(
    common: Common,
    name: Name,
    value: Annotated[str, typer.Argument(metavar="TEXT", help='What is so, such as "green".')],
    attribute: Annotated[
        str, typer.Option(metavar="WORD", help='What it is about, such as "eyes".')
    ] = "note",
    chapter: Annotated[
        int, typer.Option("--chapter", "-c", min=0, metavar="N", help="Since when. 0: always.")
    ] = 0,
    known_by: Annotated[
        list[str] | None,
        typer.Option("--known-by", metavar="NAME", help="Only these know. Repeatable."),
    ] = None,
    hidden: Hidden = False,
    book: BookName = None,
) -> None:
    """State something of somebody; it stays whatever chapters say."""
    with opened_book(common, book) as document:
        state = document.entities.note(
            name,
            value,
            attribute=attribute,
            chapter=chapter,
            hidden=hidden,
            known_by=known_by or (),
        )
    if common.as_json:
        emit(state.to_dict())
        return
    Screen().say((one_line(state.entity), "bold"), f": {said_of(state)}")


@command(app, "delete", user="none")
def delete(common: Common, name: Name, yes: Yes = False, book: BookName = None) -> None:
    """Remove somebody or something, with all that is so of it."""
    if not yes:
        raise typer.BadParameter("nothing was removed; --yes removes it for good")
    with opened_book(common, book) as document:
        document.entities.delete(name)
    if common.as_json:
        emit({"name": name, "deleted": True})
        return
    Screen().say(f"Deleted: {one_line(name)}.")


def _print(common: Common, entity: Entity) -> None:
    if common.as_json:
        emit(entity.to_dict())
        return
    screen = Screen()
    show_entities(screen, [entity])
    for state in entity.states:
        screen.print()
        screen.say((said_of(state), "bold"), indent=2)
        if state.quote:
            screen.say(clipped(state.quote, 400, screen.signs.ellipsis), indent=4)
