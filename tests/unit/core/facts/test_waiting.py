"""A writer that waited for its turn finds rows that are younger than its own clock says."""

from datetime import timedelta
from itertools import pairwise, permutations

import pytest

from backstory.core.facts.book import FactBook, FactPlan, commit_time
from backstory.core.facts.stating import plan_claims
from backstory.core.model.fact import Fact, FactStatus
from tests.unit.core.facts.ledger import START, claim, day

TOWNS = ("Arvika", "Boden", "Cimbris", "Dals")


def told(facts: dict[str, Fact], value: str, said: float, now: float) -> FactPlan:
    """What a statement by hand makes of rows, by a clock that may be behind theirs."""
    return plan_claims(
        FactBook(facts=facts),
        [claim(value, said, actor="api")],
        user_id="u",
        now=day(now),
        new_ids=[f"{value}-{n}" for n in range(4)],
    )


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_one_row_is_current_whoever_comes_first(order: tuple[int, ...]) -> None:
    second = 1 / 86_400
    facts: dict[str, Fact] = {}
    for place in order:
        at = place * second
        # each read the clock when it began, and none when its turn came
        facts |= told(facts, TOWNS[place], at, at).facts
        assert [f.status for f in facts.values()].count(FactStatus.ACTIVE) == 1
    rows = sorted(facts.values(), key=lambda f: f.valid_from or START)
    assert [f.value for f in rows] == list(TOWNS)
    for row, after in pairwise(rows):
        assert (row.valid_until, row.superseded_by) == (after.valid_from, after.id)


def test_a_commit_is_not_before_those_it_finds() -> None:
    found = FactBook(facts=told({}, "Arvika", 1, 1).facts)
    assert commit_time(found, day(0.9999)) == day(1)
    assert commit_time(found, day(2)) == day(2)
    assert commit_time(FactBook(), START) == START


def test_a_row_of_a_clock_that_was_set_wrong_moves_no_time() -> None:
    found = FactBook(facts=told({}, "Arvika", 1, 1).facts)
    assert commit_time(found, day(1) - timedelta(hours=1)) == day(1) - timedelta(hours=1)
