"""The skeleton of a book hardly changes from chapter to chapter, and has no hole."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.chapters.skeleton import MAX_SKELETON, nested_skeleton, skeleton_ranks
from backstory.errors import InvalidInputError

lengths = st.integers(1, 100_000)


def gaps(entries: tuple[int, ...]) -> list[int]:
    return [later - earlier for earlier, later in pairwise(entries)]


def check(entries: tuple[int, ...], length: int, most: int = MAX_SKELETON) -> None:
    assert len(entries) == min(length, most)
    assert (entries[0], entries[-1]) == (1, length)
    assert list(entries) == sorted(set(entries))
    if most == MAX_SKELETON:
        # twice the even gap at most, narrower towards the end, by a factor of two in all
        assert max(gaps(entries), default=0) <= max(1, (length - 1) * 2 / 11)
        assert not entries[:-2] or gaps(entries)[-1] <= gaps(entries)[-2]
        inner = gaps(entries)[:-1]
        assert not inner or max(inner) <= 2 * min(inner)
        assert inner == sorted(inner, reverse=True)


def test_small_books_are_whole() -> None:
    assert nested_skeleton(0) == ()
    for length in range(1, 13):
        assert nested_skeleton(length) == tuple(range(1, length + 1))


def test_examples() -> None:
    assert nested_skeleton(13) == (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
    assert nested_skeleton(14) == (1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    assert nested_skeleton(980) == (1, 129, 257, 385, 513, 641, 705, 769, 833, 897, 961, 980)


def test_each_step_changes_one_entry() -> None:
    before = nested_skeleton(1)
    for length in range(2, 1500):
        now = nested_skeleton(length)
        check(now, length)
        assert len(set(now) - set(before)) == 1
        assert len(set(before) - set(now)) <= 1
        before = now


@given(lengths)
def test_each_step_changes_one_entry_anywhere(length: int) -> None:
    now, following = nested_skeleton(length), nested_skeleton(length + 1)
    check(now, length)
    assert len(set(following) - set(now)) == 1
    assert following[-1] == length + 1


@given(lengths, st.integers(1, 5000))
def test_a_longer_step_changes_no_more_than_its_length(length: int, step: int) -> None:
    news = set(nested_skeleton(length + step)) - set(nested_skeleton(length))
    assert len(news) <= min(step, MAX_SKELETON - 1)
    # what was dropped does not come back
    assert all(entry > length or entry in nested_skeleton(length) for entry in news)


@given(lengths, st.integers(2, 40))
def test_other_sizes(length: int, most: int) -> None:
    now, following = nested_skeleton(length, most), nested_skeleton(length + 1, most)
    check(now, length, most)
    assert len(set(following) - set(now)) == 1
    if length > most > 2:
        assert max(gaps(now)) * (most - 1) < 2 * length


@given(st.sets(st.integers(1, 10**6), max_size=60), st.integers(1, 9))
def test_missing_numbers_leave_no_gap(numbers: set[int], following: int) -> None:
    there = sorted(numbers)
    entries = nested_skeleton(reversed(there))
    assert entries == tuple(there[rank] for rank in skeleton_ranks(len(there)))
    if there:
        assert (entries[0], entries[-1]) == (there[0], there[-1])
        longer = nested_skeleton([*there, there[-1] + following])
        assert len(set(longer) - set(entries)) == 1


def test_a_range_is_not_read() -> None:
    assert nested_skeleton(range(1, 10**12)) == nested_skeleton(10**12 - 1)
    assert nested_skeleton(range(5, 0, -1)) == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("chapters", "most"),
    [
        (5, 1),
        (5, 0),
        (5, True),
        (5, 2.0),
        (-1, 12),
        (True, 12),
        (5.0, 12),
        ("12", 12),
        ([1, None], 12),
        (None, 12),
    ],
)
def test_what_cannot_be_meant(chapters: Any, most: Any) -> None:
    with pytest.raises(InvalidInputError):
        nested_skeleton(chapters, most)
