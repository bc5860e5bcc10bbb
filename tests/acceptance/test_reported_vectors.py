"""Failures that users of memories reported: stale vectors, sizes, services that limit the rate."""

import time

import pytest

from backstory import Memory, Recall
from backstory.errors import EmbeddingDimensionError
from backstory.settings import Settings
from backstory.testing import HashEmbedder
from backstory.testing.wire import EmbeddingServer, Fault
from tests.acceptance.places import Place

DENSE = Recall(keyword=False)


def best(memory: Memory, query: str) -> tuple[str, float]:
    """The best hit by meaning alone, and its cosine."""
    hits = memory.search(query, user_id="u", kind="messages", recall=DENSE, explain=True)
    assert hits[0].why is not None
    assert hits[0].why.cosine is not None
    return hits[0].text, hits[0].why.cosine


def test_a_size_that_nobody_configured_works(place: Place) -> None:
    memory = place.open(embedder=HashEmbedder(768))
    assert memory.add(["red fish", "blue bird"], user_id="u").pending == 0
    text, cosine = best(memory, "red fish")
    assert (text, round(cosine, 4)) == ("red fish", 1)
    assert place.sql("SELECT dimensions FROM embedding_generations") == [(768,)]


def test_another_size_of_the_same_model_fails_at_the_start(place: Place) -> None:
    place.open(embedder=HashEmbedder(768)).add("red fish", user_id="u")
    with pytest.raises(EmbeddingDimensionError, match=r"768.*1536"):
        place.open(embedder=HashEmbedder(1536)).users()
    assert best(place.open(embedder=HashEmbedder(768)), "red fish")[1] > 0.99


def test_an_edited_text_is_found_by_its_new_meaning_only(place: Place) -> None:
    memory = place.open()
    message = memory.add("a piece of zircon", user_id="u", infer=False).messages[0]
    memory.add("nothing of the kind here", user_id="u", infer=False)
    memory.update(message.id, text="a piece of basalt")
    assert best(memory, "basalt")[0] == "a piece of basalt"
    hits = memory.search("zircon", user_id="u", kind="messages", recall=DENSE, explain=True)
    cosines = [hit.why.cosine for hit in hits if hit.why is not None]
    assert all(cosine is None or cosine < 0.2 for cosine in cosines)
    # also of the embedder that the store moves to, and of the one that it goes back to
    memory.reindex(HashEmbedder(model="new"))
    memory.update(message.id, text="a piece of granite")
    assert best(memory, "granite")[0] == "a piece of granite"
    memory.undo_reindex()
    assert best(memory, "granite")[0] == "a piece of granite"
    assert best(memory, "basalt")[1] < best(memory, "granite")[1]
    assert place.sql("SELECT count(*) FROM message_vectors") == [(4,)]


def test_a_service_that_limits_the_rate_loses_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "whatever")
    texts = [f"note {n} about topic{n}" for n in range(15)]
    with place.open(settings=Settings(reading="none")) as memory:
        memory.add(texts, user_id="u", infer=False)
    busy = Fault(status=429, headers={"Retry-After": "1"})
    with EmbeddingServer() as server:
        settings = Settings(
            url=place.url, embedder="openai:words", embedder_url=server.url, reading="none"
        )
        with Memory(settings=settings) as memory:
            server.script(Fault(), busy, Fault())
            began = time.monotonic()
            done = memory.reindex()
            assert time.monotonic() - began >= 1
            assert (done.switched, done.embedded, done.failed) == (True, 15, 0)
            assert len(server.requests) == 3
            waited = server.requests[2].at_s - server.requests[1].at_s
            assert waited >= 1
            assert best(memory, texts[7])[0] == texts[7]
            server.script(busy)
            assert memory.add("one more note", user_id="u", infer=False).pending == 1
            assert memory.flush("u").pending == 0
            assert best(memory, "one more note")[1] > 0.99
            # the old embedder was an object: without it, the words stay
            assert memory.undo_reindex(HashEmbedder()).pending == 0
        assert place.open().search(texts[3], user_id="u").degraded is None
