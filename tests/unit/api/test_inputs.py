"""What callers pass in: a wrong type is one of our errors, before anything is stored."""

from pathlib import Path
from typing import Any

import pytest

from backstory import Memory, Recall, Settings
from backstory.errors import ConfigurationError, InvalidInputError
from backstory.testing import HashEmbedder


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("top_k", 0),
        ("top_k", 10_001),
        ("top_k", 2.0),
        ("top_k", True),
        ("threshold", "0.5"),
        ("threshold", -0.1),
        ("threshold", float("nan")),
        ("window", 21),
        ("window", 1.5),
        ("window", "1"),
        ("per_session", -1),
        ("per_session", 2.5),
        ("profile", "wide"),
        ("profile", 3),
        ("expand_sessions", 21),
        ("expand_sessions", None),
        ("clip_chars", -1),
        ("clip_chars", "all"),
        ("order", "newest first"),
        ("order", ["oldest first"]),
    ],
)
def test_overrides_of_recall_are_checked(name: str, value: Any) -> None:
    with Memory(":memory:", embedder=None) as memory:
        for call in (memory.search, memory.context):
            arguments: dict[str, Any] = {"query": "tea", "user_id": "u"}
            with pytest.raises(InvalidInputError, match=name):
                call(**arguments, recall=Recall(**{name: value}))


def test_recall_must_be_a_recall() -> None:
    wrong: Any = {"top_k": 3}
    with (
        Memory(":memory:", embedder=None) as memory,
        pytest.raises(InvalidInputError, match="must be a Recall, not dict"),
    ):
        memory.search("tea", user_id="u", recall=wrong)


@pytest.mark.parametrize("embedder", [object(), 3, len, HashEmbedder])
def test_an_object_that_is_no_embedder_is_refused_at_once(embedder: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="must be a name, None, or an object"):
        Memory(tmp_path / "memory.db", embedder=embedder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cache_mb", "64"),
        ("cache_mb", True),
        ("pool_size", "5"),
        ("pool_size", 5.0),
        ("auto_migrate", "no"),
        ("tenant", None),
        ("url", 7),
    ],
)
def test_a_setting_of_a_wrong_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigurationError, match=name):
        Settings(**{name: value})


def test_a_path_may_stand_for_a_setting(tmp_path: Path) -> None:
    place: Any = tmp_path / "memory.db"
    assert Settings(url=place).location.target == str(place)
    assert Settings(home=place).home_path == place
    assert Settings(cache_mb=1).cache_mb == 1


def test_a_message_of_a_picture_alone_says_what_was_skipped() -> None:
    picture = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
    with Memory(":memory:", embedder=None) as memory:
        result = memory.add(["hello", picture], user_id="u")
        assert [one.position for one in result.rejected] == [1]
        assert result.rejected[0].reason.endswith("(image_url part skipped)")
        with pytest.raises(InvalidInputError, match=r"blank.*\(image_url part skipped\)"):
            memory.add(picture, user_id="u")


@pytest.mark.parametrize("value", [[], {}, {"session"}, 1, b"session"])
def test_a_kind_that_is_no_text_is_a_clear_error(value: Any) -> None:
    with Memory(":memory:", embedder=None) as memory:
        for call in (
            lambda: memory.summaries.recent("u", kind=value),
            lambda: memory.graph.entities("u", kind=value),
            lambda: memory.graph.relations("u", relation_type=value),
            lambda: memory.consolidate(value),
        ):
            with pytest.raises(InvalidInputError, match="must be one of"):
                call()


@pytest.mark.parametrize("value", [0, True, 1.5, object()])
def test_sources_that_are_no_list_are_a_clear_error(value: Any) -> None:
    with (
        Memory(":memory:", embedder=None) as memory,
        pytest.raises(InvalidInputError, match="sources must be a list of names"),
    ):
        memory.context("u", sources=value)


def test_a_source_whose_part_is_off_says_so() -> None:
    with (
        Memory(":memory:", embedder=None, settings=Settings(reading="facts")) as memory,
        pytest.raises(InvalidInputError, match="setting reading leaves its part out"),
    ):
        memory.context("u", sources=["timeline"])


def test_sources_may_come_from_a_generator() -> None:
    with Memory(":memory:", embedder=None) as memory:
        named: Any = (name for name in ("facts", "recent"))
        assert memory.context("u", sources=named).sources_responded == "2/2"
