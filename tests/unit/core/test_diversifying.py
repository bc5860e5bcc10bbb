"""Diversification: a stable permutation in which no group crowds out the others."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.diversifying import spread

GROUPS = st.lists(st.integers(0, 5), max_size=60)


@given(GROUPS, st.integers(0, 10))
def test_nothing_is_dropped_or_doubled(groups: list[int], most: int) -> None:
    assert sorted(spread(groups, most)) == list(range(len(groups)))


@given(GROUPS, st.integers(1, 10))
def test_no_group_goes_over_its_number_while_others_are_left(groups: list[int], most: int) -> None:
    order = [groups[place] for place in spread(groups, most)]
    first = sum(min(count, most) for count in Counter(groups).values())
    assert all(count <= most for count in Counter(order[:first]).values())


@given(GROUPS, st.integers(1, 10))
def test_each_group_keeps_its_order_and_so_do_both_parts(groups: list[int], most: int) -> None:
    order = spread(groups, most)
    for group in set(groups):
        places = [place for place in order if groups[place] == group]
        assert places == sorted(places)
    first = sum(min(count, most) for count in Counter(groups).values())
    assert order[:first] == sorted(order[:first])
    assert order[first:] == sorted(order[first:])


@given(GROUPS)
def test_a_wide_limit_or_none_changes_nothing(groups: list[int]) -> None:
    for most in (0, len(groups) + 1):
        assert spread(groups, most) == list(range(len(groups)))
    assert spread(["a", "a", "a", "b", "a", "b"], 2) == [0, 1, 3, 5, 2, 4]
