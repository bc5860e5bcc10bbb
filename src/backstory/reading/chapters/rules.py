"""The reader of chapters that needs no model."""

from typing import Final

from backstory.core.model.chapter_reading import ChapterReading
from backstory.ports.chapter_reader import ChapterToRead
from backstory.reading.chapters.names import find_cast
from backstory.reading.chapters.states import read_states
from backstory.reading.chapters.summaries import MAX_TOKENS, summarise
from backstory.threads import run_in_thread

# Reading less than this takes no longer than a few hops into another thread.
_INLINE_CHARS: Final = 400


class RuleChapterReader:
    """Reads a chapter by rules: an extract as the summary, names, and plain statements of states.

    It plants and closes no threads: what a promise to the reader is, no rule can tell.
    """

    def __init__(self, *, summary_tokens: int = MAX_TOKENS) -> None:
        """Take the most tokens of a summary, 1 or more."""
        self._summary_tokens = summary_tokens

    @property
    def name(self) -> str:
        """For the log."""
        return "rules"

    async def read(self, chapter: ChapterToRead) -> ChapterReading:
        """Read a chapter; see ``ports.chapter_reader.ChapterReader``. It cannot fail."""
        if len(chapter.text) < _INLINE_CHARS:
            return self.read_now(chapter)
        return await run_in_thread(self.read_now, chapter)

    def read_now(self, chapter: ChapterToRead) -> ChapterReading:
        """The same in this thread."""
        given = chapter.given_summary
        summary = summarise(chapter.text, max_tokens=self._summary_tokens) if given is None else ""
        cast = find_cast(chapter.text, chapter.entities)
        states = tuple(read_states(chapter.text, cast))
        return ChapterReading(summary=summary, sightings=cast.sightings, states=states)
