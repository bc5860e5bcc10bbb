"""A skeleton: a few chapters that stand for all of them, and hardly change as the book grows.

Keeping few of many points that arrive one by one, with even gaps and without going back, is known
as online checkpointing. Here it is done by doubling: the chapters kept lie on a grid with a step
that is a power of two. When the grid is full, each new point of it takes the place of the oldest
odd one, until all have twice the step, and so on. The last chapter is always shown, and stays only
if it lies on the grid.
"""

from collections.abc import Iterable
from typing import Final

from backstory.errors import InvalidInputError

MAX_SKELETON: Final = 12
"""Entries of a skeleton, unless another number is asked for."""


def nested_skeleton(chapters: int | Iterable[int], most: int = MAX_SKELETON) -> tuple[int, ...]:
    """Choose chapters that give the arc of a book up to its last one.

    The first and the last are always among them; up to ``most`` chapters are all taken. One more
    chapter at the end changes one entry: the new chapter comes in, one other goes. Gaps become
    narrower towards the end, by a factor of two in all; only the last may be narrower still. With
    12 entries none is wider than 2/11 of the way, where even ones would be 1/11.

    Args:
        chapters: The numbers that there are, in any order, or one number n for 1 to n. They are
            counted, not measured: a number that is missing leaves no gap.
        most: At most so many, 2 or more.

    Returns:
        Numbers in ascending order.

    Raises:
        InvalidInputError: ``most`` is below 2, or a number is none.
    """
    numbers = _numbers(chapters)
    return tuple(numbers[rank] for rank in skeleton_ranks(len(numbers), most))


def skeleton_ranks(count: int, most: int = MAX_SKELETON) -> tuple[int, ...]:
    """``nested_skeleton`` for chapters that are known by their place, counted from 0.

    Args:
        count: How many chapters there are, 0 or more.
        most: At most so many, 2 or more.

    Raises:
        InvalidInputError: ``most`` is below 2, or a number is none.
    """
    _check_count(count, "the number of chapters", least=0)
    _check_count(most, "most", least=2)
    last = count - 1
    if count <= most:
        return tuple(range(count))
    full = most - 2  # the grid is full with its points 0 to full, the last chapter beside them
    if full == 0:
        return 0, last
    step = 1
    while last > 2 * step * full:
        step *= 2
    even = range(0, last, 2 * step)
    odd = range(step, last, 2 * step)
    return (*sorted((*even, *odd[len(even) - full - 1 :])), last)


def _numbers(chapters: int | Iterable[int]) -> "range | list[int]":
    if isinstance(chapters, range) and chapters.step > 0:
        return chapters
    if isinstance(chapters, Iterable):
        numbers = set(chapters)
        for number in numbers:
            _check_count(number, "the number of a chapter")
        return sorted(numbers)
    _check_count(chapters, "the number of chapters", least=0)
    return range(1, chapters + 1)


def _check_count(value: object, what: str, least: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{what} must be an int; it is {value!r}"
        raise InvalidInputError(message)
    if least is not None and value < least:
        message = f"{what} must be at least {least}; it is {value}"
        raise InvalidInputError(message)
