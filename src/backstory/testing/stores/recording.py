"""The store contract: recording messages."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.recording import content_hash
from backstory.errors import ConflictError
from backstory.ports.store import MessageEdit, Store
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
    texts,
)

METADATA: dict[str, Any] = {
    "turn": "D1:3",
    "zero": 0,
    "float": 0.1,
    "huge": 2**80,
    "small": 5e-324,
    "true": True,
    "none": None,
    "empty": {},
    "list": [1, [2, {"three": "3"}], []],
    "ключ": "值 👩‍👩‍👧 \" \\ ' \u2028",
    "": "an empty key",
    "$.a[0]": "not a path",
}
TIMES = (
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(2026, 3, 29, 1, 30, 0, 123457, tzinfo=UTC),
    datetime(2026, 3, 29, 3, 30, 0, 1, tzinfo=timezone(timedelta(hours=5, minutes=45))),
    datetime(2026, 3, 29, 3, 30, tzinfo=timezone(-timedelta(hours=9, seconds=7))),
)


class RecordingContract(StoreCase):
    """Messages go in once, in order, all of a call or none."""

    def test_gives_back_what_was_recorded(self, make_store: MakeStore) -> None:
        kept: list[Message] = []
        label = SessionLabel(agent_id="guide")

        async def write(store: Store) -> None:
            first = said("Hello.", "a", speaker="Vera", metadata=METADATA, notes=["image skipped"])
            recorded = await add(store, first, session=into(label=label))
            kept.extend(recorded.messages)
            assert recorded.session_id == "talk"
            assert kept[0].created

        async def read(store: Store) -> None:
            found = (await store.messages.many(VERA, [kept[0].id]))[kept[0].id]
            assert found == replace(kept[0], created=False)
            assert found.metadata == METADATA
            assert list(found.metadata) == list(METADATA)
            assert found.metadata["true"] is True
            assert (found.role, found.speaker, found.agent_id) == (Role.USER, "Vera", "guide")
            assert (found.message_id, found.session_id) == ("a", "talk")
            assert (found.timestamp, found.recorded_at, found.updated_at) == (NOW, NOW, None)
            assert found.notes == ("image skipped",)

        run(make_store, write, read)

    def test_keeps_the_order_of_calls_and_batches(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", "two", "three")
            later = said("said long ago, recorded last", at=NOW - timedelta(days=900))
            await add(store, later)
            expected = ["one", "two", "three", "said long ago, recorded last"]
            assert await texts(store) == expected
            partition = await store.partitions.get(VERA, None)
            found = await store.messages.many(VERA, list(partition.message_ids))
            assert [found[name].text for name in partition.message_ids] == expected

        run(make_store, act)

    def test_keeps_text_as_it_is(self, make_store: MakeStore) -> None:
        odd = ["NUL became \ufffd", "a\u0300\r\n\t\x1b\x7f", "\U0010ffff", " "]

        async def act(store: Store) -> None:
            for text in odd:
                await add(store, text)
            assert await texts(store) == odd

        run(make_store, act)

    def test_keeps_times_to_the_microsecond(self, make_store: MakeStore) -> None:
        async def write(store: Store) -> None:
            await add(store, *(said("x", at=moment) for moment in TIMES))

        async def read(store: Store) -> None:
            stored = [m.timestamp for m in await store.sessions.tail(VERA, "talk", 10)]
            assert stored == list(TIMES)
            assert all(moment.utcoffset() == timedelta(0) for moment in stored)

        run(make_store, write, read)

    def test_same_id_same_content_is_one_message(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = (await add(store, said("Hi", "a", metadata={"n": 1}))).messages[0]
            changed = said("Hi", "a", metadata={"n": 2}, at=NOW + timedelta(seconds=30))
            again = await add(store, changed)
            assert again.messages == (replace(first, created=False),)
            both = await add(store, said("Hi", "a"), said("new", "b"))
            assert [m.created for m in both.messages] == [False, True]
            assert await texts(store) == ["Hi", "new"]

        run(make_store, act)

    def test_a_call_that_is_repeated_stores_nothing_new(self, make_store: MakeStore) -> None:
        """As after a commit of which the answer was lost: the same record ids come again."""

        async def act(store: Store) -> None:
            batch = [said("Hi", "a"), said("ok", "b")]
            first = (await add(store, *batch)).messages
            again = (await add(store, *batch)).messages
            assert again == tuple(replace(message, created=False) for message in first)
            assert await texts(store) == ["Hi", "ok"]

        run(make_store, act)

    def test_same_id_twice_in_one_batch(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            twice = (await add(store, said("Hi", "a"), said("ok"), said("Hi", "a"))).messages
            assert [m.created for m in twice] == [True, True, False]
            assert twice[0].id == twice[2].id
            assert await texts(store) == ["Hi", "ok"]

        run(make_store, act)

    def test_without_ids_every_message_is_new(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "ok", "ok")
            await add(store, "ok")
            assert await texts(store) == ["ok"] * 3

        run(make_store, act)

    @pytest.mark.parametrize(
        "other",
        [said("No", "a"), said("Hi", "a", role=Role.ASSISTANT), said("Hi", "a", speaker="B")],
    )
    def test_a_conflict_rolls_everything_back(self, make_store: MakeStore, other: Any) -> None:
        async def act(store: Store) -> None:
            await add(store, said("Hi", "a"), now=NOW)
            session = await store.sessions.sessions(VERA)
            late = NOW + timedelta(hours=2)
            await add(store, "elsewhere", session=into("other"), now=NOW)
            label = SessionLabel(mode="voice")
            batch = [said("before"), other, said("after")]
            with pytest.raises(ConflictError, match="'a'"):
                await add(store, *batch, session=into(label=label), now=late)
            assert await texts(store) == ["Hi"]
            after = await store.sessions.sessions(VERA)
            assert [s for s in after if s.id == "talk"] == session
            assert all(s.ended_at is None for s in after)
            assert (await store.messages.count_pending(VERA, "default")) == 2

        run(make_store, act)

    def test_a_conflict_within_a_batch_stores_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            with pytest.raises(ConflictError):
                await add(store, said("Hi", "a"), said("No", "a"))
            assert await store.sessions.sessions(VERA) == []
            assert len(await store.partitions.get(VERA, None)) == 0

        run(make_store, act)

    def test_an_edit_does_not_break_adding_again(self, make_store: MakeStore) -> None:
        edited = MessageEdit(text="Hello", metadata={}, terms=b"", terms_version=1)

        async def act(store: Store) -> None:
            first = (await add(store, said("Hi", "a"))).messages[0]
            await store.messages.edit(VERA, first.id, edited, NOW)
            again = (await add(store, said("Hi", "a"))).messages[0]
            assert (again.id, again.text, again.created) == (first.id, "Hello", False)

        run(make_store, act)

    def test_message_ids_belong_to_a_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            one = await add(store, said("Hi", "a"), session=into("s1"))
            two = await add(store, said("No", "a"), session=into("s2"))
            assert one.messages[0].created
            assert two.messages[0].created
            other = Scope("default", "other")
            three = await add(store, said("No", "a"), session=into("s1"), scope=other)
            assert three.messages[0].created

        run(make_store, act)

    def test_says_which_message_ids_are_stored(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            draft = said("Hi", "a")
            await add(store, draft, session=into("s1"))
            await add(store, said("Hi", "a"), session=into("s1"), scope=Scope("default", "other"))
            names = [("s1", "a"), ("s1", "b"), ("s2", "a")]
            stored = content_hash(draft.draft)
            assert await store.messages.known(VERA, names) == {("s1", "a"): stored}
            assert await store.messages.known(VERA, []) == {}
            assert await store.messages.known(Scope("other", "vera"), names) == {}

        run(make_store, act)

    def test_takes_batches_of_any_size(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            batch = [said(f"message {n}", f"m{n}") for n in range(2500)]
            await add(store, *batch)
            again = [said(f"message {n}", f"m{n}") for n in range(2600)]
            result = await add(store, *again)
            assert sum(m.created for m in result.messages) == 100
            assert await texts(store) == [f"message {n}" for n in range(2600)]
            found = await store.messages.many(VERA, [m.id for m in result.messages])
            assert len(found) == 2600

        run(make_store, act)

    def test_odd_ids_are_ordinary(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for user in ODD_IDS:
                scope = Scope("default", user)
                label = SessionLabel(agent_id=user)
                for text in ("first", "second"):
                    message = said(f"{text} of {user}", f"{user}", speaker=text)
                    session = into(f"{text}-{user}"[:512], label=label)
                    await add(store, message, scope=scope, session=session)
            for user in ODD_IDS:
                scope = Scope("default", user)
                own = await store.sessions.sessions(scope)
                assert {s.id for s in own} == {f"{t}-{user}"[:512] for t in ("first", "second")}
                assert {s.agent_id for s in own} == {user}
                assert await texts(store, scope, f"first-{user}"[:512]) == [f"first of {user}"]
                assert len(await store.partitions.get(scope, None)) == 2
            listed = [info.user_id for info in await store.sessions.users("default")]
            assert listed == sorted(ODD_IDS)
            paged: list[str] = []
            while found := await store.sessions.users("default", 2, paged[-1] if paged else ""):
                assert {(info.sessions, info.messages) for info in found} == {(2, 2)}
                paged += [info.user_id for info in found]
            assert paged == listed

        run(make_store, act)
