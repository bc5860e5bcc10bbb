"""Makes EPUBs of any kind, good and bad."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def page(body: str, title: str = "A Book", kind: str = "") -> str:
    marked = f' epub:type="{kind}"' if kind else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title>{title}</title></head><body{marked}>{body}</body></html>"
    )


def navigation(links: Sequence[tuple[str, str]]) -> str:
    entries = "".join(f'<li><a href="{target}">{label}</a></li>' for target, label in links)
    return page(f'<nav epub:type="toc"><ol>{entries}</ol></nav>')


def points(links: Sequence[tuple[str, str]]) -> str:
    entries = "".join(
        f'<navPoint id="n{n}"><navLabel><text>{label}</text></navLabel>'
        f'<content src="{target}"/></navPoint>'
        for n, (target, label) in enumerate(links)
    )
    return f'<?xml version="1.0"?><ncx><navMap>{entries}</navMap></ncx>'


def package(pages: Sequence[str], *, nav: bool, ncx: bool, linear: Mapping[str, str]) -> str:
    items = "".join(
        f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(pages)
    )
    if nav:
        items += (
            '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        )
    if ncx:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    spine = "".join(
        f'<itemref idref="p{n}" linear="{linear.get(name, "yes")}"/>'
        for n, name in enumerate(pages)
    )
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>A  Book &amp; Co</dc:title></metadata><manifest>{items}</manifest>"
        f'<spine toc="ncx">{spine}</spine></package>'
    )


def write_epub(
    path: Path,
    pages: Mapping[str, str],
    *,
    contents: Sequence[tuple[str, str]] = (),
    old: bool = False,
    linear: Mapping[str, str] | None = None,
    more: Mapping[str, str | bytes] | None = None,
) -> Path:
    """Write an EPUB; ``contents`` is its table of contents, as EPUB 2 has it if ``old``."""
    files: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package(
            list(pages), nav=bool(contents) and not old, ncx=old, linear=linear or {}
        ),
        **{f"OEBPS/{name}": text for name, text in pages.items()},
    }
    if contents:
        files["OEBPS/toc.ncx" if old else "OEBPS/nav.xhtml"] = (
            points(contents) if old else navigation(contents)
        )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**files, **(more or {})}.items():
            archive.writestr(name, content)
    return path
