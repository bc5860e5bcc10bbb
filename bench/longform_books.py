"""Books to measure with: chapters from a file, a book of equal summaries, texts of languages."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from bench.datasets import of_format
from bench.filled import Conversations
from bench.translations import read_languages

_NAMES = (
    *("Ada", "Bruno", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas"),
    *("Kaja", "Liam", "Mona", "Nadia", "Omar", "Petra", "Quinn", "Rosa", "Sven", "Tilda"),
)
_MOST_CHARS = 400


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter to be stored; without a summary the library makes one."""

    number: int
    title: str
    text: str
    summary: str | None = None


def read_chapters(path: Path, limit: int | None = None) -> list[Chapter]:
    """Chapters of a file of JSON lines {book, chapter, text}, numbered through.

    Args:
        path: The file, with gzip or without.
        limit: Only the first so many.
    """
    return [
        Chapter(number=number, title=f"{row['book']} {row['chapter']}", text=row["text"])
        for number, row in enumerate(islice(read_rows(path), limit), start=1)
    ]


@of_format("of books: JSON Lines")
def read_rows(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file, with gzip or without."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def made_chapters(count: int, seed: int = 1) -> list[Chapter]:
    """Seeded chapters of ten sentences with names, for where no book is given."""
    words = Conversations(seed=seed)
    random = Random(seed)  # noqa: S311 - texts, not secrets
    chapters = []
    for number in range(1, count + 1):
        sentences = [
            f"{random.choice(_NAMES)} said to {random.choice(_NAMES)}: {words.text(14)}"
            for _ in range(10)
        ]
        chapters.append(Chapter(number=number, title="", text=" ".join(sentences)))
    return chapters


def equal_chapters(count: int) -> list[Chapter]:
    """Chapters whose summaries differ in nothing but the number of their chapter."""
    return [Chapter(number=n, title="", text=_EQUAL, summary=_EQUAL) for n in range(1, count + 1)]


_EQUAL = (
    "The keeper climbed the tower at dusk and lit the lamp, and the ship that had waited outside "
    "the bar came in on the flood with its hold full of salt, so that the town, which had been "
    "without it since the autumn, could cure its fish again; but the letter that everybody had "
    "hoped for was not on board, and nobody on the quay knew whom to ask for it."
)


def languages(path: Path, limit: int | None = None) -> Iterator[tuple[str, list[str]]]:
    """Texts of a folder or an archive, one language each: its name, and its paragraphs.

    Args:
        path: A folder or a zip of text files in UTF-8.
        limit: Only so many, spread over all.
    """
    texts = read_languages(path)
    for name in spread(list(texts), limit):
        yield name, paragraphs(texts[name])


def spread(items: Sequence[str], limit: int | None) -> list[str]:
    """So many of the items, evenly over all of them."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[place * len(items) // limit] for place in range(limit)]


def paragraphs(text: str) -> list[str]:
    """Lines with words, cut to pieces of at most 400 characters."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [
        line[start : start + _MOST_CHARS]
        for line in lines
        for start in range(0, len(line), _MOST_CHARS)
    ]
