"""A limit that no database takes means all."""

from tests.acceptance.places import Place


def test_a_limit_of_any_size(place: Place) -> None:
    memory = place.open()
    memory.add("I live in Lund.", user_id="vera")
    assert len(memory.users(limit=10**20)) == 1
    assert len(memory.facts.get("vera", limit=10**20)) == 1
