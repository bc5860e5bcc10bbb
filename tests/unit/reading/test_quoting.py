"""Quotes are found in a text as a pattern of their words would find them."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.reading.quoting import find_quote

FORMS = (
    "'\u2019\u2018\u02bc`",
    '"\u201c\u201d\u201e\u00ab\u00bb',
    "-\u2010\u2011\u2012\u2013\u2014\u2015",
)
LOOSE = "'\u2019\"\u201c\u201d-\u2013\u2014"
"""Signs that stand for all of their kind in a quote."""
AROUND = " \t\n\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb.,;:!?\u2026\u3002>-"
PIECES = [
    "rex", "Rex", "I'm", "I\u2019m", "`x`", "a-b", "a\u2013b", ">", "\n> ", "\t", "\x1c", "\x85",
    "\u00a0", '"no"', "\u201cyes\u201d", "\u00e9", "K", "\u212a", "\u017f", "(a)", "1+1", "wor",
    "word", "words", "WORD", "\u65e5\u672c", "\x00", "\ud800",
]  # fmt: skip
CHANGES: list[Callable[[str], str]] = [str, str.upper, str.lower, str.swapcase]
TEXTS = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "  "])), max_size=9
).map(lambda some: "".join(piece + gap for piece, gap in some))


def by_pattern(quote: str, text: str) -> str | None:
    """What a pattern of the words finds, with blanks and marks of quoting between them."""
    for wanted in (quote, re.sub(r"\n> ?", "\n", quote)):
        words = (wanted.strip(AROUND).strip() or wanted.strip()).split()
        found = re.search(r"(?:\s|>)*".join(map(kind_of, words)), text, re.IGNORECASE)
        if words and found:
            return found.group()
    return None


def kind_of(word: str) -> str:
    """A pattern for a word in whatever form its signs have."""
    forms = {char: f"[{some}]" for some in FORMS for char in some if char in LOOSE}
    return "".join(forms.get(char) or re.escape(char) for char in word)


@given(TEXTS, st.data())
def test_quotes_are_found_as_a_pattern_finds_them(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : start + data.draw(st.integers(0, 12))]
    change = data.draw(st.sampled_from(CHANGES))
    quote = change(part)
    assert find_quote(quote, text) == by_pattern(quote, text)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("my DOG rex", "So my dog\n> Rex barks", "my dog\n> Rex"),
        ("I'm in", "now I\u2019m  in", "I\u2019m  in"),
        ("a-b", "a a\u2014b", "a\u2014b"),
        ("dog rex", "dog dog rex", "dog rex"),
        ("rex!", "Rex", "Rex"),
        ("dogs", "dog s", None),
        ("dog s", "dogs", "dogs"),
        ("caf\u00c9", "le caf\u00e9", "caf\u00e9"),
        ("\u540d\u524d", "\u79c1\u306e\u540d\u524d", "\u540d\u524d"),
        ("a`b", "a'b", None),
        ("a\u2010b", "a-b", None),
        ("a > b", "a  > b", "a  > b"),
        ("x", "", None),
    ],
)
def test_what_counts_in_a_quote(quote: str, text: str, found: str | None) -> None:
    assert find_quote(quote, text) == found
