"""Search: windows, filters, explanations, and the same answer from both databases."""

from pathlib import Path

import pytest

from backstory import Hits, Memory, Recall
from backstory.errors import InvalidInputError
from backstory.testing import FakeClock, HashEmbedder
from tests.acceptance.places import ON_ONE, Place

TALK = [
    "Shall we plan the trip?",
    "Yes, to the lake",
    "I bought a red tent",
    "How large is it?",
    "It sleeps four people",
    "Good, and the dog comes along",
]


def fill(memory: Memory) -> None:
    for session, prefix in (("a", ""), ("b", "Again: ")):
        with memory.session(user_id="u", session_id=session) as handle:
            for n, text in enumerate(TALK):
                role = "user" if n % 2 == 0 else "assistant"
                handle.add(role, prefix + text, metadata={"n": n})


def test_a_hit_brings_its_neighbours_of_the_same_session(filled: Memory) -> None:
    memory = filled
    hit = memory.search("red tent", user_id="u", filters={"session_id": "a"})[0]
    assert hit.text == TALK[2]
    assert [turn.text for turn in hit.window] == [TALK[1], TALK[3]]
    first = {"session_id": "a"}
    wide = memory.search("Shall we plan", user_id="u", filters=first, recall=Recall(window=20))[0]
    assert [turn.text for turn in wide.window] == TALK[1:]
    none = memory.search("red tent", user_id="u", recall=Recall(window=0))[0]
    assert none.window == ()


def test_filters_and_exclusion_come_before_the_cut(memory: Memory) -> None:
    fill(memory)
    for filters, wanted in (
        ({"role": "assistant"}, 6),
        ({"session_id": "b"}, 6),
        ({"metadata": {"n": {"in": [2, 4]}}}, 4),
        ({"role": "user", "metadata": {"n": 1}}, 0),
    ):
        assert len(memory.search("tent", user_id="u", top_k=12, filters=filters)) == wanted
    others = memory.search("tent", user_id="u", kind="messages", top_k=12, exclude_session_id="a")
    assert {hit.message.session_id for hit in others if hit.message} == {"b"}
    assert len(others) == 6


def test_every_hit_can_say_why(filled: Memory) -> None:
    memory = filled
    hits = memory.search("the red tents", user_id="u", explain=True)
    assert isinstance(hits, Hits)
    assert hits.degraded is None
    assert hits.explanation is not None
    assert hits.explanation["messages"] == 12
    why = hits[0].why
    assert why is not None
    assert {arm.arm for arm in why.arms} == {"keyword", "dense"}
    assert why.terms == ("red", "tents")
    assert str(why)
    assert memory.search("tent", user_id="u")[0].why is None
    data = hits[0].to_dict()
    assert data["created_at"].endswith("+00:00")
    assert data["message"]["role"] in {"user", "assistant"}


def test_arms_can_be_chosen(filled: Memory) -> None:
    memory = filled
    for recall, arm in ((Recall(keyword=False), "dense"), (Recall(dense=False), "keyword")):
        hit = memory.search("red tent", user_id="u", recall=recall, explain=True)[0]
        assert hit.why is not None
        assert [a.arm for a in hit.why.arms if a.rank] == [arm]


def test_an_unknown_kind_is_refused(filled: Memory) -> None:
    memory = filled
    with pytest.raises(InvalidInputError, match="messages"):
        memory.search("x", user_id="u", kind="fact")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="messages"):
        memory.get_all(user_id="u", kind="all")  # type: ignore[call-overload]
    with pytest.raises(InvalidInputError, match="query"):
        memory.search(None, user_id="u")  # type: ignore[arg-type]


def test_both_databases_answer_alike_whatever_other_users_hold(
    tmp_path: Path, ready_postgres_url: str
) -> None:
    """The same content gives the same hits, order and scores."""
    answers = []
    for url, crowd in ((str(tmp_path / "m.db"), 0), (ready_postgres_url, 120)):
        with Memory(url, embedder=HashEmbedder(), clock=FakeClock()) as memory:
            for other in range(3):
                said = [f"the red tent number {n} of another user" for n in range(other, crowd, 3)]
                memory.add(said, user_id=f"crowd{other}")
            fill(memory)
            answers.append(
                [
                    [(hit.text, hit.score) for hit in memory.search(query, user_id="u", top_k=12)]
                    for query in ("red tent", "the dog", "how many people sleep in it?", "lake")
                ]
            )
    assert answers[0] == answers[1]


def test_a_store_made_by_another_embedder_stays_usable(place: Place) -> None:
    """Generations never mix: without its own embedder the store is searched by keyword."""
    first = place.open(embedder=HashEmbedder(model="one"))
    fill(first)
    first.close()
    second = place.open(embedder=HashEmbedder(model="two"))
    hits = second.search("red tent", user_id="u", explain=True)
    assert hits[0].text.endswith("red tent")
    assert hits.degraded is not None
    assert "hash:one" in hits.degraded
    added = second.add("a blue tent", user_id="u")
    assert added.pending == 1
    assert added.degraded is not None
    assert not second.doctor().ok
    second.close()
    third = place.open(embedder=HashEmbedder(model="one"))
    assert third.flush("u").pending == 0
    assert third.doctor().ok
    hit = third.search("a blue tent", user_id="u", explain=True)[0]
    assert hit.why is not None
    assert hit.why.cosine == pytest.approx(1.0, abs=1e-3)


@ON_ONE
def test_keywords_alone_need_no_embedder(place: Place) -> None:
    memory = place.open(embedder=None)
    fill(memory)
    hits = memory.search("tent", user_id="u")
    assert hits[0].text.endswith("red tent")
    assert hits.degraded is None
    assert memory.flush().pending == 0
    assert memory.doctor().ok
