"""The working copy of a decision: rows that change, with the states and log lines they leave.

Every change of a row's value, status or interval keeps the state it had as a revision, and writes
one log line about that row. Undo rests on this: the last line about a row at a time belongs to the
highest revision of the row that was replaced at that time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from backstory.core.facts.book import FactBook, FactPlan, Outcome
from backstory.core.model.fact import (
    Change,
    Evidence,
    Fact,
    FactCorrection,
    FactRevision,
    FactStatus,
)
from backstory.core.model.reading import ClaimRejection
from backstory.errors import InvalidInputError, NotFoundError

CURRENT = (FactStatus.ACTIVE, FactStatus.DISPUTED)
# Between the id of an operation's first line and the numbers of its further ones.
_PART = "#"
_IN_STATES = ("value", "status", "valid_from", "valid_until")


@dataclass(frozen=True, kw_only=True)
class By:
    """Who makes a change, why, and since when it is known.

    Attributes:
        at: Knowledge time: the commit, or in a bulk import the time of the message.
    """

    actor: str
    reason: str
    at: datetime
    evidence: tuple[Evidence, ...] = ()


class Draft:
    """Rows, log and contradictions of a book, as a plan is going to leave them."""

    def __init__(
        self, book: FactBook, *, user_id: str, now: datetime, new_ids: Sequence[str]
    ) -> None:
        """Begin with a book as it is.

        Args:
            book: What is stored.
            user_id: Whose facts.
            now: The time of the commit.
            new_ids: At least one id that is not in use; further ones are made from them.
        """
        if not new_ids:
            raise InvalidInputError("a plan needs at least one new id")
        self.user_id = user_id
        self.now = now
        self.facts = dict(book.facts)
        self.contradictions = dict(book.contradictions)
        self.lines = list(book.corrections)
        self.removed: set[str] = set()
        self.rejections: list[ClaimRejection] = []
        self.by = By(actor="api", reason="", at=now)
        self._book = book
        self._ids = tuple(new_ids)
        self._used = 0
        self._operation: str | None = None
        self._part = 0
        self._made: list[str] = []
        self._named: set[str | None] = set()
        self._states: dict[str, list[FactRevision]] = {}
        for revision in sorted(book.revisions, key=lambda r: r.revision):
            self._states.setdefault(revision.fact_id, []).append(revision)
        self._known = {id(r) for r in book.revisions}

    def start(self, by: By) -> None:
        """Begin an operation: what it changes is undone at once."""
        self._note_made()
        self.by = by
        self._operation = None
        self._part = 0
        self._made.clear()
        self._named.clear()

    def new_id(self) -> str:
        """An id that is not in use."""
        place = self._used
        self._used += 1
        base = self._ids[place % len(self._ids)]
        again = place // len(self._ids)
        return f"{base}-{again}" if again else base

    def fact(self, fact_id: str) -> Fact:
        """A row by its id.

        Raises:
            NotFoundError: There is none.
        """
        found = self.facts.get(fact_id)
        if found is None or fact_id in self.removed:
            raise NotFoundError("there is no such fact for this user")
        return found

    def rows(self, subject: str, key: str) -> list[Fact]:
        """The rows of a slot that are believed, oldest valid time first."""
        found = [
            f
            for f in self.facts.values()
            if f.subject == subject
            and f.key == key
            and f.status is not FactStatus.RETRACTED
            and f.id not in self.removed
        ]
        return sorted(found, key=by_valid_time)

    def add(self, fact: Fact) -> Fact:
        """Put in a new row."""
        self.facts[fact.id] = fact
        self._made.append(fact.id)
        return fact

    def touch(self, fact_id: str, **fields: Any) -> Fact:
        """Change what is no part of a row's state: mentions, evidence, links, flags."""
        changed = replace(self.facts[fact_id], **fields)
        self.facts[fact_id] = changed
        return changed

    def change(
        self,
        fact_id: str,
        change: Change,
        *,
        other_id: str | None = None,
        new_value: str | None = None,
        **fields: Any,
    ) -> Fact:
        """Give a row a new state; the one it had becomes a revision, and the log a line.

        A change that was known before the row became as it is (a bulk import of old messages)
        also goes into the later states.

        Args:
            fact_id: The row.
            change: What is done.
            other_id: The row that takes its place, or is taken back.
            new_value: What the log says for the new value.
            **fields: What the row is to have.
        """
        old = self.facts[fact_id]
        at = self.by.at
        if at < old.believed_at:
            self._change_states(fact_id, at, fields)
        self._keep(old, min(old.believed_at, at), at)
        if change is Change.UPDATED:
            fields["updated_at"] = at
        new = replace(old, believed_at=max(old.believed_at, at), **fields)
        self.facts[fact_id] = new
        self.log(new, change, other_id=other_id, old_value=old.value, new_value=new_value)
        return new

    def states(self, fact_id: str) -> list[FactRevision]:
        """The earlier states of a row in order of their numbers."""
        return self._states.get(fact_id, [])

    def add_state(self, fact: Fact, start: datetime, end: datetime, **fields: Any) -> None:
        """Say how a row was believed to be in an earlier stretch of knowledge."""
        self._keep(replace(fact, **fields), start, end)

    def log(
        self,
        fact: Fact,
        change: Change,
        *,
        other_id: str | None = None,
        old_value: str | None = None,
        new_value: str | None = None,
    ) -> None:
        """Write a line about a row."""
        if self._operation is None:
            self._operation = self.new_id()
            line_id = self._operation
        else:
            line_id = f"{self._operation}{_PART}{self._part}"
        self._part += 1
        self._named |= {fact.id, other_id}
        self.lines.append(
            FactCorrection(
                id=line_id,
                user_id=self.user_id,
                fact_id=fact.id,
                subject=fact.subject,
                key=fact.key,
                change=change,
                old_value=old_value,
                new_value=new_value,
                actor=self.by.actor,
                reason=self.by.reason,
                at=self.by.at,
                other_id=other_id,
                evidence=self.by.evidence,
            )
        )

    def plan(self, outcomes: Sequence[Outcome] = ()) -> FactPlan:
        """What is to be written: what differs from the book, and nothing else."""
        self._note_made()
        known = self._book.facts
        facts = [f for i, f in self.facts.items() if i not in self.removed and known.get(i) != f]
        facts.sort(key=lambda f: f.status in CURRENT)
        lines = {line.id: line for line in self._book.corrections}
        open_before = self._book.contradictions
        return FactPlan(
            facts={f.id: f for f in facts},
            revisions=tuple(
                state
                for fact_id, states in self._states.items()
                if fact_id not in self.removed
                for state in states
                if id(state) not in self._known
            ),
            corrections=tuple(line for line in self.lines if lines.get(line.id) != line),
            contradictions={
                i: c
                for i, c in self.contradictions.items()
                if i not in self.removed and open_before.get(i) != c
            },
            removed=frozenset(self.removed),
            outcomes=tuple(outcomes),
            rejections=tuple(self.rejections),
        )

    def _note_made(self) -> None:
        """Log the rows that an operation brought beside others: they have no state before it."""
        if self._operation is not None:
            for fact_id in self._made:
                if fact_id not in self._named:
                    row = self.facts[fact_id]
                    self.log(row, Change.UPDATED, new_value=row.value)

    def _keep(self, state: Fact, start: datetime, end: datetime) -> None:
        states = self._states.setdefault(state.id, [])
        number = states[-1].revision + 1 if states else 1
        states.append(
            FactRevision(
                fact_id=state.id,
                revision=number,
                value=state.value,
                status=state.status,
                valid_from=state.valid_from,
                valid_until=state.valid_until,
                believed_at=start,
                replaced_at=end,
            )
        )

    def _change_states(self, fact_id: str, at: datetime, fields: dict[str, Any]) -> None:
        """Bring a change into the states that were believed after it was known."""
        states = self._states.get(fact_id, [])
        split = []
        for place, state in enumerate(states):
            if state.replaced_at <= at or state.status is FactStatus.RETRACTED:
                continue
            changed = _changed_state(state, fields)
            if state.believed_at < at:
                states[place] = replace(state, replaced_at=at)
                split.append(replace(changed, believed_at=at))
            else:
                states[place] = changed
        number = states[-1].revision if states else 0
        states.extend(replace(s, revision=number + n) for n, s in enumerate(split, 1))


def operation_of(line: FactCorrection) -> str:
    """The id that all lines of one operation share."""
    return line.id.partition(_PART)[0]


def by_valid_time(fact: Fact) -> tuple[bool, float, bool, float, float]:
    """Order of valid time: no start first; an empty interval before the row that follows it."""
    start, end = fact.valid_from, fact.valid_until
    return (
        start is not None,
        start.timestamp() if start else 0.0,
        end is None,
        end.timestamp() if end else 0.0,
        fact.recorded_at.timestamp(),
    )


def is_held(fact: Fact, now: datetime) -> bool:
    """Whether a row is active or disputed and not over; it may be still to begin."""
    return fact.status in CURRENT and (fact.valid_until is None or fact.valid_until > now)


def first_known(draft: Draft, fact: Fact) -> datetime:
    """Since when a row is known at all."""
    return min([fact.believed_at, *(s.believed_at for s in draft.states(fact.id))])


def _changed_state(state: FactRevision, fields: dict[str, Any]) -> FactRevision:
    chosen = {name: fields[name] for name in _IN_STATES if name in fields}
    until = chosen.get("valid_until")
    if until is not None and state.valid_until is not None and state.valid_until < until:
        chosen.pop("valid_until")
        chosen.pop("status", None)
    return replace(state, **chosen)
