"""The store contract: single records, their history, deletion, and the walls between scopes."""

from datetime import timedelta

from backstory.core.model.results import DeleteResult
from backstory.core.model.scope import Scope
from backstory.ports.store import MessageEdit, Store
from backstory.testing.stores.base import (
    NOW,
    ODD_IDS,
    VERA,
    MakeStore,
    StoreCase,
    add,
    content,
    embed,
    generation,
    into,
    run,
    said,
    terms,
    texts,
)

LATER = NOW + timedelta(minutes=1)
STRANGERS = (
    Scope("default", "mallory"),
    Scope("other", "vera"),
    Scope("default", "VERA"),
    Scope("default", "%"),
    Scope("%", "vera"),
    Scope("default", "ver_"),
)


def edit(text: str, **metadata: object) -> MessageEdit:
    """New text of a message."""
    return MessageEdit(text=text, metadata=metadata, terms=terms(text), terms_version=1)


class RecordContract(StoreCase):
    """Records are read, changed and removed within their scope, and nowhere else."""

    def test_finds_by_record_id(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, said("Hi", "a"))).messages[0]
            assert (await store.messages.find("default", message.id, None)) is not None
            assert (await store.messages.find("default", message.id, "vera")) is not None
            for tenant, user in (("default", "bob"), ("other", None), ("other", "vera")):
                assert await store.messages.find(tenant, message.id, user) is None
            for wrong in (*ODD_IDS, "a", message.id[:-1], message.id + " ", message.id.upper()):
                if wrong != message.id:
                    assert await store.messages.find("default", wrong, None) is None

        run(make_store, act)

    def test_fetches_many(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            ids = [m.id for m in (await add(store, "one", "two", "three")).messages]
            found = await store.messages.many(VERA, [ids[2], ids[0], "unknown", ids[0], *ODD_IDS])
            assert {name: m.text for name, m in found.items()} == {ids[0]: "one", ids[2]: "three"}
            assert await store.messages.many(VERA, []) == {}

        run(make_store, act)

    def test_an_edit_keeps_the_old_version(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, said("one", "a", metadata={"n": 1}))).messages[0]
            edited = await store.messages.edit(VERA, message.id, edit("two", n=2), LATER)
            assert edited is not None
            assert edited.message.text == "two"
            assert edited.message.updated_at == LATER
            assert (edited.message.recorded_at, edited.message.timestamp) == (NOW, NOW)
            assert edited.pending is not None
            assert (edited.pending.text, edited.pending.revision) == ("two", 2)
            latest = LATER + timedelta(microseconds=1)
            again = await store.messages.edit(VERA, message.id, edit("two", n=3), latest)
            assert again is not None
            assert again.pending is None
            versions = await store.messages.history(VERA, message.id)
            assert [(v.text, v.metadata) for v in versions] == [
                ("one", {"n": 1}),
                ("two", {"n": 2}),
                ("two", {"n": 3}),
            ]
            assert [v.recorded_at for v in versions] == [NOW, LATER, latest]
            assert [v.replaced_at for v in versions] == [LATER, latest, None]
            assert await texts(store) == ["two"]

        run(make_store, act)

    def test_an_edit_keeps_the_place_and_drops_the_vector(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            await embed(store, messages)
            active = await generation(store)
            before = content(await store.partitions.get(VERA, active))
            await store.messages.edit(VERA, messages[1].id, edit("changed"), LATER)
            after = content(await store.partitions.get(VERA, active))
            assert after["ids"] == before["ids"]
            assert after["seqs"] == before["seqs"]
            assert [vector is None for vector in after["vectors"]] == [False, True, False]
            assert after["lengths"] == [3, 7, 5]
            assert after["terms"] != before["terms"]
            await store.messages.edit(VERA, messages[0].id, edit("one", n=1), LATER)
            last = content(await store.partitions.get(VERA, active))
            assert [vector is None for vector in last["vectors"]] == [False, True, False]

        run(make_store, act)

    def test_a_deletion_removes_all_of_a_message(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            messages = (await add(store, "one", "two", "three")).messages
            await embed(store, messages)
            active = await generation(store)
            await store.messages.edit(VERA, messages[1].id, edit("changed"), LATER)
            await store.partitions.get(VERA, active)
            assert await store.messages.delete(VERA, messages[1].id)
            assert not await store.messages.delete(VERA, messages[1].id)
            assert await store.messages.history(VERA, messages[1].id) == []
            assert await store.messages.edit(VERA, messages[1].id, edit("x"), LATER) is None
            assert await texts(store) == ["one", "three"]
            assert await store.messages.count_pending(VERA, "default") == 0
            partition = await store.partitions.get(VERA, active)
            assert partition.message_ids == (messages[0].id, messages[2].id)
            await add(store, "four")
            partition = await store.partitions.get(VERA, active)
            assert partition.message_ids[:2] == (messages[0].id, messages[2].id)
            assert len(partition) == 3

        run(make_store, act)

    def test_a_deleted_id_may_be_used_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, said("one", "a"))).messages[0]
            await store.messages.delete(VERA, message.id)
            again = (await add(store, said("other", "a"))).messages[0]
            assert again.created
            assert await texts(store) == ["other"]

        run(make_store, act)

    def test_deletes_all_of_a_user_or_a_session(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, "one", "two", session=into("first"))
            await add(store, "three", session=into("second"))
            await add(store, "four", session=into("third"))
            gone = await store.messages.delete_all(VERA, "first")
            assert gone == DeleteResult(messages=2, sessions=1)
            nothing = DeleteResult(messages=0, sessions=0)
            assert await store.messages.delete_all(VERA, "first") == nothing
            assert await store.messages.delete_all(VERA, "%") == nothing
            assert len(await store.partitions.get(VERA, None)) == 2
            gone = await store.messages.delete_all(VERA, None)
            assert gone == DeleteResult(messages=2, sessions=2)
            assert await store.messages.delete_all(Scope("default", "x"), None) == nothing
            assert len(await store.partitions.get(VERA, None)) == 0
            assert await store.sessions.sessions(VERA) == []
            await add(store, "five", session=into("first"))
            assert await texts(store, session="first") == ["five"]
            assert len(await store.partitions.get(VERA, None)) == 1

        run(make_store, act)

    def test_nothing_crosses_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, said("private", "a"))).messages[0]
            await embed(store, [message])
            active = await generation(store)
            for other in STRANGERS:
                await add(store, "own", scope=other, session=into("talk"))
            before = await store.messages.history(VERA, message.id)
            for other in STRANGERS:
                assert await store.messages.many(other, [message.id]) == {}
                assert await store.messages.edit(other, message.id, edit("x"), LATER) is None
                assert await store.messages.history(other, message.id) == []
                assert not await store.messages.delete(other, message.id)
                assert await store.sessions.end(other, "talk")
                assert await texts(store, other) == ["own"]
                await store.messages.note_failures(other, [message.id], "no")
                assert await embed(store, [message], other) == 0
                assert len(await store.partitions.get(other, active)) == 1
                assert await store.messages.count_pending(other, other.tenant_id) == 1
                gone = await store.messages.delete_all(other, None)
                assert gone == DeleteResult(messages=1, sessions=1)
            assert await store.messages.history(VERA, message.id) == before
            assert len(await store.partitions.get(VERA, active)) == 1
            session = (await store.sessions.sessions(VERA))[0]
            assert session.ended_at is None

        run(make_store, act)
