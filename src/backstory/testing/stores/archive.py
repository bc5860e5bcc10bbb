"""The store contract: what goes out of a store comes back in as it was."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.core.archive.readdress import readdressed
from backstory.core.derived.book import DerivedPlan
from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchivedSession,
    ErasedClaim,
)
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.derived import KINDS, Event, Summary
from backstory.core.model.fact import FactCorrection
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.testing.stores.base import (
    NOW,
    VERA,
    MakeStore,
    StoreCase,
    add,
    generation,
    into,
    run,
    said,
)
from backstory.testing.stores.derived_base import event, keep, summary, talk
from backstory.testing.stores.fact_base import DAY, LATER, fact, facts_of, put
from backstory.testing.stores.moving_base import MARK, fill, taken_out, without_commit

ELSEWHERE = Scope("elsewhere", "vera")
COMMIT = NOW + 7 * DAY


async def restore(
    store: Store, items: Sequence[Archived], scope: Scope = ELSEWHERE
) -> tuple[int, list[str | None]]:
    """Restore; gives how many were stored, and the problems."""
    vectors = {1: await generation(store)}
    done = await store.archive.restore(scope, items, vectors, COMMIT)
    assert len(done) == len(items)
    problems = [outcome.problem for outcome in done]
    return sum(outcome.stored for outcome in done), [p for p in problems if p is not None]


class ArchiveContract(StoreCase):
    """An archive holds everything, and only what is missing is restored of it."""

    def test_an_archive_holds_something_of_every_kind(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            head, items = await taken_out(store)
            assert all(head.records.values())
            assert sum(head.records.values()) == len(items)
            assert head.active == 1
            assert head.claim_key == await store.archive.claim_key("default")
            assert [v for i in items if isinstance(i, ArchivedMessage) for v in i.vectors]
            assert [v for i in items if isinstance(i, ArchivedFact) for v in i.vectors]
            assert [r for i in items if isinstance(i, ArchivedFact) for r in i.revisions]
            assert [v for i in items if isinstance(i, ArchivedMessage) for v in i.versions]
            assert [i for i in items if isinstance(i, Contradiction) and i.evidence]
            assert [i for i in items if isinstance(i, FactCorrection) and i.evidence]
            derived = [i for i in items if isinstance(i, ArchivedDerived)]
            assert {i.type for i in derived} == set(KINDS)
            assert [v for i in derived if len(i.versions) > 1 for v in i.versions]
            assert [v for i in derived for one in i.versions for v in one.vectors]

        run(make_store, act)

    def test_what_is_restored_is_what_was_taken_out(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            assert await restore(store, items) == (len(items), [])
            _, again = await taken_out(store, ELSEWHERE)
            assert _untimed(again) == _untimed(items)
            for item in again:
                if isinstance(item, ArchivedMessage):
                    assert item.message.recorded_at == COMMIT
                    assert item.message.known_from is not None
                if isinstance(item, ArchivedFact):
                    assert item.fact.recorded_at == COMMIT

        run(make_store, act)

    def test_restoring_twice_adds_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            half = len(items) // 2
            first, _ = await restore(store, items[:half])
            rest, problems = await restore(store, items)
            assert (first, first + rest, problems) == (half, len(items), [])
            whole = await taken_out(store, ELSEWHERE)
            assert await restore(store, items) == (0, [])
            assert await restore(store, [*items[:3], *items[:3]]) == (0, [])
            assert await taken_out(store, ELSEWHERE) == whole

        run(make_store, act)

    def test_what_was_known_when_is_known_when_here(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            await restore(store, items)
            there, here = [await store.derived.book(s) for s in (VERA, ELSEWHERE)]
            for known_at in (NOW - DAY, NOW, LATER, COMMIT + DAY, None):
                for kind in KINDS.values():
                    then = [replace(r, recorded_at=NOW) for r in there.of(kind, known_at)]
                    now = [replace(r, recorded_at=NOW) for r in here.of(kind, known_at)]
                    told = [replace(r, known_from=r.known_from or NOW) for r in then]
                    assert [r.id for r in now] == [r.id for r in told]
            generation_ = await generation(store)
            vectors = await store.derived.vectors(VERA, generation_)
            taken = await store.derived.vectors(ELSEWHERE, generation_)
            assert sorted(vectors.values()) == sorted(taken.values())
            # each version has a time of its own
            assert len({(r.id, r.recorded_at) for r in here}) == len(here.records)
            assert max(r.recorded_at for r in here) == COMMIT

        run(make_store, act)

    def test_a_digested_session_is_not_digested_again(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            await store.sessions.end(VERA, f"talk {MARK}")
            (due,) = await store.derived.due(VERA, "default", 9)
            _, items = await taken_out(store)
            await restore(store, items)
            assert len(await store.derived.due(ELSEWHERE, "elsewhere", 9)) == 1
            digested = DerivedPlan(episodes={due.session.id: due.touched})
            await store.derived.change(VERA, lambda _: digested, NOW)
            _, items = await taken_out(store)
            other = Scope("third", "vera")
            await restore(store, items, other)
            await restore(store, items, other)
            assert await store.derived.due(other, "third", 9) == []
            # a conversation that went on here is of both, and digested again
            await add(store, "and here", scope=other, session=into(f"talk {MARK}"))
            await store.sessions.end(other, f"talk {MARK}")
            (own,) = await store.derived.due(other, "third", 9)
            digested = DerivedPlan(episodes={own.session.id: own.touched})
            await store.derived.change(other, lambda _: digested, NOW)
            await restore(store, items, other)
            assert len(await store.derived.due(other, "third", 9)) == 1

        run(make_store, act)

    def test_a_slot_that_is_taken_is_left_as_it_is(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await talk(store)
            await keep(store, summary("there"), event("ran"))
            _, items = await taken_out(store)
            await talk(store, scope=ELSEWHERE)
            (own,) = await keep(store, summary("here"), scope=ELSEWHERE)
            stored, problems = await restore(store, items)
            assert problems == ["its slot has another current record here"]
            book = await store.derived.book(ELSEWHERE)
            assert (book.of(Summary), len(book.of(Event))) == ([own], 1)
            assert stored == 1 + 2  # the event, and two messages

        run(make_store, act)

    def test_doubles_within_one_batch_are_one(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            assert await restore(store, [*items, *items]) == (len(items), [])

        run(make_store, act)

    def test_vectors_of_another_generation_are_left_out(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            done = await store.archive.restore(ELSEWHERE, items, {}, COMMIT)
            assert all(outcome.stored for outcome in done)
            messages = [i for i in items if isinstance(i, ArchivedMessage)]
            assert await store.messages.count_pending(ELSEWHERE, "elsewhere") == len(messages)
            facts = [i for i in items if isinstance(i, ArchivedFact)]
            assert len(await store.facts.pending(ELSEWHERE, "elsewhere", 99)) == len(facts)
            pending = await store.derived.pending(ELSEWHERE, "elsewhere", 99)
            assert {item.text for item in pending} == {MARK, f"{MARK} again"}

        run(make_store, act)

    def test_what_is_there_is_left_as_it_is(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await add(store, said("kept", "m1"), session=into("talk"))
            await put(store, fact("Oslo"))
            await add(store, said("other", "m1"), scope=ELSEWHERE, session=into("talk"))
            await put(store, fact("Kiel", scope=ELSEWHERE), scope=ELSEWHERE)
            _, items = await taken_out(store)
            stored, problems = await restore(store, items)
            assert (stored, len(problems)) == (0, 2)
            assert [f.value for f in await facts_of(store, ELSEWHERE)] == ["Kiel"]

        run(make_store, act)

    def test_what_was_erased_does_not_come_back(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = (await fill(store))[-1]
            _, items = await taken_out(store)
            await store.facts.erase(VERA, row.id, erase_source=False, now=COMMIT)
            stored, problems = await restore(store, items, VERA)
            # the fact, its line of the log, and what contradicted it
            assert (stored, len(problems)) == (0, 3)
            assert row.id not in {f.id for f in await facts_of(store)}

        run(make_store, act)

    def test_a_message_without_its_session_is_refused(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            _, items = await taken_out(store)
            some = [i for i in items if not isinstance(i, ArchivedSession)]
            stored, problems = await restore(store, some)
            assert (stored, len(problems)) == (len(some) - 3, 3)

        run(make_store, act)

    def test_a_copy_for_another_user_has_ids_of_its_own(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            await fill(store)
            other = Scope("default", "wilma")
            _, items = await taken_out(store)
            moved = [m for i in items if (m := readdressed(i, "wilma")) is not None]
            assert await restore(store, moved, other) == (len(moved), [])
            assert await restore(store, moved, other) == (0, [])
            _, again = await taken_out(store, other)
            assert _untimed(again, "wilma") == _untimed(moved, "wilma")
            assert not _ids(items) & _ids(again)
            assert (await taken_out(store))[1] == items

        run(make_store, act)


def _untimed(items: Sequence[Archived], user_id: str = "vera") -> list[Archived]:
    """Without the time of commit, and in an order that does not depend on ids."""
    kept = without_commit(items, user_id)
    return [replace(i, erased_at=NOW) if isinstance(i, ErasedClaim) else i for i in kept]


def _ids(items: Sequence[Archived]) -> set[str]:
    found = set()
    for item in items:
        if isinstance(item, ArchivedMessage):
            found.add(item.message.id)
        elif isinstance(item, ArchivedFact):
            found.add(item.fact.id)
        elif not isinstance(item, (ErasedClaim, ArchivedRun)):
            found.add(item.id)
    return found
