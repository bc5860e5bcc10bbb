"""What holds for a while has a slot of its own and an end; the permanent slot is left alone."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory.core.model.fact import FactKind
from tests.unit.reading.rules_help import AT, claims, one


@pytest.mark.parametrize(
    ("text", "place", "until"),
    [
        ("I'm on holiday in Crete for two weeks", "Crete", AT + timedelta(days=14)),
        ("at my aunt's place in Sopot until Friday", "Sopot", datetime(2024, 5, 18, tzinfo=UTC)),
        ("staying with friends in Sopot for three days", "Sopot", AT + timedelta(days=3)),
        ("on a business trip to Sofia", "Sofia", AT + timedelta(days=14)),
    ],
)
def test_a_stay_ends(text: str, place: str, until: datetime) -> None:
    claim = one(text, key="context.location")
    assert (claim.value, claim.valid_until) == (place, until)
    assert claim.kind is FactKind.TEMPORARY
    assert not [c for c in claims(text) if c.key == "home.place"]


@pytest.mark.parametrize(
    "text",
    [
        "driving a rental Comet till mine is fixed",
        "borrowed a Comet from a friend",
        "looking after my neighbour's dog Juno this weekend",
        "using my brother's phone rn",
        "I have a dog for the weekend",
        "I'm hungry",
        "I'm so tired today",
        "I'm late",
        "I'm in trouble until friday",
        "we're visiting in May",
    ],
)
def test_what_passes_gives_no_lasting_fact(text: str) -> None:
    assert not [c for c in claims(text) if c.kind is FactKind.PERMANENT and c.key != "goal.plan"]


def test_what_is_lent_is_no_possession() -> None:
    found = claims("I'm on my brother's Chromebook today")
    assert not [c for c in found if (c.key or "").startswith("possession.")]
