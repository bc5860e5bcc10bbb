"""Which chapters a model has still to read. Kept in the process, and for one version of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from backstory.core.model.document import Chapter, SummarySource

if TYPE_CHECKING:
    from backstory.ports.documents import DocumentScope

MOST_TRIES: Final = 3
"""How often one process asks for the summary of one version of a chapter, of answers that came."""

_Key = tuple["DocumentScope", int]


class OwedReadings:
    """Remembers which readings failed, and which gave no summary that could be taken.

    A summary that is still an extract is owed. A call that failed is made again by each flush; a
    model that answers, but again and again in another script, is not asked for ever.
    """

    def __init__(self) -> None:
        self._failed: dict[_Key, str] = {}
        self._tries: dict[_Key, tuple[str, int]] = {}

    def includes(self, scope: DocumentScope, chapter: Chapter) -> bool:
        """Whether a flush has to ask about a chapter."""
        key = scope, chapter.number
        if self._failed.get(key) == chapter.revision:
            return True
        is_extract = chapter.summary_source is SummarySource.EXTRACT
        return is_extract and self._tried(key, chapter) < MOST_TRIES

    def failed(self, scope: DocumentScope, chapter: Chapter) -> None:
        """Note that no whole answer came."""
        self._failed[scope, chapter.number] = chapter.revision

    def read(self, scope: DocumentScope, chapter: Chapter) -> str | None:
        """Note that an answer was stored; what is missing of it, or None."""
        key = scope, chapter.number
        self._failed.pop(key, None)
        if chapter.summary_source is not SummarySource.EXTRACT:
            self._tries.pop(key, None)
            return None
        if not any(map(str.isalnum, chapter.text)):
            return None
        tried = self._tried(key, chapter) + 1
        self._tries[key] = (chapter.revision, tried)
        again = "" if tried < MOST_TRIES else f"; after {tried} tries it is not asked again"
        return (
            f"chapter {chapter.number} keeps an extract as its summary: the model gave none that "
            f"could be taken{again}"
        )

    def forget(self, scope: DocumentScope, number: int) -> None:
        """Forget a chapter that is no more."""
        self._failed.pop((scope, number), None)
        self._tries.pop((scope, number), None)

    def _tried(self, key: _Key, chapter: Chapter) -> int:
        revision, tried = self._tries.get(key, ("", 0))
        return tried if revision == chapter.revision else 0
