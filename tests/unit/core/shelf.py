"""A book of derived records that plans are applied to, without a store."""

from dataclasses import replace
from datetime import datetime

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.derived.changing import settle
from backstory.core.model.derived import Derived


class Shelf:
    """Keeps all versions, as a store does."""

    def __init__(self) -> None:
        self.records: list[Derived] = []

    @property
    def book(self) -> DerivedBook:
        """What is known now."""
        return DerivedBook(tuple(self.records))

    def apply(self, plan: DerivedPlan, now: datetime) -> DerivedPlan:
        """Write a plan; gives it as it was written."""
        self.records = [one for one in self.records if one.id not in plan.erase]
        held = {n: one for n, one in enumerate(self.records) if one.replaced_at is None}
        changes = settle(plan, held, now)
        for number, ended in changes.closed.items():
            self.records[number] = replace(self.records[number], replaced_at=ended)
        self.records += [addition.record for addition in changes.added]
        return replace(plan, put=changes.stored)
