"""Vectors of facts: made once for a text, and what is known of how alike two answers look."""

from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place


@ON_ONE
def test_a_fact_that_is_only_said_again_is_not_embedded_again(place: Place) -> None:
    embedder = HashEmbedder()
    memory = place.open(embedder=embedder)
    memory.add("My dog is called Bolt", user_id="u")
    before = len(embedder.texts)
    memory.add("My dog is called Bolt", user_id="u")
    assert [text for text in embedder.texts[before:] if "pet" in text] == []
    assert memory.facts.get("u")[0].mentions == 2
    memory.facts.update(memory.facts.get("u")[0].id, value="Volt")
    assert any("Volt" in text for text in embedder.texts)
    assert memory.search("Volt", user_id="u", kind="facts")[0].fact is not None


@ON_ONE
def test_a_contradiction_records_how_alike_the_answers_look(place: Place) -> None:
    memory = place.open(embedder=HashEmbedder())
    memory.add("My birthday is on May 4", user_id="u")
    memory.add("My birthday is on May 7", user_id="u")
    (raised,) = memory.contradictions.list_open("u")
    assert raised.gate_similarity is not None
    assert -1 <= raised.gate_similarity <= 1


@ON_ONE
def test_without_an_embedder_likeness_is_not_known(place: Place) -> None:
    memory = place.open(embedder=None)
    memory.add("My birthday is on May 4", user_id="u")
    memory.add("My birthday is on May 7", user_id="u")
    assert memory.contradictions.list_open("u")[0].gate_similarity is None


def test_a_remote_embedder_makes_them_in_the_background(place: Place) -> None:
    embedder = HashEmbedder(is_local=False)
    memory = place.open(embedder=embedder)
    memory.add("My dog is called Bolt", user_id="u")
    done = memory.flush("u")
    assert done.failed == 0
    assert any("pet" in text for text in embedder.texts)
    hit = memory.search("dog", user_id="u", kind="facts", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine is not None
