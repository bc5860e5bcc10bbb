"""The threads of a document as they stood before a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from backstory.core.model.plot import ThreadStatus
from backstory.core.plot.folding import is_unresolved
from backstory.core.plot.payoffs import owed_in, plan_payoffs
from backstory.core.plot.urgency import urgency_key

if TYPE_CHECKING:
    from backstory.core.model.document import DocumentInfo
    from backstory.core.model.plot import PlotThread
    from backstory.ports.documents import DocumentScope, DocumentStore

MOST_OPEN: Final = 1000
"""So many of the most urgent threads are looked at."""


@dataclass(frozen=True, kw_only=True)
class ThreadsThen:
    """Threads before a chapter, the most urgent first.

    Attributes:
        owed: Those that should close in this chapter, so that all can close.
        open: The other open ones.
        planned: Those that are in no chapter yet.
    """

    owed: tuple[PlotThread, ...] = ()
    open: tuple[PlotThread, ...] = ()
    planned: tuple[PlotThread, ...] = ()


async def threads_before(
    documents: DocumentStore, scope: DocumentScope, info: DocumentInfo, chapter: int, as_of: int
) -> ThreadsThen:
    """The threads as they stood after ``as_of``, for writing ``chapter``."""
    if info.last_chapter is None or as_of >= info.last_chapter:
        threads, _ = await documents.open_threads(scope, chapter, MOST_OPEN)
    else:
        threads = await documents.open_then(scope, as_of)
    threads = sorted(threads, key=lambda thread: urgency_key(thread, info.planned_chapters))
    unresolved = [thread for thread in threads if is_unresolved(thread)]
    owed = owed_in(plan_payoffs(unresolved, chapter, info.planned_chapters), chapter)
    numbers = {thread.number for thread in owed}
    return ThreadsThen(
        owed=owed,
        open=tuple(thread for thread in unresolved if thread.number not in numbers),
        planned=tuple(
            thread
            for thread in threads
            if thread.status is ThreadStatus.PLANNED and thread.authored
        ),
    )
