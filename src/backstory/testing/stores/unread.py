"""The store contract: which messages no reader has read yet."""

from dataclasses import replace
from datetime import timedelta

from backstory.core.facts.book import FactPlan, FactsWanted
from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.ports.facts import MOST_FAILURES, Unread
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    ODD_IDS,
    VERA,
    MakeStore,
    StoreCase,
    add,
    into,
    run,
    said,
)
from backstory.testing.stores.fact_base import change, look
from backstory.testing.stores.records import STRANGERS, edit

LATER = NOW + timedelta(minutes=1)
BOB = Scope("default", "bob")


async def unread(
    store: Store, scope: Scope | None = VERA, limit: int = 99, session: str | None = None
) -> list[Unread]:
    """What no reader has read of the default tenant."""
    return await store.facts.unread(scope, "default", limit, session)


async def left(store: Store, scope: Scope | None = VERA, limit: int = 99) -> dict[str, list[str]]:
    """The texts that no reader has read, by session."""
    found = await unread(store, scope, limit)
    assert len({(part.scope, part.session_id) for part in found}) == len(found)
    return {part.session_id: [m.text for m, _ in part.messages] for part in found}


async def mark(store: Store, *messages: Message, revision: int = 1, scope: Scope = VERA) -> None:
    """Mark messages as read, as a reading does that found nothing."""
    pairs = frozenset((message.id, revision) for message in messages)
    await change(store, lambda _: FactPlan(), wanted=FactsWanted(unread=pairs), scope=scope)


class UnreadContract(StoreCase):
    """What is left to read follows from what is stored."""

    def test_new_messages_are_unread_until_they_are_read(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            found = await unread(store)
            assert len(found) == 1
            assert (found[0].scope, found[0].session_id) == (VERA, "talk")
            assert [(m.text, n) for m, n in found[0].messages] == [
                ("one", 1),
                ("two", 1),
                ("three", 1),
            ]
            assert found[0].messages[0][0] == replace(messages[0], created=False)
            assert (found[0].before, found[0].speaker, found[0].failures) == ((), None, 0)
            assert not found[0].ended
            assert not found[0].bulk
            assert await store.facts.count_unread(VERA, "default") == 3
            await mark(store, messages[1])
            assert await left(store) == {"talk": ["one", "three"]}
            await mark(store, *messages)
            assert await left(store) == {}
            assert await store.facts.count_unread(VERA, "default") == 0

        run(make_store, act)

    def test_what_was_stored_before_is_not_unread_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = (await add(store, said("Hi", "a"))).messages
            await mark(store, *first)
            await add(store, said("Hi", "a"), said("new", "b"))
            assert await left(store) == {"talk": ["new"]}

        run(make_store, act)

    def test_sessions_come_apart_and_the_oldest_first(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "a1", "a2", session=into("a"))
            await add(store, "b1", "b2", session=into("b"))
            await add(store, "a3", session=into("a"))
            await add(store, said("c1", at=NOW - timedelta(days=99)), session=into("c"))
            assert list((await left(store)).items()) == [
                ("a", ["a1", "a2", "a3"]),
                ("b", ["b1", "b2"]),
                ("c", ["c1"]),
            ]
            one = await unread(store, session="b")
            assert [[m.text for m, _ in part.messages] for part in one] == [["b1", "b2"]]
            for name in ("unknown", "%", "_", "", *ODD_IDS):
                assert await unread(store, session=name) == []

        run(make_store, act)

    def test_no_more_than_the_limit_and_all_in_the_end(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for n in range(4):
                await add(store, *(f"a{2 * n + m}" for m in range(2)), session=into("a"))
                await add(store, f"b{n}", session=into("b"))
            seen: list[tuple[str, str]] = []
            while found := await unread(store, limit=5):
                assert sum(len(part.messages) for part in found) <= 5
                for part in found:
                    seen += [(part.session_id, m.text) for m, _ in part.messages]
                    await mark(store, *(m for m, _ in part.messages))
            assert [text for name, text in seen if name == "a"] == [f"a{n}" for n in range(8)]
            assert [text for name, text in seen if name == "b"] == [f"b{n}" for n in range(4)]
            assert len(seen) == 12

        run(make_store, act)

    def test_gives_six_turns_before(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            roles = (Role.USER, Role.ASSISTANT)
            turns = [said(f"{n}", role=roles[n % 2]) for n in range(9)]
            messages = (await add(store, *turns)).messages
            await add(store, "elsewhere", session=into("other"))
            await mark(store, *messages[:2])
            found = (await unread(store, session="talk"))[0]
            assert [m.text for m in found.before] == ["0", "1"]
            await mark(store, *messages[2:8])
            found = (await unread(store, session="talk"))[0]
            assert [m.text for m, _ in found.messages] == ["8"]
            assert list(found.before) == [replace(m, created=False) for m in messages[2:8]]
            other = (await unread(store, session="other"))[0]
            assert other.before == ()

        run(make_store, act)

    def test_tells_of_the_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", session=into("a", label=SessionLabel(speaker="Vera")))
            await add(store, "two", session=into("b"))
            await store.sessions.end(VERA, "b")
            parts = {part.session_id: part for part in await unread(store)}
            assert (parts["a"].speaker, parts["a"].ended) == ("Vera", False)
            assert parts["b"].ended
            await add(store, "three", session=into("b"), now=LATER)
            assert not (await unread(store, session="b"))[0].ended

        run(make_store, act)

    def test_what_no_reader_wants_is_not_unread(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            given = [replace(said(t), needs_reading=t != "ok") for t in ("one", "ok", "two")]
            messages = (await add(store, *given)).messages
            assert await left(store) == {"talk": ["one", "two"]}
            await mark(store, messages[0])
            found = (await unread(store))[0]
            assert [m.text for m in found.before] == ["one", "ok"]
            wanted = FactsWanted(unread=frozenset({(messages[1].id, 1)}))
            assert (await look(store, wanted)).unread == frozenset()
            no_more = replace(edit("fine"), needs_reading=False)
            await store.messages.edit(VERA, messages[2].id, no_more, LATER)
            assert await left(store) == {}
            await store.messages.edit(VERA, messages[1].id, edit("I live in Lund."), LATER)
            assert await left(store) == {"talk": ["I live in Lund."]}

        run(make_store, act)

    def test_tells_a_bulk_import(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", session=into("a", label=SessionLabel(bulk=True)))
            await add(store, "two", session=into("b"))
            long_ago = said("three", at=NOW - timedelta(days=900))
            await add(store, long_ago, session=into("a", label=SessionLabel(bulk=True)))
            assert {part.session_id: part.bulk for part in await unread(store)} == {
                "a": True,
                "b": False,
            }
            known = [m.known_from for m in await store.sessions.tail(VERA, "a", 9)]
            assert known == [NOW, NOW - timedelta(days=900)]
            assert [m.known_from for m in await store.sessions.tail(VERA, "b", 9)] == [None]
            await add(store, "four", session=into("a"))
            parts = await unread(store, session="a")
            assert [(part.bulk, len(part.messages)) for part in parts] == [(True, 2), (False, 1)]
            assert [m.text for m in parts[1].before] == ["one", "three"]

        run(make_store, act)

    def test_failures_are_counted_and_stay_unread(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two")).messages
            await store.facts.note_unreadable(VERA, [messages[0].id, "unknown"], "cut off")
            assert (await unread(store))[0].failures == 1
            await store.facts.note_unreadable(VERA, [m.id for m in messages], "down '%'")
            assert (await unread(store))[0].failures == 2
            assert await left(store) == {"talk": ["one", "two"]}
            await mark(store, messages[0])
            # failures are those of the first that is unread
            assert (await unread(store))[0].failures == 1
            for other in STRANGERS:
                await add(store, "own", scope=other)
                await store.facts.note_unreadable(other, [messages[1].id], "no")
            assert (await unread(store))[0].failures == 1

        run(make_store, act)

    def test_what_is_given_up_comes_apart(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            for _ in range(MOST_FAILURES):
                await store.facts.note_unreadable(VERA, [messages[0].id], "cut off")
            parts = await unread(store)
            assert [(p.is_given_up, [m.text for m, _ in p.messages]) for p in parts] == [
                (True, ["one"]),
                (False, ["two", "three"]),
            ]
            assert (parts[0].failures, parts[1].failures) == (MOST_FAILURES, 0)
            assert [m.text for m in parts[1].before] == ["one"]
            await mark(store, messages[0])
            assert await left(store) == {"talk": ["two", "three"]}

        run(make_store, act)

    def test_another_text_is_to_be_read_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            await mark(store, *messages[:2])
            await store.messages.edit(VERA, messages[0].id, edit("changed"), LATER)
            assert await left(store) == {"talk": ["changed", "three"]}
            await store.messages.edit(VERA, messages[1].id, edit("two", n=1), LATER)
            assert await left(store) == {"talk": ["changed", "three"]}
            pairs = [(m.id, n) for m, n in (await unread(store))[0].messages]
            assert pairs == [(messages[0].id, 2), (messages[2].id, 1)]

        run(make_store, act)

    def test_a_reading_of_an_old_text_marks_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "one")).messages[0]
            await store.messages.edit(VERA, message.id, edit("changed"), LATER)
            old = FactsWanted(unread=frozenset({(message.id, 1)}))
            assert (await look(store, old)).unread == frozenset()
            assert await left(store) == {"talk": ["changed"]}
            new = FactsWanted(unread=frozenset({(message.id, 2)}))
            assert (await look(store, new)).unread == {message.id}
            assert await left(store) == {}

        run(make_store, act)

    def test_what_is_deleted_is_not_read(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = (await add(store, "one", "two")).messages[0]
            await add(store, "three", session=into("other"))
            await store.messages.delete(VERA, first.id)
            wanted = FactsWanted(unread=frozenset({(first.id, 1)}))
            assert (await look(store, wanted)).unread == frozenset()
            assert await left(store) == {"talk": ["two"], "other": ["three"]}
            await store.messages.delete_all(VERA, "talk")
            assert await left(store) == {"other": ["three"]}
            await store.messages.delete_all(VERA, None)
            assert await left(store) == {}
            assert await store.facts.count_unread(None, "default") == 0

        run(make_store, act)

    def test_unread_messages_of_a_tenant(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            scopes = [VERA, BOB, Scope("other", "vera"), Scope("default", "%")]
            for scope in scopes:
                await add(store, "one", "two", scope=scope)
            found = await unread(store, None)
            assert {part.scope for part in found} == set(scopes) - {scopes[2]}
            assert all(len(part.messages) == 2 for part in found)
            assert await store.facts.count_unread(None, "default") == 6
            assert await store.facts.count_unread(None, "other") == 2
            assert await store.facts.count_unread(None, "%") == 0
            assert await store.facts.count_unread(BOB, "default") == 2
            assert sum(len(part.messages) for part in await unread(store, None, 3)) == 3
            assert [part.scope for part in await unread(store, BOB)] == [BOB]

        run(make_store, act)

    def test_pages_give_every_session_once(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            scopes = [VERA, BOB, Scope("default", "%"), Scope("default", "Vera")]
            for n in range(5):
                for scope in scopes:
                    await add(store, "one", "two", scope=scope, session=into(f"talk {n}"))
            seen: list[Unread] = []
            while page := await store.facts.unread(
                None, "default", 6, after=seen[-1] if seen else None
            ):
                assert sum(len(part.messages) for part in page) <= 6
                seen += page
            places = [(part.scope, part.session_id) for part in seen]
            assert len(places) == len(set(places)) == 20
            assert {scope for scope, _ in places} == set(scopes)
            assert [m.text for part in seen for m, _ in part.messages] == ["one", "two"] * 20

        run(make_store, act)

    def test_reading_does_not_cross_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "one")).messages[0]
            for other in STRANGERS:
                await add(store, "own", scope=other)
                await mark(store, message, scope=other)
                assert await store.facts.count_unread(other, other.tenant_id) == 1
            assert await left(store) == {"talk": ["one"]}

        run(make_store, act)
