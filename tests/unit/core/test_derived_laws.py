"""Laws of derived records: what is known at one time, and what is left of a message."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.codec import decode
from backstory.core.derived.book import DerivedBook, DerivedPlan, joined, was_known
from backstory.core.derived.changing import settle
from backstory.core.derived.rows import body_of, checked, record_of, slot_hash
from backstory.core.derived.withdrawing import restrict, sessions_of, withdraw, without
from backstory.core.model.derived import (
    KINDS,
    Derived,
    Event,
    Intention,
    Summary,
    SummaryKind,
    Texture,
)
from backstory.core.model.fact import Evidence
from backstory.errors import InvalidInputError

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = date(2026, 3, 1)
HOUR = timedelta(hours=1)


def evidence(*names: str) -> tuple[Evidence, ...]:
    """Evidence in messages of these ids."""
    return tuple(Evidence(message_id=name, quote=f"words of {name}") for name in names)


def event(name: str, *messages: str, at: datetime = NOW) -> Event:
    """An event."""
    return Event(
        id=name,
        user_id="vera",
        at=at,
        recorded_at=at,
        predicate=name,
        occurred_on=DAY,
        evidence=evidence(*messages),
    )


def summary(text: str, known_from: datetime | None = None, name: str = "s") -> Summary:
    """A version of the summary of one session."""
    return Summary(
        id=name,
        user_id="vera",
        at=NOW,
        recorded_at=NOW,
        known_from=known_from,
        kind=SummaryKind.SESSION,
        session_id="talk",
        text=text,
        starts_on=DAY,
        ends_on=DAY,
        messages=1,
        sessions=("talk",),
    )


def applied(rows: Sequence[Derived], plan: DerivedPlan, now: datetime) -> list[Derived]:
    """The rows after a plan, as a store would have them."""
    numbered = dict(enumerate(rows))
    held = {n: record for n, record in numbered.items() if record.replaced_at is None}
    past = {n: record for n, record in numbered.items() if record.replaced_at is not None}
    changes = settle(plan, held, now, past)
    kept = [
        replace(record, replaced_at=changes.closed[n]) if n in changes.closed else record
        for n, record in numbered.items()
    ]
    return [*kept, *(addition.record for addition in changes.added)]


hours = st.integers(-50, 50).map(lambda n: NOW + n * HOUR)
steps = st.lists(
    st.tuples(hours, st.none() | hours, st.sampled_from("ab"), st.integers(0, 2)), max_size=8
)


@given(steps, st.lists(hours, min_size=1, max_size=10))
def test_at_no_time_two_versions_of_a_slot_were_known(
    given_steps: list[tuple[datetime, datetime | None, str, int]], times: list[datetime]
) -> None:
    rows: list[Derived] = []
    for now, known_from, name, text in given_steps:
        record = summary(f"text {text}", known_from, name)
        rows = applied(rows, DerivedPlan(put=(record,)), now)
        assert sum(was_known(row, None) for row in rows) == 1
        assert len({(row.id, row.recorded_at) for row in rows}) == len(rows)
        assert all(row.replaced_at is None or row.replaced_at >= _known(row) for row in rows)
    for at in times:
        assert sum(was_known(row, at) for row in rows) <= 1


def _known(row: Derived) -> datetime:
    return row.known_from or row.recorded_at


@given(steps)
def test_a_plan_that_was_written_says_nothing_new(
    given_steps: list[tuple[datetime, datetime | None, str, int]],
) -> None:
    rows: list[Derived] = []
    for now, known_from, name, text in given_steps:
        plan = DerivedPlan(put=(summary(f"text {text}", known_from, name),))
        rows = applied(rows, plan, now)
        if known_from is None:
            assert applied(rows, plan, now + HOUR) == rows


ids = st.sampled_from(["m1", "m2", "m3"])
some_rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.lists(ids, max_size=3, unique=True), st.booleans()),
    max_size=6,
)


@given(some_rows, st.sets(ids, min_size=1), st.booleans())
def test_nothing_quotes_a_message_that_was_withdrawn(
    given_rows: list[tuple[str, list[str], bool]], gone: set[str], is_whole: bool
) -> None:
    rows: list[Derived] = []
    for number, (name, messages, is_over) in enumerate(given_rows):
        made: Derived = event(name, *messages)
        if is_whole:
            made = Texture(
                id=name,
                user_id="vera",
                at=NOW,
                recorded_at=NOW,
                throughline="t",
                register="r",
                evidence=evidence(*messages),
            )
        recorded = NOW + number * HOUR
        ended = (
            recorded + HOUR if is_over or name in [r[0] for r in given_rows[number + 1 :]] else None
        )
        rows.append(replace(made, recorded_at=recorded, replaced_at=ended))
    plan = withdraw(rows, gone, frozenset())
    amended = {(r.id, r.recorded_at): r for r in plan.amended}
    left = [
        amended.get((r.id, r.recorded_at), r)
        for r in rows
        if r.id not in plan.erase and (r.id, r.recorded_at) not in plan.dropped
    ]
    assert not gone & {e.message_id for r in left for e in r.evidence}
    kept = [(r.id, r.recorded_at) for r in left]
    for row in rows:
        named = {e.message_id for e in row.evidence}
        if not named & gone and not is_whole:
            assert (row.id, row.recorded_at) in kept
    current = [r.id for r in left if r.replaced_at is None]
    assert len(current) == len(set(current))


def test_what_a_record_loses_with_a_message() -> None:
    saved = Intention(id="i", user_id="v", at=NOW, recorded_at=NOW, what="call", session_id="talk")
    assert without(saved, {"m1"}, {"talk"}) == saved
    assert without(event("e", "m1", "m2"), {"m1"}, {"talk"}) == event("e", "m2")
    assert without(event("e", "m1"), {"m1"}, {"talk"}) is None
    assert without(summary("s"), {"m1"}, {"walk"}) == summary("s")
    assert without(summary("s"), {"m1"}, {"talk"}) is None


class _Slotted(Event):
    """An event of which only one is current."""

    @property
    def slot(self) -> str:
        """One for all."""
        return "one"


def test_a_slot_that_another_record_has_by_now_is_not_taken_back() -> None:
    def version(name: str, message: str, hours: int, ended: int | None) -> Derived:
        made = event(name, message)
        at = {"recorded_at": NOW + hours * HOUR}
        over = None if ended is None else NOW + ended * HOUR
        return _Slotted(**{**vars(made), **at, "replaced_at": over})

    rows = [version("a", "m1", 0, 1), version("a", "m2", 1, None)]
    (back,) = withdraw(rows, {"m2"}, set()).amended
    assert back == replace(rows[0], replaced_at=None)
    # two records of one slot: as another process of another version may leave it
    other = version("b", "m3", 2, None)
    assert withdraw([*rows, other], {"m2"}, set()).amended == ()


def test_a_plan_without_what_is_gone() -> None:
    plan = DerivedPlan(
        put=(event("a", "m1"), event("b", "m1", "m2"), summary("s")), episodes={"talk": 3}
    )
    assert sessions_of(plan) == {"talk"}
    seen = {"m1": "talk", "m2": "walk"}
    assert restrict(plan, seen, {"talk": 3}, {}) is plan
    assert restrict(plan, {"m2": "walk"}, {"talk": 3}, {}).put == (event("b", "m2"), summary("s"))
    assert not restrict(plan, seen, {"talk": 4}, {})
    assert not restrict(plan, seen, {}, {})
    daily = DerivedPlan(put=plan.put)
    assert restrict(daily, seen, {}, {}).put == plan.put[:2]
    both = joined([plan, DerivedPlan(episodes={"walk": 1})])
    left = restrict(both, seen, {"talk": 3, "walk": 2}, {})
    assert left.episodes == {"talk": 3}
    assert left.put == (event("a", "m1"), event("b", "m1"), summary("s"))


def test_a_record_comes_back_as_it_went_in() -> None:
    made = checked(event("e", "m1"), "vera")
    assert made == event("e", "m1")
    whole = record_of("event", body_of(made), id="e", user_id="vera", at=NOW, recorded_at=NOW)
    assert whole == made
    assert slot_hash(made) is None
    assert slot_hash(summary("a")) == slot_hash(summary("b"))
    for kind, body in (("none", {}), ("event", {}), ("event", {"at": "x"}), ("event", [])):
        with pytest.raises(InvalidInputError):
            record_of(kind, body, id="e", user_id="vera", at=NOW, recorded_at=NOW)
    with pytest.raises(InvalidInputError, match="no kind"):
        checked(_Foreign(id="x", user_id="v", at=NOW, recorded_at=NOW), "vera")


class _Foreign(Derived):
    """A kind that no table of kinds names."""


def test_every_kind_can_be_read_from_json() -> None:
    for kind in KINDS.values():
        with pytest.raises(InvalidInputError, match="no id"):
            decode(kind, {})


def test_days_are_days() -> None:
    body = body_of(event("e"))
    assert body["occurred_on"] == "2026-03-01"
    for wrong in ("2026-02-30", "", 3, None, "2026-03-01T00:00:00Z"):
        with pytest.raises(InvalidInputError):
            record_of(
                "event",
                {**body, "occurred_on": wrong},
                id="e",
                user_id="v",
                at=NOW,
                recorded_at=NOW,
            )


def test_a_book_gives_records_by_kind_and_time() -> None:
    rows = (event("b", at=NOW + HOUR), event("a"), summary("s"))
    book = DerivedBook(rows)
    assert [r.id for r in book.of(Event)] == ["a", "b"]
    assert book.get(Event, "s") is None
    assert book.in_slot(Summary, "session:talk") == rows[2]
