"""What ``explain`` gives adds up to the score, whatever kind of hit it is."""

import pytest

from backstory import Hit, Memory, Recall
from backstory.testing import HashEmbedder
from tests.acceptance.places import Place

SAID = (
    "I moved to Oslo on 3 March 2025. I work as a baker. I adopted a cat in March 2025.",
    {"role": "assistant", "content": "Congratulations! Oslo is lovely in spring. " * 12},
    "My sister Ida visited me in Oslo in May 2025. Is the harbour open in winter?",
    "Always answer in short sentences, please. I prefer tea to coffee.",
    "我喜欢面包。 أحب الخبز 🍞",
)
QUERIES = (
    "when did I move to Oslo",
    "when did I adopt the cat in March 2025",
    "list everything about Oslo",
    "How should you answer me?",
    "moved to oslo",
    "面包",
    "zzz",
)
ONLY_BY = (Recall(), Recall(keyword=False), Recall(dense=False))
FACTOR = "answer factor"


def _sum(hit: Hit) -> float:
    assert hit.why is not None
    parts = dict(hit.why.bonuses)
    factor = parts.pop(FACTOR, 1.0)
    scaled = [parts.pop(name, 0.0) for name in ("keyword", "dense", "session")]
    return (sum(scaled) * factor + sum(parts.values())) / hit.why.out_of


@pytest.mark.parametrize("embeds", [True, False])
def test_the_parts_of_a_score_add_up(place: Place, embeds: bool) -> None:
    memory: Memory = place.open(embedder=HashEmbedder() if embeds else None)
    for number, timestamp in enumerate(("2025-06-01T10:00:00Z", "2025-06-20T10:00:00Z")):
        with memory.session(user_id="u", session_id=f"s{number}") as session:
            for text in SAID[number:]:
                turn = {"role": "user", "content": text} if isinstance(text, str) else text
                session.add_many([{**turn, "timestamp": timestamp}])
    memory.flush("u")
    kinds = set()
    for query in QUERIES:
        for kind in ("messages", "facts", "conversations", "events"):
            for recall in ONLY_BY:
                found = memory.search(query, user_id="u", kind=kind, recall=recall, explain=True)
                for hit in found:
                    kinds.add(hit.kind)
                    total = min(max(_sum(hit), 0.0), 1.0)
                    assert total == pytest.approx(hit.score, abs=1e-5), (query, kind, hit)
    assert kinds == {"message", "fact", "conversation", "event"}
