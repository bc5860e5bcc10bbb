"""The store contract: messages that are read in the transaction that stores them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta, timezone

import pytest

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.model.fact import USER, Fact
from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.values import normal_value
from backstory.errors import ConflictError, ReadingError
from backstory.ports.at_once import AtOnce, FactChange, NewerFacts, ReadNow, Stamp
from backstory.ports.facts import Unread
from backstory.ports.store import NewMessage, Recorded, SessionRequest, Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    into,
    run,
    said,
    texts,
)
from backstory.testing.stores.fact_base import (
    ALL,
    EVERYTHING,
    HOME,
    NOTHING,
    change,
    fact,
    next_value,
    put,
    values,
    words,
)

TWIN = Scope("default", "twin")
_UNKNOWN: Stamp = (0, 0)
_ZONE = timezone(timedelta(hours=5, minutes=45))


@dataclass
class Reader:
    """Reads at once, and keeps what it was given."""

    stamp: Stamp = _UNKNOWN
    seen: int = -1
    change: Callable[[Unread], FactChange | None] = lambda _: None
    unread: list[Unread] = field(default_factory=list)
    newer: list[NewerFacts | None] = field(default_factory=list)

    def at_once(self) -> AtOnce:
        """What the store is given."""

        def read(unread: Unread, newer: NewerFacts | None) -> ReadNow:
            self.unread.append(unread)
            self.newer.append(newer)
            return ReadNow(change=self.change(unread), made=unread.session_id)

        return AtOnce(stamp=self.stamp, seen=self.seen, read=read)


def stating(row: Fact, books: list[FactBook] | None = None) -> Callable[[Unread], FactChange]:
    """What states a fact, looking at everything."""

    def plan(book: FactBook) -> FactPlan:
        if books is not None:
            books.append(book)
        return next_value(row)(book)

    def stated(unread: Unread) -> FactChange:
        pairs = frozenset((message.id, revision) for message, revision in unread.messages)
        wanted = FactsWanted(everything=True, unread=pairs)
        announced = frozenset({(row.subject, row.key, normal_value(row.value))})
        return FactChange(wanted=wanted, announced=announced, plan=plan, texts=words)

    return stated


async def read(
    store: Store,
    reader: Reader,
    *messages: NewMessage | str,
    scope: Scope = VERA,
    session: SessionRequest | None = None,
) -> Recorded:
    """Record messages and read them."""
    given = [said(one) if isinstance(one, str) else one for one in messages]
    at_once = reader.at_once()
    return await store.messages.record(scope, session or into(), given, NOW, at_once)


def _shape(unread: Unread) -> tuple[object, ...]:
    """What a reader is told, without ids and without whose it is."""

    def plain(messages: Sequence[Message]) -> list[Message]:
        return [replace(one, id="", user_id="") for one in messages]

    rest = replace(unread, scope=VERA, messages=(), before=())
    return plain([m for m, _ in unread.messages]), plain(unread.before), rest


_TALKS: tuple[tuple[SessionLabel, tuple[NewMessage, ...]], ...] = (
    (SessionLabel(), (said("one"), said("two"))),
    (
        SessionLabel(metadata={"timezone": "Asia/Tokyo"}),
        (
            said("Hi.", role=Role.ASSISTANT),
            said("here", at=NOW.astimezone(_ZONE), metadata={"a": [1, {"b": "ü"}]}),
            said("between", role=Role.ASSISTANT),
            said("there 👩‍👩‍👧 עולם", notes=["image skipped"]),
        ),
    ),
    (SessionLabel(), (said("ours", speaker="Ruth"), said("mine", speaker="Vera"))),
    (SessionLabel(speaker="Vera", agent_id="guide"), (said("named", speaker="Ruth"),)),
    (SessionLabel(bulk=True), (said("old", at=NOW - timedelta(days=900)), said("older"))),
    (SessionLabel(metadata={"more": 1}), tuple(said(f"long {n}") for n in range(9))),
    (SessionLabel(), (said("last"),)),
)


class AtOnceContract(StoreCase):
    """One transaction stores messages and what was read of them."""

    def test_a_reader_is_told_what_is_unread(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for label, messages in _TALKS:
                given = [replace(m, needs_reading=m.draft.role is Role.USER) for m in messages]
                twins = [replace(one, id=f"{one.id}twin") for one in given]
                await add(store, *twins, scope=TWIN, session=into(label=label))
                (expected,) = await store.facts.unread(TWIN, "default", 99, "talk")
                pairs = frozenset((m.id, n) for m, n in expected.messages)
                await change(
                    store, lambda _: FactPlan(), wanted=FactsWanted(unread=pairs), scope=TWIN
                )
                reader = Reader()
                done = await read(store, reader, *given, session=into(label=label))
                assert done.read is not None
                assert done.read.made == "talk"
                assert [_shape(one) for one in reader.unread] == [_shape(expected)]
                assert await store.facts.count_unread(VERA, "default") == 0

        run(make_store, act)

    def test_what_was_read_is_stored_with_the_messages(self, make_store: MakeStore) -> None:
        books: list[FactBook] = []
        row = fact("Kiel")

        async def act(store: Store) -> None:
            await put(store, fact("Lund"))
            done = await read(store, Reader(change=stating(row, books)), "one", "two")
            assert done.read is not None
            assert row.id in done.read.plan.facts
            assert done.read.stamp is None
            assert books[-1].unread == {message.id for message in done.messages}
            assert [one.value for one in books[-1].facts.values()] == ["Lund"]
            assert all(message.created for message in done.messages)

        async def later(store: Store) -> None:
            assert await values(store) == ["Lund", "Kiel"]
            assert await texts(store) == ["one", "two"]
            assert await store.facts.count_unread(VERA, "default") == 0

        run(make_store, act, later)

    def test_it_knows_what_changed_since(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await put(store, fact("Lund"), scope=TWIN)
            reader = Reader()
            done = await read(store, reader, "one")
            assert reader.newer[-1] is None or list(reader.newer[-1].texts) == []
            assert done.read is not None
            reader.stamp = done.read.stamp or _UNKNOWN
            assert reader.stamp == await store.facts.stamp(VERA)
            done = await read(store, reader, "two", "three")
            assert reader.newer[-1] is None
            assert done.read is not None
            assert done.read.stamp == await store.facts.stamp(VERA)
            await put(store, fact("Lund"))
            before = await store.facts.stamp(VERA)
            done = await read(store, reader, "four")
            newer = reader.newer[-1]
            assert newer is not None
            assert ([t.fact.value for t in newer.texts], newer.is_whole) == (["Lund"], False)
            assert newer.stamp == before
            reader.stamp = await store.facts.stamp(VERA)
            reader.seen = max(text.change_no for text in newer.texts)
            await put(store, fact("Bolt", key="pet.name"))
            await read(store, reader, "five")
            newer = reader.newer[-1]
            assert newer is not None
            assert [text.fact.value for text in newer.texts] == ["Bolt"]
            gone = await store.facts.listed(VERA, ALL, None)
            assert await store.facts.erase(VERA, gone[0][1].id, erase_source=False, now=NOW)
            await read(store, reader, "six")
            newer = reader.newer[-1]
            assert newer is not None
            assert ([t.fact.value for t in newer.texts], newer.is_whole) == (["Bolt"], True)

        run(make_store, act)

    def test_it_hears_of_what_was_erased(self, make_store: MakeStore) -> None:
        books: list[FactBook] = []

        async def act(store: Store) -> None:
            await put(store, old := fact("Lund"))
            await store.facts.erase(VERA, old.id, erase_source=False, now=NOW)
            await read(store, Reader(change=stating(fact("Lund"), books)), "one")
            assert books[-1].erased == {(USER, HOME, "lund")}

        run(make_store, act)

    def test_what_came_before_is_read_first(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one")
            reader = Reader()
            assert (await read(store, reader, "two")).read is None
            assert (await read(store, reader, "three", session=into("other"))).read is not None
            assert len(reader.unread) == 1
            assert await store.facts.count_unread(VERA, "default") == 2
            assert (await read(store, reader, "own", scope=TWIN)).read is not None

        run(make_store, act)

    def test_what_needs_no_reader_is_not_read(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            reader = Reader()
            quiet = replace(said("ok"), needs_reading=False)
            assert (await read(store, reader, quiet)).read is None
            assert (await read(store, reader, said("Hi", "a"))).read is not None
            again = await read(store, reader, said("Hi", "a"))
            assert (again.read, again.messages[0].created) == (None, False)
            both = await read(store, reader, said("Hi", "a"), said("new", "b"))
            assert both.read is not None
            assert [[m.text for m, _ in one.messages] for one in reader.unread] == [["Hi"], ["new"]]
            assert [m.text for m in reader.unread[1].before] == ["ok", "Hi"]

        run(make_store, act)

    def test_all_of_it_or_nothing(self, make_store: MakeStore) -> None:
        def fails(_: object) -> FactPlan:
            raise ReadingError("no")

        def planning(_: Unread) -> FactChange:
            return FactChange(wanted=NOTHING, announced=frozenset(), plan=fails, texts=words)

        def reading(_: Unread) -> FactChange:
            raise ReadingError("no")

        async def act(store: Store) -> None:
            for failing in (reading, planning):
                with pytest.raises(ReadingError):
                    await read(store, Reader(change=failing), "one")
            await read(store, Reader(), said("Hi", "a"))
            with pytest.raises(ConflictError):
                await read(store, Reader(change=stating(fact())), "two", said("Ho", "a"))
            assert await texts(store) == ["Hi"]
            assert await values(store) == []
            assert await store.facts.count_unread(VERA, "default") == 0

        run(make_store, act)

    def test_other_users_stay_as_they_are(self, make_store: MakeStore) -> None:
        books: list[FactBook] = []

        async def act(store: Store) -> None:
            await put(store, fact("Lund", scope=TWIN), scope=TWIN, wanted=EVERYTHING)
            await add(store, "theirs", scope=TWIN)
            reader = Reader(change=stating(fact("Kiel"), books))
            assert (await read(store, reader, "own")).read is not None
            assert books[-1].facts == {}
            assert reader.unread[0].before == ()
            assert await values(store, TWIN) == ["Lund"]
            assert await store.facts.count_unread(TWIN, "default") == 1

        run(make_store, act)
