"""What the calls give back and raise, beyond the records themselves."""

import json
from typing import Any

import pytest

from backstory import Memory
from backstory.errors import ConfigurationError, ConflictError


def test_hits_become_json() -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.add("tea", user_id="u")
        hits = memory.search("tea", user_id="u", explain=True)
        data = json.loads(json.dumps(hits.to_dict()))
        plain = memory.search("tea", user_id="u").to_dict()
    assert list(data) == ["hits", "degraded", "explanation"]
    assert data["hits"][0]["text"] == "tea"
    assert data["degraded"] == hits.degraded
    assert data["explanation"]["messages"] == 1
    assert plain["explanation"] is None


@pytest.mark.parametrize("failure", [KeyError("vocab"), OSError("gone"), ZeroDivisionError()])
def test_a_counter_that_fails_is_named(failure: Exception) -> None:
    def my_counter(text: str) -> int:
        if text:
            raise failure
        return 0

    with Memory(":memory:", embedder=None) as memory:
        memory.add("tea", user_id="u")
        with pytest.raises(ConfigurationError, match="my_counter failed") as caught:
            memory.context("u", "tea", count_tokens=my_counter)
    assert caught.value.__cause__ is failure


def test_a_message_id_stands_for_the_content_first_added() -> None:
    first: dict[str, Any] = {"role": "user", "content": "hi", "id": "m1", "name": "Vera"}
    with Memory(":memory:", embedder=None) as memory:
        stored = memory.add(first, user_id="u", session_id="s").messages[0]
        memory.update(stored.id, text="bye")
        again = memory.add(first, user_id="u", session_id="s").messages[0]
        assert (again.id, again.created, again.text) == (stored.id, False, "bye")
        for other in ({"content": "bye"}, {"name": "Omar"}, {"role": "assistant"}):
            with pytest.raises(ConflictError):
                memory.add({**first, **other}, user_id="u", session_id="s")
