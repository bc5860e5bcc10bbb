"""All that is stored of a chapter's reading: canon and threads. Pure, for a transaction to call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstory.core.canon.planning import ChapterFacts, plan_canon
from backstory.core.plot.operations import plan_threads, reports
from backstory.core.scripts.guard import same_writing
from backstory.ports.documents import Canon, ChapterPlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from backstory.core.model.chapter_reading import ChapterReading, ThreadOpRead
    from backstory.core.model.document import SummarySource


def plan_chapter(
    facts: ChapterFacts,
    reading: ChapterReading,
    also: ChapterReading | None,
    source: SummarySource,
    new_id: Callable[[], str],
    canon: Canon,
) -> ChapterPlan:
    """Decide what is stored of a chapter.

    Args:
        facts: The chapter.
        reading: What a reader found.
        also: What the rules found, where that was a model; see ``plan_canon``.
        source: Who made the summary of the reading.
        new_id: Gives ids of new records.
        canon: What is known.
    """
    made = plan_canon(facts, reading, source, canon.entities, new_id, also)
    kept = [item for item in reading.threads if _is_written_alike(item, facts.text)]
    plot = plan_threads(
        kept,
        canon.threads,
        facts.number,
        planned_chapters=canon.info.planned_chapters,
        next_number=canon.next_thread,
        revision=facts.revision,
    )
    foreign = len(reading.threads) - len(kept)
    strange = (f"{foreign} thread items are not written as the chapter is",) if foreign else ()
    return ChapterPlan(
        summary=made.summary,
        entities=made.entities,
        sightings=made.sightings,
        states=made.states,
        learned=made.learned,
        named=made.named,
        threads=plot.threads,
        events=plot.events,
        rejected=(*made.rejected, *strange, *reports(plot.outcomes)),
    )


def _is_written_alike(item: ThreadOpRead, text: str) -> bool:
    return same_writing(f"{item.summary} {item.note}", text)
