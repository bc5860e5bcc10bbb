"""Summaries of earlier conversations: those the query is about, and the last one."""

from collections.abc import Collection
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.summaries.lines import render_summary
from backstory.core.times import to_micros
from backstory.language.questions import LONGEST, asks_for_taste
from backstory.language.shortening import shortened
from backstory.language.terms import query_terms
from backstory.language.words import normalise
from backstory.ports.store import Store
from backstory.services.recalling.requests import Question, Request
from backstory.services.recalling.sources.base import Offer, SourceItem

if TYPE_CHECKING:
    from backstory.services.recalling.conversations import ConversationSearch

SHOWN_CHARS: Final = 200
RELEVANT: Final = 4
RECENT: Final = 1


class SessionSummaries:
    """What was said in other conversations, in short, for questions that gather.

    Which questions those are is said by the route of the query; advice and preferences count as
    well, and ``Recall.summaries`` holds for all.
    """

    name = "summaries"
    heading = "Earlier conversations, in short"
    share = 0.05
    priority = 4

    def __init__(self, store: Store, search: "ConversationSearch") -> None:
        self._store = store
        self._search = search

    async def gather(self, question: Question) -> Offer:
        """Offer what the query is about first, then what was said last; never this session."""
        if not _is_wanted(question):
            return Offer()
        current = await _current_session(question)
        found: dict[str, tuple[Summary, float | None]] = {}
        degraded = None
        if question.query is not None:
            ranked = await self._search.rank(_request(question, current), RELEVANT)
            degraded = ranked.degraded
            for one in ranked.told:
                if one.summary is not None:
                    found[one.summary.slot] = (one.summary, one.score)
        if not question.filters:
            book = await self._store.derived.book(question.scope)
            known = book.of(Summary, question.known_at)
            others = [o for o in known if o.kind is SummaryKind.SESSION and o.session_id != current]
            for summary in nlargest(RECENT, others, key=lambda one: (one.at, one.recorded_at)):
                found.setdefault(summary.slot, (summary, None))
        terms = question.terms or query_terms(question.query or "")
        items = tuple(_item(summary, score, terms.keys) for summary, score in found.values())
        return Offer(items=items, degraded=degraded)


def _is_wanted(question: Question) -> bool:
    if question.recall.summaries is not None:
        return question.recall.summaries
    if question.query is None:
        return False
    if question.shape.summaries:
        return True
    return len(question.query) <= LONGEST and asks_for_taste(normalise(question.query))


async def _current_session(question: Question) -> str | None:
    if question.session_id is not None or question.turns is None:
        return question.session_id
    turns = await question.turns.get()
    return turns[-1].session_id if turns else None


def _request(question: Question, current: str | None) -> Request:
    return Request(
        scope=question.scope,
        query=question.query or "",
        shape=question.shape,
        threshold=question.recall.threshold,
        keyword=question.recall.keyword,
        dense=question.recall.dense,
        filters=question.filters,
        exclude_session_id=current,
        known_at=question.known_at,
        terms=question.terms,
    )


def _item(summary: Summary, score: float | None, keys: Collection[int]) -> SourceItem:
    text = shortened(summary.text, keys, SHOWN_CHARS)
    return SourceItem(
        text=render_summary(summary, text),
        order=(to_micros(summary.at), summary.id),
        score=score,
        message_ids=tuple(
            dict.fromkeys(one.message_id for one in summary.evidence if one.quote in text)
        ),
    )
