"""All derived records of one user, and what a decision writes.

A user has some thousand of them at most: they are loaded whole, kept as long as they are current,
and chosen from in memory.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from backstory.core.model.derived import Derived
from backstory.core.model.message import Message

T = TypeVar("T", bound=Derived)


def was_known(record: Derived, known_at: datetime | None) -> bool:
    """Whether a version was the known one at a time; None = now."""
    if known_at is None:
        return record.replaced_at is None
    if (record.known_from or record.recorded_at) > known_at:
        return False
    return record.replaced_at is None or record.replaced_at > known_at


@dataclass(frozen=True)
class DerivedBook:
    """All versions of all derived records of a user, in order of recording.

    Attributes:
        records: Current and replaced versions.
    """

    records: tuple[Derived, ...] = ()

    @cached_property
    def _recorded(self) -> Mapping[type[Derived], list[Derived]]:
        found: dict[type[Derived], list[Derived]] = {}
        for record in self.records:
            found.setdefault(type(record), []).append(record)
        return found

    @cached_property
    def _by_kind(self) -> Mapping[type[Derived], list[Derived]]:
        return {
            kind: sorted(some, key=lambda record: record.at)
            for kind, some in self._recorded.items()
        }

    @cached_property
    def _slots(self) -> Mapping[tuple[type[Derived], str], Derived]:
        current = (record for record in self.records if record.replaced_at is None)
        return {(type(r), r.slot): r for r in current if r.slot is not None}

    def of(self, kind: type[T], known_at: datetime | None = None) -> list[T]:
        """The records of a kind as they were known at a time (None = now), ordered by ``at``."""
        return [
            record
            for record in self._by_kind.get(kind, ())
            if isinstance(record, kind) and was_known(record, known_at)
        ]

    def versions(self, kind: type[T]) -> list[T]:
        """Current and replaced versions of a kind, in order of recording."""
        return [record for record in self._recorded.get(kind, ()) if isinstance(record, kind)]

    def get(self, kind: type[T], record_id: str) -> T | None:
        """The current version of a record."""
        return next((record for record in self.of(kind) if record.id == record_id), None)

    def in_slot(self, kind: type[T], slot: str) -> T | None:
        """The current record of a slot."""
        found = self._slots.get((kind, slot))
        return found if isinstance(found, kind) else None

    def __iter__(self) -> Iterator[Derived]:
        return iter(self.records)


@dataclass(frozen=True, kw_only=True)
class DerivedPlan:
    """What is written, in one transaction.

    Attributes:
        put: New records, and new versions of records (the same id, or the same kind and slot): the
            version before is kept with ``replaced_at``. One that comes into a slot by another id
            gets the id of the record that is there; one that says nothing new is left out.
        withdraw: Ids of records that are no longer so; their versions stay for the past.
        erase: Ids of records that go with all their versions.
        episodes: For each session that was digested: its ``touched`` number as it was read. If it
            has changed, what rests on that session is not written.
        seen: Messages that were read for it, as they were read, where ``episodes`` does not say it.
            If one has another text by now or is gone, what rests on it or its session is not
            written.
        amended: Versions, by id and ``recorded_at``, with other evidence or another
            ``replaced_at``, changed in place (withdrawal).
        dropped: Versions, by id and ``recorded_at``, that go (withdrawal).
    """

    put: tuple[Derived, ...] = ()
    withdraw: tuple[str, ...] = ()
    erase: tuple[str, ...] = ()
    episodes: Mapping[str, int] = field(default_factory=dict)
    seen: tuple[Message, ...] = ()
    amended: tuple[Derived, ...] = ()
    dropped: tuple[tuple[str, datetime], ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        parts = (self.put, self.withdraw, self.erase, self.episodes, self.amended, self.dropped)
        return any(parts)


def joined(plans: Iterable[DerivedPlan]) -> DerivedPlan:
    """Several plans as one."""
    found = list(plans)
    return DerivedPlan(
        put=tuple(record for plan in found for record in plan.put),
        withdraw=tuple(name for plan in found for name in plan.withdraw),
        erase=tuple(name for plan in found for name in plan.erase),
        episodes={name: seen for plan in found for name, seen in plan.episodes.items()},
        seen=tuple(message for plan in found for message in plan.seen),
        amended=tuple(record for plan in found for record in plan.amended),
        dropped=tuple(version for plan in found for version in plan.dropped),
    )


def placed(records: Iterable[Derived], session_id: str) -> tuple[Derived, ...]:
    """Records of a message's text; those that name no session get its session."""
    return tuple(
        record if record.session_id is not None else replace(record, session_id=session_id)
        for record in records
    )
