"""Deadlines are never 0, never past, never beyond the end, whatever was written."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.plot import PlotThread
from backstory.core.plot.deadlines import (
    DEFAULT_SPAN,
    due_chapter,
    read_deadline,
    thread_deadline,
)

anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.fractions()
    | st.text(st.characters(exclude_categories=()))
    | st.from_regex(r"(ch\. ?|in )?-?\d{1,30}( chapters)?", fullmatch=True)
    | st.sampled_from(["inf", "1e999", "the ending", "NaN", "-inf", "9" * 5000, 10**400, [], {}])
)


@pytest.mark.parametrize(
    ("raw", "due"),
    [
        (12, 12),
        (12.9, 12),
        ("12", 12),
        (" 12 ", 12),
        ("Ch. 12", 12),
        ("by chapter 12", 12),
        ("第12章", 12),
        ("الفصل ١٢", 12),
        ("\uff11\uff12", 12),
        ("1e1", 10),
        ("012", 12),
        ("in 3 chapters", 8),
        ("within the next 4 chapters", 9),
        (np.int64(12), 12),
        (np.float32(12), 12),
        (Fraction(25, 2), 12),
        (Decimal("12.9"), 12),
        ("3 chapters later", 8),
        ("4 chapters from now", 9),
        # the end, and what is beyond it
        (20, 20),
        (21, 20),
        (10**400, 20),
        ("9" * 5000, 20),
        (math.inf, 20),
        ("inf", 20),
        ("Infinity", 20),
        ("1e999", 20),
        ("∞", 20),
        ("ending", 20),
        ("by the end of the book", 20),
        ("The last chapter.", 20),
        ("结局", 20),
        (Fraction(10**400), 20),
        (Decimal("Infinity"), 20),
        # what cannot be meant: the default, which is the end
        (0, 20),
        (5, 20),
        (5.9, 20),
        (4, 20),
        (-10, 20),
        (-math.inf, 20),
        ("-inf", 20),
        (Fraction(-(10**400)), 20),
        (math.nan, 20),
        (Decimal("NaN"), 20),
        (Decimal("sNaN"), 20),
        ("nan", 20),
        (None, 20),
        ("", 20),
        ("soon", 20),
        ("the final showdown", 20),
        (True, 20),
        ([12], 20),
        ({"chapter": 12}, 20),
        ("\x00", 20),
        ("\ud800", 20),
        ("🔑", 20),
    ],
)
def test_planted_in_chapter_5_of_20(raw: Any, due: int) -> None:
    assert thread_deadline(raw, 5, 20) == due


@pytest.mark.parametrize("raw", [0, 20, 25, math.inf, "inf", math.nan, None, "x", -3, 10**400])
def test_in_the_last_chapter_it_is_that_chapter(raw: Any) -> None:
    assert thread_deadline(raw, 20, 20) == 20
    assert thread_deadline(raw, 1, 1) == 1


@pytest.mark.parametrize("raw", [math.inf, "inf", "the ending", 10**400])
def test_the_ending_of_a_book_of_unknown_length_is_no_number(raw: Any) -> None:
    assert thread_deadline(raw, 5) is None


@pytest.mark.parametrize("raw", [0, 5, math.nan, None, "words"])
def test_the_default_of_a_book_of_unknown_length(raw: Any) -> None:
    assert thread_deadline(raw, 5) == 5 + DEFAULT_SPAN


def test_a_number_in_a_book_of_unknown_length() -> None:
    assert thread_deadline(900, 5) == 900
    assert thread_deadline("in 3 chapters", 5) == 8


def test_the_ending_is_stored_as_none_and_moves_with_the_plan() -> None:
    assert read_deadline("inf", 5, 20) is None
    assert read_deadline(None, 5, 20) is None
    assert read_deadline(20, 5, 20) == 20
    ending = PlotThread(number=1, summary="x", deadline=None, planted_in=5)
    fixed = PlotThread(number=2, summary="y", deadline=18, planted_in=5)
    assert [due_chapter(ending, planned) for planned in (20, 30, None)] == [20, 30, None]
    assert [due_chapter(fixed, planned) for planned in (20, 15, None)] == [18, 15, 18]


def test_a_book_that_outgrew_its_plan_has_no_known_end() -> None:
    assert thread_deadline(None, 25, 20) == 35
    assert thread_deadline("inf", 25, 20) is None
    late = PlotThread(number=1, summary="x", deadline=35, planted_in=25)
    assert due_chapter(late, 20) == 35
    assert due_chapter(PlotThread(number=2, summary="y", planted_in=19), 20) == 20


@given(anything, st.integers(1, 50), st.none() | st.integers(1, 60))
def test_never_0_never_past_never_beyond_the_end(
    raw: object, chapter: int, planned: int | None
) -> None:
    due = thread_deadline(raw, chapter, planned)
    stored = read_deadline(raw, chapter, planned)
    if planned is not None and planned >= chapter:
        assert due is not None
        assert chapter <= due <= planned
        assert due > chapter or chapter == planned
        assert stored is None or chapter < stored <= planned
    else:
        assert due is None or chapter < due <= 10**9
    assert due is None or type(due) is int
