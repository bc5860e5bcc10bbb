"""Entities, their states, and threads."""

from dataclasses import replace

import pytest

from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.plot.urgency import urgency_key
from backstory.errors import ConflictError, NotFoundError
from backstory.ports.documents import Canon, ChapterPlan, Needed
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, MakeStore, StoreCase, run
from backstory.testing.stores.document_base import (
    GO_ON,
    NOVEL,
    RESOLVE,
    chapter,
    derived,
    planned,
    rebuild,
    rewrite,
    write,
)


class EntityContract(StoreCase):
    """Entities and states."""

    def test_what_chapters_say_is_folded_and_goes_with_them(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await write(store, 5, "Ann|Annie\nAnn.eyes=blue")
            await write(store, 2, "Ann\nAnn\nBob\nAnn.eyes=green")
            await write(store, 7, "Ann|Annie")
            ann, bob = await _entities(store, "Ann", "Bob")
            assert (ann.first_chapter, ann.last_chapter, ann.mentions) == (2, 7, 3)
            assert (ann.aliases, ann.kind) == (("Annie",), EntityKind.PERSON)
            assert [(s.value, s.chapter) for s in ann.states] == [("green", 2), ("blue", 5)]
            assert all(s.entity == "Ann" and s.revision for s in ann.states)
            sighted = await store.documents.sightings(NOVEL, [2, 3, 7])
            assert sighted == {2: {ann.id: 2, bob.id: 1}, 7: {ann.id: 1}}
            assert await store.documents.seen(NOVEL, ann.id, 7) == [2, 5]
            (then,) = await store.documents.entities(NOVEL, [ann.id], 4)
            assert (then.mentions, then.last_chapter, len(then.states)) == (1, 2, 1)
            assert await store.documents.entities(NOVEL, None, 1) == []
            stored = await rewrite(store, 5, "Ann")
            assert stored.withdrawn == 4
            (ann,) = await _entities(store, "Ann")
            assert (ann.mentions, ann.aliases, len(ann.states)) == (3, ("Annie",), 1)
            # two sightings, a state, an entity that nothing tells of any more, three passages
            assert await store.documents.remove(NOVEL, 2, NOW) == 7
            assert [e.name for e in await store.documents.entities(NOVEL, None, None)] == ["Ann"]
            await store.documents.remove(NOVEL, 7, NOW)
            (ann,) = await _entities(store, "Ann")
            assert (ann.first_chapter, ann.last_chapter, ann.mentions) == (5, 5, 1)
            assert (ann.aliases, ann.states) == ((), ())

        run(make_store, act)

    def test_what_the_author_entered_stays(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "Ann|Annie\nAnn.eyes=green")
            (ann,) = await _entities(store, "Ann")
            own = replace(ann, aliases=("Anna",), kind=EntityKind.LORE, hidden=True)
            stored = await documents.put_entity(NOVEL, own, NOW)
            assert (stored.aliases, stored.kind, stored.hidden) == (("Anna",), "lore", True)
            assert stored.authored
            note = EntityState(id="n", entity="Ann", attribute="note", value="killer", chapter=0)
            note = replace(note, hidden=True)
            assert await documents.put_state(NOVEL, note, NOW) == note
            await rewrite(store, 1, "Bob")
            (ann,) = await _entities(store, "Ann")
            assert (ann.mentions, ann.states, ann.aliases) == (0, (note,), ("Anna",))
            (then,) = await documents.entities(NOVEL, None, 0)
            assert then == ann
            with pytest.raises(ConflictError, match="Bob"):
                await documents.put_entity(NOVEL, replace(ann, name="Bob"), NOW)
            await documents.put_entity(NOVEL, replace(ann, name="Anne"), NOW)
            (name,) = [n for n in await documents.names(NOVEL) if n.id == ann.id]
            assert (name.name, name.authored, name.aliases) == ("Anne", True, ("Anna",))
            changed = replace(note, entity="Anne", value="thief")
            assert await documents.put_state(NOVEL, changed, NOW) == changed
            with pytest.raises(NotFoundError, match="Ann"):
                await documents.put_state(NOVEL, note, NOW)
            assert await documents.drop_state(NOVEL, "n", NOW)
            assert not await documents.drop_state(NOVEL, "n", NOW)
            assert await documents.drop_entity(NOVEL, ann.id, NOW)
            assert [n.name for n in await documents.names(NOVEL)] == ["Bob"]

        run(make_store, act)

    def test_who_knows_what(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "Ann\nAnn.heir=yes@Bob\nAnn.eyes=green")
            (ann,) = await _entities(store, "Ann")
            heir, eyes = ann.states
            bob, max_ = Knower(name="Bob", since_chapter=1), Knower(name="Max", since_chapter=9)
            assert (heir.known_by, eyes.known_by) == ((bob,), ())
            learned = ChapterPlan(learned=((heir.id, max_), (eyes.id, max_)))
            await documents.add(NOVEL, chapter(9, "x"), lambda _: learned, NOW)
            (ann,) = await _entities(store, "Ann")
            assert [s.known_by for s in ann.states] == [(bob, max_), ()]
            # who learns later is told, so that nobody takes it for known to all
            (then,) = await documents.entities(NOVEL, [ann.id], 1)
            assert [s.known_by for s in then.states] == [(bob, max_), ()]
            early = replace(max_, since_chapter=4)
            assert (await documents.put_knower(NOVEL, heir.id, early, NOW)).known_by == (bob, early)
            assert await documents.remove(NOVEL, 9, NOW) == 3
            (ann,) = await _entities(store, "Ann")
            assert [s.known_by for s in ann.states] == [(bob, early), ()]
            assert (await documents.put_knower(NOVEL, eyes.id, bob, NOW)).known_by == (bob,)
            with pytest.raises(NotFoundError):
                await documents.put_knower(NOVEL, "none", bob, NOW)
            assert await documents.remove(NOVEL, 1, NOW) == 7
            assert await _entities(store) == []

        run(make_store, act)

    def test_the_states_that_hold(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            async def values(upto: int | None) -> list[str]:
                ids = [ann.id]
                (found,) = await store.documents.entities(NOVEL, ids, upto, current=True)
                return [state.value for state in found.states]

            await write(store, 6, "Ann\nAnn.home=Rome\nAnn.eyes=blue")
            await write(store, 2, "Ann\nAnn.home=Oslo")
            await write(store, 4, "Ann\nAnn.home=Bonn\nAnn.home=Lund\nAnn.home=Secret@Bob")
            (ann,) = await _entities(store, "Ann")
            assert await values(None) == ["Rome", "blue"]
            assert await values(5) == ["Lund", "Secret"]
            assert await values(3) == ["Oslo"]
            await rewrite(store, 4, "Ann")
            assert await values(5) == ["Oslo"]
            await store.documents.remove(NOVEL, 6, NOW)
            assert await values(None) == ["Oslo"]
            state = EntityState(id="h", entity="Ann", attribute="home", value="Kyiv", chapter=3)
            await store.documents.put_state(NOVEL, state, NOW)
            assert await values(None) == ["Kyiv"]
            assert await values(2) == ["Oslo"]
            await store.documents.put_state(NOVEL, replace(state, hidden=True), NOW)
            assert await values(None) == ["Oslo", "Kyiv"]
            await store.documents.put_state(NOVEL, replace(state, chapter=1), NOW)
            assert await values(None) == ["Oslo"]
            await store.documents.put_state(NOVEL, replace(state, chapter=8), NOW)
            await store.documents.drop_state(NOVEL, "h", NOW)
            assert await values(None) == ["Oslo"]

        run(make_store, act)

    def test_names_stand_in_the_order_of_chapters(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for number, text in ((3, "Ann|Annie"), (5, "Ann|Anka"), (7, "Ann|Annie")):
                await write(store, number, text)
            assert (await _entities(store))[0].aliases == ("Annie", "Anka")
            await write(store, 2, "Ann|Anka")
            assert (await _entities(store))[0].aliases == ("Anka", "Annie")

        run(make_store, act)

    def test_names_have_a_stamp_of_their_own(self, make_store: MakeStore) -> None:
        async def act(store: Store, other: Store) -> None:
            async def changes(text: str) -> bool:
                before = await other.documents.names_stamp(NOVEL)
                number = 1 + (await store.documents.stamp(NOVEL))[0]
                await write(store, number, text)
                return await other.documents.names_stamp(NOVEL) != before

            assert await changes("Ann")
            assert await changes("Ann|Annie")
            assert await changes("Bob")
            before = await other.documents.names_stamp(NOVEL)
            (ann,) = await _entities(store, "Ann")
            await store.documents.put_entity(NOVEL, replace(ann, hidden=True), NOW)
            hidden = await other.documents.names_stamp(NOVEL)
            await store.documents.drop_entity(NOVEL, ann.id, NOW)
            assert len({before, hidden, await other.documents.names_stamp(NOVEL)}) == 3

        run(make_store, act, stores=2)


class ThreadContract(StoreCase):
    """Threads are what their events say."""

    def test_a_status_follows_its_evidence(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await documents.ensure(NOVEL, None, 20, NOW)
            plan = PlotThread(number=0, summary="Who wrote it?", kind="mystery", deadline=15)
            await documents.plant(NOVEL, plan, None, NOW)
            await write(store, 3, "~1")
            await write(store, 7, "~1")
            await write(store, 12, "!1")
            seen = [await documents.threads(NOVEL, [1], upto) for upto in (2, 3, 7, 12, None)]
            states = [(t.status, t.last_chapter, t.closed_in) for (t,) in seen]
            going = ThreadStatus.PROGRESSING
            assert states[:3] == [
                (ThreadStatus.PLANNED, None, None),
                (going, 3, None),
                (going, 7, None),
            ]
            assert states[3] == states[4] == (ThreadStatus.RESOLVED, 12, 12)
            assert await documents.open_threads(NOVEL, 13, 9) == ([], 0)
            changed = replace(plan, number=1, summary="Who forged it?", deadline=18, kind=None)
            await documents.plan_thread(NOVEL, changed, NOW)
            before = await derived(store)
            await rebuild(store)
            assert await derived(store) == before
            await documents.remove(NOVEL, 12, NOW)
            (thread,), _ = await documents.open_threads(NOVEL, 13, 9)
            assert (thread.status, thread.last_chapter, thread.closed_in) == (going, 7, None)
            assert (thread.summary, thread.deadline, thread.kind) == ("Who forged it?", 18, None)
            before = await derived(store)
            await rebuild(store)
            assert await derived(store) == before
            for number in (3, 7):
                await documents.remove(NOVEL, number, NOW)
            (thread,) = await documents.threads(NOVEL, None, None)
            assert (thread.status, thread.authored) == (ThreadStatus.PLANNED, True)

        run(make_store, act)

    def test_a_thread_goes_with_its_last_evidence(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "+who?\n+why?")
            await write(store, 2, "~1")
            before = await derived(store)
            await rebuild(store)
            assert await derived(store) == before
            await rewrite(store, 1, "+why?\n+how?")
            found = await documents.threads(NOVEL, None, None)
            kept = [(t.number, t.summary, t.planted_in) for t in found]
            assert kept == [(1, "who?", 2), (2, "why?", 1), (3, "how?", 1)]
            assert await documents.threads(NOVEL, [1, 2, 9], 1) == [found[1]]
            await rewrite(store, 2, "nothing")
            await rewrite(store, 1, "+how?")
            found = await documents.threads(NOVEL, None, None)
            assert [(t.number, t.summary) for t in found] == [(3, "how?")]
            assert [e.kind for e in await documents.events(NOVEL, 3)] == ["planted"]
            await documents.remove(NOVEL, 1, NOW)
            assert await documents.threads(NOVEL, None, None) == []
            assert (await write(store, 1, "+again")).plan.threads[0].number == 4

        run(make_store, act)

    def test_threads_by_hand(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await documents.ensure(NOVEL, None, None, NOW)
            new = PlotThread(number=0, summary="a letter 名", hidden=True)
            made = await documents.plant(NOVEL, new, 4, NOW)
            assert (made.number, made.status, made.planted_in) == (1, ThreadStatus.OPEN, 4)
            assert (made.authored, made.hidden) == (True, True)
            event = ThreadEvent(id=0, thread=1, kind=RESOLVE, chapter=6, note="burnt")
            made = await documents.add_event(NOVEL, event, NOW)
            assert (made.status, made.note, made.closed_in) == (ThreadStatus.RESOLVED, "burnt", 6)
            again = replace(event, kind=ThreadEventKind.REOPENED, chapter=8, note="")
            assert (await documents.add_event(NOVEL, again, NOW)).status == "progressing"
            ids = [e.id for e in await documents.events(NOVEL, 1)]
            assert ids == sorted(set(ids))
            for call in (
                documents.add_event(NOVEL, replace(event, thread=2), NOW),
                documents.plan_thread(NOVEL, replace(new, number=2), NOW),
            ):
                with pytest.raises(NotFoundError, match="2"):
                    await call
            assert await documents.drop_thread(NOVEL, 1, NOW)
            assert not await documents.drop_thread(NOVEL, 1, NOW)
            assert await documents.events(NOVEL, 1) == []
            assert (await documents.plant(NOVEL, new, None, NOW)).number == 2

        run(make_store, act)

    def test_threads_that_were_open_after_a_chapter(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await documents.ensure(NOVEL, None, None, NOW)
            new = PlotThread(number=0, summary="x")
            for planted in (1, 4, None):
                await documents.plant(NOVEL, new, planted, NOW)
            for kind, number in ((RESOLVE, 3), (ThreadEventKind.REOPENED, 5), (RESOLVE, 6)):
                event = ThreadEvent(id=0, thread=1, kind=kind, chapter=number)
                await documents.add_event(NOVEL, event, NOW)
            found = [
                [(one.number, str(one.status)[:4]) for one in await documents.open_then(NOVEL, n)]
                for n in range(7)
            ]
            planned = (3, "plan")
            assert found[0] == [planned]
            assert found[1] == found[2] == [(1, "open"), planned]
            assert found[3] == [planned]
            assert found[4] == [(2, "open"), planned]
            assert found[5] == [(1, "prog"), (2, "open"), planned]
            assert found[6] == [(2, "open"), planned]

        run(make_store, act)

    def test_a_removed_chapter_does_nothing_to_threads(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "+who?")
            await write(store, 2, "Ann")
            await write(store, 4, "Bob")
            for kind, number in ((GO_ON, 2), (RESOLVE, 4)):
                event = ThreadEvent(id=0, thread=1, kind=kind, chapter=number)
                await documents.add_event(NOVEL, event, NOW)
            assert await documents.remove(NOVEL, 4, NOW) == 4
            (thread,) = await documents.threads(NOVEL, None, None)
            assert (thread.status, thread.last_chapter) == (ThreadStatus.PROGRESSING, 2)
            await documents.remove(NOVEL, 1, NOW)
            assert len(await documents.threads(NOVEL, None, None)) == 1
            await documents.remove(NOVEL, 2, NOW)
            assert await documents.threads(NOVEL, None, None) == []
            assert await documents.open_threads(NOVEL, 1, 9) == ([], 0)

        run(make_store, act)

    def test_the_most_urgent_come_first(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            documents = store.documents
            await documents.ensure(NOVEL, None, 60, NOW)
            for n, deadline in enumerate([None, 70, 12, 90, 30, None, 12, 60]):
                thread = PlotThread(number=0, summary=f"t{n}", deadline=deadline)
                made = await documents.plant(NOVEL, thread, 9 - n if n % 3 else None, NOW)
                if n % 2:
                    event = ThreadEvent(id=0, thread=made.number, kind=GO_ON, chapter=9 + n % 5)
                    await documents.add_event(NOVEL, event, NOW)
            for end in (60, 80, 20):
                await documents.ensure(NOVEL, None, end, NOW)
                found, count = await documents.open_threads(NOVEL, 20, 100)
                assert found == sorted(found, key=lambda thread: urgency_key(thread, end))
                assert (len(found), count) == (8, 8)
                assert await documents.open_threads(NOVEL, 20, 3) == (found[:3], 8)

        run(make_store, act)

    def test_a_plan_sees_what_it_may(self, make_store: MakeStore) -> None:
        seen: list[Canon] = []

        def look(canon: Canon) -> ChapterPlan:
            seen.append(canon)
            return planned(5, "Ann\nAnn.eyes=grey")(canon)

        async def act(store: Store) -> None:
            documents = store.documents
            await write(store, 1, "Ann\nAnn.eyes=green\n+who?\n+why?")
            await write(store, 2, "Bob\n!1\n+how?")
            await documents.add(NOVEL, chapter(5, "x"), look, NOW)
            await documents.revise(NOVEL, chapter(2, "y"), look, NOW, _no_entity())
            await documents.revise(NOVEL, chapter(1, "z"), look, NOW, _no_entity(1, 9))
            names = [{e.name for e in canon.entities} for canon in seen]
            assert names == [{"Ann", "Bob"}, {"Ann"}, {"Ann"}]
            threads = [[(t.number, str(t.status)) for t in canon.threads] for canon in seen]
            assert threads[0] == [(1, "resolved"), (2, "open"), (3, "open")]
            assert threads[1] == [(1, "open"), (2, "open"), (3, "planned")]
            assert threads[2] == [(1, "planned"), (2, "planned")]
            assert await documents.threads(NOVEL, None, None) == []
            assert [canon.next_thread for canon in seen] == [4, 4, 4]
            assert [s.value for s in seen[1].entities[0].states] == ["green", "grey"]
            assert [s.value for s in seen[2].entities[0].states] == ["grey", "grey"]

        run(make_store, act)


def _no_entity(*threads: int) -> Needed:
    """As if names had changed since: all entities come."""
    return Needed(names_stamp=(-1, -1), entities=(), threads=threads)


async def _entities(store: Store, *names: str) -> list[Entity]:
    found = await store.documents.entities(NOVEL, None, None)
    return sorted((e for e in found if not names or e.name in names), key=lambda e: e.name)
