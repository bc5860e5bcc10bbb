"""How much is recalled: the caller's values over the route of the query."""

from dataclasses import dataclass
from typing import Any

import pytest

from backstory import Recall
from backstory.core.routing import Profile
from backstory.core.shape import ROUTES, Floor, floor_of, for_context, for_search

GATHER, POINT, TIME = "List all my trips", "What is my dog's name?", "When did I move?"


@dataclass(frozen=True)
class Known:
    """Floors of an embedder."""

    low: float = 0.2
    high: float = 0.4


def test_the_query_decides_unless_a_profile_is_named() -> None:
    for query, profile in ((GATHER, "gather"), (POINT, "pinpoint"), (TIME, "temporal")):
        for shape in (for_search(query, Recall()), for_context(query, Recall(), 3200)):
            assert shape.profile == profile
            assert shape.reason
        named = for_context(query, Recall(profile="temporal"), 3200)
        assert named.profile is Profile.TEMPORAL
        assert named.reason == "named by the caller"


@pytest.mark.parametrize(("name", "value"), [("top_k", 7), ("per_session", 2), ("window", 3)])
def test_a_value_of_the_caller_beats_the_route(name: str, value: int) -> None:
    given: dict[str, Any] = {name: value}
    for query in (GATHER, POINT, TIME):
        assert getattr(for_search(query, Recall(**given)), name) == value
        assert getattr(for_context(query, Recall(**given), 3200), name) == value
    assert for_search(GATHER, Recall(per_session=0)).per_session == 0


def test_a_search_has_at_most_ten_hits_unless_it_names_a_number() -> None:
    for query in (GATHER, POINT, TIME):
        assert for_search(query, Recall()).top_k == 10
        assert for_search(query, Recall(top_k=300)).top_k == 300
        assert for_search(query, Recall()).floor is Floor.NONE
        assert for_search(query, Recall()).window == 1


def test_candidates_of_a_context_follow_its_budget_up_to_those_of_the_route() -> None:
    most = ROUTES[Profile.GATHER].top_k
    numbers = [for_context(GATHER, Recall(), n).top_k for n in (0, 1000, 2000, 3200, 10**6)]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (50, most)
    assert for_context(GATHER, Recall(top_k=9), 10**6).top_k == 9


def test_there_are_enough_candidates_to_choose_from() -> None:
    for recall in (Recall(), Recall(top_k=1), Recall(top_k=5000), Recall(per_session=0)):
        for query in (GATHER, POINT):
            shape = for_search(query, recall)
            assert shape.pool >= shape.top_k
    assert for_search(GATHER, Recall()).pool > 10
    assert for_search(POINT, Recall()).pool == 10


def test_whole_sessions() -> None:
    for given, wanted in ((False, 0), (True, 3), (1, 1), (5, 5)):
        assert for_context(POINT, Recall(expand_sessions=given), 100).whole_sessions == wanted


def test_the_floor_is_the_callers_then_the_calibrated_one() -> None:
    low = for_context(GATHER, Recall(), 3200)
    assert low.floor is Floor.LOW
    assert floor_of(low, None, Known()) == 0.2
    assert floor_of(low, None, None) == 0.0
    assert floor_of(low, 0, Known()) == 0.0
    assert floor_of(low, 0.7, Known()) == 0.7
    assert floor_of(for_search(GATHER, Recall()), None, Known()) == 0.0
