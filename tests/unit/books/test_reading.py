"""Folders, Markdown, plain text: what becomes a chapter, and what is left out."""

import os
from pathlib import Path
from typing import Any

import pytest

from backstory.api.books import read_book
from backstory.core.model.book_file import BookFile
from backstory.errors import FileError, InvalidInputError


def folder(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    root = tmp_path / "novel"
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def file(tmp_path: Path, text: str, name: str = "novel.md") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8", "surrogatepass")
    return path


def shown(book: BookFile) -> list[tuple[int, str, str]]:
    return [(part.number, part.title, part.text) for part in book.parts]


def left_out(book: BookFile) -> dict[str, str]:
    return {one.place: one.reason for one in book.left_out}


def test_a_folder_in_natural_order(tmp_path: Path) -> None:
    book = read_book(
        folder(
            tmp_path,
            {
                "chapter-10.md": "# Chapter 10: Ten\n\nTen.",
                "chapter-2.txt": "Chapter 2\n\nTwo.",
                "chapter-1.markdown": "---\ntitle: One\n---\nText of one.",
            },
        )
    )
    assert shown(book) == [
        (1, "One", "Text of one."),
        (2, "Chapter 2", "Two."),
        (10, "Ten", "Ten."),
    ]
    assert (book.form, book.numbered, book.left_out) == ("folder", "by name", ())


def test_numbers_by_heading_or_by_order(tmp_path: Path) -> None:
    by_heading = folder(tmp_path, {"b.md": "# Kapitel 1\nEins.", "a.md": "# Kapitel 2\nZwei."})
    book = read_book(by_heading)
    assert [(p.number, p.place) for p in book.parts] == [(1, "b.md"), (2, "a.md")]
    assert book.numbered == "by heading"
    ordered = read_book(by_heading, numbering="order")
    assert [(p.number, p.place) for p in ordered.parts] == [(1, "a.md"), (2, "b.md")]
    (by_heading / "prologue.md").write_text("Before.")
    mixed = read_book(by_heading)
    assert [p.place for p in mixed.parts] == ["prologue.md", "a.md", "b.md"]
    assert mixed.numbered == "in order"
    with pytest.raises(InvalidInputError, match="numbering"):
        read_book(by_heading, numbering="random")  # type: ignore[arg-type]


def test_two_files_of_one_number_are_counted(tmp_path: Path) -> None:
    book = read_book(folder(tmp_path, {"3.md": "a", "03.md": "b", "4.md": "c"}))
    assert [part.number for part in book.parts] == [1, 2, 3]
    assert book.numbered == "in order"
    zero = read_book(folder(tmp_path / "z", {"00.md": "a", "01.md": "b"}))
    assert [part.number for part in zero.parts] == [1, 2]


def test_what_is_no_chapter_is_named(tmp_path: Path) -> None:
    root = folder(
        tmp_path,
        {
            "1.md": "One.",
            "2.md": "  \n",
            "3.md": "Three.",
            "4.md": "Der Ärger war groß.".encode("latin-1"),
            ".hidden.md": "x",
            ".git/5.md": "x",
            "cover.jpg": b"\xff\xd8",
        },
    )
    outside = tmp_path / "secret.md"
    outside.write_text("secret")
    (root / "6.md").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "7.md")
    book = read_book(root)
    assert [part.number for part in book.parts] == [1, 3]
    reasons = left_out(book)
    assert reasons["2.md"] == "empty"
    assert "cp1252" in reasons["4.md"]
    assert reasons[".hidden.md"] == reasons[".git"] == "hidden"
    assert reasons["6.md"] == reasons["loop"] == "a symbolic link"
    assert reasons["7.md"] == "no regular file"
    assert "neither" in reasons["cover.jpg"]
    assert [one.place for one in book.left_out if one.is_problem] == ["4.md"]
    assert [p.number for p in read_book(root, encoding="latin-1").parts] == [1, 3, 4]


def test_an_empty_chapter_keeps_its_place(tmp_path: Path) -> None:
    root = folder(tmp_path, {"a.md": "A.", "b.md": "", "c.md": "C."})
    assert [(p.number, p.place) for p in read_book(root).parts] == [(1, "a.md"), (3, "c.md")]


def test_folders_in_a_folder(tmp_path: Path) -> None:
    root = folder(tmp_path, {"part 2/1.md": "c", "part 1/2.md": "b", "part 1/1.md": "a"})
    assert shown(read_book(root)) == [(1, "", "a"), (2, "", "b"), (3, "", "c")]


NOVEL = """\
---
title: The Sea
author: N. N.
---
A motto.

# The Sea

Dedication.

## Chapter 1: Low

Text of one.

### A scene

More of one.

```
## Chapter 9: not a heading
```

> ## Chapter 8: nor this

## Chapter 2: *High* [tide](x)

A line
---
is the end of a scene, not a heading.

# Part Two

About the part.

## Chapter 3

Text of three.
"""


def test_one_markdown_file(tmp_path: Path) -> None:
    book = read_book(file(tmp_path, NOVEL))
    assert [(p.number, p.title) for p in book.parts] == [
        (1, "Low"),
        (2, "High tide"),
        (3, "Chapter 3"),
    ]
    one = book.parts[0].text
    assert one.startswith("Text of one.")
    assert "### A scene" in one
    assert "nor this" in one
    assert (book.title, book.form, book.numbered) == ("The Sea", "markdown", "by heading")
    assert book.parts[0].place == "novel.md, line 11"
    assert set(left_out(book)) == {"novel.md, line 5", "novel.md, line 7", "novel.md, line 31"}


def test_the_level_of_chapters(tmp_path: Path) -> None:
    text = "# Book\n## One\na\n## Two\nb\n### Deep\nc\n"
    path = file(tmp_path, text)
    assert [p.title for p in read_book(path).parts] == ["One", "Two"]
    assert [p.title for p in read_book(path, level=3).parts] == ["Deep"]
    parts = "# Part 1\n## Chapter 1\na\n## Chapter 2\nb\n# Part 2\n## Chapter 3\nc\n"
    assert len(read_book(file(tmp_path, parts)).parts) == 3
    with pytest.raises(InvalidInputError, match="no heading of level 5"):
        read_book(path, level=5)
    with pytest.raises(InvalidInputError, match="from 1 to 6"):
        read_book(path, level=0)


def test_a_file_without_headings_is_one_chapter(tmp_path: Path) -> None:
    assert shown(read_book(file(tmp_path, "Just a text.\n"))) == [(1, "", "Just a text.")]
    assert shown(read_book(file(tmp_path, "# A\n\nText."))) == [(1, "A", "Text.")]
    assert read_book(file(tmp_path, "")).parts == ()


def test_headings_in_many_scripts(tmp_path: Path) -> None:
    text = "# 第一章 海\n\n浪。\n\n# 第二章 山\n\n石。\n\n# 第十章 😀\n\nשלום\n"  # noqa: RUF001
    assert shown(read_book(file(tmp_path, text))) == [
        (1, "海", "浪。"),
        (2, "山", "石。"),
        (10, "😀", "שלום"),
    ]


def test_plain_text_with_a_table_of_contents(tmp_path: Path) -> None:
    contents = "\n\n".join(f"CHAPTER {n}." for n in ("I", "II", "III"))
    text = f"A TITLE\n\n{contents}\n\nCHAPTER I.\n\nOne.\n\nCHAPTER II. Sea\n\nTwo.\n\nCHAPTER III.\n\nThree.\n"  # noqa: E501
    book = read_book(file(tmp_path, text, "novel.txt"))
    assert [(p.number, p.text) for p in book.parts] == [(1, "One."), (2, "Two."), (3, "Three.")]
    assert [one.reason for one in book.left_out][1:] == ["empty"] * 3


def test_plain_text_with_bare_numbers(tmp_path: Path) -> None:
    text = "I\n\nOne. In 1984\n\n1984\n\nmore\n\nII\n\nTwo.\n"
    assert [p.number for p in read_book(file(tmp_path, text, "a.txt")).parts] == [1, 2]


def test_what_cannot_be_stored_is_made_harmless(tmp_path: Path) -> None:
    (part,) = read_book(folder(tmp_path, {"1.md": b"a\x00b" + b"c" * 20})).parts
    assert part.text.startswith("a\ufffdb")


def test_a_chapter_of_a_megabyte(tmp_path: Path) -> None:
    text = "# Chapter 1\n\n" + "Wind and sea. " * 80_000 + "\n\n# Chapter 2\n\nEnd."
    assert [len(p.text) > 1_000_000 for p in read_book(file(tmp_path, text)).parts] == [True, False]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("missing.md", "there is no file or folder"),
        ("a.docx", "no book that can be read"),
        ("a\x00.md", "NUL"),
        ("x" * 5000, "cannot be read"),
        (7, "must be the path"),
        ("", "must be the path"),
    ],
)
def test_paths_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises((FileError, InvalidInputError), match=message):
        read_book(given)
