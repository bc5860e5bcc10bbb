"""Builds a context: sources are gathered at once, packed under one budget, rendered as data."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from backstory.core.filters import parse_filter
from backstory.core.model.context import Context, ContextItem, ContextSection
from backstory.core.model.derived import Texture
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.fact import Fact
from backstory.core.rendering import MEMORY_CLOSE, MEMORY_NOTE, MEMORY_OPEN, heading
from backstory.errors import BackstoryError
from backstory.packing.packer import pack
from backstory.packing.sections import Frame, Item, Packed, PackedSection, Section
from backstory.ports.store import Store
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources import Offer, RecentTurns, Source, SourceItem
from backstory.services.recalling.turns import LastTurns
from backstory.services.recalling.words import terms_of

_Key = int  # the place of an item among those of its source


@dataclass(frozen=True)
class _Answer:
    """What one source gave, or why it gave nothing."""

    source: Source
    offer: Offer
    problem: str | None
    restated: tuple[SourceItem, ...] = ()


class ContextService:
    """Builds contexts from its sources, in their order."""

    def __init__(self, store: Store, sources: Sequence[Source]) -> None:
        self._store = store
        self._sources = tuple(sources)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sources."""
        return tuple(source.name for source in self._sources)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources."""
        return self._sources

    async def build(
        self,
        question: Question,
        *,
        max_tokens: int,
        count: Callable[[str], int],
        names: Sequence[str],
        timeout_s: float,
        today: date,
    ) -> Context:
        """Gather, pack, render.

        Args:
            question: What is asked.
            max_tokens: The budget; ``count(text)`` never exceeds it.
            count: The token counter.
            names: Which sources to ask.
            timeout_s: Time limit of each source, all being asked at once.
            today: Shown in the first line.

        Raises:
            BudgetError: The counter counts the empty text above the budget.
            InvalidFilterError: A filter cannot be used.
        """
        parse_filter(question.filters)  # here it is refused; a source would only report it
        asked = [source for source in self._sources if source.name in names]
        turns = None
        if RecentTurns.name in names:
            turns = LastTurns(self._store, question.scope, question.session_id, question.known_at)
        question = replace(question, turns=turns, terms=terms_of(question.query))
        with self._store.one_look(question.scope):
            try:
                answers = await _answers(asked, question, timeout_s)
            finally:
                if turns is not None:
                    turns.stop()
        frame = Frame(
            preamble=f"{MEMORY_OPEN}\nToday is {today.isoformat()}. {MEMORY_NOTE}",
            closing=MEMORY_CLOSE,
        )
        answers = _without_restated(answers)
        sections = [_section(answer) for answer in answers]
        try:
            packed = pack(sections, max_tokens, count, frame)
        except BackstoryError:
            await _undo(item for answer in answers for item in answer.offer.items)
            raise
        await self._note_shown(question, packed, answers)
        await _undo(_left_out(packed, answers))
        return _context(packed, answers, max_tokens)

    async def _note_shown(
        self, question: Question, packed: Packed[_Key], answers: Sequence[_Answer]
    ) -> None:
        """Count that contradictions were shown; a context of the past shows nothing to anybody."""
        if question.known_at is not None:
            return
        kept = [
            answer.offer.items[key.key].contradiction_id
            for answer, section in zip(answers, packed.sections, strict=True)
            for key in section.kept
        ]
        shown = [contradiction_id for contradiction_id in kept if contradiction_id is not None]
        if shown:
            await self._store.contradictions.note_shown(question.scope, shown)


def _without_restated(answers: Sequence[_Answer]) -> list[_Answer]:
    """The answers without items that only say again what facts in other answers say."""
    offered = [item for answer in answers for item in answer.offer.items]
    facts = {item.fact.id for item in offered if item.fact is not None}
    found = []
    for answer in answers:
        items = answer.offer.items
        again = tuple([i for i in items if i.restates and facts.issuperset(i.restates)])
        if not again:
            found.append(answer)
            continue
        kept = tuple(item for item in items if item not in again)
        found.append(replace(answer, offer=replace(answer.offer, items=kept), restated=again))
    return found


def _left_out(packed: Packed[_Key], answers: Sequence[_Answer]) -> Iterator[SourceItem]:
    for answer, section in zip(answers, packed.sections, strict=True):
        for dropped in section.dropped:
            yield answer.offer.items[dropped.key]


async def _undo(items: Iterable[SourceItem]) -> None:
    """Take back what finding items did that nobody will see."""
    for item in items:
        if item.if_left_out is not None:
            await item.if_left_out()


async def _answers(
    sources: Sequence[Source], question: Question, timeout_s: float
) -> list[_Answer]:
    """What each source gives, all being asked at once under one time limit."""
    asking = [asyncio.create_task(_ask(source, question, timeout_s)) for source in sources]
    if not asking:
        return []
    try:
        await asyncio.wait(asking, timeout=timeout_s, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        late = [task for task in asking if not task.done()]
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)
    return [
        _late(source, timeout_s) if task.cancelled() else task.result()
        for source, task in zip(sources, asking, strict=True)
    ]


async def _ask(source: Source, question: Question, timeout_s: float) -> _Answer:
    try:
        return _Answer(source, await source.gather(question), None)
    except TimeoutError:
        return _late(source, timeout_s)
    except BackstoryError as error:
        return _Answer(source, Offer(), str(error))


def _late(source: Source, timeout_s: float) -> _Answer:
    return _Answer(source, Offer(), f"no answer within {timeout_s:g} s")


def _section(answer: _Answer) -> Section[_Key]:
    source, items = answer.source, answer.offer.items
    return Section(
        name=source.name,
        heading=heading(source.heading),
        items=[Item(place, item.text) for place, item in enumerate(items)],
        share=source.share,
        priority=source.priority,
        order=lambda place: items[place].order,
    )


def _context(packed: Packed[_Key], answers: Sequence[_Answer], max_tokens: int) -> Context:
    kept: list[ContextItem] = []
    dropped: list[ContextItem] = []
    facts: list[Fact] = []
    textures: list[Texture] = []
    intentions: list[IntentionPrompt] = []
    sections = []
    for answer, section in zip(answers, packed.sections, strict=True):
        offered = answer.offer.items
        name = answer.source.name
        kept += [_item(name, offered[k.key], k.cost, None) for k in section.kept]
        dropped += [_item(name, offered[d.key], d.cost, str(d.reason)) for d in section.dropped]
        dropped += [_item(name, item, 0, "the facts say it") for item in answer.restated]
        shown = [offered[k.key] for k in section.kept]
        facts += [item.fact for item in shown if item.fact is not None]
        textures += [item.texture for item in shown if item.texture is not None]
        intentions += [item.intention for item in shown if item.intention is not None]
        sections.append(_summary(answer, section))
    problems = [
        f"{answer.source.name}: {answer.problem or answer.offer.degraded}"
        for answer in answers
        if answer.problem or answer.offer.degraded
    ]
    responded = sum(answer.problem is None for answer in answers)
    return Context(
        text=packed.text,
        tokens=packed.tokens,
        max_tokens=max_tokens,
        items=tuple(kept),
        dropped=tuple(dropped),
        sections=tuple(sections),
        facts=tuple(facts),
        texture=textures[0] if textures else None,
        intention=intentions[0] if intentions else None,
        sources_responded=f"{responded}/{len(answers)}",
        degraded=tuple(problems),
        recall=next((a.offer.report for a in answers if a.offer.report is not None), None),
    )


def _item(name: str, item: SourceItem, cost: int, reason: str | None) -> ContextItem:
    return ContextItem(
        source=name,
        text=item.text,
        tokens=cost,
        score=item.score,
        message_ids=item.message_ids,
        kept=reason is None,
        reason=reason,
        profile=item.profile,
        neighbour_of=item.neighbour_of,
    )


def _summary(answer: _Answer, section: PackedSection[_Key]) -> ContextSection:
    return ContextSection(
        name=answer.source.name,
        share=section.share,
        tokens=section.used,
        kept=len(section.kept),
        dropped=len(section.dropped),
        problem=answer.problem,
    )
