"""Sentences of prose in any script, and which of its words somebody speaks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from backstory.core.wordlists import word_set

SPOKEN: Final = "\u25a1"
"""What stands for each code point that somebody speaks."""

_CLOSING: Final = "\"\u201d\u2019\u00bb)\\]\u300d\u300f\uff09\u3011\u3015\u203a*_'"
# Ends that a blank follows, and ends of scripts that need none.
_SPACED: Final = ".!?\u2026\u203c\u2047-\u2049\u061f\u06d4\u0964\u0965\u17d4\u17d5\u104a\u104b"
_SPACED_MORE: Final = "\u1362\u1367\u1368\u0589\u055c\u055e\u0f0d\u0f0e\u1803\u0700-\u0702"
_UNSPACED: Final = "\u3002\uff01\uff1f\uff61\ufe12"
_END: Final = re.compile(
    f"[{_UNSPACED}]+[{_CLOSING}]*|[{_SPACED}{_SPACED_MORE}]+[{_CLOSING}]*(?=\\s|$)"
)
_PARAGRAPH: Final = re.compile(r"\n[ \t\r\f\v]*(?:\n\s*)+|\u2029\s*")
_LINE: Final = re.compile(r"(?:\r\n|[\n\r\x0b\x0c\x85\u2028])\s*")
# A line that is no part of a sentence: a heading, an item, a rule, or a speaker's dash.
_OWN_LINE: Final = re.compile(
    r"[ \t]*(?:#{1,6} |[-*+\u2022] |\d+[.)] |[-*_=~]{3,}\s*$|[\u2014\u2013])"
)
_ABBREVIATIONS: Final = word_set(
    "mr mrs ms dr prof st sr jr rev hon capt col gen lt sgt maj cmdr gov sen rep pres messrs mme "
    "mlle mgr vs etc no vol fig ch ed approx dept est al cf viz eg ie hr fr bzw usw herr z.b d.h "
    "u.a sra srta dna sig dott av bd blvd mt ft op pp m"
)
_WORD_BEFORE: Final = re.compile(r"([^\W\d_][\w.]*)$")
_LONGEST: Final = 600
"""Characters. What is longer without an end of a sentence is divided where its lines end."""

_QUOTES: Final = {
    "\u201c": "\u201d\u201c", "\u00ab": "\u00bb", "\u00bb": "\u00ab", "\u201e": "\u201c\u201d",
    "\u300c": "\u300d", "\u300e": "\u300f", "\u2039": "\u203a", "\uff02": "\uff02", '"': '"',
}  # fmt: skip
_QUOTE_MARK: Final = re.compile(
    "[\u201c\u00ab\u00bb\u201e\u300c\u300e\u2039\uff02\"\u2018']|^[\u2014\u2013]"
)
_SINGLE_END: Final = re.compile("(?<=[,.!?\u2026\u2014\u2013-])[\u2019'](?!\\w)")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text: its code points, ``end`` exclusive, and what they say."""

    start: int
    end: int
    text: str


def paragraphs(text: str) -> Iterator[Span]:
    """Parts of a text that blank lines divide, without the blanks around them."""
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield from _trimmed(text, start, gap.start())
        start = gap.end()
    yield from _trimmed(text, start, len(text))


def sentences(text: str) -> list[Span]:
    """The sentences of a text, verbatim, in order.

    A sentence ends with the mark of its script, closing quotes included, and with its paragraph.
    Abbreviations and initials end none, nor does a mark that a small letter follows ("Go!" he
    said). A line break ends one only before a heading, an item of a list or a dash, and where a
    text without marks, such as verse, gets longer than 600 characters.
    """
    found: list[Span] = []
    for paragraph in paragraphs(text):
        for block in _blocks(text, paragraph):
            start = block.start
            for end in _ends(text, block):
                found += _short_enough(text, start, end)
                start = end
            found += _short_enough(text, start, block.end)
    return found


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    said = text[start:end]
    begin = start + len(said) - len(said.lstrip())
    said = said.strip()
    if said:
        yield Span(begin, begin + len(said), said)


def _blocks(text: str, paragraph: Span) -> Iterator[Span]:
    """The paragraph, divided before and behind lines that stand for themselves."""
    if "\n" not in paragraph.text:
        yield paragraph
        return
    start = paragraph.start
    heading = bool(_OWN_LINE.match(text, start)) and text[start] == "#"
    for line in _LINE.finditer(text, paragraph.start, paragraph.end):
        own = _OWN_LINE.match(text, line.end(), paragraph.end)
        if heading or own:
            yield from _trimmed(text, start, line.start())
            start = line.end()
        heading = bool(own) and text[line.end()] == "#"
    yield from _trimmed(text, start, paragraph.end)


def _ends(text: str, block: Span) -> Iterator[int]:
    for end in _END.finditer(text, block.start, block.end):
        if text[end.start()] in _UNSPACED:
            # Japanese goes on behind a quotation with a particle.
            if not text.startswith(("\u3068", "\u3063\u3066"), end.end()):
                yield end.end()
        elif not _goes_on(text, end, block.end):
            yield end.end()


def _goes_on(text: str, end: "re.Match[str]", limit: int) -> bool:
    rest = text[end.end() : min(end.end() + 8, limit)].lstrip(" \t\r\n\"\u201c\u2018'(")
    if rest[:1].islower():
        return True
    if not end.group().startswith(".") or end.group().startswith(".."):
        return False
    before = _WORD_BEFORE.search(text, max(0, end.start() - 12), end.start())
    if not before:
        return False
    word = before.group(1)
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial or word.lower() in _ABBREVIATIONS


def _short_enough(text: str, start: int, end: int) -> Iterator[Span]:
    """What has no end of a sentence for long is divided where its lines end."""
    if end - start <= _LONGEST:
        yield from _trimmed(text, start, end)
        return
    for line in _LINE.finditer(text, start, end):
        yield from _trimmed(text, start, line.start())
        start = line.end()
    yield from _trimmed(text, start, end)


def spoken(text: str) -> list[tuple[int, int]]:
    """Where somebody speaks: code points of the quotations in a text, marks included, in order.

    All usual marks count; a quotation without an end reaches to the end of its paragraph. An
    apostrophe begins none inside of a word. A line that begins with a dash is spoken up to its
    next dash, and again behind the one that follows, as in Russian, French and Spanish prose.
    """
    found: list[tuple[int, int]] = []
    for paragraph in paragraphs(text):
        place = paragraph.start
        while place < paragraph.end:
            mark = _QUOTE_MARK.search(text, place, paragraph.end)
            if not mark:
                break
            end = _closed(text, mark, paragraph)
            if end is None:
                place = mark.end()
                continue
            found.append((mark.start(), end))
            place = end
        if text[paragraph.start] in "\u2014\u2013":
            found += _dashed(text, paragraph)
    return sorted(found)


def _closed(text: str, mark: "re.Match[str]", paragraph: Span) -> int | None:
    """Where the quotation that begins here ends, or None if none begins."""
    opening = mark.group()
    before = text[mark.start() - 1 : mark.start()]
    if opening in "\u2018'":
        if before.isalnum():
            return None
        end = _SINGLE_END.search(text, mark.end(), paragraph.end)
        return end.end() if end else None
    if opening in "\u2014\u2013":
        return None
    places = [text.find(one, mark.end(), paragraph.end) for one in _QUOTES[opening]]
    closed = [place for place in places if place >= 0]
    return min(closed) + 1 if closed else paragraph.end


def _dashed(text: str, paragraph: Span) -> Iterator[tuple[int, int]]:
    for line in re.finditer("[^\n]+", paragraph.text):
        start = paragraph.start + line.start()
        end = paragraph.start + line.end()
        if text[start] in "\u2014\u2013":
            for number, part in enumerate(
                re.finditer("[\u2014\u2013][^\u2014\u2013]*", text[start:end])
            ):
                if number % 2 == 0:
                    yield start + part.start(), start + part.end()


def narrated(text: str) -> str:
    """The text with ``SPOKEN`` for what is spoken; each code point stays in its place."""
    return replaced(text, ((start, end, SPOKEN * (end - start)) for start, end in spoken(text)))


def replaced(text: str, parts: Iterable[tuple[int, int, str]]) -> str:
    """The text with others in the place of parts of it; of two that overlap the first counts.

    Args:
        text: Any text.
        parts: Code points from and to, ``end`` exclusive, and what stands there then; ascending.
    """
    pieces: list[str] = []
    done = 0
    for start, end, instead in parts:
        if start >= done:
            pieces += (text[done:start], instead)
            done = end
    return "".join((*pieces, text[done:]))
