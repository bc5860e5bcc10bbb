"""What a document gives for its next chapter, and what contradicts it."""

from dataclasses import dataclass
from enum import StrEnum

from backstory.core.model.plot import PlotThread
from backstory.core.model.record import Record


class BlockPart(StrEnum):
    """The sections of a block, in the order of its text."""

    SKELETON = "skeleton"
    RECENT = "recent"
    ENTITIES = "entities"
    RETRIEVAL = "retrieval"
    THREADS = "threads"


@dataclass(frozen=True, kw_only=True)
class LeftOut(Record):
    """An item that did not get into a block, what it costs in tokens, and why."""

    key: str
    tokens: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class BlockSection(Record):
    """One section of a block.

    Attributes:
        share: Tokens that it was promised.
        tokens: Tokens that it takes, heading included.
        kept: Keys of its items in the order of the text: chapter numbers as "12", entity names,
            threads as "T3", passages as "12#4".
        left_out: The most important first.
    """

    part: BlockPart
    share: int
    tokens: int
    kept: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Block(Record):
    """The context for one chapter.

    Attributes:
        tokens: Of the whole text, by the counter that was used; never above ``budget``.
        missing: What could not be had, each with the reason (an embedder that does not answer).
    """

    chapter: int
    text: str
    tokens: int
    budget: int
    sections: tuple[BlockSection, ...] = ()
    missing: tuple[str, ...] = ()


class ConflictKind(StrEnum):
    """Which rule of continuity a text breaks."""

    DEAD_ACTS = "dead_acts"
    CHANGED_ATTRIBUTE = "changed_attribute"
    CLOSED_THREAD = "closed_thread"
    KNOWS_TOO_EARLY = "knows_too_early"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Conflict(Record):
    """Two passages that cannot both be true.

    Attributes:
        about: The entity, or the thread as "T3".
        passage: Of the text that was checked.
        known_passage: Of the document, with the chapter it is in (0 = an author's note).
        why: What does not fit, in words.
    """

    kind: ConflictKind
    about: str
    chapter: int
    passage: str
    known_chapter: int
    known_passage: str
    why: str


@dataclass(frozen=True, kw_only=True)
class DocumentStatus(Record):
    """How a document stands.

    Attributes:
        chapter: The last one stored, or None.
        missing: Numbers without a chapter before the last one, at most 100.
        open_threads: The most urgent first.
        overdue: Those of them whose deadline has passed.
        owed: Those that should close in the next chapter, so that all can close by the end.
        contradictions: Conflicts found in the chapters as they are.
        pending: Passages that still wait for their vector.
    """

    chapter: int | None
    missing: tuple[int, ...] = ()
    open_threads: tuple[PlotThread, ...] = ()
    overdue: tuple[PlotThread, ...] = ()
    owed: tuple[PlotThread, ...] = ()
    contradictions: tuple[Conflict, ...] = ()
    pending: int = 0
