"""Chooses moments for a question, by words that are looked up once for each state of a memory."""

from collections.abc import Set
from typing import Final
from weakref import ref

from backstory.core.derived.book import DerivedBook
from backstory.core.feelings.relevance import Chosen, Worded, most_relevant
from backstory.core.model.derived import EmotionalMoment
from backstory.core.terms import KEY_MASK
from backstory.core.text import abridge
from backstory.language.terms import query_terms
from backstory.language.words import token_terms, tokens
from backstory.ports.store import Store
from backstory.services.recalling.requests import Question

_ASKED_CHARS: Final = (2000, 500)


class MomentChoice:
    """Finds the moments that a context shows.

    Args:
        store: Where they are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, tuple[ref[DerivedBook], list[Worded]]] = {}

    async def of(
        self, question: Question, most: int, shown: Set[str] = frozenset()
    ) -> list[Chosen]:
        """The moments that the question is about, then the latest.

        Args:
            question: What is asked.
            most: How many.
            shown: Ids of messages that are shown anyway.
        """
        book = await self._store.derived.book(question.scope)
        worded = [
            one
            for one in self._worded(book)
            if not any(evidence.message_id in shown for evidence in one.moment.evidence)
        ]
        if not worded:
            return []
        asked = frozenset[int]()
        if question.query:
            asked = frozenset(query_terms(abridge(question.query, *_ASKED_CHARS)).keys)
        return most_relevant(worded, asked, now=question.now, known_at=question.known_at, most=most)

    def _worded(self, book: DerivedBook) -> list[Worded]:
        """The moments of a book with their keys; kept as long as the book is."""
        place = id(book)
        known = self._known.get(place)
        if known is not None and known[0]() is book:
            return known[1]
        moments = (one for one in book if isinstance(one, EmotionalMoment))
        worded = [Worded(one, _keys(one)) for one in moments]
        self._known[place] = (ref(book, lambda _: self._known.pop(place, None)), worded)
        return worded


def _keys(moment: EmotionalMoment) -> frozenset[int]:
    words = tokens(" ".join((*moment.tags, moment.quote)))
    return frozenset(term & KEY_MASK for word in words for term in token_terms(word))
