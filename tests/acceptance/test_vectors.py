"""Vectors: made once, in the call or in the background, and finished by whoever comes next."""

import time
from concurrent.futures import ThreadPoolExecutor

from backstory.testing import HashEmbedder
from tests.acceptance.places import Place


def test_no_text_is_embedded_twice(place: Place) -> None:
    """A flush leaves alone what another call is embedding at that moment."""
    embedder = HashEmbedder(delay_s=0.3)
    memory = place.open(embedder=embedder)
    memory.add("the first one", user_id="u")
    with ThreadPoolExecutor(4) as pool:
        adds = [pool.submit(memory.add, f"note {n}", user_id="u") for n in range(3)]
        time.sleep(0.15)
        memory.flush("u")
        for add in adds:
            add.result()
    assert sorted(embedder.texts) == ["note 0", "note 1", "note 2", "the first one"]
    assert memory.flush("u").pending == 0


def test_a_message_that_is_there_is_not_embedded_again(place: Place) -> None:
    embedder = HashEmbedder()
    memory = place.open(embedder=embedder)
    message = {"role": "user", "content": "hello", "id": "m1"}
    for _ in range(3):
        memory.add(message, user_id="u", session_id="s")
    assert embedder.texts == ["hello"]


def test_the_background_makes_the_vectors_of_a_remote_embedder(place: Place) -> None:
    embedder = HashEmbedder(is_local=False)
    memory = place.open(embedder=embedder)
    assert memory.add(["one", "two"], user_id="u").pending == 2
    give_up = time.monotonic() + 20
    while not memory.doctor().ok and time.monotonic() < give_up:
        time.sleep(0.05)
    assert memory.doctor().ok
    assert sorted(text for text in embedder.texts if "check" not in text) == ["one", "two"]


def test_a_flush_that_runs_out_of_time_says_what_is_left(place: Place) -> None:
    memory = place.open(embedder=None)
    memory.add([f"note {n}" for n in range(3)], user_id="u")
    memory.close()
    slow = place.open(embedder=HashEmbedder(is_local=False, delay_s=30))
    result = slow.flush("u", timeout_s=0.5)
    assert (result.embedded, result.pending) == (0, 3)


def test_one_refused_text_does_not_stop_the_others(place: Place) -> None:
    memory = place.open(embedder=HashEmbedder(is_local=False, max_chars=20))
    memory.add(["short", "x" * 100, "also short"], user_id="u")
    result = memory.flush("u")
    assert result.failed == 1
    assert "100 characters" in result.reasons[0]
    assert memory.flush("u").failed == 1
    hit = memory.search("also short", user_id="u", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine is not None
