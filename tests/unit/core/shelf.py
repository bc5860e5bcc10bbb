"""A book of derived records that plans are applied to, without a store."""

from dataclasses import replace
from datetime import datetime

from backstory.core.derived.book import DerivedBook, DerivedPlan
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
        """Write a plan."""
        self.records = [one for one in self.records if one.id not in plan.erase]
        gone = {*plan.withdraw, *(one.id for one in plan.put)}
        self.records = [
            replace(one, replaced_at=now) if one.id in gone and one.replaced_at is None else one
            for one in self.records
        ]
        self.records += [replace(one, recorded_at=now) for one in plan.put]
        return plan
