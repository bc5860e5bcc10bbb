"""What a context takes first."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.ranking.worth import FREE, PRICE, by_worth

candidates = st.lists(
    st.tuples(st.integers(0, 1000).map(lambda n: n / 1000), st.integers(0, 100_000)), max_size=20
)


@given(candidates)
def test_every_candidate_is_there_once(found: list[tuple[float, int]]) -> None:
    order = by_worth([score for score, _ in found], [length for _, length in found])
    assert sorted(order) == list(range(len(found)))


@given(candidates)
def test_what_is_better_and_no_longer_is_never_behind(found: list[tuple[float, int]]) -> None:
    order = by_worth([score for score, _ in found], [length for _, length in found])
    at = {place: number for number, place in enumerate(order)}
    for one, (score, length) in enumerate(found):
        for other, (other_score, other_length) in enumerate(found):
            if score > other_score and length <= other_length:
                assert at[one] < at[other]


def test_a_doubled_length_costs_its_price() -> None:
    long = [0.5 + 1.01 * PRICE, 0.5]
    assert by_worth(long, [2 * FREE, FREE]) == [0, 1]
    assert by_worth([0.5 + 0.99 * PRICE, 0.5], [2 * FREE, FREE]) == [1, 0]


def test_short_texts_cost_the_same_and_keep_their_order() -> None:
    assert by_worth([0.5, 0.5, 0.6], [FREE, 10, 20]) == [2, 0, 1]
