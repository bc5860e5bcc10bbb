"""A store that was made with an embedder that cannot be had now."""

from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place


def test_what_is_owed_and_why_is_said(place: Place) -> None:
    first = place.open()
    first.add("the first one", user_id="u")
    first.close()  # its background would make the vector that is owed
    memory = place.open(embedder=HashEmbedder(model="another"))
    added = memory.add("the second one", user_id="u")
    flushed = memory.flush("u")
    assert (added.pending, flushed.pending, flushed.embedded) == (1, 1, 0)
    assert "hash:words@1" in str(added.degraded)
    assert flushed.reasons == (added.degraded,)
    assert memory.search("second", user_id="u")[0].text == "the second one"


@ON_ONE
def test_the_doctor_names_the_cure(place: Place) -> None:
    place.open().add("the first one", user_id="u")
    memory = place.open(embedder=HashEmbedder(model="another"))
    check = next(check for check in memory.doctor().checks if check.name == "embedder")
    assert not check.ok
    assert check.fix == (
        "open the memory with the embedder that the store was made with, or move the store to this "
        "one with reindex()"
    )


def test_the_right_embedder_finishes_the_work(place: Place) -> None:
    place.open().add("the first one", user_id="u")
    place.open(embedder=HashEmbedder(model="another")).add("the second one", user_id="u")
    memory = place.open()
    assert memory.flush("u").pending == 0
    assert memory.doctor().ok


@ON_ONE
def test_without_an_embedder_on_purpose_nothing_is_owed(place: Place) -> None:
    memory = place.open(embedder=None)
    assert memory.add("words only", user_id="u").pending == 0
    result = memory.flush("u")
    assert (result.pending, result.reasons) == (0, ())
    assert memory.doctor().ok
