"""Laws of what makes stored text harmless to a terminal."""

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from backstory.cli.plain import clipped, one_line, plain

NASTY = st.text(st.sampled_from("\x1b[]m31;0\x07\x9b\x9d\\\x90\u202e\u2066\r\n\t\x85a é字🍞<>@"))


@given(NASTY | st.text())
@example("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\")
@example("\x1b\x1b[31m[31m")
def test_nothing_is_left_that_steers(text: str) -> None:
    shown = plain(text)
    assert all(char == "\n" or unicodedata.category(char) not in {"Cc", "Cs"} for char in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert plain(shown) == shown


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"])))
def test_ordinary_text_stays(text: str) -> None:
    assert plain(text) == text


@given(NASTY | st.text(), st.integers(4, 50))
def test_a_clipped_text_is_one_line_that_fits(text: str, most: int) -> None:
    line = clipped(text, most)
    assert len(line) <= most
    assert "\n" not in line
    if len(one_line(text)) <= most:
        assert line == one_line(text)


def test_sequences_go_whole() -> None:
    assert plain("a\x1b[1;31mb\x1b[0m\x1b]0;title\x07c\x9b2Jd") == "abcd"
    assert plain("one\r\ntwo\u2028three") == "one\ntwo\nthree"
