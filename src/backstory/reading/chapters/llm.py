"""The reader of chapters that asks a language model: one call for a chapter."""

from collections import Counter
from dataclasses import replace
from typing import Final

from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.text import abridge
from backstory.errors import ReadingError, TruncatedCompletionError
from backstory.ports.chapter_reader import ChapterToRead
from backstory.ports.chat_model import ChatModel, Prompt
from backstory.reading.asking import ask
from backstory.reading.chapters.findings import Findings
from backstory.reading.chapters.prompts import SCHEMA, render_chapter, task
from backstory.reading.chapters.shapes import FIELDS, read_answer
from backstory.reading.chapters.summaries import MAX_TOKENS as SUMMARY_TOKENS

MAX_TOKENS: Final = 8192
MAX_CHARS: Final = 160_000
"""Characters of a chapter that a call shows: about 40,000 tokens of English."""
_TAIL_SHARE: Final = 0.25
_WORDS_PER_TOKEN: Final = 0.67


class LLMChapterReader:
    """Reads chapters with a language model: summary, entities with states, thread operations.

    A chapter is one call. The prompt holds the chapter and a bounded part of what is known, so it
    does not grow with the document. Of a chapter that is longer than ``max_chars`` the model
    reads the beginning and the end, and the reading says so. What the chapter does not say in its
    own words is rejected, with the reason. An answer that was cut off or has a wrong shape is an
    error, and nothing of it counts.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        max_tokens: int = MAX_TOKENS,
        max_chars: int = MAX_CHARS,
        summary_tokens: int = SUMMARY_TOKENS,
        tries: int = 1,
    ) -> None:
        """Take a model.

        Args:
            model: Asked once for each chapter.
            max_tokens: Cap of an answer. One that hits it is an error, never half an answer.
            max_chars: The most of a chapter that is shown, 1,000 or more: less than the model's
                window takes.
            summary_tokens: Wanted length of a summary.
            tries: Answers to look at; from the second on the model is told what was wrong.
        """
        self._model = model
        self._max_tokens = max_tokens
        self._max_chars = max_chars
        self._words = max(1, round(summary_tokens * _WORDS_PER_TOKEN))
        self._tries = tries
        self.usage: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    async def read(self, chapter: ChapterToRead) -> ChapterReading:
        """Read a chapter; see ``ports.chapter_reader.ChapterReader``.

        A chapter without a letter or a number is not asked about.

        Raises:
            ReadingError: The answer could not be understood, or hit its cap.
            ModelError: The model did not answer.
        """
        if not any(char.isalnum() for char in chapter.text):
            return ChapterReading(summary="")
        shown = self._shown(chapter.text)
        prompt = Prompt(
            system=task(words=self._words, given=chapter.given_summary is not None),
            user=render_chapter(chapter, shown),
            schema=SCHEMA,
            name="chapter",
            max_tokens=self._max_tokens,
        )
        try:
            said = await ask(
                self._model, prompt, read_answer, names=FIELDS, usage=self.usage, tries=self._tries
            )
        except TruncatedCompletionError as error:
            raise ReadingError(str(error)) from error
        reading = Findings(chapter).read(said)
        if shown == chapter.text:
            return reading
        left = len(chapter.text) - len(shown)
        note = f"{left} characters in the middle of the text were not read: it is too long"
        return replace(reading, rejected=(note, *reading.rejected))

    def _shown(self, text: str) -> str:
        """The text, or its beginning and its end where it is too long for one call."""
        tail = int(self._max_chars * _TAIL_SHARE)
        return abridge(text, self._max_chars - tail - 1, tail)
