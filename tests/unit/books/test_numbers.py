"""Numbers of chapters in headings and names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.books.numbers import (
    heading_number,
    is_chapter_line,
    name_number,
    natural_key,
)

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
TENS = ("", *("X" * n for n in (1, 2, 3)), *("XL", "L", "LX", "LX" + "X", "LX" + "XX", "XC"))
HAN = "零一二三四五六七八九"


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("Chapter XII", (12, "")),
        ("CHAPTER THE FIRST", (1, "")),
        ("Chapter Twenty-One: The Sea", (21, "The Sea")),
        ("Kapitel 3 – Der Turm", (3, "Der Turm")),  # noqa: RUF001
        ("Capítulo IV. El mar", (4, "El mar")),
        ("Глава 5", (5, "")),
        ("第十二章 海", (12, "海")),
        ("第一百零三回", (103, "")),
        ("第二十章", (20, "")),
        ("第一〇三章", (103, "")),
        ("第12話 海", (12, "海")),
        ("제 12 장 바다", (12, "바다")),
        ("الفصل ١٢", (12, "")),
        ("अध्याय १२: समुद्र", (12, "समुद्र")),
        ("7. Blue", (7, "Blue")),
        ("IV", (4, "")),
        ("IV. Blue", (4, "Blue")),
        ("Part 2, Chapter 7: Blue", (7, "Blue")),
        ("第一卷 第三章 海", (3, "海")),
        ("0. Before", (0, "Before")),
        ("I know", None),
        ("Mix and Match", None),
        ("Civil", None),
        ("Prologue", None),
        ("Chapter", None),
        ("Chapter Ladder", None),
        ("", None),
        ("\ud800\x00", None),
        ("🌊", None),
    ],
)
def test_headings(heading: str, found: tuple[int, str] | None) -> None:
    assert heading_number(heading) == found


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("chapter-2", 2),
        ("02_the_sea", 2),
        ("novel-ch12-final2", 12),
        ("book2_07", 7),
        ("Chapter IX", 9),
        ("Part IX", 9),
        ("第三章", 3),
        ("draft", None),
        ("architecture", None),
        ("", None),
        ("x" * 5000, None),
    ],
)
def test_names(name: str, number: int | None) -> None:
    assert name_number(name) == number


def test_lines_of_plain_text() -> None:
    assert is_chapter_line("CHAPTER XII. The Sea")
    assert is_chapter_line("  Chapter 3")
    assert is_chapter_line("第十二章 海")
    for line in (
        "Chapter one of my life was short.",
        "In chapter 3 he",
        "Chapter 3,",
        "",
        "Act",
        "3",
    ):
        assert not is_chapter_line(line), line
    assert not is_chapter_line("Chapter 3 " + "X" * 80)


@given(st.integers(1, 99))
def test_every_number_is_read_in_each_writing(number: int) -> None:
    tens, units = divmod(number, 10)
    han = ("" if tens < 2 else HAN[tens]) + "十" * (tens > 0) + ("" if not units else HAN[units])
    arabic = "".join(chr(0x660 + int(digit)) for digit in str(number))
    for heading in (
        f"Chapter {number}",
        f"chapter {TENS[tens]}{ROMAN[units]}",
        f"第{han}章",
        f"الفصل {arabic}",
    ):
        assert heading_number(heading) == (number, ""), heading


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = heading_number(text)
    assert found is None or found[0] >= 0
    assert (name_number(text) or 0) >= 0
    is_chapter_line(text)
    natural_key(text)


@given(st.lists(st.integers(0, 10**9), unique=True, max_size=8))
def test_names_are_in_the_order_of_their_numbers(numbers: list[int]) -> None:
    names = [f"chapter {number}.md" for number in numbers]
    ordered = [f"chapter {number}.md" for number in sorted(numbers)]
    assert sorted(names, key=natural_key) == ordered


def test_what_comes_first_and_last() -> None:
    names = ["Epilogue.md", "10.md", "b/10.md", "2.md", "Prologue.md", "b/2.md", "a.md"]
    assert sorted(names, key=natural_key) == [
        "Prologue.md",
        "2.md",
        "10.md",
        "a.md",
        "b/2.md",
        "b/10.md",
        "Epilogue.md",
    ]
    numbered = ["01 epilogue.md", "00 prologue.md", "02 x.md"]
    assert sorted(numbered, key=natural_key) == sorted(numbered)
