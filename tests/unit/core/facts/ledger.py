"""A store of facts in memory that applies plans, and says whether its rows make sense."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

from backstory.core.facts.asof import as_of, is_current
from backstory.core.facts.book import FactBook, FactPlan, Outcome
from backstory.core.facts.stating import plan_claims
from backstory.core.facts.undoing import undo
from backstory.core.facts.withdrawing import withdraw
from backstory.core.model.contradiction import Contradiction, ContradictionState
from backstory.core.model.fact import (
    Cardinality,
    Evidence,
    Fact,
    FactCorrection,
    FactKind,
    FactRevision,
    FactStatus,
)
from backstory.core.model.reading import Act, Claim
from backstory.core.values import normal_value

START = datetime(2020, 1, 1, tzinfo=UTC)
HOME = "home.place"
Row = tuple[object, ...]


def day(number: float) -> datetime:
    """A time, in days since the start."""
    return START + timedelta(days=number)


def claim(value: str | None, said: float = 0, *, key: str | None = HOME, **fields: Any) -> Claim:
    """A statement; times in days."""
    for name in ("valid_from", "valid_until", "known_from"):
        if name in fields:
            fields[name] = day(fields[name])
    if "said_in" in fields:
        fields["evidence"] = (Evidence(message_id=fields.pop("said_in"), quote="…"),)
    return Claim(key=key, value=value, said_at=day(said), **fields)


class Ledger:
    """Rows of one user."""

    def __init__(self) -> None:
        self.facts: dict[str, Fact] = {}
        self.revisions: dict[tuple[str, int], FactRevision] = {}
        self.corrections: dict[str, FactCorrection] = {}
        self.contradictions: dict[str, Contradiction] = {}
        self.now = START
        self._made = 0

    def book(self, **fields: Any) -> FactBook:
        """All of it."""
        undecided = {
            i: c
            for i, c in self.contradictions.items()
            if c.state is not ContradictionState.RESOLVED
        }
        return FactBook(
            facts=dict(self.facts),
            revisions=tuple(self.revisions.values()),
            corrections=tuple(self.corrections.values()),
            contradictions=undecided,
            **fields,
        )

    def ids(self) -> list[str]:
        """Two new ids: fewer than most plans need."""
        self._made += 1
        return [f"n{self._made:04}a", f"n{self._made:04}b"]

    def tell(self, *claims: Claim, at: float | None = None, **fields: Any) -> list[Outcome]:
        """Plan and apply statements, at the time of the last one unless given."""
        self.now = max(self.now, claims[-1].said_at if at is None else day(at))
        book, ids = self.book(**fields.pop("book", {})), self.ids()
        plans = [
            plan_claims(book, claims, user_id="vera", now=self.now, new_ids=ids, **fields)
            for _ in range(2)
        ]
        assert plans[0] == plans[1], "the same input gives the same plan"
        assert len(plans[0].outcomes) == len(claims)
        self.apply(plans[0])
        return list(plans[0].outcomes)

    def do(self, what: Callable[..., FactPlan], *args: Any, at: float, **fields: Any) -> FactPlan:
        """Plan and apply a decision by hand."""
        self.now = max(self.now, day(at))
        plan = what(self.book(), *args, user_id="vera", now=self.now, new_ids=self.ids(), **fields)
        self.apply(plan)
        return plan

    def undo(self, at: float, fact_id: str | None = None) -> FactPlan:
        """Take back the last correction."""
        return self.do(undo, fact_id, at=at)

    def withdraw(self, *message_ids: str, at: float) -> FactPlan:
        """Take back messages."""
        self.now = max(self.now, day(at))
        plan = withdraw(self.book(), frozenset(message_ids), self.now)
        self.apply(plan)
        return plan

    def apply(self, plan: FactPlan) -> None:
        """Write a plan, as a store does."""
        for gone in plan.removed:
            self.facts.pop(gone, None)
            self.contradictions.pop(gone, None)
            self.revisions = {k: r for k, r in self.revisions.items() if k[0] != gone}
            self.corrections = {k: c for k, c in self.corrections.items() if c.fact_id != gone}
        for fact_id in plan.facts:
            assert fact_id not in plan.removed
        self.facts |= plan.facts
        for revision in plan.revisions:
            self.revisions[revision.fact_id, revision.revision] = revision
        for line in plan.corrections:
            self.corrections[line.id] = line
        self.contradictions |= plan.contradictions
        assert all(r.fact_id in self.facts for r in self.revisions.values())

    def current(self, key: str = HOME) -> list[str]:
        """The current values of a slot, sorted."""
        rows = self.facts.values()
        return sorted(f.value for f in rows if f.key == key and is_current(f, self.now))

    def seen(self, valid: float, known: float | None = None) -> list[str]:
        """What was believed, sorted."""
        known_at = None if known is None else day(known)
        return sorted(f.value for f in self.as_of(day(valid), known_at))

    def as_of(self, valid_at: datetime, known_at: datetime | None) -> list[Fact]:
        """What was believed at a time about another."""
        return as_of(self.facts.values(), self.revisions.values(), valid_at, known_at)

    def open(self) -> list[Contradiction]:
        """The open contradictions."""
        every = self.contradictions.values()
        return [c for c in every if c.state is ContradictionState.OPEN]

    def row(self, value: str) -> Fact:
        """The only row of a value."""
        found = [f for f in self.facts.values() if f.value == value]
        assert len(found) == 1, found
        return found[0]

    def shape(self, at: float) -> set[Row]:
        """What rows say at a time, without when it is known: the retracted ones left out."""
        now = day(at)
        return {
            (
                f.id,
                f.value,
                self._status(f, now),
                f.valid_from,
                f.valid_until,
                self._followed_at(f),
                None if self._is_passed(f, now) else f.superseded_at,
                f.retracted_at,
                f.updated_at,
            )
            for f in self.facts.values()
            if f.status is not FactStatus.RETRACTED
        }

    def _is_passed(self, fact: Fact, now: datetime) -> bool:
        """Whether its planned end has come; the next write of the slot notices it."""
        return fact.valid_until is not None and fact.valid_until <= now

    def _followed_at(self, fact: Fact) -> datetime | None:
        """Where the row that it points at begins; of several empty ones any will do."""
        follower = self.facts.get(fact.superseded_by or "")
        return follower.valid_from if follower is not None else None

    def _status(self, fact: Fact, now: datetime) -> FactStatus:
        return FactStatus.ENDED if self._is_passed(fact, now) else fact.status

    def timeline(self, key: str = HOME) -> list[tuple[str, datetime | None, datetime | None]]:
        """The pieces of a slot that are not empty, joined where the value goes on."""
        rows = sorted(
            (f for f in self.facts.values() if f.key == key and is_believed(f)),
            key=lambda f: f.valid_from or datetime.min.replace(tzinfo=UTC),
        )
        pieces: list[tuple[str, datetime | None, datetime | None]] = []
        for row in rows:
            if row.valid_from is not None and row.valid_from == row.valid_until:
                continue
            value = normal_value(row.value)
            if pieces and pieces[-1][0] == value and pieces[-1][2] == row.valid_from:
                pieces[-1] = (value, pieces[-1][1], row.valid_until)
            else:
                pieces.append((value, row.valid_from, row.valid_until))
        return pieces


def is_believed(fact: Fact) -> bool:
    """Whether a row is not retracted."""
    return fact.status is not FactStatus.RETRACTED


def say(fact: Fact) -> str:
    """A row in short."""
    start, end = (
        None if t is None else (t - START).total_seconds() / 86_400
        for t in (fact.valid_from, fact.valid_until)
    )
    mark = " ahead" if fact.scheduled else ""
    return (
        f"{fact.id} {fact.key}={fact.value} {fact.status}{mark} [{start}, {end}) "
        f"-> {fact.superseded_by}"
    )


def check(ledger: Ledger) -> None:
    """See that the rows of a ledger make sense together."""
    for fact in ledger.facts.values():
        _check_row(ledger, fact)
    slots: dict[object, list[Fact]] = {}
    for fact in ledger.facts.values():
        if is_believed(fact) and fact.kind is FactKind.PERMANENT:
            many = fact.cardinality is Cardinality.MANY
            slot = (fact.subject, fact.key, normal_value(fact.value) if many else None)
            slots.setdefault(slot, []).append(fact)
    for rows in slots.values():
        _check_slot(rows)
    _check_disputes(ledger)


def _check_row(ledger: Ledger, fact: Fact) -> None:
    if fact.valid_from is not None and fact.valid_until is not None:
        assert fact.valid_from <= fact.valid_until, say(fact)
    if fact.status is FactStatus.SUPERSEDED:
        follower = ledger.facts[fact.superseded_by or ""]
        assert is_believed(follower), (say(fact), say(follower))
        assert follower.valid_from == fact.valid_until is not None, (say(fact), say(follower))
        assert fact.superseded_at is not None
    if fact.status is FactStatus.ENDED:
        assert fact.valid_until is not None, say(fact)
    if fact.status in (FactStatus.ACTIVE, FactStatus.DISPUTED):
        assert fact.superseded_at is None, say(fact)
        assert fact.retracted_at is None, say(fact)
    assert (fact.status is FactStatus.RETRACTED) == (fact.retracted_at is not None), say(fact)
    assert fact.believed_at <= ledger.now
    states = sorted(
        (r for r in ledger.revisions.values() if r.fact_id == fact.id),
        key=lambda r: (r.believed_at, r.revision),
    )
    lasting = [(r.believed_at, r.replaced_at) for r in states if r.believed_at < r.replaced_at]
    ends = [*(start for start, _ in lasting[1:]), fact.believed_at]
    assert [end for _, end in lasting] == ends[: len(lasting)], (say(fact), lasting)


def _check_slot(rows: Sequence[Fact]) -> None:
    active = [f for f in rows if f.status is FactStatus.ACTIVE and not f.scheduled]
    assert len(active) <= 1, f"two current rows: {list(map(say, active))}"
    for one, other in combinations(rows, 2):
        both = {one.status, other.status} == {FactStatus.DISPUTED}
        assert both or not _overlap(one, other), f"two values at once: {say(one)} | {say(other)}"


def _overlap(one: Fact, other: Fact) -> bool:
    start = max((f.valid_from for f in (one, other) if f.valid_from), default=None)
    ends = [f.valid_until for f in (one, other) if f.valid_until is not None]
    if start is None:
        return not ends or min(ends) > datetime.min.replace(tzinfo=UTC)
    return not ends or min(ends) > start


def _check_disputes(ledger: Ledger) -> None:
    undecided = [
        c for c in ledger.contradictions.values() if c.state is not ContradictionState.RESOLVED
    ]
    sides = {i for c in undecided for i in (c.stored_fact_id, c.stated_fact_id) if i}
    disputed = {f.id for f in ledger.facts.values() if f.status is FactStatus.DISPUTED}
    assert disputed <= sides, "a disputed row has its contradiction"
    still = {c.id for c in undecided if c.state is ContradictionState.OPEN}
    for known in undecided:
        if known.id in still:
            named = {i for i in (known.stored_fact_id, known.stated_fact_id) if i}
            assert named <= disputed, "an open contradiction is about disputed rows"
    stored = [(c.subject, c.key, normal_value(c.stored_value)) for c in undecided]
    assert len(stored) == len(set(stored)), "one open contradiction for each stored value"


def end_of(value: str | None, said: float, **fields: Any) -> Claim:
    """A statement that something holds no longer."""
    return claim(value, said, act=Act.END, **fields)
