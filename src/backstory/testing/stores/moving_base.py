"""A user with something in every table, and short ways to look at an archive."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchiveHead,
)
from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import Change, Fact, FactCorrection
from backstory.core.model.message import Message
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.ports.runs import RunClaim
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, add, embed, into, said
from backstory.testing.stores.contradiction_base import collision, contradiction
from backstory.testing.stores.derived_base import (
    do,
    embed_derived,
    keep,
    one_of_each,
    summary,
)
from backstory.testing.stores.fact_base import (
    ALL,
    DAY,
    EVERYTHING,
    LATER,
    change,
    correction,
    fact,
    next_value,
    put,
    quote,
)
from backstory.testing.stores.fact_search import embed_facts
from backstory.testing.stores.records import edit

MARK = "ullared"


async def fill(store: Store, scope: Scope = VERA, mark: str = MARK) -> list[Fact]:
    """Leave something in every table; ``mark`` stands in every text.

    Returns:
        The facts that are there.
    """
    label = SessionLabel(agent_id=mark, mode=mark, metadata={"note": mark})
    given = [said(f"{mark} {n}", f"m{n}", speaker=mark, metadata={"turn": mark}) for n in range(3)]
    session = into(f"talk {mark}", label=label)
    messages = (await add(store, *given, scope=scope, session=session)).messages
    await embed(store, messages, scope=scope)
    await store.messages.edit(scope, messages[0].id, edit(f"{mark} edited"), LATER)
    await store.messages.note_failures(scope, [messages[0].id], mark)
    await store.facts.note_unreadable(scope, [messages[1].id], mark)
    first = fact(f"{mark} one", said_in=messages[1], scope=scope)
    await put(store, first, scope=scope)
    second = fact(f"{mark} two", said_in=messages[2], scope=scope)
    await change(store, next_value(second), scope=scope, wanted=EVERYTHING)
    clash = contradiction(
        second, f"{mark} three", session_id=f"talk {mark}", evidence=(quote(messages[1]),)
    )
    line = correction(second, Change.UPDATED, LATER, reason=mark, evidence=(quote(messages[2]),))
    gone = fact(f"{mark} gone", "work.role", scope=scope)
    await put(store, gone, scope=scope, contradictions={clash.id: clash}, corrections=(line,))
    await store.facts.erase(scope, gone.id, erase_source=False, now=LATER)
    cat = collision(mark, first, user_id=scope.user_id, note=mark)
    await store.collisions.replace(scope, lambda *_: [cat], LATER)
    rows = [row for _, row in await store.facts.listed(scope, ALL, None)]
    await embed_facts(store, rows, scope=scope)
    await _fill_derived(store, scope, mark, messages)
    return rows


async def _fill_derived(store: Store, scope: Scope, mark: str, messages: Sequence[Message]) -> None:
    session = f"talk {mark}"
    made = one_of_each(messages[1], mark=mark, session=session)
    await keep(store, *made, scope=scope)
    await embed_derived(store, scope)
    await keep(store, summary(f"{mark} again", session), scope=scope, now=LATER)
    await do(store, scope, withdraw=(made[5].id,), now=LATER)
    claim = RunClaim(
        scope=scope, kind=RunKind.DAILY, period=mark, holder=mark, lease_until=NOW + DAY
    )
    run = await store.runs.begin(claim, NOW, lambda _: True)
    assert run is not None
    await store.runs.finish(scope, run, LATER, mark, {mark: 1})


async def taken_out(store: Store, scope: Scope = VERA) -> tuple[ArchiveHead, list[Archived]]:
    """The archive of a user."""
    heads: list[ArchiveHead] = []
    items: list[Archived] = []

    def sink(given: ArchiveHead | Sequence[Archived]) -> None:
        if isinstance(given, ArchiveHead):
            heads.append(given)
            items.clear()
        else:
            items.extend(given)

    await store.archive.read_out(scope, sink)
    return heads[-1], items


def without_commit(items: Sequence[Archived], user_id: str = VERA.user_id) -> list[Archived]:
    """Records as they are in any store: with the time of knowledge, not that of the commit."""
    return [_without_commit(item, user_id) for item in items]


def _without_commit(item: Archived, user_id: str) -> Archived:
    if isinstance(item, ArchivedMessage):
        message = item.message
        known = message.known_from or message.recorded_at
        same = replace(message, user_id=user_id, recorded_at=NOW, known_from=known)
        return replace(item, message=same)
    if isinstance(item, ArchivedFact):
        row = item.fact
        known = row.known_from or row.recorded_at
        same_fact = replace(row, user_id=user_id, recorded_at=NOW, known_from=known)
        return replace(item, fact=same_fact)
    if isinstance(item, (FactCorrection, Contradiction, Collision)):
        return replace(item, user_id=user_id)
    if isinstance(item, ArchivedRun):
        return replace(item, run=replace(item.run, user_id=user_id))
    if isinstance(item, ArchivedDerived):
        versions = (
            replace(one, recorded_at=NOW, known_from=one.known_from or one.recorded_at)
            for one in item.versions
        )
        return replace(item, versions=tuple(versions))
    return item
