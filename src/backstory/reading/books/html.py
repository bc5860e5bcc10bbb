"""XHTML as plain text, cut where chapters begin."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PreformattedString

from backstory.core.books.decoding import decode_text
from backstory.core.wordlists import word_set
from backstory.errors import FileError, InvalidInputError

_BLOCKS: Final = word_set(
    "address article aside blockquote body caption dd div dl dt figcaption figure footer h1 h2 "
    "h3 h4 h5 h6 header hr li main ol p pre section table tr ul"
)
_HEADINGS: Final = word_set("h1 h2 h3 h4 h5 h6")
# not read: what is no text of the book, and the readings above Japanese and Chinese words
_SILENT: Final = word_set("head script style nav rt rp svg math template noscript iframe")
_HEAD: Final = 200
_ENCODING: Final = re.compile(rb"""<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']""")
_DECLARATION: Final = re.compile(r"\A\s*<\?xml.*?\?>", re.DOTALL)
_SPACE: Final = re.compile(r"[ \t\n\r\f]+")


@dataclass(kw_only=True)
class Piece:
    """Text from an anchor on; ``heading`` is its first heading, which is not in the text."""

    anchor: str
    heading: str = ""
    blocks: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Paragraphs with a blank line between them."""
        return "\n\n".join(self.blocks)


def parse(data: bytes, name: str) -> BeautifulSoup:
    """Parse HTML, XHTML or the XML of a package.

    The parser is Python's own for HTML: it knows no entities but those of HTML, so none that a
    file declares can grow. Such declarations are refused all the same: a book has none.

    Raises:
        FileError: It declares entities, or is not in the encoding that it states.
    """
    head = data[:_HEAD]
    stated = None if head[:2] in {b"\xfe\xff", b"\xff\xfe"} else _ENCODING.search(head)
    try:
        text = decode_text(data, name, stated[1].decode("ascii") if stated else None)
    except InvalidInputError as error:
        raise FileError(f"{name}: {error}") from error
    if "<!ENTITY" in text:
        raise FileError(f"{name} declares entities; it is refused")
    return BeautifulSoup(_DECLARATION.sub("", text, count=1), "html.parser")


def pieces(page: BeautifulSoup, anchors: Collection[str]) -> list[Piece]:
    """The text of a page, cut before each element whose id is one of the anchors.

    The first piece is what stands before them, its anchor is "".
    """
    found = [Piece(anchor="")]
    words: list[str] = []
    in_heading = False
    for step in _walk(page):
        if isinstance(step, str):
            words.append(step)
            continue
        tag, opens = step
        if opens and tag.get("id") in anchors:
            _close_block(found[-1], words, as_heading=in_heading)
            found.append(Piece(anchor=str(tag["id"])))
        if tag.name == "br" and opens:
            words.append("\n")
        if tag.name in _BLOCKS:
            _close_block(found[-1], words, as_heading=in_heading and not opens)
            if tag.name in _HEADINGS:
                in_heading = opens
    _close_block(found[-1], words, as_heading=False)
    return found


def _close_block(piece: Piece, words: list[str], *, as_heading: bool) -> None:
    lines = [line.strip(" ") for line in "".join(words).split("\n")]
    words.clear()
    block = "\n".join(lines).strip("\n")
    if not block:
        return
    if as_heading and not piece.blocks and len(piece.heading) < 200:
        # "Chapter 1" and "The Lamp" are often two headings, one below the other
        line = " ".join(block.split())
        piece.heading = f"{piece.heading}: {line}" if piece.heading else line
        return
    piece.blocks.append(block)


def _walk(page: BeautifulSoup) -> Iterator[str | tuple[Tag, bool]]:
    """Texts, and beginnings and ends of tags, in order; without recursion, whatever the depth."""
    stack: list[Iterator[object]] = [iter(page.contents)]
    open_tags: list[Tag] = []
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            if open_tags:
                yield open_tags.pop(), False
        elif isinstance(node, Tag):
            if node.name not in _SILENT:
                yield node, True
                open_tags.append(node)
                stack.append(iter(node.contents))
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            yield _SPACE.sub(" ", str(node))
