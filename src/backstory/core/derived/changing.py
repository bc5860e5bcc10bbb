"""What a plan changes in the rows of a store: which versions it adds, and which it closes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import Derived

_MOST_SKEW: Final = timedelta(minutes=10)
_TICK: Final = timedelta(microseconds=1)


@dataclass(frozen=True)
class Addition:
    """A version that is new.

    Attributes:
        takes: The number of the version whose text it has, and whose vectors fit it; or None.
    """

    record: Derived
    takes: int | None = None


@dataclass(frozen=True)
class Changes:
    """What is written.

    Attributes:
        added: New versions, in order.
        closed: Versions that are no longer current, by number, and since when.
        stored: What the plan puts as it is stored then: new versions, and current ones that say
            the same.
    """

    added: tuple[Addition, ...]
    closed: Mapping[int, datetime]
    stored: tuple[Derived, ...]


def settle(
    plan: DerivedPlan,
    held: Mapping[int, Derived],
    now: datetime,
    past: Mapping[int, Derived] | None = None,
) -> Changes:
    """Work out what ``put`` and ``withdraw`` of a plan mean.

    A record that says what its current version says already is no new version. Of two in a plan
    with one id or slot the last one counts. A version that was recorded later than ``now`` by
    another writer's clock moves the time of the commit behind it. A new version that was known
    earlier (a bulk import) also ends those before it earlier: at no time two of them were known.

    Args:
        plan: Its records are checked (``rows.checked``).
        held: Current versions by number: all with an id or a slot of the plan, and maybe others;
            none that it erases.
        now: The time of the commit.
        past: Versions of these records that are no longer current, by number; needed only if the
            plan puts something that was known earlier.
    """
    places = _Places(held, plan)
    held = places.concerned
    at = _commit_time(held, now)
    closed = {n: max(at, _known(r)) for n, r in held.items() if r.id in plan.withdraw}
    added: list[Addition] = []
    stored: list[Derived] = []
    for record in _last_of(plan):
        rivals = places.rivals(record)
        record = _named_as(record, rivals)  # noqa: PLW2901
        same = {n: r for n, r in rivals.items() if r.id == record.id}
        if len(rivals) == 1 and not closed.keys() & same and _says_nothing_new(record, same):
            stored += same.values()
            continue
        # versions of one record are told apart by their time
        recorded = max([at, *(r.recorded_at + _TICK for r in same.values())])
        for n, rival in rivals.items():
            end = recorded if record.known_from is None else min(recorded, record.known_from)
            closed[n] = max(end, _known(rival))
        closed |= _shortened(past or {}, record)
        text = record.indexed_text
        takes = next((n for n, r in same.items() if text and r.indexed_text == text), None)
        version = replace(record, recorded_at=recorded, replaced_at=None)
        added.append(Addition(version, takes))
        stored.append(version)
    return Changes(added=tuple(added), closed=closed, stored=tuple(stored))


def _commit_time(held: Mapping[int, Derived], now: datetime) -> datetime:
    """Not before what is found: a writer may have waited, or its clock may be behind."""
    latest = max((record.recorded_at for record in held.values()), default=now)
    return latest if now < latest <= now + _MOST_SKEW else now


def _known(record: Derived) -> datetime:
    return record.known_from or record.recorded_at


def _last_of(plan: DerivedPlan) -> list[Derived]:
    """The records of a plan, without those that a later one of it replaces."""

    def kept() -> Iterator[Derived]:
        ids: set[str] = set()
        slots: set[tuple[type[Derived], str]] = set()
        for record in reversed(plan.put):
            place = _slot_of(record)
            if record.id not in ids and place not in slots:
                yield record
            ids.add(record.id)
            if place is not None:
                slots.add(place)

    return list(kept())[::-1]


class _Places:
    """The current versions that a plan concerns, by id and slot."""

    def __init__(self, held: Mapping[int, Derived], plan: DerivedPlan) -> None:
        ids = {record.id for record in plan.put} | set(plan.withdraw)
        slots = {place for record in plan.put if (place := _slot_of(record)) is not None}
        self.concerned = {
            n: record
            for n, record in held.items()
            if record.id in ids or (slots and _slot_of(record) in slots)
        }
        self._by_id = {record.id: n for n, record in self.concerned.items()}
        self._by_slot = {_slot_of(record): n for n, record in self.concerned.items()}

    def rivals(self, record: Derived) -> dict[int, Derived]:
        """Those with the id or the slot of a record."""
        slot = _slot_of(record)
        found = {self._by_id.get(record.id), None if slot is None else self._by_slot.get(slot)}
        return {n: self.concerned[n] for n in sorted(n for n in found if n is not None)}


def _slot_of(record: Derived) -> tuple[type[Derived], str] | None:
    slot = record.slot
    return None if slot is None else (type(record), slot)


def _shortened(past: Mapping[int, Derived], record: Derived) -> dict[int, datetime]:
    """Earlier versions of a record that were known behind the time when the new one was."""
    start = record.known_from
    if start is None:
        return {}
    return {
        n: max(start, _known(old))
        for n, old in past.items()
        if old.id == record.id and old.replaced_at is not None
        if old.replaced_at > max(start, _known(old))
    }


def _named_as(record: Derived, rivals: Mapping[int, Derived]) -> Derived:
    """All versions of a record share its id: a new one takes that of the slot."""
    if not rivals or any(rival.id == record.id for rival in rivals.values()):
        return record
    return replace(record, id=next(iter(rivals.values())).id)


def _says_nothing_new(record: Derived, same: Mapping[int, Derived]) -> bool:
    for known in same.values():
        as_known = replace(record, recorded_at=known.recorded_at, known_from=known.known_from)
        if as_known == known:
            return record.known_from is None or record.known_from >= _known(known)
    return False
