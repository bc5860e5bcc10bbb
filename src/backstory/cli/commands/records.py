"""``backstory list``, ``get``, ``update`` and ``delete``: single records."""

from typing import Annotated, TypeAlias

import typer
from rich.text import Text

from backstory.api import Fact, Memory, Message
from backstory.cli.chats import Outcome, finish
from backstory.cli.facts import found_fact, show_facts
from backstory.cli.hits import by_day, who
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import clipped, one_line, plain
from backstory.cli.reading import filters_of, object_of, text_of
from backstory.cli.records import is_whole, short, whole_id
from backstory.cli.stores import opened
from backstory.errors import NotFoundError

list_app = typer.Typer(add_completion=False)
get_app = typer.Typer(add_completion=False)
update_app = typer.Typer(add_completion=False)
delete_app = typer.Typer(add_completion=False)
_ALL = 1_000_000

Id: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="Of a message or fact; with --user its beginning or end will do."
    ),
]


@command(list_app, "list")
def list_messages(
    common: Common,
    role: Annotated[
        list[str] | None, typer.Option(metavar="ROLE", help="Only of this role. Repeatable.")
    ] = None,
    session: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only in this session. Repeatable.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="From a date, or a time with a zone.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Up to a date, that day included, or a time.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Messages of one page.")] = 100,
    cursor: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Of the page before.")
    ] = None,
) -> None:
    """List a user's messages in order of recording, a page at a time."""
    filters = filters_of(role or (), session or (), since, until, ())
    user = common.user or ""
    with opened(common.settings()) as memory:
        page = memory.get_all(user_id=user, filters=filters, limit=limit, cursor=cursor)
    if common.as_json:
        emit(page.to_dict())
        return
    screen, errors = Screen(), Screen(stderr=True)
    room = max(20, screen.width - 40)
    if page.items:
        screen.table(
            ["day", "session", "who", ("text", "fold"), "id"],
            [
                [
                    by_day(one.timestamp),
                    clipped(one.session_id, 12, screen.signs.ellipsis),
                    who(one),
                    clipped(one.text, room, screen.signs.ellipsis),
                    short(one.id),
                ]
                for one in page.items
            ],
        )
    else:
        errors.say(f"No such message of {user!r} is stored.")
    if page.next_cursor is not None:
        errors.say((f"{counted(page.total, 'message')} in all; next page:", "dim"))
        errors.say((f"--cursor {page.next_cursor}", "dim"))


@command(get_app, "get", user="optional")
def get(common: Common, id: Id) -> None:
    """Show a message or a fact."""
    with opened(common.settings()) as memory:
        record = memory.get(_found(memory, id, common.user), user_id=common.user)
    _print(common, record)


@command(update_app, "update", user="optional")
def update(
    common: Common,
    id: Id,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help='Of a message; "-" reads stdin.')
    ] = None,
    value: Annotated[str | None, typer.Option(metavar="TEXT", help="Of a fact.")] = None,
    metadata: Annotated[
        str | None, typer.Option(metavar="JSON", help="Of a message; merged into what is there.")
    ] = None,
) -> None:
    """Change a message or a fact; its earlier state is kept."""
    own = object_of(metadata, "--metadata")
    with opened(common.settings()) as memory:
        record = memory.update(
            _found(memory, id, common.user),
            text=None if text is None else text_of(text),
            value=value,
            metadata=own,
            user_id=common.user,
        )
        finish(memory, record.user_id, Outcome(pending=1))
    _print(common, record)


@command(delete_app, "delete", user="optional")
def delete(
    common: Common,
    id: Id,
    yes: Yes = False,
    erase_source: Annotated[
        bool, typer.Option("--erase-source", help="Of a fact: its messages, too.")
    ] = False,
) -> None:
    """Delete a message or a fact for good, with its vector, words and history."""
    if not yes:
        raise typer.BadParameter("nothing was deleted; --yes deletes it for good, without an undo")
    with opened(common.settings()) as memory:
        meant = _found(memory, id, common.user)
        memory.delete(meant, erase_source=erase_source, user_id=common.user)
    if common.as_json:
        emit({"id": meant, "deleted": True})
        return
    Screen().say(f"Deleted: {one_line(meant)}.")


def _found(memory: Memory, given: str, user: str | None) -> str:
    """The whole id of a message or fact, where the user is known."""
    if user is None or is_whole(given):
        return given
    try:
        return found_fact(memory, given, user)
    except NotFoundError:
        messages = memory.get_all(user_id=user, limit=_ALL).items
        return whole_id(given, [one.id for one in messages], "message or fact")


def _print(common: Common, record: Message | Fact) -> None:
    if common.as_json:
        emit(record.to_dict())
        return
    screen = Screen()
    if isinstance(record, Fact):
        show_facts(screen, [record], statuses=True)
        return
    dot = f" {screen.signs.dot} "
    facts = (record.timestamp.isoformat(), who(record), record.session_id, record.id)
    screen.say((dot.join(map(one_line, facts)), "bold"))
    screen.paragraph(Text(plain(record.text)), 2)
