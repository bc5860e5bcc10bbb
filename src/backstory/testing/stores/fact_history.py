"""The store contract: what happened to a slot of facts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backstory.core.model.fact import (
    Change,
    Evidence,
    FactStatus,
)
from backstory.ports.store import Store
from backstory.testing.stores.base import NOW, VERA, MakeStore, StoreCase, add, run
from backstory.testing.stores.fact_base import (
    DAY,
    SECOND,
    correction,
    fact,
    follow,
    look,
    put,
    revision,
)

MOMENT = timedelta(microseconds=1)
FAR = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)


class FactHistoryContract(StoreCase):
    """What happened to a slot can be told, and the log is only ever added to."""

    def test_gives_rows_states_and_log_of_the_slot(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "I moved to Oslo.")).messages[0]
            rows = [fact("Lund"), fact("Oslo", said_in=message), fact("Narvik")]
            for row in rows:
                await follow(store, row)
            role = fact("nurse", "work.role")
            line = correction(role, Change.UPDATED, NOW)
            await put(store, role, fact("Rome", subject="boss"), corrections=(line,))
            history = await store.facts.history(VERA, rows[1].id)
            assert history is not None
            assert [row.value for row in history.facts] == ["Lund", "Oslo", "Narvik"]
            assert [state.value for state in history.revisions] == ["Lund", "Oslo"]
            first = history.revisions[0]
            assert (first.fact_id, first.revision) == (rows[0].id, 1)
            assert (first.status, first.valid_until) == (FactStatus.ACTIVE, None)
            assert (first.believed_at, first.replaced_at) == (NOW, NOW + SECOND)
            lines = [(c.fact_id, c.other_id, c.new_value) for c in history.corrections]
            assert lines == [
                (rows[0].id, rows[1].id, "Oslo"),
                (rows[1].id, rows[2].id, "Narvik"),
            ]
            assert history.corrections[0].evidence == rows[1].evidence
            assert history == await store.facts.history(VERA, rows[0].id)
            assert await store.facts.history(VERA, "unknown") is None

        run(make_store, act)

    def test_rows_stand_in_order_of_valid_time(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            starts = {"c": NOW, "b": NOW - DAY, "a": None, "d": NOW + DAY}
            past = FactStatus.SUPERSEDED
            rows = [fact(v, valid_from=start, status=past) for v, start in starts.items()]
            await put(store, *rows)
            history = await store.facts.history(VERA, rows[0].id)
            assert history is not None
            assert [row.value for row in history.facts] == ["a", "b", "c", "d"]

        run(make_store, act)

    def test_keeps_every_field_of_states_and_lines(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            message = (await add(store, "No, in Oslo.")).messages[0]
            row = fact("Lund", valid_from=None, valid_until=FAR)
            await put(store, row)
            changed = replace(row, value="Oslo", believed_at=NOW + MOMENT)
            state = revision(await look(store), row, NOW + MOMENT)
            line = correction(
                row,
                Change.CORRECTED,
                NOW + MOMENT,
                old_value="Lund %",
                new_value="x" * 100_000,
                actor="model:a 'b'",
                reason="",
                evidence=(Evidence(message_id=message.id, quote="in Oslo"),),
            )
            empty = correction(row, Change.RETRACTED, NOW, old_value=None, other_id=None)
            await put(store, changed, revisions=(state,), corrections=(empty, line))
            history = await store.facts.history(VERA, row.id)
            assert history is not None
            assert history.revisions == (state,)
            assert history.corrections == (empty, line)
            book = await look(store)
            assert book.revisions == (state,)
            assert sorted(book.corrections, key=lambda c: c.at) == [empty, line]

        run(make_store, act)

    def test_an_import_may_change_what_an_earlier_state_was(self, make_store: MakeStore) -> None:
        """News of an old message belongs into the states that were believed since then."""

        async def act(store: Store) -> None:
            row = fact("Lund")
            await put(store, row)
            states = [
                replace(revision(await look(store), row, NOW + n * DAY), revision=n) for n in (1, 2)
            ]
            now = replace(row, value="Oslo", believed_at=NOW + 2 * DAY)
            await put(store, now, revisions=tuple(states))
            cut = replace(states[0], replaced_at=NOW + SECOND)
            added = replace(
                states[0],
                revision=3,
                believed_at=NOW + SECOND,
                valid_until=NOW + DAY,
                status=FactStatus.SUPERSEDED,
            )
            await put(store, now, revisions=(cut, added))
            history = await store.facts.history(VERA, row.id)
            assert history is not None
            assert sorted(history.revisions, key=lambda r: r.revision) == [cut, states[1], added]

        run(make_store, act)

    def test_the_log_is_only_added_to(self, make_store: MakeStore) -> None:
        async def act(store: Store) -> None:
            row = fact("Lund")
            lines = [correction(row, Change.UPDATED, NOW + n * DAY) for n in range(3)]
            await put(store, row, corrections=tuple(lines))
            undone = replace(lines[1], undone=True)
            undoing = correction(row, Change.UNDONE, NOW + 3 * DAY)
            await put(store, row, corrections=(undone, undoing))
            kept = [lines[0], undone, lines[2], undoing]
            history = await store.facts.history(VERA, row.id)
            assert history is not None
            assert list(history.corrections) == kept
            rewritten = replace(lines[0], undone=True, reason="another", old_value="Rome")
            await put(store, row, corrections=(rewritten,))
            history = await store.facts.history(VERA, row.id)
            assert history is not None
            assert list(history.corrections) == [replace(lines[0], undone=True), *kept[1:]]

        run(make_store, act)
