"""A query of any length costs what a short one costs."""

import pytest

from backstory import Memory
from backstory.testing import HashEmbedder


@pytest.mark.parametrize("filler", ["word ", "Tea Über ", "日本語", "x"])
def test_a_long_query_is_embedded_by_its_beginning_and_end(filler: str) -> None:
    embedder = HashEmbedder()
    query = "where is the boat " + filler * (200_000 // len(filler)) + " at which lake?"
    with Memory(":memory:", embedder=embedder) as memory:
        memory.add([f"The boat is at lake {n}." for n in range(20)], user_id="u")
        before = len(embedder.texts)
        hits = memory.search(query, user_id="u", explain=True)
        assert len(hits) == 10
        assert hits.degraded is None
        assert "boat" in memory.context("u", query).text
    for text in embedder.texts[before:]:
        assert len(text) <= 2501
        assert text.startswith("where is the boat ")
        assert text.endswith(" at which lake?")
    assert len(embedder.texts) == before + 2


def test_a_query_of_a_page_is_embedded_whole() -> None:
    embedder = HashEmbedder()
    query = "tea and salt, " * 170
    with Memory(":memory:", embedder=embedder) as memory:
        memory.add("tea", user_id="u")
        before = len(embedder.texts)
        memory.search(query, user_id="u")
    assert list(embedder.texts[before:]) == [query]
