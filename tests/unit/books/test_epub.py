"""EPUBs: chapters by the table of contents, and hostile ones refused."""

import zipfile
from pathlib import Path

import pytest

from backstory.api.books import read_book
from backstory.core.model.book_file import BookFile
from backstory.errors import FileError
from backstory.reading.books import archive
from tests.unit.books.epubs import CONTAINER, page, write_epub


def shown(book: BookFile) -> list[tuple[int, str, str]]:
    return [(part.number, part.title, part.text) for part in book.parts]


PAGES = {
    "cover.xhtml": page("<img src='x.jpg'/>", kind="cover"),
    "title.xhtml": page("<h1>A Book</h1><p>by N. N.</p>"),
    "c1.xhtml": page("<h2>Chapter 1</h2><h3>Low</h3><p>One  <em>two</em>\nthree.</p><p>Four.</p>"),
    "c1b.xhtml": page("<p>Five &amp; six.<br/>Seven.</p><script>no()</script>"),
    "c2.xhtml": page(
        "<section id='two'><h2>Chapter 2</h2><p><ruby>海<rt>うみ</rt></ruby>🌊</p></section>"
        "<section id='three'><h2>Chapter 3</h2><p>שלום</p></section>"
    ),
    "notes.xhtml": page("<p>Not linear.</p>"),
}
CONTENTS = [
    ("c1.xhtml", "Chapter 1: Low"),
    ("c2.xhtml#two", "Chapter 2"),
    ("c2.xhtml#three", "3. Up"),
]


@pytest.mark.parametrize("old", [False, True])
def test_by_the_table_of_contents(tmp_path: Path, old: bool) -> None:
    path = write_epub(
        tmp_path / "a.epub", PAGES, contents=CONTENTS, old=old, linear={"notes.xhtml": "no"}
    )
    book = read_book(path)
    assert shown(book) == [
        (1, "Low", "One two three.\n\nFour.\n\nFive & six.\nSeven."),
        (2, "Chapter 2", "海🌊"),
        (3, "Up", "שלום"),
    ]
    assert (book.title, book.form, book.numbered) == ("A Book & Co", "epub", "by heading")
    reasons = {one.place: one.reason for one in book.left_out}
    assert "frame" in reasons["OEBPS/cover.xhtml"]
    assert "before the first chapter" in reasons["OEBPS/title.xhtml"]


def test_without_a_table_each_page_is_a_chapter(tmp_path: Path) -> None:
    pages = {
        "a.xhtml": page("<h1>Chapter 1</h1><h2>Low</h2><p>One.</p>"),
        "b.xhtml": page("<div>Two,<div>three</div>four.</div>"),
        "empty.xhtml": page("<p> </p>"),
    }
    book = read_book(write_epub(tmp_path / "a.epub", pages))
    assert shown(book) == [(1, "Low", "One."), (2, "", "Two,\n\nthree\n\nfour.")]
    assert [one.reason for one in book.left_out] == ["empty"]


def test_names_may_be_quoted(tmp_path: Path) -> None:
    spaced = write_epub(
        tmp_path / "b.epub",
        {"a%20b.xhtml": page("<p>no</p>")},
        more={"OEBPS/a b.xhtml": page("<p>One.</p>")},
    )
    assert shown(read_book(spaced)) == [(1, "", "One.")]


def test_hostile_archives_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"a.xhtml": page("<p>One.</p>")}
    lol = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY l2 "&lol;&lol;">]>'
    cases = {
        "no EPUB": {"META-INF/container.xml": "<container/>"},
        "declares entities": {"META-INF/container.xml": lol + CONTAINER},
        "reading order is empty": {"OEBPS/book.opf": "<package/>"},
        "encrypted": {
            "META-INF/encryption.xml": "<encryption><enc:EncryptedData><enc:EncryptionMethod "
            'Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></enc:EncryptedData>'
            "</encryption>"
        },
    }
    for message, more in cases.items():
        path = write_epub(tmp_path / "a.epub", good, more=more)
        with pytest.raises(FileError, match=message):
            read_book(path)
    monkeypatch.setattr(archive, "MOST_ENTRY", 100_000)
    bomb = write_epub(tmp_path / "b.epub", {"b.xhtml": page("a" * 10_000_000), **good})
    (gone,) = read_book(bomb).left_out
    assert gone.is_problem
    assert "unpacks to more" in gone.reason
    monkeypatch.setattr(archive, "MOST_TOTAL", 100)
    with pytest.raises(FileError, match="unpacks to more"):
        read_book(bomb)


def test_broken_archives_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    for content in (b"", b"PK\x03\x04", b"no zip at all"):
        path.write_bytes(content)
        with pytest.raises(FileError, match="no EPUB"):
            read_book(path)
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("x", "y")
    with pytest.raises(FileError, match="no EPUB"):
        read_book(path)
    write_epub(path, {"a.xhtml": page("<p>One.</p>")})
    whole = path.read_bytes()
    for cut in range(0, len(whole), 97):
        path.write_bytes(whole[:cut] + bytes(8) + whole[cut + 8 :])
        try:
            read_book(path)
        except FileError:
            continue


def test_names_lead_nowhere_outside(tmp_path: Path) -> None:
    (tmp_path / "secret.xhtml").write_text(page("<p>secret</p>"))
    path = write_epub(
        tmp_path / "a.epub",
        {"../../../secret.xhtml": page("<p>inside</p>"), "b.xhtml": page("<p>One.</p>")},
    )
    book = read_book(path)
    assert "secret" not in " ".join(part.text for part in book.parts)
    assert len(list(tmp_path.iterdir())) == 2


def test_fonts_that_are_hidden_do_no_harm(tmp_path: Path) -> None:
    font = '<encryption><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></encryption>'
    path = write_epub(
        tmp_path / "a.epub",
        {"a.xhtml": page("<p>One.</p>")},
        more={"META-INF/encryption.xml": font},
    )
    assert len(read_book(path).parts) == 1


def test_deep_and_wide_pages(tmp_path: Path) -> None:
    deep = "<div>" * 5_000 + "deep" + "</div>" * 5_000
    wide = "<p>word</p>" * 5_000
    path = write_epub(tmp_path / "a.epub", {"a.xhtml": page(deep), "b.xhtml": page(wide)})
    book = read_book(path)
    assert [part.text[:4] for part in book.parts] == ["deep", "word"]
