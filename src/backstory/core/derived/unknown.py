"""What can be written for a user of whom nothing is stored."""

from backstory.core.derived.book import DerivedPlan
from backstory.core.model.derived import Derived


def for_unknown(plan: DerivedPlan) -> DerivedPlan:
    """The part of a plan that does not rest on messages: such as an intention that is saved.

    The rest was planned before the user was forgotten: it does not come back.
    """
    return DerivedPlan(put=tuple(record for record in plan.put if not _rests(record)))


def _rests(record: Derived) -> bool:
    return bool(record.evidence or record.covers or record.session_id)
