"""The store contract: which sessions must be digested, and digests of sessions that changed."""

from datetime import timedelta

from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.ports.derived import DueSession
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, into, run, said
from backstory.testing.stores.derived_base import (
    HOUR,
    current,
    do,
    due,
    event,
    records,
    summary,
    told,
)
from backstory.testing.stores.records import edit


async def digest(store: Store, item: DueSession) -> None:
    """Digest a session."""
    await do(store, item.scope, episodes={item.session.id: item.touched})


class DueContract(StoreCase):
    """A session is due when it ended and was not digested since it last changed."""

    def test_only_ended_sessions_are_due_until_they_are_digested(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", "two")
            assert await due(store) == []
            assert await store.derived.count_due(VERA, "default") == 0
            await store.sessions.end(VERA, "talk")
            (item,) = await due(store)
            assert (item.scope, item.session.id, item.bulk) == (VERA, "talk", False)
            assert item.session.messages == 2
            assert item.session.ended_at == NOW
            assert await store.derived.count_due(None, "default") == 1
            await digest(store, item)
            assert await due(store) == []
            assert await store.derived.count_due(None, "default") == 0

        run(make_store, act)

    def test_every_change_makes_it_due_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            kept, gone = (await add(store, said("one", "m1"), "two")).messages
            await store.sessions.end(VERA, "talk")
            (item,) = await due(store)
            await digest(store, item)
            # the same message again changes nothing, nor does metadata
            await add(store, said("one", "m1"))
            await store.messages.edit(VERA, kept.id, edit("one", note=1), NOW)
            assert await due(store) == []
            await store.messages.edit(VERA, kept.id, edit("other"), NOW)
            (edited,) = await due(store)
            assert edited.touched > item.touched
            await digest(store, edited)
            await store.messages.delete(VERA, gone.id)
            (deleted,) = await due(store)
            assert deleted.session.messages == 1
            await digest(store, deleted)
            await add(store, "again")
            assert await due(store) == []
            await store.sessions.end(VERA, "talk")
            (reopened,) = await due(store)
            await digest(store, reopened)
            await store.messages.delete_all(VERA, "talk")
            assert await due(store) == []

        run(make_store, act)

    def test_lists_them_by_user_and_end_page_by_page(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            bob, elsewhere = Scope("default", "bob"), Scope("other", "vera")
            ends = {"c": 3, "a": 1, "b": 2, "same 1": 4, "same 2": 4, "x" * 512: 5}
            for scope in (VERA, bob, elsewhere):
                for name, hours in ends.items():
                    message = said(name, at=NOW + hours * HOUR)
                    label = SessionLabel(bulk=name == "a")
                    await add(store, message, scope=scope, session=into(name, label=label))
                    await store.sessions.end(scope, name)
            everyone = await due(store, None)
            assert [d.scope.user_id for d in everyone] == ["bob"] * 6 + ["vera"] * 6
            assert [d.session.id for d in everyone][:3] == ["a", "b", "c"]
            assert [d.bulk for d in everyone].count(True) == 2
            assert {d.session.id for d in everyone[3:5]} == {"same 1", "same 2"}
            paged: list[DueSession] = []
            while page := await due(store, None, limit=5, after=paged[-1] if paged else None):
                paged += page
            assert paged == everyone
            mine = await due(store, limit=2, after=everyone[6])
            assert mine == everyone[7:9]
            early = await due(store, ended_before=NOW + 3 * HOUR)
            assert [d.session.id for d in early] == ["a", "b"]
            assert await store.derived.count_due(None, "default") == 12
            assert await store.derived.count_due(None, "other") == 6
            # one that was digested meanwhile does not stop the pages
            await digest(store, everyone[0])
            assert (await due(store, None, limit=1, after=everyone[0]))[0] == everyone[1]

        run(make_store, act)


class DigestContract(StoreCase):
    """What was made of a state that is no more is not written."""

    def test_a_digest_of_a_session_that_changed_meanwhile_is_dropped(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            (message,) = (await add(store, "one")).messages
            await store.sessions.end(VERA, "talk")
            (item,) = await due(store)
            await add(store, "two", now=NOW + timedelta(minutes=1))
            await store.sessions.end(VERA, "talk")
            made = (summary("of one"), event("ran", message))
            written = await do(store, put=made, episodes={"talk": item.touched})
            assert not written
            assert await records(store) == []
            (again,) = await due(store)
            written = await do(store, put=made, episodes={"talk": again.touched})
            assert written.episodes == {"talk": again.touched}
            assert told(await records(store)) == ["ran", "of one"]
            assert await due(store) == []

        run(make_store, act)

    def test_a_digest_of_what_was_forgotten_is_none_of_its_successor(
        self, make_store: MakeStore
    ) -> None:
        async def forget(store: Store) -> None:
            await store.erasure.forget(VERA)

        async def empty(store: Store) -> None:
            await store.messages.delete_all(VERA, "talk")

        async def act(store: Store) -> None:
            for remove in (forget, empty):
                (message,) = (await add(store, "one")).messages
                await store.sessions.end(VERA, "talk")
                (item,) = await due(store)
                made = (summary("of one"), event("ran", message), event("walked"))
                await remove(store)
                await do(store, put=made, episodes={"talk": item.touched})
                await add(store, "one")
                await store.sessions.end(VERA, "talk")
                written = await do(store, put=made, episodes={"talk": item.touched})
                assert not written
                written = await do(store, put=made, seen=(message,))
                assert told(written.put) == told(await records(store)) == ["walked"]
                await store.erasure.forget(VERA)

        run(make_store, act)

    def test_what_was_read_of_messages_that_changed_meanwhile_is_dropped(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            await add(store, "hello", session=into("walk"))
            one, two, three = (await add(store, "one", "two", "three")).messages
            made = (event("of both", one, two), event("of three", three), summary("s"))
            other = summary("of walk", "walk")
            await store.messages.edit(VERA, two.id, edit("other"), NOW + HOUR)
            await do(store, put=(*made, other), seen=(one, two, three))
            assert told(await records(store)) == ["of both", "of three", "of walk"]
            (both,) = [r for r in await records(store) if r.id == made[0].id]
            assert [e.message_id for e in both.evidence] == [one.id]
            # as it is now it may be written
            edited = (await store.messages.many(VERA, [two.id]))[two.id]
            await do(store, put=made, seen=(one, edited, three))
            assert sorted(told(await records(store))) == ["of both", "of three", "of walk", "s"]
            # a message that comes to it changes nothing that was read
            await add(store, "four")
            await do(store, put=(summary("s2"),), seen=(one, edited, three))
            assert told(await current(store))[-1] == "s2"

        run(make_store, act)

    def test_of_several_sessions_only_those_that_changed_are_left_out(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            (one,) = (await add(store, "one", session=into("a"))).messages
            (two,) = (await add(store, "two", session=into("b"))).messages
            for name in "ab":
                await store.sessions.end(VERA, name)
            seen = {d.session.id: d.touched for d in await due(store)}
            await store.messages.edit(VERA, two.id, edit("other"), NOW)
            given = (
                event("of a", one, session_id="a"),
                event("of b", two, session_id="b"),
                event("of both", one, two),
                event("saved by hand", session_id="b"),
                summary("s of b", "b"),
            )
            await do(store, put=given, episodes=seen)
            assert told(await records(store)) == ["of a", "of both"]
            (both,) = [
                r for r in await records(store) if len(r.evidence) == 1 and r.id == given[2].id
            ]
            assert both.evidence[0].message_id == one.id
            assert [d.session.id for d in await due(store)] == ["b"]

        run(make_store, act)

    def test_what_was_deleted_meanwhile_does_not_come_back(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            kept, gone = (await add(store, "one", "two")).messages
            await store.messages.delete(VERA, gone.id)
            await do(store, put=(event("of gone", gone), event("of both", kept, gone)))
            (found,) = await records(store)
            assert [e.message_id for e in found.evidence] == [kept.id]
            # nor does the summary of a session
            await do(store, put=(summary("of no session", "gone"), summary("of talk")))
            assert told(await records(store)) == ["of both", "of talk"]
            # a message of somebody else is none of this user
            bob = Scope("default", "bob")
            await add(store, "hello", scope=bob, session=into("walk"))
            stolen = (event("stolen", kept), summary("stolen"), event("own"))
            await do(store, bob, put=stolen)
            assert told(await records(store, bob)) == ["own"]

        run(make_store, act)
