"""Chooses moments for a question; the words of each are looked up once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from weakref import ref

from backstory.core.derived.book import DerivedBook
from backstory.core.feelings.relevance import Chosen, Worded, most_relevant
from backstory.core.model.derived import EmotionalMoment
from backstory.core.model.scope import Scope
from backstory.core.terms import KEY_MASK, QueryTerms
from backstory.core.text import abridge
from backstory.language.terms import query_terms
from backstory.language.words import token_terms, tokens
from backstory.ports.store import Store
from backstory.threads import run_in_thread

_ASKED_CHARS: Final = (2000, 500)
# Looking up the words of more takes some ms.
_FEW: Final = 100


class MomentChoice:
    """Finds the moments that a context shows.

    Args:
        store: Where they are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, tuple[ref[EmotionalMoment], frozenset[int]]] = {}

    async def of(
        self,
        scope: Scope,
        query: str | None,
        *,
        now: datetime,
        known_at: datetime | None,
        most: int,
        shown: frozenset[str] = frozenset(),
        terms: QueryTerms | None = None,
    ) -> list[Chosen]:
        """The moments that a query is about, then the latest.

        Args:
            scope: Whose.
            query: What is asked, if anything is.
            now: The time of asking.
            known_at: Only as it was known then; None = now.
            most: How many.
            shown: Ids of messages that are shown anyway.
            terms: What ``query_terms`` says of the query, if that was asked before.
        """
        moments = _moments(await self._store.derived.book(scope), shown)
        if not moments:
            return []
        asked = frozenset[int]()
        if query:
            found = query_terms(abridge(query, *_ASKED_CHARS)) if terms is None else terms
            asked = frozenset(found.keys)
        worded = [Worded(one, frozenset()) for one in moments]
        if asked:
            worded = await self._worded(moments)
        return most_relevant(worded, asked, now=now, known_at=known_at, most=most)

    async def _worded(self, moments: Sequence[EmotionalMoment]) -> list[Worded]:
        """Moments with the keys of their words, which are kept as long as the moments are."""
        missing = [one for one in moments if self._keys(one) is None]
        if len(missing) < _FEW:
            made = [_keys_of(one) for one in missing]
        else:
            made = await run_in_thread(lambda: [_keys_of(one) for one in missing])
        for one, keys in zip(missing, made, strict=True):
            self._keep(one, keys)
        return [Worded(one, self._keys(one) or frozenset()) for one in moments]

    def _keep(self, moment: EmotionalMoment, keys: frozenset[int]) -> None:
        place = id(moment)

        def gone(_: ref[EmotionalMoment]) -> None:
            self._known.pop(place, None)

        self._known[place] = ref(moment, gone), keys

    def _keys(self, moment: EmotionalMoment) -> frozenset[int] | None:
        known = self._known.get(id(moment))
        return known[1] if known is not None and known[0]() is moment else None


def _moments(book: DerivedBook, shown: frozenset[str]) -> list[EmotionalMoment]:
    found = book.versions(EmotionalMoment)
    if not shown:
        return found
    return [one for one in found if shown.isdisjoint(e.message_id for e in one.evidence)]


def _keys_of(moment: EmotionalMoment) -> frozenset[int]:
    words = tokens(" ".join((*moment.tags, moment.quote)))
    return frozenset(term & KEY_MASK for word in words for term in token_terms(word))
