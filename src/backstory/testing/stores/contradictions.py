"""The store contract: contradictions and collisions."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from backstory.core.model.collision import Collision, CollisionState
from backstory.core.model.contradiction import (
    Contradiction,
    ContradictionCounts,
    ContradictionState,
    Decision,
    GatePath,
)
from backstory.core.model.fact import Evidence, Fact, FactStatus
from backstory.core.model.scope import Scope
from backstory.errors import StoreError
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, ODD_IDS, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.contradiction_base import collision, contradiction
from backstory.testing.stores.fact_base import DAY, ODD_VALUES, fact, look, put
from backstory.testing.stores.records import STRANGERS

OPEN, HELD, RESOLVED = ContradictionState
EVERY_STATE = frozenset(ContradictionState)


async def stored(store: Store, scope: Scope = VERA) -> list[Contradiction]:
    """All contradictions."""
    return await store.contradictions.listed(scope, EVERY_STATE)


async def file(store: Store, *made: Contradiction, scope: Scope = VERA) -> None:
    """Write contradictions."""
    await put(store, scope=scope, contradictions={c.id: c for c in made})


class ContradictionContract(StoreCase):
    """Each question that is open stands once, and keeps what became of it."""

    def test_keeps_every_field_of_a_contradiction(self, make_store: MakeStore) -> None:
        kept: list[Contradiction] = []

        async def write(store: Store) -> None:
            message = (await add(store, "I was born on May 4.")).messages[0]
            born = fact("May 3", "personal.birthday", subject="friend.sam")
            full = contradiction(
                born,
                "May 4",
                session_id="talk 👩‍👩‍👧 %",
                stated_fact_id="another",
                gate_path=GatePath.JUDGE_SEPARATE,
                gate_similarity=-0.25,
                gate_reason="",
                gate_different_question=True,
                last_seen_at=NOW + DAY,
                state="held",
                repeat_count=3,
                surfaced=4,
                decision=Decision.NEITHER,
                note="'%",
                resolved_at=NOW + 2 * DAY,
                hold_reason="ask later",
                held_value="x" * 100_000,
                held_at=NOW + 3 * DAY,
                evidence=(Evidence(message_id=message.id, quote="on May 4"),),
            )
            kept.extend([full, contradiction(fact("Lund"), "Oslo", stored_fact_id=None)])
            await file(store, *kept)

        async def read(store: Store) -> None:
            assert await stored(store) == kept
            assert await store.contradictions.find("default", kept[0].id, None) == kept[0]

        run(make_store, write, read)

    def test_keeps_what_contradicts_as_it_is(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            for number, value in enumerate(ODD_VALUES):
                scope = Scope("default", f"user {number}")
                about = fact(value, value[:90], scope=scope)
                made = contradiction(about, value, note=value, session_id=value)
                await file(store, made, scope=scope)
                assert await stored(store, scope) == [made]
                listed = await store.contradictions.listed(scope, EVERY_STATE, value)
                assert listed == [made]

        run(make_store, act)

    def test_one_open_row_for_each_stored_value(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lund = fact("Lund")
            first = contradiction(lund, "Oslo")
            await file(store, first)
            for same in ("Lund", " LUND.", "lund"):
                with pytest.raises(StoreError):
                    await file(store, contradiction(lund, "Rome", stored_value=same))
            assert await stored(store) == [first]
            others = [
                contradiction(lund, "Oslo", stored_value="Narvik"),
                contradiction(lund, "Oslo", subject="boss"),
                contradiction(lund, "Oslo", key="work.place"),
                contradiction(lund, "Oslo", state="resolved"),
            ]
            await file(store, *others)
            again = contradiction(lund, "Rome")
            settled = replace(first, state=RESOLVED, decision=Decision.STORED, resolved_at=NOW)
            await file(store, settled, again)
            assert len(await stored(store)) == 6
            assert await stored(store, Scope("default", "bob")) == []

        run(make_store, act)

    def test_a_repeat_changes_the_row(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            lund = fact("Lund")
            first, second = contradiction(lund, "Oslo"), contradiction(fact("x", "y"), "z")
            await put(store, lund, contradictions={first.id: first, second.id: second})
            seen = (await look(store)).contradictions[first.id]
            repeat = replace(seen, repeat_count=1, last_seen_at=NOW + DAY)
            await file(store, repeat)
            assert await stored(store) == [repeat, second]

        run(make_store, act)

    def test_lists_by_state_and_session_the_oldest_first(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            made = [
                contradiction(
                    fact("x", f"slot.n{n}"),
                    "y",
                    state=state,
                    at=NOW + n * DAY,
                    session_id=session,
                )
                for n, (state, session) in enumerate(
                    [
                        ("open", "a"),
                        ("held", "a"),
                        ("resolved", "b"),
                        ("open", None),
                        ("open", "%"),
                    ]
                )
            ]
            for one in made:
                await file(store, one)
            listed = store.contradictions.listed
            assert await listed(VERA, EVERY_STATE) == made
            assert await listed(VERA, frozenset({OPEN})) == [made[0], made[3], made[4]]
            assert await listed(VERA, frozenset({HELD, RESOLVED})) == [made[1], made[2]]
            assert await listed(VERA, EVERY_STATE, "a") == made[:2]
            assert await listed(VERA, frozenset({OPEN}), "%") == [made[4]]
            assert await listed(VERA, EVERY_STATE, None, 2) == made[:2]
            assert await listed(VERA, frozenset({OPEN}), "a", 9) == [made[0]]
            for name in ("A", "_", "unknown"):
                assert await listed(VERA, EVERY_STATE, name) == []
            counts = await store.contradictions.counts(VERA)
            assert counts == ContradictionCounts(open=3, held=1, resolved=1)
            moved = replace(made[0], state=HELD, hold_reason="wait", held_at=NOW)
            await file(store, moved)
            counts = await store.contradictions.counts(VERA)
            assert counts == ContradictionCounts(open=2, held=2, resolved=1)

        run(make_store, act)

    def test_being_shown_is_counted_and_settles_nothing(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            made = [contradiction(fact("x", f"slot.n{n}"), "y") for n in range(3)]
            await file(store, *made)
            await store.contradictions.note_shown(VERA, [made[0].id, "unknown", *ODD_IDS])
            await store.contradictions.note_shown(VERA, [made[0].id, made[1].id])
            await store.contradictions.note_shown(VERA, [])
            assert await stored(store) == [
                replace(made[0], surfaced=2),
                replace(made[1], surfaced=1),
                made[2],
            ]

        run(make_store, act)

    def test_shown_by_many_at_once(self, make_store: MakeStore) -> None:
        async def act(*stores: Store) -> None:
            made = contradiction(fact("x"), "y")
            await file(stores[0], made)
            shown = (stores[n % 2].contradictions.note_shown(VERA, [made.id]) for n in range(20))
            await asyncio.gather(*shown)
            assert await stored(stores[1]) == [replace(made, surfaced=20)]

        run(make_store, act, stores=2)

    def test_contradictions_stay_within_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            made = contradiction(fact("x"), "y")
            await file(store, made)
            find = store.contradictions.find
            assert await find("default", made.id, "vera") == made
            assert await find("other", made.id, None) is None
            for wrong in (*ODD_IDS, made.id[:-1], made.id + " "):
                assert await find("default", wrong, None) is None
            for other in STRANGERS:
                own = contradiction(fact("x", scope=other), "z")
                await file(store, own, scope=other)
                await store.contradictions.note_shown(other, [made.id])
                assert await find(other.tenant_id, made.id, other.user_id) is None
                assert await stored(store, other) == [own]
                counts = await store.contradictions.counts(other)
                assert counts == ContradictionCounts(open=1)
            assert await stored(store) == [made]

        run(make_store, act)


class CollisionContract(StoreCase):
    """A clash is identified by whom and what it is about, not by the rows that make it."""

    def test_a_planner_sees_collisions_and_current_facts(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            current = [
                fact("Gaia", "pet.cat"),
                fact("Nalla", "pet.dog", status=FactStatus.DISPUTED, valid_from=None),
                fact("Sam", "family.son", subject="boss", valid_until=NOW + DAY),
            ]
            past = [
                fact("Rex", "pet.old", status=FactStatus.SUPERSEDED),
                fact("Tom", "pet.no", status=FactStatus.RETRACTED),
                fact("Max", "pet.was", at=NOW - 2 * DAY, valid_until=NOW - DAY),
                fact("Bo", "pet.will", valid_from=NOW + DAY, scheduled=True),
            ]
            await put(store, *current, *past)
            seen: list[tuple[list[Collision], list[Fact]]] = []

            def plan(known: Sequence[Collision], facts: Sequence[Fact]) -> Sequence[Collision]:
                seen.append((list(known), sorted(facts, key=lambda row: row.key)))
                return made[len(known) :]

            made = [
                collision("Gaia", *current[:2], state=CollisionState.CLOSED),
                collision("Nalla", current[1], at=NOW + DAY),
            ]
            assert await store.collisions.replace(VERA, plan, NOW) == made
            by_key = sorted(current, key=lambda row: row.key)
            assert seen[-1] == ([], by_key)
            assert list(await store.collisions.replace(VERA, plan, NOW)) == []
            assert seen[-1] == (made, by_key)
            assert await store.collisions.listed(VERA, include_closed=True) == made
            assert await store.collisions.listed(VERA, include_closed=False) == made[1:]

        run(make_store, act)

    def test_keeps_every_field_of_a_collision(self, make_store: MakeStore) -> None:
        full = collision(
            "Gaia 👩‍👩‍👧 '%",
            subject="friend.sam",
            family="species %",
            kinds=("a", "b'", "ж"),
            fact_ids=("1", "2"),
            state=CollisionState.SETTLED,
            kept="b'",
            note="x" * 100_000,
            settled_at=NOW + DAY,
        )

        async def write(store: Store) -> None:
            await store.collisions.replace(VERA, lambda _, __: [full], NOW)

        async def read(store: Store) -> None:
            assert await store.collisions.listed(VERA, include_closed=True) == [full]

        run(make_store, write, read)

    def test_the_same_clash_is_one_row(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            first = collision("Gaia", fact("Gaia", "cat.name"))
            await store.collisions.replace(VERA, lambda _, __: [first], NOW)
            same = collision("Gaia", fact("Gaia", "dog.name"), kinds=("dog", "fish"))
            await store.collisions.replace(VERA, lambda _, __: [same], NOW)
            listed = await store.collisions.listed(VERA, include_closed=True)
            assert [(c.id, c.name, c.kinds, c.fact_ids) for c in listed] == [
                (first.id, "Gaia", ("dog", "fish"), same.fact_ids)
            ]
            others = [
                collision("Gaia", subject="boss"),
                collision("Gaia", family="place"),
                collision("Rex"),
            ]
            await store.collisions.replace(VERA, lambda _, __: others, NOW)
            settled = replace(listed[0], state=CollisionState.SETTLED, kept="dog", settled_at=NOW)
            await store.collisions.replace(VERA, lambda _, __: [settled], NOW)
            after = await store.collisions.listed(VERA, include_closed=True)
            assert len(after) == 4
            assert settled in after

        run(make_store, act)

    def test_a_planner_of_collisions_that_raises_changes_nothing(
        self, make_store: MakeStore
    ) -> None:
        async def act(store: Store) -> None:
            first = collision("Gaia")
            await store.collisions.replace(VERA, lambda _, __: [first], NOW)

            def refuse(_: Sequence[Collision], __: Sequence[Fact]) -> Sequence[Collision]:
                raise StoreError("refused")

            with pytest.raises(StoreError, match="refused"):
                await store.collisions.replace(VERA, refuse, NOW)
            assert await store.collisions.listed(VERA, include_closed=True) == [first]

        run(make_store, act)

    def test_found_by_many_at_once_it_is_one(self, make_store: MakeStore) -> None:
        def find(known: Sequence[Collision], _: Sequence[Fact]) -> Sequence[Collision]:
            return [] if known else [collision("Gaia")]

        async def act(*stores: Store) -> None:
            raised = await asyncio.gather(
                *(stores[n % 2].collisions.replace(VERA, find, NOW) for n in range(20))
            )
            assert sum(len(found) for found in raised) == 1
            assert len(await stores[1].collisions.listed(VERA, include_closed=True)) == 1

        run(make_store, act, stores=2)

    def test_collisions_stay_within_the_walls(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            mine = collision("Gaia")
            await put(store, fact("Gaia", "cat.name"))
            await store.collisions.replace(VERA, lambda _, __: [mine], NOW)
            for other in STRANGERS:
                own = collision("Gaia", fact("x", scope=other))
                seen: list[int] = []

                def plan(
                    known: Sequence[Collision],
                    facts: Sequence[Fact],
                    own: Collision = own,
                    seen: list[int] = seen,
                ) -> Sequence[Collision]:
                    seen.append(len(known) + len(facts))
                    return [own]

                await store.collisions.replace(other, plan, NOW)
                assert set(seen) == {0}
                assert await store.collisions.listed(other, include_closed=True) == [own]
            assert await store.collisions.listed(VERA, include_closed=True) == [mine]

        run(make_store, act)
