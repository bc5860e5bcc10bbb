"""The store contract: sessions and users."""

from datetime import timedelta

from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo, SessionLabel, UserInfo
from backstory.ports.store import Store
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

MINUTE = timedelta(minutes=1)


async def by_id(store: Store, scope: Scope = VERA) -> dict[str, SessionInfo]:
    """A user's sessions by id."""
    return {session.id: session for session in await store.sessions.sessions(scope)}


class SessionContract(StoreCase):
    """A session takes messages until it is ended or nothing came for a while."""

    def test_without_a_name_messages_go_to_the_open_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = (await add(store, "one", session=into(None))).session_id
            second = await add(store, "two", session=into(None), now=NOW + 5 * MINUTE)
            assert second.session_id == first
            assert await texts(store, session=first) == ["one", "two"]
            late = NOW + 10 * MINUTE + timedelta(microseconds=1)
            third = (await add(store, "three", session=into(None), now=late)).session_id
            assert third != first
            sessions = await by_id(store)
            assert sessions[first].ended_at == NOW
            assert sessions[third].ended_at is None

        run(make_store, act)

    def test_agents_have_their_own_open_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            guide = into(None, label=SessionLabel(agent_id="guide"))
            coach = into(None, label=SessionLabel(agent_id="coach"))
            one = (await add(store, "one", session=guide)).session_id
            two = (await add(store, "two", session=coach)).session_id
            three = (await add(store, "three", session=into(None))).session_id
            assert len({one, two, three}) == 3
            for request, name in ((guide, one), (coach, two), (into(None), three)):
                again = await add(store, "again", session=request, now=NOW + MINUTE)
                assert again.session_id == name
            newest = await store.sessions.newest_open(VERA, "guide")
            assert newest is not None
            assert newest.id == one
            assert newest.messages == 2
            assert await store.sessions.newest_open(VERA, "nobody") is None

        run(make_store, act)

    def test_the_newest_open_session_is_the_one_that_received_last(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", session=into("first"), now=NOW + 2 * MINUTE)
            await add(store, "two", session=into("second"), now=NOW + MINUTE)
            newest = await store.sessions.newest_open(VERA, None)
            assert newest is not None
            assert newest.id == "first"
            assert [m.text for m in await store.sessions.tail(VERA, None, 9)] == ["one"]
            chosen = await add(store, "three", session=into(None), now=NOW + 3 * MINUTE)
            assert chosen.session_id == "first"
            await store.sessions.end(VERA, "first")
            newest = await store.sessions.newest_open(VERA, None)
            assert newest is not None
            assert newest.id == "second"
            assert [m.text for m in await store.sessions.tail(VERA, None, 9)] == ["two"]
            await store.sessions.end(VERA, "second")
            assert await store.sessions.tail(VERA, None, 9) == []

        run(make_store, act)

    def test_the_time_out_counts_receipt_and_not_timestamps(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            old = said("imported", at=NOW - timedelta(days=400))
            await add(store, old, session=into("import"))
            assert await store.sessions.end_timed_out("default", NOW, frozenset()) == 0
            future = said("from a wrong clock", at=NOW + timedelta(days=400))
            await add(store, future, session=into("import"), now=NOW + MINUTE)
            after = NOW + MINUTE + timedelta(microseconds=1)
            assert await store.sessions.end_timed_out("default", after, frozenset()) == 1
            session = (await by_id(store))["import"]
            assert session.started_at == NOW - timedelta(days=400)
            assert session.ended_at == NOW + timedelta(days=400)
            assert session.last_received_at == NOW + MINUTE
            assert await store.sessions.end_timed_out("default", after, frozenset()) == 0

        run(make_store, act)

    def test_the_next_call_ends_what_is_over(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", session=into("old"))
            await add(store, "two", session=into("held"))
            await add(store, "three", session=into("new"), now=NOW + 3 * MINUTE)
            session = into("new", held=["held"])
            await add(store, "four", session=session, now=NOW + 6 * MINUTE)
            sessions = await by_id(store)
            assert sessions["old"].ended_at == NOW
            assert sessions["held"].ended_at is None
            assert sessions["new"].ended_at is None

        run(make_store, act)

    def test_a_held_session_is_not_swept(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for name in ("held", "%", "free"):
                await add(store, name, session=into(name))
            later = NOW + timedelta(days=1)
            ended = await store.sessions.end_timed_out("default", later, frozenset({"held", "%"}))
            assert ended == 1
            sessions = await by_id(store)
            assert [n for n, s in sessions.items() if s.ended_at is None] == ["held", "%"]

        run(make_store, act)

    def test_ends_at_its_last_message_and_reopens(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            late = said("later", at=NOW + 9 * MINUTE)
            early = said("earlier", at=NOW + MINUTE)
            await add(store, late, early, now=NOW + 20 * MINUTE)
            assert await store.sessions.end(VERA, "talk")
            session = (await by_id(store))["talk"]
            assert (session.started_at, session.ended_at) == (NOW + MINUTE, NOW + 9 * MINUTE)
            assert not await store.sessions.end(VERA, "talk")
            assert not await store.sessions.end(VERA, "unknown")
            await add(store, "more", now=NOW + timedelta(days=3))
            session = (await by_id(store))["talk"]
            assert session.ended_at is None
            assert session.messages == 3

        run(make_store, act)

    def test_only_duplicates_do_not_reopen(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, said("Hi", "a"))
            await store.sessions.end(VERA, "talk")
            before = await by_id(store)
            await add(store, said("Hi", "a"), now=NOW + MINUTE)
            assert await by_id(store) == before

        run(make_store, act)

    def test_labels_are_merged(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = SessionLabel(agent_id="guide", mode="voice", metadata={"a": 1, "b": [1]})
            second = SessionLabel(channel="mail", speaker="Vera", metadata={"b": 2, "c": None})
            await add(store, "one", session=into(label=first))
            await add(store, "two", session=into(label=second))
            session = (await by_id(store))["talk"]
            assert (session.agent_id, session.mode) == ("guide", "voice")
            assert (session.channel, session.speaker) == ("mail", "Vera")
            assert session.metadata == {"a": 1, "b": 2, "c": None}
            agents = [m.agent_id for m in await store.sessions.tail(VERA, "talk", 9)]
            assert agents == ["guide", "guide"]

        run(make_store, act)

    def test_finds_one_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", "two", session=into(label=SessionLabel(mode="voice")))
            await add(store, "elsewhere", session=into("other"))
            found = await store.sessions.find(VERA, "talk")
            assert found is not None
            assert (found.id, found.mode, found.messages) == ("talk", "voice", 2)
            assert await store.sessions.find(VERA, "unknown") is None
            assert await store.sessions.find(Scope("default", "x"), "talk") is None

        run(make_store, act)

    def test_tail_gives_the_last_messages_in_order(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, *(str(n) for n in range(10)))
            await add(store, "elsewhere", session=into("other"))
            assert [m.text for m in await store.sessions.tail(VERA, "talk", 3)] == ["7", "8", "9"]
            assert await store.sessions.tail(VERA, "unknown", 3) == []
            assert await store.sessions.tail(Scope("default", "x"), "talk", 3) == []

        run(make_store, act)

    def test_keys_name_the_sessions_of_a_partition(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", session=into("first"))
            await add(store, "two", session=into("second"))
            partition = await store.partitions.get(VERA, None)
            names = store.partitions.session_keys
            for _ in range(2):
                keys = await names(VERA, partition, ["second", "first", "unknown"])
                assert set(keys) == {"first", "second"}
                assert partition.sessions.values == (keys["first"], keys["second"])
                assert await names(VERA, partition, []) == {}

        run(make_store, act)

    def test_lists_sessions_and_users(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, said("b", at=NOW + MINUTE), session=into("second"))
            await add(store, said("a", at=NOW), said("c", at=NOW + MINUTE), session=into("first"))
            ada = Scope("default", "ada")
            await add(store, "x", scope=ada)
            await add(store, "y", scope=Scope("elsewhere", "zoe"))
            assert [s.id for s in await store.sessions.sessions(VERA)] == ["first", "second"]
            assert await store.sessions.users("default") == [
                UserInfo(user_id="ada", sessions=1, messages=1, first_at=NOW, last_at=NOW),
                UserInfo(
                    user_id="vera", sessions=2, messages=3, first_at=NOW, last_at=NOW + MINUTE
                ),
            ]
            await store.messages.delete_all(ada, None)
            assert [u.user_id for u in await store.sessions.users("default")] == ["vera"]
            assert await store.sessions.users("nobody") == []

        run(make_store, act)
