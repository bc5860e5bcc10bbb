"""Takes out of a text what memory itself put into the prompt, so that it is not read as new.

A context is a block: ``<memory>``, a note, headings (``## ``), items (``- ``) and their later
lines (``> ``), ``</memory>``. Clients send it back: whole, quoted, indented, escaped, or cut
off at either end. Rendering escapes these tags in users' text, so a pair of tags that look
alike encloses nothing but one block.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from backstory.core.rendering import MEMORY_NOTE

_TAG: Final = re.compile(
    r"(?P<lt><|&(?:amp;)*lt;|\\u003[cC])(?P<close>/?)memory(?P<gt>>|&(?:amp;)*gt;|\\u003[eE])",
    re.IGNORECASE,
)
_NOTE: Final = re.compile(
    r"(?:Today is \d{4}-\d\d-\d\d\.\s+)?" + r"\s+".join(map(re.escape, MEMORY_NOTE.split()))
)
# How a line of a block begins, behind the marks of whoever quotes it.
_LINE: Final = re.compile(r"[ \t]*(?:- |## |>)")
_HEADING: Final = re.compile(r"[ \t]*## ")
_TODAY: Final = re.compile(r"\s*(?:\\n)?\s*Today is \d{4}-\d\d-\d\d\.")
_QUOTING: Final = re.compile(r"[ \t>|*#/]*")
_MARKS: Final = re.compile(r"[ \t>|]*")

Span = tuple[int, int]


def strip_memory(text: str, recalled: Iterable[str] = ()) -> str:
    """The text without the memory blocks in it; what is outside of them stays as it is.

    Also taken out are blocks that lack their beginning or their end, as far as their lines can
    be told by how they begin. Tags around anything else (``<memory>16 GB</memory>``) stay.

    Args:
        text: A message, or a whole prompt.
        recalled: Lines of contexts that were shown, as they were shown; verbatim copies of
            them are taken out wherever they stand.
    """
    if "memory" in text.casefold() or MEMORY_NOTE.split(",")[0] in text:
        text = _cut(text, _whole_blocks(text))
        text = _cut(text, _torn_blocks(text))
    shown = {_bare(line) for item in recalled for line in item.split("\n")} - {""}
    if not shown:
        return text
    return "".join(line for line in text.splitlines(keepends=True) if _bare(line) not in shown)


def echoes(text: str, recalled: Iterable[str]) -> bool:
    """Whether a text says nothing but lines of contexts that were shown, verbatim.

    A line counts with its date and its speaker: a user who says again what was said before
    says something.
    """
    lines = [bare for line in text.splitlines() if (bare := _bare(line))]
    shown = {_bare(line) for item in recalled for line in item.split("\n")}
    return bool(lines) and all(line in shown for line in lines)


def _bare(line: str) -> str:
    """A line without the marks of quoting and indentation."""
    return _MARKS.sub("", line.strip(), count=1).strip()


def _cut(text: str, spans: Iterable[Span]) -> str:
    pieces, done = [], 0
    for start, end in sorted(spans):
        pieces.append(text[done : max(start, done)])
        done = max(end, done)
    return "".join((*pieces, text[done:]))


def _whole_blocks(text: str) -> Iterator[Span]:
    """Where an opening and a closing tag of one spelling enclose what memory renders."""
    opened: dict[tuple[str, str], re.Match[str]] = {}
    for tag in _TAG.finditer(text):
        spelling = (tag["lt"], tag["gt"])
        if not tag["close"]:
            opened[spelling] = tag
        elif spelling in opened:
            begin = opened.pop(spelling)
            if _is_block(text[begin.end() : tag.start()]):
                # What was opened inside is quoted there, and ends there.
                opened = {k: v for k, v in opened.items() if v.start() < begin.start()}
                yield _with_margins(text, begin.start(), tag.end())


def _is_block(inner: str) -> bool:
    if _NOTE.search(inner) or _TODAY.match(inner):
        return True
    lines = [line for line in inner.splitlines() if line.strip()]
    return bool(lines) and all(map(_LINE.match, lines))


def _with_margins(text: str, start: int, end: int) -> Span:
    """A span with the marks of quoting before it, and its line's end where nothing follows."""
    line = text.rfind("\n", 0, start) + 1
    if _QUOTING.fullmatch(text, line, start):
        start = line
        if text.startswith("\n", end):
            end += 1
    return start, end


def _torn_blocks(text: str) -> Iterator[Span]:
    """Where a block begins without ending, or ends without having begun."""
    done = 0
    for note in _NOTE.finditer(text):
        if note.start() >= done:
            start, done = _downwards(text, note)
            yield start, done
    done = 0
    for tag in _TAG.finditer(text):
        if tag["close"]:
            yield from _upwards(text, tag)
        elif tag.start() >= done and (
            _TODAY.match(text, tag.end()) or _is_alone_before_items(text, tag)
        ):
            start, done = _downwards(text, tag)
            yield start, done


def _is_alone_before_items(text: str, tag: re.Match[str]) -> bool:
    start = text.rfind("\n", 0, tag.start()) + 1
    end = _line_end(text, tag.end())
    prefix = text[start : tag.start()]
    return (
        bool(_QUOTING.fullmatch(prefix))
        and not text[tag.end() : end].strip()
        and _belongs(_line_at(text, end + 1), prefix)
    )


def _downwards(text: str, begin: re.Match[str]) -> Span:
    """From a beginning over the lines that belong to the block."""
    start = text.rfind("\n", 0, begin.start()) + 1
    prefix = text[start : begin.start()]
    if not _QUOTING.fullmatch(prefix):
        start, prefix = begin.start(), ""
    end = _line_end(text, begin.end())
    while end < len(text):
        line = _line_at(text, end + 1)
        if _NOTE.search(line) or _TODAY.match(line) or _belongs(line, prefix):
            end = _line_end(text, end + 1)
            continue
        following = _line_end(text, end + 1)
        if _bare(line) or not _HEADING.match(_unquoted(_line_at(text, following + 1), prefix)):
            break
        end = following
    return start, min(end + 1, len(text))


def _upwards(text: str, tag: re.Match[str]) -> Iterator[Span]:
    """From an end back over the lines that belong to the block; none: the tag stays."""
    start = text.rfind("\n", 0, tag.start()) + 1
    prefix = text[start : tag.start()]
    if not _QUOTING.fullmatch(prefix):
        return
    first = start
    while first > 0:
        above = text.rfind("\n", 0, first - 1) + 1
        line = text[above : first - 1]
        is_gap = not _bare(line) and _HEADING.match(_unquoted(_line_at(text, first), prefix))
        if not (_belongs(line, prefix) or is_gap or _NOTE.search(line)):
            break
        first = above
    if first < start:
        yield first, _with_margins(text, start, tag.end())[1]


def _belongs(line: str, prefix: str) -> bool:
    return bool(_LINE.match(_unquoted(line, prefix)))


def _unquoted(line: str, prefix: str) -> str:
    marks = prefix.rstrip()
    return line[len(marks) :] if line.startswith(marks) else ""


def _line_at(text: str, start: int) -> str:
    return text[start : _line_end(text, start)]


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
