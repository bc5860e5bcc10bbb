"""Scripts of texts, and whether what was derived keeps to those of its source."""

import re
import zipfile
from functools import cache
from pathlib import Path
from time import process_time
from unicodedata import name as unicode_name

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.scripts import count_scripts, same_writing, script_of

KEPT = [
    ("Lives in Lund", "I live in Lund"),
    ("来月から大阪で働く",
    "来月から大阪で働きます"),
    ("大阪", "来月から大阪で働きます"),
    ("在 Norvik 工作", "我在 Norvik 工作"),
    ("Norvik", "我在 Norvik 工作"),
    ("NORVIK", "我在 Norvik 工作"),
    ("Visual Studio Code", "我用 Visual Studio Code 和 Docker Compose"),
    ("ทำงานที่ Norvik แผนก IT",
    "ฉันทำงานที่ Norvik แผนกไอที"),
    ("Работает в Norvik",
    "Я работаю в Norvik"),
    ("Lives in 東京", "I live in 東京"),
    ("東京", "I live in 東京"),
    ("비건", "저는 비건이에요"),
    ("十月要搬到里斯本 ok", "我十月要搬到里斯本"),
    ("トウキョウの会社員", "東京在住の会社員"),
    ("42", "我四十二岁"),
    ("", "I live in Lund"),
    ("Lund", "😀 42"),
    ("عمّان",
    "أسكن في عمّان منذ سنتين"),
    ("住在里斯本", "我十月要搬到里斯本"),
]  # fmt: skip
CHANGED = [
    ("The user will move to Lisbon in October",
    "我十月要搬到里斯本"),
    ("Lisbon", "我十月要搬到里斯本"),
    ("Works in Osaka from next month",
    "来月から大阪で働きます"),
    ("Has lived in Amman for two years",
    "أسكن في عمّان منذ سنتين"),
    ("Works at Norvik", "我在 Norvik 工作"),
    ("Uses Visual Studio Code and Docker Compose every day",
    "我每天用 Visual Studio Code 和 Docker Compose"),
    ("住在隆德", "I live in Lund"),
    ("Живет в Лунде", "I live in Lund"),
    ("東京に住んでいる", "I live in 東京"),
    ("里斯本に引っ越す",
    "我十月要搬到里斯本"),
    ("Lives in 里斯本", "我十月要搬到里斯本"),
    ("IT",
    "ฉันทำงานแผนกไอที"),
    ("vegan", "저는 비건이에요"),
]  # fmt: skip


@pytest.mark.parametrize(("derived", "source"), KEPT)
def test_written_as_the_source_is(derived: str, source: str) -> None:
    assert same_writing(derived, source)


@pytest.mark.parametrize(("derived", "source"), CHANGED)
def test_not_written_as_the_source_is(derived: str, source: str) -> None:
    assert not same_writing(derived, source)


@given(st.text())
def test_a_text_is_written_as_itself(text: str) -> None:
    assert same_writing(text, text)


@given(st.text(), st.text(st.characters(exclude_categories=["L"])))
def test_without_letters_there_is_nothing_to_compare(text: str, other: str) -> None:
    assert same_writing(other, text)
    assert same_writing(text, other)


@given(st.text())
def test_letters_are_counted_once(text: str) -> None:
    counts = count_scripts(text)
    letters = [char for char in text if script_of(char)]
    assert sum(counts.values()) == len(letters) <= sum(map(str.isalpha, text))
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


NAMED = {
    "LATIN": "Latin", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "ARABIC": "Arabic",
    "HEBREW": "Hebrew",
    "THAI": "Thai", "DEVANAGARI": "Devanagari", "HIRAGANA": "Hiragana", "KATAKANA": "Katakana",
    "HANGUL": "Hangul", "MYANMAR": "Myanmar", "GEORGIAN": "Georgian", "ARMENIAN": "Armenian",
    "ETHIOPIC": "Ethiopic", "KHMER": "Khmer", "TAMIL": "Tamil", "CHEROKEE": "Cherokee",
    "TIBETAN": "Tibetan",
}  # fmt: skip


@given(st.characters(categories=["Ll", "Lu", "Lo"]))
def test_the_table_agrees_with_the_names_of_letters(letter: str) -> None:
    first = unicode_name(letter, "").split(" ")[0]
    if first in NAMED:
        assert script_of(letter) in {NAMED[first], None}
    if first == "CJK":
        assert script_of(letter) == "Han"


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("a", "Latin"), ("z", "Latin"), ("\u00e5", "Latin"), ("\u0436", "Cyrillic"), ("\u4f4f",
        "Han"), ("\u306e", "Hiragana"),
        ("\u30ab", "Katakana"), ("\uff76", "Katakana"), ("\ud55c", "Hangul"), ("\U00020000",
        "Han"), ("\u1820", "Mongolian"),
        ("1", None), (" ", None), ("\u0301", None), ("\u00d7", None),
        ("\u30fc", None), ("\u00b5", None), ("@", None), ("[", None),
    ],
)  # fmt: skip
def test_scripts_of_letters(letter: str, script: str | None) -> None:
    assert script_of(letter) == script


@cache
def declarations(folder: Path) -> dict[str, list[str]]:
    """The paragraphs of each translation of the declaration that are long enough to tell."""
    with zipfile.ZipFile(folder / "data" / "scripts" / "udhr.zip") as archive:
        texts = {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
    long = {
        name: [one for one in re.split(r"\n+", text) if sum(count_scripts(one).values()) >= 60]
        for name, text in texts.items()
    }
    return {name: paragraphs for name, paragraphs in long.items() if len(paragraphs) >= 2}


def writing(paragraph: str) -> frozenset[str]:
    counts = count_scripts(paragraph)
    total = sum(counts.values())
    return frozenset(name for name, count in counts.items() if count >= 0.1 * total)


def test_each_translation_keeps_to_its_own_scripts(shared: Path) -> None:
    texts = declarations(shared)

    @given(st.sampled_from(sorted(texts)), st.data())
    def law(name: str, data: st.DataObject) -> None:
        source, derived = (data.draw(st.sampled_from(texts[name])) for _ in range(2))
        if writing(derived) == writing(source):
            assert same_writing(derived, source)

    law()


def test_no_translation_passes_for_one_in_another_script(shared: Path) -> None:
    texts = declarations(shared)
    paragraphs = st.sampled_from(sorted(texts)).flatmap(lambda name: st.sampled_from(texts[name]))

    @given(paragraphs, paragraphs)
    def law(source: str, derived: str) -> None:
        if not writing(derived) & writing(source):
            assert not same_writing(derived, source)

    law()


def test_every_translation_against_english(shared: Path) -> None:
    texts = declarations(shared)
    english = texts[next(name for name in texts if name.endswith("/eng.txt"))][0]
    others = [p[0] for p in texts.values() if "Latin" not in writing(p[0])]
    assert len(others) >= 40
    assert [one for one in others if same_writing(english, one) or same_writing(one, english)] == []


PROSE = "The rain had stopped and the keeper walked along. "
CHINESE = " ".join(chr(0x4E00 + place) + chr(0x9F00 - place) for place in range(8_000))


@pytest.mark.parametrize(
    ("derived", "source", "keeps"),
    [
        (CHINESE, 10_000 * PROSE + "\u8336", False),
        (4_000 * PROSE + CHINESE, 4_000 * PROSE + CHINESE, True),
        (PROSE + 20_000 * "\u00abЖди\u00bb ", PROSE, False),
        (4_000 * PROSE + 10_000 * "\u00abЖди\u00bb ", PROSE, True),
        (40_000 * "aж", PROSE, False),
    ],
    ids=["other words", "repeated words", "quotations", "few quotations", "letters"],
)
def test_long_texts_are_soon_compared(derived: str, source: str, keeps: bool) -> None:
    start = process_time()
    assert same_writing(derived, source) is keeps
    assert process_time() - start < 2.0


def test_only_what_stands_in_one_piece_in_the_source_is_repeated() -> None:
    source = 20 * PROSE + "\u8336\u9053 \u9053\u5177"  # the two pairs do not make three
    assert same_writing("\u8336\u9053", source + "\u8336\u9053")
    assert same_writing(PROSE + "\u8336\u9053", source)
    assert not same_writing(PROSE[:20] + "\u8336\u9053\u5177\u8336\u9053\u5177\u8336", source)
