"""The shape of recall: routes, overrides, diversification, windows, whole sessions."""

from collections import Counter

import pytest

from backstory import Memory, Recall
from backstory.core.model.calibration import Calibration
from backstory.testing import HashEmbedder
from tests.acceptance.places import ON_ONE, Place

LONG, SHORT = 12, 3


def fill(memory: Memory) -> Memory:
    """Add one long session about apples, three short ones, and one about something else."""
    for session, count in (("a", LONG), ("b", SHORT), ("c", SHORT), ("d", SHORT)):
        texts = [f"apple number {n}" if session == "a" else f"apple pie {n} with cream and sugar"
                 for n in range(count)]  # fmt: skip
        memory.add(texts, user_id="u", session_id=session)
    memory.add([f"quiet evening {n}" for n in range(9)], user_id="u", session_id="e")
    return memory


def _sessions(hits: object) -> list[str]:
    return [hit.message.session_id for hit in hits]  # type: ignore[attr-defined]


def test_a_search_says_its_route_and_what_it_used(filled: Memory) -> None:
    for query, profile in (
        ("list all apples", "gather"),
        ("which apple is it", "pinpoint"),
        ("when did I eat the apple", "temporal"),
    ):
        report = filled.search(query, user_id="u", kind="messages", explain=True).explanation
        assert report is not None
        assert report["profile"] == profile
        assert report["route"]
        assert (report["top_k"], report["floor"]) == (10, 0.0)
        named = filled.search(
            query, user_id="u", recall=Recall(profile="temporal"), explain=True
        ).explanation
        assert named is not None
        assert named["profile"] == "temporal"


def test_no_session_fills_the_hits_and_what_moved_is_said(filled: Memory) -> None:
    crowded = filled.search("all apple number", user_id="u", kind="messages",
                            recall=Recall(per_session=0))  # fmt: skip
    assert Counter(_sessions(crowded))["a"] == 10
    recall = Recall(profile="gather", per_session=4)
    hits = filled.search(
        "all apple number", user_id="u", kind="messages", recall=recall, explain=True
    )
    assert Counter(_sessions(hits))["a"] == 4
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    moved = [hit.why.moved for hit in hits if hit.why is not None]
    assert moved[:4] == [None] * 4
    assert moved[4] == (LONG + 1, 5)
    assert hits.explanation is not None
    assert hits.explanation["moved"] == 6
    assert "moved from #13 to #5" in str(hits[4].why)


def test_a_search_fills_its_list_whatever_the_route(filled: Memory) -> None:
    for query in ("list all zebras", "zebra", "when was the zebra"):
        assert len(filled.search(query, user_id="u", kind="messages")) == 10
        assert len(filled.search(query, user_id="u", kind="messages", top_k=25)) == 25
        only = {"session_id": "b"}
        assert len(filled.search(query, user_id="u", top_k=9, filters=only)) == SHORT


def test_a_threshold_of_the_caller_holds_before_the_cut(filled: Memory) -> None:
    """Whoever does not reach it takes no place of those who do."""
    for given in (Recall(threshold=0.99), Recall(threshold=0.99, profile="gather")):
        hits = filled.search("apple cream", user_id="u", kind="messages", recall=given, top_k=18)
        assert len(hits) == 18
        assert set(_sessions(hits)) <= set("abcde")
    none = filled.search("zebra", user_id="u", kind="messages", threshold=0.99)
    assert none == []
    beaten = Recall(threshold=0.99)
    assert filled.search("zebra", user_id="u", kind="messages", recall=beaten, threshold=0)


def test_a_context_says_how_it_recalled(filled: Memory) -> None:
    context = filled.context("u", "list all apples", sources=["recalled"])
    assert context.recall is not None
    assert context.recall["profile"] == "gather"
    assert context.recall["route"]
    assert {entry["profile"] for entry in context.explain()} == {"gather"}
    named = filled.context("u", "list all apples", recall=Recall(profile="pinpoint"))
    assert named.recall is not None
    assert named.recall["profile"] == "pinpoint"
    assert {item.profile for item in named.items if item.source == "recent"} <= {None}
    assert filled.context("u", "apples", sources=["recent"]).recall is None


def test_neighbours_come_along_once_and_in_order(filled: Memory) -> None:
    recall = Recall(top_k=2, window=1)
    context = filled.context("u", "quiet evening 4", sources=["recalled"], recall=recall)
    shown = [item.text.split("quiet evening ")[-1] for item in context.items]
    assert shown == sorted(shown)
    assert len(set(shown)) == len(shown)
    assert {"3", "4", "5"} <= set(shown)
    hits = {item.message_ids[0] for item in context.items if item.neighbour_of is None}
    assert len(hits) == 2
    for item in context.items:
        assert (item.score is None) == (item.neighbour_of is not None)
        assert item.neighbour_of is None or item.neighbour_of in hits


@pytest.mark.parametrize("budget", [0, 40, 60, 80, 120, 200, 400])
def test_windows_and_whole_sessions_keep_the_budget(filled: Memory, budget: int) -> None:
    for recall in (Recall(window=2), Recall(expand_sessions=True), Recall(window=20, top_k=3)):
        context = filled.context("u", "apple number 5", max_tokens=budget, recall=recall)
        assert context.tokens <= budget
        ids = [record_id for item in context.items for record_id in item.message_ids]
        assert len(ids) == len(set(ids))


def test_neighbours_in_a_context_pass_the_filters(memory: Memory) -> None:
    fill(memory).add(
        [
            {"role": "user", "content": "the harbour"},
            {"role": "assistant", "content": "a lighthouse"},
        ],
        user_id="u",
        session_id="f",
    )
    recall = Recall(top_k=1, window=1)
    for filters, wanted in (({"role": "user"}, 1), (None, 2)):
        context = memory.context(
            "u", "the harbour", sources=["recalled"], recall=recall, filters=filters
        )
        assert len(context.items) == wanted


def test_sessions_of_the_best_hits_can_come_whole(memory: Memory) -> None:
    filled = fill(memory)
    query, recall = "apple number 5", Recall(top_k=1, expand_sessions=1)
    hit = filled.search(query, user_id="u", kind="messages", recall=recall)[0]
    assert len(hit.window) == LONG - 1
    context = filled.context("u", query, sources=["recalled"], recall=recall)
    assert len(context.items) == LONG
    off = filled.context("u", query, sources=["recalled"], recall=Recall(top_k=1))
    assert len(off.items) == 1


class Calibrated(HashEmbedder):
    """An embedder under which nothing but the same text is related."""

    calibration = Calibration(low=0.999, high=0.999, pairs=1000, related=20, measured=False)


@ON_ONE
def test_a_calibrated_floor_holds_behind_the_best_in_a_context_only(place: Place) -> None:
    memory = place.open(embedder=Calibrated())
    memory.add([f"quiet evening {n}" for n in range(40)], user_id="u", session_id="s")
    for recall, wanted in ((Recall(), 25), (Recall(threshold=0), 40), (Recall(threshold=0.999), 0)):
        context = memory.context(
            "u", "zebra", sources=["recalled"], recall=recall, max_tokens=100_000
        )
        assert len(context.items) == wanted
    by_word = memory.context("u", "evening", sources=["recalled"], max_tokens=100_000)
    assert len(by_word.items) == 40
    assert len(memory.search("zebra", user_id="u", kind="messages", top_k=40)) == 40
