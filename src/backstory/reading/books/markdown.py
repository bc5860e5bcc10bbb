"""Markdown and plain text, split at the headings of its chapters."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt

from backstory.core.books.assembling import Found
from backstory.core.books.numbers import heading_number, is_chapter_line
from backstory.core.model.book_file import LeftOutPart

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n(.*?\n)??(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE: Final = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
# headings are found by blocks alone; what is within a line is parsed for headings only
_BLOCKS: Final = MarkdownIt("commonmark").disable("inline")
_INLINE: Final = MarkdownIt("commonmark")


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading of a text; ``line`` is its first line, ``end`` the one behind it, from 0."""

    level: int
    text: str
    line: int
    end: int


def front_matter(text: str) -> tuple[str, str]:
    """The title that a block of settings at the top names, or "", and the text below the block."""
    found = _FRONT_MATTER.match(text)
    if found is None or ":" not in (found[1] or ""):
        return "", text
    title = _TITLE.search(found[1])
    return title[1].strip("\"'") if title else "", text[found.end() :]


def markdown_headings(text: str) -> list[Heading]:
    """Headings that stand by themselves: none of a quotation, a list or a block of code."""
    tokens = _BLOCKS.parse(text)
    found: list[Heading] = []
    underlined: list[Heading] = []
    for place, token in enumerate(tokens):
        if token.type != "heading_open" or token.level or token.map is None:
            continue
        content = tokens[place + 1].content
        first, end = token.map
        heading = Heading(level=int(token.tag[1]), text=_words(content), line=first, end=end)
        (found if token.markup.startswith("#") else underlined).append(heading)
    # where headings have signs, a line of dashes below a paragraph is the end of a scene
    return found or [one for one in underlined if one.end - one.line == 2]


def text_headings(text: str) -> list[Heading]:
    """Lines of plain text that are headings of chapters, with a blank line above.

    If no line names a unit, lines that hold nothing but the numbers 1, 2, 3 … are headings.
    """
    lines = text.split("\n")
    free = [n for n, line in enumerate(lines) if line.strip() and not (n and lines[n - 1].strip())]
    chosen = [n for n in free if is_chapter_line(lines[n])] or _counted(lines, free)
    return [Heading(level=1, text=lines[n].strip(), line=n, end=n + 1) for n in chosen]


def _counted(lines: Sequence[str], free: Sequence[int]) -> list[int]:
    """Lines with a number alone, as long as they count on from 1; none unless two do."""
    chosen: list[int] = []
    for place in free:
        if heading_number(lines[place].strip()) == (len(chosen) + 1, ""):
            chosen.append(place)
    return chosen if len(chosen) > 1 else []


def chapter_level(headings: Sequence[Heading]) -> int | None:
    """The level whose headings are the chapters.

    The one with the most numbered headings, if two or more are numbered; else the highest with
    two headings; else that of the first heading.
    """
    numbered = Counter(one.level for one in headings if heading_number(one.text) is not None)
    many = [(-count, level) for level, count in numbered.items() if count > 1]
    if many:
        return min(many)[1]
    all_of = Counter(one.level for one in headings)
    twice = [level for level, count in all_of.items() if count > 1]
    return min(twice or all_of, default=None)


def split_at(
    text: str, headings: Sequence[Heading], level: int, place: str, first_line: int = 1
) -> tuple[list[Found], list[LeftOutPart]]:
    """Cut a text at headings of a level.

    A chapter ends at the next heading of its level or a higher one. Text that stands below a
    higher heading (a title page, the motto of a part) is no chapter.

    Args:
        text: Of the book.
        headings: All of them, in order.
        level: Of those that begin a chapter.
        place: Names the file.
        first_line: The number of the text's first line in the file.
    """
    lines = text.split("\n")
    cuts = [one for one in headings if one.level <= level]
    found, left_out = [], []
    before = "\n".join(lines[: cuts[0].line] if cuts else lines).strip()
    if before:
        left_out.append(_left_out(before, f"{place}, line {first_line}"))
    for one, end in _with_ends(cuts, len(lines)):
        body = "\n".join(lines[one.end : end]).strip("\n")
        where = f"{place}, line {one.line + first_line}"
        if one.level == level:
            found.append(Found(heading=one.text, text=body, place=where))
        elif body.strip():
            left_out.append(_left_out(body.strip(), where))
    return found, left_out


def one_chapter(text: str, place: str, *, is_markdown: bool) -> Found:
    """A text that is one chapter; a heading or settings at its top give its title."""
    title, body = front_matter(text) if is_markdown else ("", text)
    headings = markdown_headings(body) if is_markdown else text_headings(body)
    lines = body.split("\n")
    if headings and not "".join(lines[: headings[0].line]).strip():
        title = title or headings[0].text
        body = "\n".join(lines[headings[0].end :])
    return Found(heading=title, text=body.strip("\n"), place=place)


def _with_ends(cuts: Sequence[Heading], end: int) -> Iterator[tuple[Heading, int]]:
    for place, one in enumerate(cuts):
        yield one, cuts[place + 1].line if place + 1 < len(cuts) else end


def _left_out(text: str, place: str) -> LeftOutPart:
    reason = f"outside of the chapters: {len(text):,} characters"
    return LeftOutPart(place=place, reason=reason)


def _words(content: str) -> str:
    """The words of a heading, without marks for emphasis and links."""
    children = [one for token in _INLINE.parseInline(content) for one in token.children or ()]
    words = "".join(one.content or " " * (one.type == "softbreak") for one in children)
    return " ".join(words.split())
