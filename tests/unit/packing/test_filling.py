"""How tokens are handed out: shares with limits, what fits, what is left over."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from backstory.packing.filling import Demand, fill, share_out, spread


@st.composite
def demands(draw: st.DrawFn) -> Demand:
    minimum = draw(st.sampled_from([0, 0, 3, 50]))
    maximum = draw(st.none() | st.integers(minimum, minimum + 60))
    share = draw(st.sampled_from([0.0, 0.1, 1 / 3, 1.0, 7.5]))
    return Demand(share=share, minimum=minimum, maximum=maximum)


@given(st.lists(demands(), max_size=6), st.integers(0, 400))
def test_shares_keep_to_what_there_is_and_to_their_limits(
    wanted: list[Demand], available: int
) -> None:
    given_out = share_out(available, wanted)
    assert sum(given_out) <= available
    left = available
    for demand, tokens in zip(wanted, given_out, strict=True):
        floor = min(left, demand.minimum)
        left -= floor
        assert tokens >= floor
        assert demand.maximum is None or tokens <= demand.maximum


shares = st.sampled_from([0.0, 0.217, 0.337, 0.145, 0.301])


@given(st.lists(shares, min_size=1), st.integers(0, 10**9))
def test_shares_without_limits_are_exact_but_for_rounding(parts: list[float], whole: int) -> None:
    tokens = share_out(whole, [Demand(share=share) for share in parts])
    total = math.fsum(parts)
    for share, part in zip(parts, tokens, strict=True):
        assert abs(part - (whole * share / total if total else 0)) <= 1 + whole * 1e-12
    assert not total or whole - sum(tokens) < len(parts)


def test_minimums_come_first_and_the_least_important_pay() -> None:
    plenty = [Demand(share=1), Demand(share=0, minimum=30), Demand(share=1)]
    assert share_out(100, plenty) == [50, 30, 20]
    scarce = [Demand(share=0, minimum=30), Demand(share=9, minimum=30), Demand(share=1, minimum=30)]
    assert share_out(70, scarce) == [30, 30, 10]
    assert share_out(100, [Demand(share=1, maximum=10), Demand(share=1)]) == [10, 50]
    assert share_out(100, [Demand(share=0), Demand(share=0)]) == [0, 0]


costs = st.lists(st.integers(0, 30), max_size=12)


@given(costs, st.integers(-5, 120), st.integers(0, 9), st.booleans())
def test_filling_takes_in_order_what_fits(
    items: list[int], limit: int, opening: int, is_prefix: bool
) -> None:
    kept, used = fill(items, limit, opening=opening, is_prefix=is_prefix)
    assert kept == sorted(set(kept))
    assert used == (opening + sum(items[place] for place in kept) if kept else 0)
    assert used <= max(limit, 0)
    if is_prefix:
        assert kept == list(range(len(kept)))
    before = opening
    for place, cost in enumerate(items):
        if place in kept:
            before += cost
        else:
            assert before + cost > limit
            if is_prefix:
                break


def test_filling_asks_for_no_cost_after_the_first_misfit_of_a_prefix() -> None:
    asked: list[int] = []

    def measured() -> Iterator[int]:
        for cost in (4, 4, 4, 4):
            asked.append(cost)
            yield cost

    assert fill(measured(), 9, is_prefix=True) == ([0, 1], 8)
    assert len(asked) == 3
    assert fill([4, 9, 4, 1], 9, is_prefix=False) == ([0, 2, 3], 9)


def test_odd_limits() -> None:
    assert fill([0, 0], 0, is_prefix=True) == ([0, 1], 0)
    assert fill([0, 0], -1, is_prefix=True) == ([], 0)
    assert fill([3, 4], math.nan, is_prefix=True) == ([0, 1], 7), "limits nothing"
    assert fill([3, 4], math.inf, is_prefix=True) == ([0, 1], 7)


@dataclass
class Part:
    """A section as the general method sees it."""

    costs: list[int]
    share: int
    kept: list[int] = field(default_factory=list)
    used: int = 0
    filled: int = 0

    @property
    def lacks(self) -> bool:
        return len(self.kept) < len(self.costs)

    def fill(self, limit: int) -> None:
        self.filled += 1
        self.kept, self.used = fill(self.costs, limit, is_prefix=True)


@given(st.lists(costs, min_size=1, max_size=5), st.integers(0, 200))
def test_spreading_never_exceeds_the_total_and_leaves_nothing_that_fits(
    sections: list[list[int]], total: int
) -> None:
    parts = [Part(items, total // len(sections)) for items in sections]
    for part in parts:
        part.fill(part.share)
    spread(parts, total - sum(part.used for part in parts))
    used = sum(part.used for part in parts)
    assert used <= total
    for part in parts:
        if part.lacks and used < total:
            assert used + part.costs[len(part.kept)] > total


def test_nothing_is_filled_again_without_need() -> None:
    parts = [Part([5], 5), Part([5, 5], 5), Part([5, 5], 5), Part([5, 5], 5)]
    for part in parts:
        part.fill(part.share)
    spread(parts, 5)
    assert [part.used for part in parts] == [5, 10, 5, 5]
    assert [part.filled for part in parts] == [1, 2, 1, 1]
