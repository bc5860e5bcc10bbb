"""The recent window joins the skeleton, and its newest chapters win."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.chapters.recent import RECENT_CHAPTERS, Windows, recent_section, windows
from backstory.errors import InvalidInputError
from backstory.packing.packer import pack
from backstory.packing.sections import Item


def words(text: str) -> int:
    return len(text.split())


def test_the_skeleton_ends_where_the_window_begins() -> None:
    found = windows(range(1, 1001), 1001)
    assert found.recent == tuple(range(981, 1001))
    assert (found.skeleton[0], found.skeleton[-1], len(found.skeleton)) == (1, 980, 12)
    assert windows(range(1, 1001), 500).recent == tuple(range(480, 500))


def test_small_books() -> None:
    assert windows([]) == Windows(skeleton=(), recent=())
    assert windows([3, 1, 2]) == Windows(skeleton=(), recent=(1, 2, 3))
    assert windows([3, 1, 2], 1) == Windows(skeleton=(), recent=())
    assert windows(range(1, 22)).skeleton == (1,)
    assert windows(range(1, 5), recent=0) == Windows(skeleton=(1, 2, 3, 4), recent=())
    with pytest.raises(InvalidInputError):
        windows([1], recent=-1)


@given(st.sets(st.integers(1, 3000), max_size=80), st.integers(1, 3001), st.integers(0, 30))
def test_no_hole_and_no_double(numbers: set[int], before: int, recent: int) -> None:
    there = sorted(number for number in numbers if number < before)
    found = windows(list(numbers), before, recent=recent)
    assert found.recent == tuple(there[max(0, len(there) - recent) :])
    older = there[: len(there) - len(found.recent)]
    assert set(found.skeleton) <= set(older)
    assert (found.skeleton[-1:] or (None,))[0] == (older[-1] if older else None)


def test_the_newest_win_and_are_shown_in_order() -> None:
    items = [
        Item(key=number, text=f"{number}. five words for each one") for number in range(981, 1001)
    ]
    section = recent_section(items, heading="Recent", share=0.337)
    packed = pack([section], 40, words)
    kept = [one.key for one in packed.section("recent").kept]
    assert kept == list(range(1001 - len(kept), 1001))
    assert 3 < len(kept) < RECENT_CHAPTERS
    assert [line.split(".")[0] for line in packed.text.splitlines()[1:]] == list(map(str, kept))
    assert packed.section("recent").dropped[0].key == 1000 - len(kept)


def test_a_chapter_that_does_not_fit_leaves_no_hole() -> None:
    texts = ["short", "word " * 50, "short", "short"]
    items = [Item(key=number, text=text) for number, text in enumerate(texts, start=1)]
    kept = pack([recent_section(items)], 10, words).section("recent").kept
    assert [one.key for one in kept] == [3, 4]
