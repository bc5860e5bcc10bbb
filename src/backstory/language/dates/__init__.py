"""What dates a text tells of, seen from the time it was written at.

Rules over canonical words, no clock: the local date of ``at`` is today. English.
"""

from backstory.language.dates.find import find_dates, resolve_date
from backstory.language.dates.model import Precision, ResolvedDate
from backstory.language.dates.scan import may_have_date

__all__ = ["Precision", "ResolvedDate", "find_dates", "may_have_date", "resolve_date"]
