"""The counter of contexts: exactly the bound, whatever it remembers, and it keeps no text."""

import gc
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backstory.core.rendering import render_message
from backstory.core.token_lines import LineBound, line_bound, lines_of
from backstory.core.tokens import token_upper_bound
from backstory.models import line_counter
from backstory.models.line_counter import LineCounter
from tests.counts import cases

PIECES = (
    *("\n", "\n", "\n", "\r", "\r\n", "\t", " ", " " * 300, "\x0b", "\x85", "\u2028"),
    *("a", "B", "9", "word", " word", "a" * 60, "123456", "it's", "'s", "'"),
    *("-", "- ", "> ", "## ", "/", "//", ".", "...", "!", "</memory>", "." * 60, "\n" * 70),
    *("é", "Ж", "中", "—", "“", "\xa9", "👍🏽", "\ud800"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=16).map("".join) | st.text(max_size=60)
remembers_little = LineCounter(most=3)
of_one_call = remembers_little.of_one_call()


@settings(max_examples=cases(60, 800))
@given(texts)
@example(".\n//a\n- b")
@example("é\n'tis\n's")
def test_counts_exactly_the_bound(text: str) -> None:
    expected = token_upper_bound(text)
    for _ in range(2):  # the second time from memory
        assert remembers_little(text) == expected
        assert of_one_call(text) == expected


@given(texts)
def test_the_lines_are_the_text(text: str) -> None:
    assert "\n".join(lines_of(text)) == text


def test_texts_that_are_too_long_to_remember_are_counted_all_the_same() -> None:
    counter = LineCounter()
    for text in ("word " * 1000, "word.\n" * 20_000, f"- a\n{'b ' * 2000}\n- c"):
        assert counter(text) == counter.of_one_call()(text) == token_upper_bound(text)


def test_a_line_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def noted(line: str) -> LineBound:
        counted.append(line)
        return line_bound(line)

    monkeypatch.setattr(line_counter, "line_bound", noted)
    counter = LineCounter()
    lines = [f"- user: this is line {number}." for number in range(20)]
    for line in lines:
        counter(f"\n{line}")
    counter("\n".join(lines))
    assert counted == lines


def test_memory_is_bounded_and_what_was_used_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = LineCounter(most=10)
    for number in range(200):
        counter(f"line {number}")
        counter("often")
    assert len(counter._young) + len(counter._old) <= 20
    monkeypatch.setattr(line_counter, "line_bound", pytest.fail)
    assert counter("often") == token_upper_bound("often")


def test_no_text_is_kept() -> None:
    counter = LineCounter()
    line = render_message("my secret is safe", role="user", when=date(2025, 1, 1))
    counter(line)
    held = gc.get_referents(counter.__dict__, counter._young)
    assert not [thing for thing in held if isinstance(thing, str) and "secret" in thing]
    assert all(isinstance(key, bytes) for key in counter._young)
