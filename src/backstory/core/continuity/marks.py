"""A text with the names of its characters marked, sentence by sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.continuity.prose import SPOKEN, Span, narrated, paragraphs, replaced, sentences
from backstory.core.model.entity import Entity
from backstory.core.names import KnownName, NameIndex

FIRST_MARK: Final = 0xE000
FILLER: Final = "\uf8ff"
NAME: Final = "[\ue000-\uf7ff]\uf8ff*+"
"""A name in a marked sentence: one private character that says whose, and fillers."""

MOST_MARKS: Final = 0xF800 - FIRST_MARK

_BEFORE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; in both texts each code point stands in its place.

    Attributes:
        said: As it is.
        told: With names marked and with what is spoken masked.
        marked: With names marked, what is spoken included.
        paragraph: The paragraph that it stands in.
        end: Where it ends there.
    """

    said: str
    told: str
    marked: str
    paragraph: str
    end: int

    @property
    def before(self) -> str:
        """The paragraph up to the end of the sentence, its last 2,000 characters at most."""
        return self.paragraph[max(0, self.end - _BEFORE) : self.end]


class Names:
    """The entities of a document as marks."""

    def __init__(self, entities: Sequence[Entity]) -> None:
        """Take the entities; past 6,144 the others are not marked."""
        self._names = [one.name for one in entities[:MOST_MARKS]]
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._index = NameIndex(
            [
                KnownName(
                    key=one.name,
                    forms=(one.name, *one.aliases),
                    case_sensitive=one.case_sensitive,
                )
                for one in entities[:MOST_MARKS]
            ]
        )

    def mark_of(self, name: str) -> str:
        """The pattern for one entity's name."""
        return f"{chr(FIRST_MARK + self._numbers[name])}{FILLER}*+"

    def name_of(self, mark: str) -> str:
        """Whose name a mark is."""
        return self._names[ord(mark[0]) - FIRST_MARK]

    def sentences(self, text: str) -> Iterator[Sentence]:
        """The sentences of a text, in order. A name that two share is not marked."""
        marked = self._mark(text)
        told = narrated(text)
        told = "".join(
            one if one == SPOKEN else other for one, other in zip(told, marked, strict=True)
        ).replace("\n", " ")
        for paragraph in paragraphs(text):
            for span in sentences(paragraph.text):
                yield _sentence(paragraph, span, told, marked)

    def _mark(self, text: str) -> str:
        own = [found for found in self._index.find(text) if len(found.keys) == 1]
        numbers = (self._numbers[found.keys[0]] for found in own)
        return replaced(
            text,
            (
                (found.start, found.end, mark(number, found.end - found.start))
                for found, number in zip(own, numbers, strict=True)
            ),
        )


def mark(number: int, size: int) -> str:
    """The mark of a number below ``MOST_MARKS``, of so many code points, 1 or more."""
    return chr(FIRST_MARK + number) + FILLER * (size - 1)


def _sentence(paragraph: Span, span: Span, told: str, marked: str) -> Sentence:
    start, end = paragraph.start + span.start, paragraph.start + span.end
    return Sentence(
        said=span.text,
        told=told[start:end],
        marked=marked[start:end],
        paragraph=paragraph.text,
        end=span.end,
    )
