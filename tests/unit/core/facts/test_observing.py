"""Sightings against facts open a contradiction and change no fact."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from backstory.core.facts.book import FactBook
from backstory.core.facts.observing import Sighting, file_sightings
from backstory.core.model.contradiction import ContradictionState, GatePath
from backstory.core.model.fact import Fact

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIET = Fact(
    id="f", user_id="u", key="health.diet", value="vegetarian", recorded_at=NOON, believed_at=NOON
)
SEEN = Sighting(
    fact_id="f",
    stated="had a burger again",
    path=GatePath.BEHAVIOURAL,
    reason="eats meat",
    said_at=NOON,
)


def test_a_sighting_opens_a_contradiction_and_a_second_one_counts() -> None:
    book = FactBook(facts={"f": DIET})
    plan = file_sightings(book, [SEEN], user_id="u", now=NOON, new_ids=["c"])
    assert plan.facts == {}
    (opened,) = plan.contradictions.values()
    assert (opened.state, opened.gate_path) == (ContradictionState.OPEN, GatePath.BEHAVIOURAL)
    assert (opened.stored_value, opened.stated_value) == ("vegetarian", "had a burger again")
    later = replace(SEEN, said_at=NOON + timedelta(days=1))
    again = file_sightings(
        replace(book, contradictions={opened.id: opened}),
        [later],
        user_id="u",
        now=NOON,
        new_ids=["d"],
    )
    (seen,) = again.contradictions.values()
    assert (seen.id, seen.repeat_count, seen.opened_at) == (opened.id, 1, NOON)


def test_a_fact_that_is_over_is_not_contradicted() -> None:
    over = replace(DIET, valid_until=NOON)
    plan = file_sightings(FactBook(facts={"f": over}), [SEEN], user_id="u", now=NOON, new_ids=["c"])
    assert plan.contradictions == {}
    unknown = file_sightings(FactBook(), [SEEN], user_id="u", now=NOON, new_ids=["c"])
    assert unknown.contradictions == {}
