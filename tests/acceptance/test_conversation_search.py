"""Whole conversations: found by their words, their turns, their centroids, their summaries."""

from datetime import UTC, datetime, timedelta

import pytest

from backstory import Hits, Memory, Settings
from backstory.errors import InvalidFilterError, InvalidInputError
from backstory.testing import FakeClock, HashEmbedder
from tests.acceptance.places import ON_ONE, Place

BIKE = ("I bought a blue bike for 300 euros.", "It has seven gears.")
TRIP = ("We went to the lake in Hallstatt.", "The water was cold.")
IN_CHINESE = (
    "\u6211\u642c\u5230\u4e86\u54e5\u5fb7\u5821\u3002",
    "\u6211\u4e70\u4e86\u4e00\u8f86\u81ea\u884c\u8f66\u3002",
)
SOLD = "I sold the bike to Omar for 200 euros."
IN_HEBREW = ("\u05d0\u05e0\u05d9 \u05d2\u05e8 \u05d1\u05d7\u05d9\u05e4\u05d4.",)


def tell(memory: Memory, session: str, *texts: str, user: str = "vera", **given: object) -> None:
    with memory.session(user_id=user, session_id=session) as opened:
        for text in texts:
            opened.add("user", text, **given)  # type: ignore[arg-type]


def found(memory: Memory, query: str, **given: object) -> Hits:
    return memory.search(query, user_id="vera", kind="conversations", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("flushed", [True, False])
def test_a_conversation_is_found_with_and_without_a_summary(place: Place, flushed: bool) -> None:
    memory = place.open(settings=Settings(background=False))
    tell(memory, "bike", *BIKE)
    tell(memory, "trip", *TRIP)
    tell(memory, "trip", *TRIP, user="omar")
    if flushed:
        memory.flush()
    hits = found(memory, "the bike's gears", explain=True)
    assert [hit.id for hit in hits] == ["bike", "trip"]
    best = hits[0]
    assert best.kind == "conversation"
    assert (best.summary is not None) is flushed
    assert best.text in (["user: " + " ".join(BIKE)] if flushed else BIKE)
    assert (best.message, best.fact) == (None, None)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert best.why is not None
    arms = {arm.arm for arm in best.why.arms if arm.rank == 1}
    assert arms == ({"keyword", "centroid", "summary"} if flushed else {"keyword", "centroid"})
    assert hits.explanation is not None
    assert hits.explanation["summaries"] == (2 if flushed else 0)
    assert found(memory, "") == found(memory, "?!") == []


@ON_ONE
def test_filters_choose_conversations_by_their_messages(place: Place) -> None:
    memory = place.open()
    tell(memory, "bike", *BIKE, metadata={"shop": "x"})
    tell(memory, "trip", *TRIP)
    memory.flush()
    assert [hit.id for hit in found(memory, "bike", filters={"metadata": {"shop": "x"}})] == [
        "bike"
    ]
    assert [hit.id for hit in found(memory, "bike", exclude_session_id="bike")] == ["trip"]
    assert found(memory, "bike", filters={"role": "assistant"}) == []
    assert len(found(memory, "bike", top_k=1)) == 1
    assert [hit.id for hit in found(memory, "bike", threshold=0.99)] == ["bike"]
    with pytest.raises(InvalidFilterError):
        found(memory, "bike", filters={"colour": "blue"})
    with pytest.raises(InvalidInputError):
        memory.search("bike", user_id="vera", kind="talks")  # type: ignore[arg-type]


@ON_ONE
def test_what_was_not_known_then_is_not_found(place: Place) -> None:
    clock = FakeClock(datetime(2026, 5, 1, tzinfo=UTC))
    memory = place.open(clock=clock, settings=Settings(background=False))
    tell(memory, "bike", *BIKE)
    memory.flush()
    before = found(memory, SOLD, explain=True)
    clock.advance(timedelta(days=10))
    tell(memory, "bike", SOLD)
    tell(memory, "trip", *TRIP)
    memory.flush()
    then = found(memory, SOLD, known_at="2026-05-02T00:00:00Z", explain=True)
    assert [(hit.id, hit.why, hit.score) for hit in then] == [
        (hit.id, hit.why, hit.score) for hit in before
    ]
    assert then[0].summary is not None
    assert "Omar" not in then[0].text
    assert "Omar" in found(memory, "bike")[0].text
    assert found(memory, "bike", known_at="2026-04-01T00:00:00Z") == []


def test_without_an_embedder_words_are_enough_in_any_script(place: Place) -> None:
    memory = place.open(embedder=None)
    tell(memory, "zh", *IN_CHINESE)
    tell(memory, "he", *IN_HEBREW)
    tell(memory, "odd", "\U0001f600 a\x00b \ud800 K-4711")
    memory.flush()
    assert found(memory, "\u81ea\u884c\u8f66")[0].id == "zh"
    assert found(memory, "\u05d7\u05d9\u05e4\u05d4")[0].id == "he"
    assert found(memory, "K-4711")[0].id == "odd"
    assert found(memory, "\u81ea\u884c\u8f66")[0].text == "user: " + "".join(IN_CHINESE)


def test_vectors_of_summaries_follow_the_embedder(place: Place) -> None:
    """Bug kind: stale-vector. Old and new vectors never meet."""
    small, large = HashEmbedder(16), HashEmbedder(48, model="larger")
    memory = place.open(embedder=small)
    tell(memory, "bike", *BIKE)
    memory.flush()
    assert any("300 euros" in text and "seven" in text for text in small.texts)
    memory.reindex(large)
    done = memory.flush()
    assert done.failed == 0
    assert any("300 euros" in text and "seven" in text for text in large.texts)
    hit = found(memory, "bike", explain=True)[0]
    assert hit.why is not None
    assert {arm.arm for arm in hit.why.arms} == {"keyword", "centroid", "summary"}
    before = len(large.texts)
    assert memory.flush().embedded == 0
    assert len(large.texts) == before


@ON_ONE
def test_a_failing_embedder_leaves_summaries_pending_and_found_by_words(place: Place) -> None:
    embedder = HashEmbedder(is_local=False)
    memory = place.open(embedder=embedder, settings=Settings(background=False))
    tell(memory, "bike", *BIKE)
    embedder.fail_times = 1_000
    assert memory.flush().reasons
    assert found(memory, "bike")[0].summary is not None
    embedder.fail_times = 0
    assert memory.flush().embedded > 0
    hit = found(memory, "bike", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine is not None
