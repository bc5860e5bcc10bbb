"""What chat code has at hand becomes a draft or one of our errors, never another exception."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.content import is_blank, read_content, read_message
from backstory.core.model.message import MessageDraft
from backstory.errors import InvalidInputError

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def text_of(content: object, **more: object) -> str:
    return read_message({"role": "assistant", "content": content, **more}).text


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


TOO_DEEP = deep(100_000)


@pytest.mark.parametrize(
    "content", ["hi", {"type": "text", "text": "hi"}, [{"text": "hi"}], ["hi"], ("hi",)]
)
def test_text_beside_tool_calls_is_kept_in_every_form(content: object) -> None:
    assert text_of(content) == "hi"
    assert text_of(content, tool_calls=[CALL]) == "hi\n[calls f {}]"
    assert text_of(content, function_call={"name": "g", "arguments": {"a": 1}}) == (
        'hi\n[calls g {"a": 1}]'
    )
    assert text_of(content, tool_calls=None, function_call=None) == "hi"


def test_calls_of_other_forms_are_read() -> None:
    custom = {"type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    plain = {"name": "find", "args": {"q": "x"}}
    assert (
        text_of(None, tool_calls=[custom, plain]) == '[calls sql select 1]\n[calls find {"q": "x"}]'
    )
    assert text_of([{"type": "text", "text": {"value": "hi", "annotations": []}}]) == "hi"


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": "x", "tool_calls": 5},
        {"content": "x", "tool_calls": "abc"},
        {"content": "x", "tool_calls": {"function": {}}},
        {"content": "x", "tool_calls": [{"function": None}]},
        {"content": "x", "tool_calls": [None]},
        {"content": "x", "tool_calls": [{"function": {"arguments": "{}"}}]},
        {"content": "x", "function_call": "abc"},
        {"content": "x", "function_call": 5},
        {"content": 5, "tool_calls": [CALL]},
        {"content": [{"type": ["text"], "text": "x"}]},
        {"content": [{"type": {}, "text": "x"}]},
        {"content": [{"type": "text", "text": 5}]},
        {"content": [{"type": "text", "text": ["x"]}]},
        {"content": [{"type": "tool_use", "name": "f", "input": TOO_DEEP}]},
        {"content": [{"type": "tool_use", "name": "f", "input": {1, 2}}]},
        {"content": TOO_DEEP},
        {"content": "x", "metadata": {"a": TOO_DEEP}},
        {"content": "x", "metadata": deep(5)},
        {"content": "x", "name": TOO_DEEP},
        {"content": "x", "role": TOO_DEEP},
        {"content": "x", "timestamp": deep(5)},
        {"content": "x", "id": deep(5)},
    ],
)
def test_a_wrong_shape_is_an_invalid_input(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        read_message({"role": "user", **wrong})


class Shouting(str):
    """Text that claims to be other text."""

    __slots__ = ()

    def __str__(self) -> str:
        return "SHOUT"

    def lower(self) -> str:
        return "system"


def test_a_kind_of_text_is_read_as_the_text_that_it_is() -> None:
    draft = read_message(
        {Shouting("role"): Shouting("user"), "content": Shouting("hi"), "id": Shouting("m1")}
    )
    assert (draft.role, draft.text, draft.message_id) == ("user", "hi", "m1")
    assert type(draft.text) is type(draft.message_id) is str


class Broken:
    """An object whose data cannot be had."""

    def model_dump(self) -> object:
        raise KeyError("gone")


def test_an_object_that_cannot_be_dumped_is_refused() -> None:
    for value in (Broken(), {"role": "user", "content": [Broken()]}):
        with pytest.raises(InvalidInputError, match="KeyError"):
            read_message(value)


WORDS = st.sampled_from(
    [
        *("role", "content", "text", "type", "tool_calls", "function_call", "function", "name"),
        *("arguments", "input", "id", "timestamp", "metadata", "tool_use", "tool_result", "user"),
        *("thinking", "refusal", "custom", "output", "2026-03-01T00:00:00Z", "2026-03-01"),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS
VALUES = st.recursive(
    SCALARS | st.binary(max_size=3) | st.just(object()),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.dictionaries(WORDS | SCALARS.filter(lambda key: key == key), inner, max_size=6)
    ),
    max_leaves=15,
)
MESSAGES = VALUES | st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "tool"])},
    optional=dict.fromkeys(
        ("content", "tool_calls", "function_call", "name", "id", "timestamp", "metadata"), VALUES
    ),
)


@given(MESSAGES)
def test_any_value_gives_a_draft_or_our_error(value: object) -> None:
    with suppress(InvalidInputError):
        assert isinstance(read_message(value), MessageDraft)


@given(VALUES)
def test_any_content_gives_text_or_our_error(value: object) -> None:
    try:
        text, notes = read_content(value)
    except InvalidInputError:
        return
    assert type(text) is str
    assert all(type(note) is str for note in notes)


NOTHING = (
    *("", " \n", "\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\0\0", "\ufffd", "\ud800"),
    *("\u200b", "\ufeff", "\u00ad", "\u034f", "\ufe0f", "\u061c", "\u180e", "\u17b4\u17b5", "\x07"),
)


@given(st.lists(st.sampled_from(NOTHING)).map("".join))
def test_what_shows_nothing_is_blank(text: str) -> None:
    assert is_blank(text)
    assert not is_blank(f"{text}a{text}")
    assert not is_blank(f"{text}\u2801")


@pytest.mark.parametrize("text", [".", "?", "\u2764\ufe0f", "\u0915\u094d", "\uac00", "\u3163"])
def test_what_shows_something_is_not_blank(text: str) -> None:
    assert not is_blank(text)
