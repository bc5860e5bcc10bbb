"""The commands of ``backstory facts`` that change facts."""

from typing import Annotated, TypeAlias

import typer

from backstory.api import Fact, Memory
from backstory.cli.chats import Outcome, finish
from backstory.cli.facts import change_of, found_fact, name_of, period_of
from backstory.cli.options import Common, Yes, command
from backstory.cli.output import Screen, emit
from backstory.cli.plain import one_line
from backstory.cli.reading import moment_of, text_of
from backstory.cli.records import short
from backstory.cli.stores import opened

Id: TypeAlias = Annotated[
    str, typer.Argument(metavar="ID", help="Of a fact; with --user its beginning or end will do.")
]
Reason: TypeAlias = Annotated[str, typer.Option(metavar="TEXT", help="Why, for the log.")]
From: TypeAlias = Annotated[str | None, typer.Option(metavar="DATE", help="Since when it is true.")]
Until: TypeAlias = Annotated[
    str | None, typer.Option(metavar="DATE", help="Until when, that day not included.")
]


def register(app: typer.Typer) -> None:
    """Put the commands into their group."""
    command(app, "store")(store)
    command(app, "update", user="optional")(update)
    command(app, "end", user="optional")(end)
    command(app, "retract", user="optional")(retract)
    command(app, "undo")(undo)
    command(app, "delete", user="optional")(delete)


def store(
    common: Common,
    key: Annotated[str, typer.Argument(metavar="KEY", help='The slot: "work.employer".')],
    value: Annotated[str, typer.Argument(metavar="VALUE", help='The value; "-" reads stdin.')],
    subject: Annotated[
        str, typer.Option(metavar="WHO", help='"user", or another: "friend.sam".')
    ] = "user",
    category: Annotated[str | None, typer.Option(metavar="NAME", help="For the profile.")] = None,
    cardinality: Annotated[
        str | None, typer.Option(metavar="ONE|MANY", help="Values at a time, of an unknown slot.")
    ] = None,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help='"permanent", or "temporary" for what passes.')
    ] = "permanent",
    valid_from: From = None,
    valid_until: Until = None,
    confidence: Annotated[float, typer.Option(min=0, max=1, help="How sure it is.")] = 1.0,
    intent_id: Annotated[str | None, typer.Option(metavar="ID", help="A label of yours.")] = None,
    evidence: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A message it is from. Repeatable.")
    ] = None,
) -> None:
    """State a fact. Another value than the current one is a change."""
    user = common.user or ""
    since = moment_of(valid_from, "--valid-from")
    until = moment_of(valid_until, "--valid-until")
    with opened(common.settings(), create=True) as memory:
        fact = memory.facts.store(
            user_id=user,
            key=key,
            value=text_of(value),
            subject=subject,
            category=category,
            cardinality=cardinality,
            kind=kind,
            valid_from=since,
            valid_until=until,
            confidence=confidence,
            intent_id=intent_id,
            evidence=evidence or (),
        )
        _embed(memory, fact.user_id)
    _say(common, "Stored", fact)


def update(
    common: Common,
    id: Id,
    value: Annotated[str | None, typer.Option(metavar="TEXT", help="The right value.")] = None,
    valid_from: From = None,
    valid_until: Until = None,
    reason: Reason = "",
) -> None:
    """Correct a fact in place; for a change in the world use `store`."""
    changes = {
        "valid_from": moment_of(valid_from, "--valid-from"),
        "valid_until": moment_of(valid_until, "--valid-until"),
    }
    given = {name: moment for name, moment in changes.items() if moment is not None}
    with opened(common.settings()) as memory:
        fact = memory.facts.update(
            found_fact(memory, id, common.user),
            value=value,
            reason=reason,
            user_id=common.user,
            **given,
        )
        _embed(memory, fact.user_id)
    _say(common, "Corrected", fact)


def end(
    common: Common,
    id: Id,
    at: Annotated[
        str | None, typer.Option(metavar="DATE", help="When it ceased to be true. None: now.")
    ] = None,
    reason: Reason = "",
) -> None:
    """Say that a fact is true no longer; about its own time it still is."""
    moment = moment_of(at, "--at")
    with opened(common.settings()) as memory:
        fact = memory.facts.end(
            found_fact(memory, id, common.user),
            at=moment,
            reason=reason,
            user_id=common.user,
        )
    _say(common, "Ended", fact)


def retract(common: Common, id: Id, reason: Reason = "") -> None:
    """Say that a fact was never true; only its history shows it then."""
    with opened(common.settings()) as memory:
        fact = memory.facts.retract(
            found_fact(memory, id, common.user), reason=reason, user_id=common.user
        )
    _say(common, "Retracted", fact)


def undo(
    common: Common,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="Only what was done to this fact.")
    ] = None,
) -> None:
    """Take back the last change of a user's facts; again, the one before it."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        meant = None if id is None else found_fact(memory, id, user)
        correction = memory.facts.undo(user, id=meant)
        _embed(memory, user)
    if common.as_json:
        emit(correction.to_dict())
        return
    screen = Screen()
    screen.say(f"Undone: {one_line(correction.key)}, {change_of(correction, screen.signs)}.")


def delete(
    common: Common,
    id: Id,
    yes: Yes = False,
    erase_source: Annotated[
        bool, typer.Option("--erase-source", help="Delete the messages it was read from, too.")
    ] = False,
) -> None:
    """Erase a fact for good: its value, vector, words and history."""
    if not yes:
        raise typer.BadParameter("nothing was deleted; --yes deletes it for good, without an undo")
    with opened(common.settings()) as memory:
        meant = found_fact(memory, id, common.user)
        memory.facts.delete(meant, erase_source=erase_source, user_id=common.user)
    if common.as_json:
        emit({"id": meant, "deleted": True})
        return
    Screen().say(f"Deleted: fact {one_line(meant)}.")


def _embed(memory: Memory, user: str) -> None:
    finish(memory, user, Outcome(pending=1))


def _say(common: Common, done: str, fact: Fact) -> None:
    if common.as_json:
        emit(fact.to_dict())
        return
    screen = Screen()
    screen.say(
        f"{done}: {name_of(fact)} = ",
        (one_line(fact.value), "bold"),
        f", {period_of(fact, screen.signs)} ({fact.status}, {short(fact.id)}).",
    )
