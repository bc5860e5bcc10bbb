"""EPUB: the reading order of its package, cut where its table of contents says."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bs4 import BeautifulSoup, Tag

from backstory.core.books.assembling import Found, assemble
from backstory.core.books.numbers import heading_number
from backstory.core.model.book_file import BookFile, LeftOutPart, Numbering
from backstory.core.text import clean
from backstory.core.wordlists import word_set
from backstory.errors import FileError
from backstory.reading.books.archive import EpubArchive, resolve
from backstory.reading.books.html import Piece, parse, pieces

_CONTAINER: Final = "META-INF/container.xml"
_RIGHTS: Final = "META-INF/encryption.xml"
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_FONTS: Final = ("idpf.org/2008/embedding", "ns.adobe.com/pdf/enc#rc")
_NO_CHAPTERS: Final = word_set(
    "cover titlepage halftitlepage copyright-page toc landmarks loi lot index imprint colophon "
    "frontispiece dedication"
)
_DEEPEST: Final = 32


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """An entry of the table of contents."""

    label: str
    name: str
    anchor: str
    depth: int


@dataclass(frozen=True, kw_only=True)
class _Package:
    title: str
    spine: tuple[str, ...]
    contents: tuple[_Entry, ...]


def read_epub(path: Path, numbering: Numbering) -> BookFile:
    """Read an EPUB 2 or 3.

    A chapter begins where the table of contents says, and goes on over as many pages as it has;
    without a usable table each page of the reading order is one. Covers, title pages and the like
    are left out, and named.

    Raises:
        FileError: It is no EPUB, is encrypted, declares entities, or unpacks to too much.
    """
    with EpubArchive(path) as archive:
        package = _package(archive, clean(path.name))
        starts = _starts(package)
        found: list[Found] = []
        left_out: list[LeftOutPart] = []
        for name in package.spine:
            try:
                page = _parsed(archive, name)
            except FileError as error:
                left_out.append(LeftOutPart(place=name, reason=str(error), is_problem=True))
                continue
            labels = {one.anchor: one.label for one in starts if one.name == name}
            if _is_no_chapter(page):
                left_out.append(LeftOutPart(place=name, reason="no chapter: a page of the frame"))
                continue
            _take(
                found,
                left_out,
                name,
                pieces(page, labels.keys() - {""}),
                labels,
                by_contents=bool(starts),
            )
    return assemble(found, title=package.title, form="epub", left_out=left_out, numbering=numbering)


def _take(
    found: list[Found],
    left_out: list[LeftOutPart],
    name: str,
    cut: Sequence[Piece],
    labels: dict[str, str],
    *,
    by_contents: bool,
) -> None:
    """Put the pieces of a page where they belong."""
    for piece in cut:
        label = labels.get(piece.anchor)
        place = f"{name}#{piece.anchor}" if piece.anchor else name
        if label is not None or not by_contents:
            heading = label or piece.heading
            found.append(Found(heading=heading, text=clean(piece.text), place=clean(place)))
            continue
        text = f"{piece.heading}\n\n{piece.text}".strip()
        if not text:
            continue
        if found:  # a chapter that goes on, on another page
            last = found.pop()
            joined = f"{last.text}\n\n{clean(text)}".strip()
            found.append(Found(heading=last.heading, text=joined, place=last.place))
        else:
            reason = f"before the first chapter: {len(text):,} characters"
            left_out.append(LeftOutPart(place=clean(place), reason=reason))


def _package(archive: EpubArchive, place: str) -> _Package:
    if _CONTAINER not in archive:
        raise FileError(f"{place} is no EPUB: it has no {_CONTAINER}")
    _refuse_encrypted(archive, place)
    root = _parsed(archive, _CONTAINER).find("rootfile")
    name = str(root.get("full-path", "")) if isinstance(root, Tag) else ""
    if name not in archive:
        raise FileError(f"{place} is no EPUB: its package is missing")
    package = _parsed(archive, name)
    items = {str(item.get("id")): item for item in package.find_all("item") if item.get("href")}
    spine = []
    for reference in package.find_all("itemref"):
        item = items.get(str(reference.get("idref")))
        if item is None or reference.get("linear") == "no" or _kind(item) not in _PAGES:
            continue
        spine.append(resolve(name, str(item["href"]))[0])
    if not spine:
        raise FileError(f"{place} is no EPUB that can be read: its reading order is empty")
    title = package.find("dc:title") or package.find("title")
    return _Package(
        title=clean(" ".join(title.get_text().split())) if title else "",
        spine=tuple(dict.fromkeys(spine)),
        contents=tuple(_contents(archive, name, package, items)),
    )


def _kind(item: Tag) -> str:
    return str(item.get("media-type", "")).strip().lower()


def _contents(
    archive: EpubArchive, package_name: str, package: BeautifulSoup, items: dict[str, Tag]
) -> list[_Entry]:
    """The table of contents: that of EPUB 3, else that of EPUB 2."""
    navigation = next(
        (one for one in items.values() if "nav" in str(one.get("properties", "")).split()), None
    )
    if navigation is not None:
        name = resolve(package_name, str(navigation["href"]))[0]
        found = _navigation(_parsed(archive, name), name) if name in archive else []
        if found:
            return found
    spine = package.find("spine")
    old = items.get(str(spine.get("toc"))) if isinstance(spine, Tag) else None
    if old is None:
        return []
    name = resolve(package_name, str(old["href"]))[0]
    return _points(_parsed(archive, name), name) if name in archive else []


def _navigation(page: BeautifulSoup, name: str) -> list[_Entry]:
    for part in page.find_all("nav"):
        if "toc" in str(part.get("epub:type", "")).split():
            links = part.find_all("a", href=True)
            return [_entry(link, str(link["href"]), name, "li") for link in links]
    return []


def _points(page: BeautifulSoup, name: str) -> list[_Entry]:
    found = []
    for point in page.find_all("navpoint"):
        content, label = point.find("content"), point.find("text")
        if isinstance(content, Tag) and content.get("src"):
            entry = _entry(point, str(content["src"]), name, "navpoint")
            words = " ".join(label.get_text().split()) if label else ""
            found.append(
                _Entry(label=words, name=entry.name, anchor=entry.anchor, depth=entry.depth)
            )
    return found


def _entry(tag: Tag, reference: str, base: str, nested_in: str) -> _Entry:
    target, anchor = resolve(base, reference)
    parents = tag.find_parents(nested_in, limit=_DEEPEST)
    label = " ".join(tag.get_text().split()) if nested_in == "li" else ""
    return _Entry(label=clean(label), name=target, anchor=anchor, depth=len(parents))


def _starts(package: _Package) -> list[_Entry]:
    """Entries of the table of contents that begin chapters: those of one depth.

    The depth with the most numbered entries, if two or more are numbered; else the highest with
    two entries. Entries above it stand too: a part, an epilogue.
    """
    pages = set(package.spine)
    known = [one for one in package.contents if one.name in pages]
    numbered = Counter(one.depth for one in known if heading_number(one.label) is not None)
    many = [(-count, depth) for depth, count in numbered.items() if count > 1]
    all_of = Counter(one.depth for one in known)
    twice = [depth for depth, count in all_of.items() if count > 1]
    if not many and not twice:
        return []
    deepest = min(many)[1] if many else min(twice)
    return [one for one in known if one.depth <= deepest]


def _is_no_chapter(page: BeautifulSoup) -> bool:
    """Whether the page says of itself that it is a cover, a table of contents or the like."""
    for tag in page.find_all(["body", "section"], limit=2):
        if set(str(tag.get("epub:type", "")).split()) & _NO_CHAPTERS:
            return True
    return False


def _parsed(archive: EpubArchive, name: str) -> BeautifulSoup:
    return parse(archive.read(name), clean(name))


def _refuse_encrypted(archive: EpubArchive, place: str) -> None:
    if _RIGHTS not in archive:
        return
    methods = _parsed(archive, _RIGHTS).find_all("enc:encryptionmethod")
    methods += _parsed(archive, _RIGHTS).find_all("encryptionmethod")
    used = {str(one.get("algorithm", "")).lower() for one in methods}
    if not all(any(font in one for font in _FONTS) for one in used):
        raise FileError(f"{place} is encrypted; a book under rights management cannot be read")
