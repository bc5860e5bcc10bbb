"""Regular expressions that are tried only where they can match, and compiled when first tried."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

from backstory.reading.rules.needs import Needed, needed, words_in

_T = TypeVar("_T")


class Pattern:
    """A regular expression, its case left aside.

    Attributes:
        needs: What each text that it matches in has; None = nothing is known of it.
    """

    def __init__(self, text: str, *, leads: tuple[str, ...] = (), dotall: bool = False) -> None:
        """Keep the text; nothing is compiled yet.

        Args:
            text: The expression.
            leads: Long parts of it without a word that is needed; words end before and behind them.
            dotall: A dot stands for the end of a line too.
        """
        self._text = text
        self._leads = leads
        self._flags = re.IGNORECASE | (re.DOTALL if dotall else 0)

    @cached_property
    def needs(self) -> Needed | None:
        """See the class."""
        text = self._text
        for lead in self._leads:
            text = text.replace(lead, r"\b")
        return needed(text)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self._text, self._flags)

    def can_match(self, text: str) -> bool:
        """Whether it may match in a text; False is sure."""
        return self.needs is None or self.needs.may_be_in(words_in(text))

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere in a text."""
        return self.compiled.search(text) if self.can_match(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning of a text."""
        return self.compiled.match(text) if self.can_match(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match with all of a text."""
        return self.compiled.fullmatch(text) if self.can_match(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a text."""
        return self.compiled.finditer(text) if self.can_match(text) else iter(())

    def sub(self, to: str, text: str, count: int = 0) -> str:
        """The text with what matches replaced."""
        return self.compiled.sub(to, text, count) if self.can_match(text) else text


class Rows(Generic[_T]):
    """Patterns, each with what it stands for; in their order."""

    def __init__(self, rows: Iterable[tuple[Pattern, _T]]) -> None:
        """Keep the rows; what their patterns need is looked up at the first text."""
        self._rows = tuple(rows)

    def __iter__(self) -> Iterator[tuple[Pattern, _T]]:
        return iter(self._rows)

    @cached_property
    def _by_word(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for number, (pattern, _) in enumerate(self._rows):
            for word in pattern.needs.words if pattern.needs else ():
                found[word] = (*found.get(word, ()), number)
        return found

    @cached_property
    def _always(self) -> tuple[int, ...]:
        return tuple(n for n, (pattern, _) in enumerate(self._rows) if pattern.needs is None)

    def near(self, text: str) -> list[tuple[re.Pattern[str], _T]]:
        """The rows that may match in a text."""
        by_word = self._by_word
        words = words_in(text)
        if not self._always and words.isdisjoint(by_word):
            return []
        numbers = {n for word in words if word in by_word for n in by_word[word]}
        numbers.update(self._always)
        rows = (self._rows[n] for n in sorted(numbers))
        return [(pattern.compiled, what) for pattern, what in rows if pattern.can_match(text)]

    def finditer(self, text: str) -> Iterator[tuple[re.Match[str], _T]]:
        """All matches of all rows in a text, row by row."""
        return (
            (match, what) for pattern, what in self.near(text) for match in pattern.finditer(text)
        )
