"""Documents: long texts that grow chapter by chapter, and what is known of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from backstory.core.model.record import Record

MOST_SUMMARY: Final = 20_000
"""Characters of a summary."""


class SummarySource(StrEnum):
    """Who made a summary: the caller, an extract of the text itself, or a model."""

    GIVEN = "given"
    EXTRACT = "extract"
    MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class DocumentInfo(Record):
    """A document and its settings.

    Attributes:
        id: The caller's name of it, unique in the tenant.
        unit: What its parts are called: "chapter", "lesson", "scene", "section", in the language
            of the document.
        planned_chapters: How many parts it will have, 1 or more; None = open.
        chapters: How many parts are stored.
        last_chapter: The highest number stored, or None.
        created_at: When it was made (aware, UTC).
    """

    id: str
    unit: str
    planned_chapters: int | None
    chapters: int
    last_chapter: int | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Chapter(Record):
    """One part of a document, as it is now.

    Attributes:
        number: From 1; gaps are allowed, and the order of adding is free.
        revision: The id of this version of the text; what is derived from it carries it.
        title: As given, or "".
        summary: In the language of the text.
        recorded_at: When this version was committed (aware, UTC).
        revised: How often the text was replaced before this version, 0 or more.
    """

    number: int
    revision: str
    title: str
    text: str
    summary: str
    summary_source: SummarySource
    recorded_at: datetime
    revised: int = 0


@dataclass(frozen=True, kw_only=True)
class Draft(Record):
    """A text that is not canon: nothing is derived from it before it is accepted."""

    number: int
    title: str
    text: str
    recorded_at: datetime


@dataclass(frozen=True, kw_only=True)
class ChapterResult(Record):
    """What adding or revising a chapter stored. When it is returned, the chapter is durable.

    Attributes:
        entities: Names of the entities that occur in it.
        threads: Numbers of the threads that it planted, advanced or closed.
        withdrawn: How many derived records of the old text were removed.
        rejected: What a reader gave that was not stored, each with the reason.
        pending: How many of its passages still wait for their vector.
        degraded: Why something is missing that should be there, else None.
    """

    chapter: Chapter
    entities: tuple[str, ...] = ()
    threads: tuple[int, ...] = ()
    withdrawn: int = 0
    rejected: tuple[str, ...] = ()
    pending: int = 0
    degraded: str | None = None
