"""``backstory graph``: people, pets, places and so on, and how they are tied."""

from typing import Annotated, TypeAlias

import typer

from backstory.cli.graph import GraphTree
from backstory.cli.options import Common, KnownAt, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.reading import moment_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)
_USER = "user"
_LISTED = 1000

ValidAt: TypeAlias = Annotated[
    str | None, typer.Option("--valid-at", metavar="DATE", help="What was true then. None: now.")
]
History: TypeAlias = Annotated[bool, typer.Option("--history", help="Past relations, too.")]


@command(app, None)
def graph(
    common: Common,
    about: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only whom or what this names.")
    ] = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: History = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most relations.")] = 60,
) -> None:
    """Draw how the people and things in a user's memory are tied."""
    user = common.user or ""
    valid = moment_of(valid_at, "--valid-at", end_of_day=True)
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        if about is None:
            found = memory.graph.get_context(
                user, valid_at=valid, known_at=known, include_history=history, limit=limit
            )
        else:
            found = memory.graph.search_entities(
                user, about, valid_at=valid, known_at=known, include_history=history, limit=limit
            )
    if common.as_json:
        emit(found.to_dict())
        return
    if not found.entities:
        what = "nothing" if about is None else f"nothing that {about!r} names"
        Screen(stderr=True).say(f"The graph of {user!r} holds {what}.")
        return
    GraphTree(Screen(), found).draw(found.matched or (_USER,))
    if len(found.relations) >= limit:
        Screen(stderr=True).say((f"only {counted(limit, 'relation')}; see --limit", "dim"))


@command(app, "entities")
def entities(
    common: Common,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help='Only of this kind: "person" …')
    ] = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: History = False,
) -> None:
    """List who and what is known."""
    user = common.user or ""
    valid = moment_of(valid_at, "--valid-at", end_of_day=True)
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        page = memory.graph.entities(
            user,
            kind=kind,
            valid_at=valid,
            known_at=known,
            include_history=history,
            limit=_LISTED,
        )
    if common.as_json:
        emit(page.to_dict())
        return
    rows = [[e.label, e.kind, e.role, ", ".join(e.aliases), e.id] for e in page.items]
    if rows:
        Screen().table([("name", "fold"), "kind", "role", ("other names", "fold"), "id"], rows)
    else:
        Screen(stderr=True).say(f"The graph of {user!r} holds no such entity.")


@command(app, "relations")
def relations(
    common: Common,
    relation_type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help='Only of this type: "works_at" …')
    ] = None,
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: History = False,
) -> None:
    """List how they are tied, and since when."""
    user = common.user or ""
    valid = moment_of(valid_at, "--valid-at", end_of_day=True)
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        page = memory.graph.relations(
            user,
            relation_type=relation_type,
            valid_at=valid,
            known_at=known,
            include_history=history,
            limit=_LISTED,
        )
        named = memory.graph.entities(
            user, known_at=known, include_history=True, limit=10 * _LISTED
        )
    if common.as_json:
        emit(page.to_dict())
        return
    names = {entity.id: entity.label for entity in named.items}
    rows = [
        [
            names.get(r.subject_id, r.subject_id),
            r.type,
            names.get(r.object_id, r.object_id),
            "" if r.valid_from is None else r.valid_from.date().isoformat(),
            "" if r.valid_until is None else r.valid_until.date().isoformat(),
            str(r.status),
        ]
        for r in page.items
    ]
    if rows:
        ends: list[str | tuple[str, str]] = [("from", "fold"), "relation", ("to", "fold")]
        Screen().table([*ends, "since", "until", "status"], rows)
    else:
        Screen(stderr=True).say(f"The graph of {user!r} holds no such relation.")
