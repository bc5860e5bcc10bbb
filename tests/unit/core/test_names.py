"""Known names in texts of any script."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.names import KnownName, NameIndex


def found(text: str, *forms: str, case_sensitive: bool = True) -> list[str]:
    index = NameIndex([KnownName(key="it", forms=forms, case_sensitive=case_sensitive)])
    return [text[one.start : one.end] for one in index.find(text)]


@pytest.mark.parametrize(
    ("text", "name", "times"),
    [
        ("Ain't it nice in Maine?", "AI", 0),
        ("The AI woke up. AIs did not.", "AI", 1),
        ("a red apple", "Red", 0),
        ("He met _Red_ at noon", "Red", 1),
        ("Holmes's hat, Holmes\u2019 coat", "Holmes", 2),
        ("Holmesian Holmes2", "Holmes", 0),
        ("在AI中", "AI", 1),
        ("昨天王小明来了", "王小明", 1),
        ("雪が降る 雪", "雪", 1),
        ("アリスは笑う", "アリ", 0),
        ("アリスは笑う", "アリス", 1),
        ("지민이는 지민씨와 지민수", "지민", 2),
        ("राम ने रामायण रामा पढ़ी", "राम", 1),
        ("ราชาพบอนันต์ที่วัด", "อนันต์", 1),
        ("قال أحمد وأحمد", "أحمد", 2),
        ("אמר דניאל ודניאל", "דניאל", 2),
        ("שרון הלך", "רון", 0),
        ("Jean-Luc, Anne-Jean and l'Jean", "Jean", 1),
        ("Mr. O'Brien", "Brien", 0),
        ("Jose\u0301 und Jos\u00e9", "Jos\u00e9", 2),
        ("C++ or C", "C++", 1),
        ("the \U0001f525 clan", "\U0001f525", 1),
        ("Sherlock \n\t Holmes", "Sherlock Holmes", 1),
        ("\x00Red\ud800 Red", "Red", 2),
        ("", "Red", 0),
        ("Red", "", 0),
        ("Red", " ", 0),
    ],
)
def test_a_name_is_found_whole(text: str, name: str, times: int) -> None:
    assert len(found(text, name)) == times


def test_case_counts_only_where_it_is_asked_for() -> None:
    assert found("The Guild, the GUILD, \u0130 the guild", "the guild", case_sensitive=False) == [
        "The Guild",
        "the GUILD",
        "the guild",
    ]


def test_the_longest_name_wins() -> None:
    assert found("Sherlock Holmes met Holmes", "Holmes", "Sherlock Holmes", "Sherlock") == [
        "Sherlock Holmes",
        "Holmes",
    ]


def test_a_shared_name_is_given_to_all_who_bear_it() -> None:
    index = NameIndex(
        [
            KnownName(key="a", forms=("Anna Bell", "Bell")),
            KnownName(key="b", forms=("Tom Bell", "Bell")),
        ]
    )
    assert [one.keys for one in index.find("Bell saw Tom Bell")] == [("a", "b"), ("b",)]
    assert index.count("Bell saw Tom Bell") == {"a": 1, "b": 2}


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=4), st.booleans())
def test_what_is_found_is_in_the_text_and_in_order(
    text: str, forms: list[str], case_sensitive: bool
) -> None:
    index = NameIndex([KnownName(key="x", forms=tuple(forms), case_sensitive=case_sensitive)])
    end = 0
    for one in index.find(text):
        assert end <= one.start < one.end <= len(text)
        end = one.end


@given(st.text(alphabet="abAB é王र\u093e한", min_size=1, max_size=8))
def test_a_text_that_is_a_name_holds_it(name: str) -> None:
    if name.strip() and not name[0].isspace() and name[0] != "\u093e":
        assert found(name.strip(), name)


def test_five_thousand_names_in_a_long_text() -> None:
    rng = Random(1)  # noqa: S311 (made-up names)
    parts = ["ka", "lo", "mi", "ra", "ten", "vor", "sha", "il", "du", "be"]
    words = ["".join(rng.choices(parts, k=3)).title() for _ in range(10_000)]
    names = [" ".join(pair) for pair in zip(words[::2], words[1::2], strict=True)]
    index = NameIndex([KnownName(key=name, forms=(name,)) for name in names])
    text = " and ".join(rng.choices(names, k=10_000))
    began = time.process_time()
    assert len(index.find(text)) > 9_000
    assert time.process_time() - began < 3
