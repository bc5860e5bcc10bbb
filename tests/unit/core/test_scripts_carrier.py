# ruff: noqa: RUF001
"""The script that carries a text: the majority among all scripts."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.scripts import carrier_of, count_scripts
from backstory.core.scripts.letters import words
from tests.counts import cpu_seconds

CHINESE = "河边的小店晚上还开着门，老板在门口等他的女儿回来。"
RUSSIAN = "Вечером мы пили чай на веранде и слушали, как шумит река. "


def script(text: str) -> str | None:
    carrier = carrier_of(text)
    return None if carrier is None else carrier.script


@pytest.mark.parametrize("stray", ["の", "가", "Ж", "ก", "א", "山"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [(CHINESE * 5, "Han"), (RUSSIAN * 5, "Cyrillic"), ("καλημέρα σας " * 5, "Greek")],
)  # fmt: skip
def test_one_letter_of_another_script_decides_nothing(text: str, expected: str, stray: str) -> None:
    for mixed in (stray + text, text + stray, text[:9] + stray + text[9:]):
        carrier = carrier_of(mixed)
        assert carrier is not None
        assert carrier.script == expected
        assert 0.9 < carrier.share <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("首相が辞任を表明", "Kana"),
        ("東京タワー", "Kana"),
        ("東京都庁", "Han"),
        ("「さようなら」は日本語で、再見は中国語です", "Kana"),
        ("她說「さようなら」，然後就走了", "Han"),
        ("PythonでAPIを呼ぶだけです", "Kana"),
        ("The particle は is read wa", "Latin"),
        ("𝓗𝓮𝓵𝓵𝓸", "Latin"),
        ("Ω", "Greek"),
        ("ー", None),
        ("ᅡ", "Hangul"),
        ("aж", "Latin"),
        ("жa", "Cyrillic"),
    ],
)  # fmt: skip
def test_what_carries_a_text(text: str, expected: str | None) -> None:
    assert script(text) == expected


@given(st.text())
def test_there_is_a_carrier_where_there_are_letters(text: str) -> None:
    carrier = carrier_of(text)
    if count_scripts(text):
        assert carrier is not None
        assert 0 < carrier.share <= 1
    elif carrier is not None:
        assert count_scripts(normalize("NFKC", text))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_composition_of_characters_changes_nothing(text: str) -> None:
    composed, decomposed = carrier_of(normalize("NFC", text)), carrier_of(normalize("NFD", text))
    if composed is None:
        assert decomposed is None
    else:
        assert decomposed is not None
        assert (decomposed.script, decomposed.share) == (composed.script, composed.share)


KOREAN = "강가를 걷는 사람들이 많다"


def test_decomposed_korean_counts_syllables() -> None:
    mixed = KOREAN + " Sherlock"
    for text in (mixed, normalize("NFD", mixed)):
        carrier = carrier_of(text)
        assert carrier is not None
        assert carrier.counts == {"Hangul": 11, "Latin": 8}


@given(st.text(min_size=1), st.integers(2, 5))
def test_long_texts_are_counted_as_short_ones(text: str, times: int) -> None:
    repeated = text * (times * 20_000 // len(text) + 1)
    share = carrier_of(text + text)
    long = carrier_of(repeated)
    assert (share and share.counts.keys()) == (long and long.counts.keys())
    total = sum(map(str.isalpha, repeated)) + sum(map(str.isalpha, normalize("NFKC", repeated)))
    assert sum(count_scripts(repeated).values()) <= total


@given(st.text())
def test_words_are_runs_of_one_script(text: str) -> None:
    found = list(words(text))
    assert all(text[word.start : word.start + len(word.text)] == word.text for word in found)
    assert all(count_scripts(word.text).keys() == {word.script} for word in found)
    letters = sum(count_scripts(text).values())
    assert sum(sum(count_scripts(word.text).values()) for word in found) == letters


@pytest.mark.parametrize(
    "unit", ["The rain went on. ", CHINESE, "今日は雨。", RUSSIAN, "\udc8f", "\0"]
)
def test_a_megabyte_is_counted_at_once(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    carrier_of(text)
    best = min(cpu_seconds(lambda: carrier_of(text)) for _ in range(3))
    assert len(text) / best > 5_000_000
