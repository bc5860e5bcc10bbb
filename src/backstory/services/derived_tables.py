"""The cached searchable form of each user's records of one kind."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from backstory.core.model.derived import Derived
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.core.derived.book import DerivedBook
    from backstory.core.model.embedding import Generation
    from backstory.core.model.scope import Scope
    from backstory.ports.store import Store

R = TypeVar("R", bound=Derived)
W = TypeVar("W")
T = TypeVar("T")

_MOST_USERS: Final = 256
_INLINE: Final = 40
"""More new records than this are cut into words in a thread."""
_Version: TypeAlias = tuple[str, datetime]
_NO_VECTORS: Final[Mapping[_Version, bytes]] = {}


@dataclass
class _Entry(Generic[W, T]):
    """What is cached of one user: for which state, and the words of each version."""

    book: DerivedBook
    vectors: Mapping[_Version, bytes]
    table: T
    words: dict[_Version, W] = field(default_factory=dict)


class DerivedTables(Generic[R, W, T]):
    """Gives the table of a user's records as of now, or as they were known.

    Args:
        store: Where they are.
        choose: Which records of a book are in the table, as of a time of knowing.
        words_of: The words of a record; they are made once for each version.
        build: Makes the table of records, their words, and their vectors (little-endian float32,
            None while there is none).
    """

    def __init__(
        self,
        store: Store,
        choose: Callable[[DerivedBook, datetime | None], Sequence[R]],
        words_of: Callable[[R], W],
        build: Callable[[Sequence[R], Sequence[W], Sequence[bytes | None]], T],
    ) -> None:
        self._store = store
        self._choose = choose
        self._words_of = words_of
        self._build = build
        self._entries: OrderedDict[tuple[Scope, int], _Entry[W, T]] = OrderedDict()

    async def get(
        self, scope: Scope, generation: Generation | None, known_at: datetime | None = None
    ) -> T:
        """The table, with the vectors of a generation."""
        book = await self._store.derived.book(scope)
        vectors = _NO_VECTORS
        if generation is not None and book.records:
            vectors = await self._store.derived.vectors(scope, generation)
        key = (scope, generation.id if generation is not None else 0)
        known = self._entries.get(key)
        is_current = known is not None and known.book is book and known.vectors is vectors
        if known is not None and is_current and known_at is None:
            self._entries.move_to_end(key)
            return known.table
        records = self._choose(book, known_at)
        words = await self._words(records, known.words if known is not None else {})
        versions = [(one.id, one.recorded_at) for one in records]
        table = self._build(
            records,
            [words[version] for version in versions],
            [vectors.get(version) for version in versions],
        )
        if known_at is None:
            kept = {version: words[version] for version in versions}
            self._entries[key] = _Entry(book, vectors, table, kept)
            while len(self._entries) > _MOST_USERS:
                self._entries.popitem(last=False)
        return table

    async def _words(self, records: Sequence[R], known: Mapping[_Version, W]) -> dict[_Version, W]:
        missing = [one for one in records if (one.id, one.recorded_at) not in known]

        def made() -> dict[_Version, W]:
            return {(one.id, one.recorded_at): self._words_of(one) for one in missing}

        fresh = await run_in_thread(made) if len(missing) > _INLINE else made()
        return {**known, **fresh}

    def forget(self, scope: Scope) -> None:
        """Drop what is cached of a user."""
        for key in [known for known in self._entries if known[0] == scope]:
            self._entries.pop(key, None)
