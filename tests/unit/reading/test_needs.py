"""A pattern is only left out where it cannot match: what it needs is in all that it matches."""

import gc
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.reading.rules.needs import needed
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.reader import RuleReader
from tests.counts import cases

READER = RuleReader()  # with it, every module that has patterns is loaded
# Not ``isinstance``: it asks every object for its class, and proxies load what they stand for.
PATTERNS = tuple(one for one in gc.get_objects() if type(one) is Pattern)
TYPED = st.characters(min_codepoint=32, max_codepoint=126)


@settings(max_examples=cases(15, 300), suppress_health_check=list(HealthCheck))
@given(data=st.data(), pattern=st.sampled_from(PATTERNS))
def test_what_a_pattern_matches_has_a_word_that_it_needs(
    data: st.DataObject, pattern: Pattern
) -> None:
    text = data.draw(st.from_regex(pattern.compiled, alphabet=TYPED))
    if pattern.compiled.search(text):
        assert pattern.can_match(text)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bmoved to (?P<v>\w+)", {"moved"}),
        (r"\b(?:sold|gave away) my\b", {"sold", "gave"}),
        (r"\bsold\b|\bgave\b", {"sold", "gave"}),
        (r"\bsold\b|\d+", None),
        (r"\bspelle?[dt]\b", {"spelled", "spellet", "spelld", "spellt"}),
        (r"\bmov(?:ed|ing)\b", {"moved", "moving"}),
        (r"\bmoved\w*", None),
        (r"(?!moved)\bhere\b(?= today)", {"here"}),
        (r"\b(?:just |now )?moved(?: [a-z]+)*", None),
        (r"\b(?:just |now )*moved\s+(?:up|down)\b", {"moved"}),
        (r"\bboo+\b", None),
        (r"(?:sold )?(?:mine)?", None),
        ("(?:sold|kept)\u00b7", None),
        (r"\b(?:sold|kept)\u00b7", {"sold", "kept"}),
    ],
)
def test_what_a_pattern_needs(pattern: str, words: set[str] | None) -> None:
    needs = needed(pattern)
    assert (None if needs is None else {w for choice in needs for w in choice.words}) == words


def test_a_pattern_is_left_out_where_one_of_its_words_is_missing() -> None:
    pattern = Pattern(r"\b(?:my|our) (?:car|van) is (?:sold|gone)\b|\bno more (?:car|van)\b")
    assert pattern.can_match("gone is our old van")
    assert pattern.can_match("no car any more")
    assert not pattern.can_match("the van is gone")
    assert not pattern.can_match("no car")
    rows = Rows([(pattern, "end")])
    assert rows.near("the van is gone") == []
    assert "compiled" not in vars(pattern)


def test_many_choices_in_a_row_lose_no_match() -> None:
    choices = "|".join(f"w{letter}" for letter in "abcdefghijklmnopqrst")
    pattern = rf"\b(?:{choices}) (?:{choices})(?: (?:{choices}))? end(?:s|ed)?\b"
    for text in ("wa wb end", "wt wt wt ended", "wc wd ends"):
        assert re.search(pattern, text)
        assert Pattern(pattern).can_match(text)


def test_case_and_letters_that_only_look_different_count_as_the_same() -> None:
    pattern = Pattern(r"\bskin is\b")
    for text in ("SKIN IS", "\u017fkin i\u017f", "s\u212ain is", "sk\u0131n \u0131s"):
        assert pattern.compiled.search(text)
        assert pattern.search(text)


def test_rows_give_the_matches_of_each_pattern_in_their_order() -> None:
    texts = (r"\bsold (\w+)", r"\d+", r"\b(?:kept|sold)\b", r"\blost\b")
    rows = Rows((Pattern(text), text) for text in texts)
    said = "kept 2, sold mine, sold yours"
    plain = [(m.group(), t) for t in texts for m in re.compile(t, re.IGNORECASE).finditer(said)]
    assert [(match.group(), what) for match, what in rows.finditer(said)] == plain


def test_no_pattern_is_compiled_before_it_can_match() -> None:
    pattern = Pattern(r"\bmoved to\b")
    assert pattern.search("nothing of it") is None
    assert "compiled" not in vars(pattern)


def test_a_pattern_that_is_asked_for_later_is_found_in_a_text_that_was_looked_at() -> None:
    said = "we moved to a quay and kept nothing"
    assert not Pattern(r"\bsold\b").can_match(said)
    late = Pattern(r"\bmoved to\b")
    rows = Rows([(Pattern(r"\bkept\b"), 1), (late, 2)])
    assert late.can_match(said)
    assert [what for _, what in rows.search(said)] == [1, 2]


def test_patterns_that_many_threads_ask_for_first_are_all_found() -> None:
    said = "lost " * 3
    patterns = [Pattern(rf"\blost\b(?! in {number})") for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda pattern: pattern.can_match(said), patterns))
    assert all(pattern.can_match(said) for pattern in patterns)
