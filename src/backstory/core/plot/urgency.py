"""Which open thread comes first, wherever threads are listed."""

import math

from backstory.core.model.plot import PlotThread
from backstory.core.plot.deadlines import due_chapter


def urgency_key(
    thread: PlotThread, planned_chapters: int | None = None
) -> tuple[float, int, int, int]:
    """A sort key: the most urgent thread first.

    The earliest due first, hence the most overdue; those without a deadline last. Of equal ones
    the one that was left alone the longest, then the oldest.
    """
    due = due_chapter(thread, planned_chapters)
    return (
        math.inf if due is None else due,
        thread.last_chapter or 0,
        thread.planted_in or 0,
        thread.number,
    )
