"""Plot threads of a document: what was promised to the reader, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum

from backstory.core.model.record import Record


class ThreadStatus(StrEnum):
    """What became of a thread. PLANNED ones are in no chapter yet."""

    PLANNED = "planned"
    OPEN = "open"
    PROGRESSING = "progressing"
    RESOLVED = "resolved"
    ABANDONED = "abandoned"


class ThreadEventKind(StrEnum):
    """What a chapter does to a thread."""

    PLANTED = "planted"
    PROGRESSED = "progressed"
    RESOLVED = "resolved"
    ABANDONED = "abandoned"
    REOPENED = "reopened"


@dataclass(frozen=True, kw_only=True)
class ThreadEvent(Record):
    """What one chapter does to one thread.

    Attributes:
        id: Rises with the order of recording within one document.
        thread: The number of the thread.
        chapter: Where it happens, from 1.
        note: How, in words; or "".
        revision: The version of the chapter it was read in; when that goes, the event goes. None =
            entered by hand.
    """

    id: int
    thread: int
    kind: ThreadEventKind
    chapter: int
    note: str = ""
    revision: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlotThread(Record):
    """A thread: the author's plan, and the state that its events give.

    Attributes:
        number: From 1, never used again in the document; shown as "[T1]".
        summary: What is promised.
        kind: A label such as "mystery", or None.
        deadline: The chapter by which it should close, as planned; None = by the end.
        hidden: Only the author may see it.
        authored: Planted by hand; it stays when the chapters that mention it go.
        status: Folded from the events, never entered.
        planted_in: The chapter that planted it; None while it is planned.
        last_chapter: The last chapter that touched it, or None.
        closed_in: The chapter that resolved or gave it up, or None.
        note: The note of the event that closed it, or "".
    """

    number: int
    summary: str
    kind: str | None = None
    deadline: int | None = None
    hidden: bool = False
    authored: bool = False
    status: ThreadStatus = ThreadStatus.PLANNED
    planted_in: int | None = None
    last_chapter: int | None = None
    closed_in: int | None = None
    note: str = ""
