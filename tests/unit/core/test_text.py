"""Text and metadata become storable, and nothing else about them changes."""

import enum
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.text import (
    MAX_JSON_DEPTH,
    JsonValue,
    abridge,
    clean,
    clean_json,
    one_line,
    unify_breaks,
)
from backstory.errors import InvalidInputError

any_text = st.text(st.characters(exclude_categories=())) | st.text(
    st.sampled_from("a\x00\ud83d\ude00\udc8f\ud800\r\n\u2028 ")
)


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        ("Acme moved\x00 to Porto", "Acme moved\ufffd to Porto"),
        ("note \udc8f end", "note \ufffd end"),
        ("\ud83d\ude00", "😀"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00\ude00", "\ufffd😀\ufffd"),
        ("\ud83dx", "\ufffdx"),
        ("tab\t bell\x07 crlf\r\n nbsp\u00a0 \u202e {x} %s", None),
        ("", None),
    ],
)
def test_only_nul_and_surrogates_change(given_text: str, stored: str | None) -> None:
    assert clean(given_text) == (given_text if stored is None else stored)


@given(any_text)
def test_clean_text_is_storable_and_stays(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert clean(cleaned) == cleaned
    # The decoder of the standard library is the reference for pairs and lone halves.
    utf16 = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert cleaned == utf16.replace("\x00", "\ufffd")


def test_clean_refuses_what_is_not_text() -> None:
    with pytest.raises(InvalidInputError, match="content must be text, not bytes"):
        clean(b"x", "content")  # type: ignore[arg-type]


class _Colour(enum.StrEnum):
    RED = "red"


class _Level(enum.IntEnum):
    HIGH = 3


def test_subclasses_become_plain_values() -> None:
    cleaned = clean_json({_Colour.RED: (_Level.HIGH, _Colour.RED, True)})
    assert cleaned == {"red": [3, "red", True]}
    assert isinstance(cleaned, dict)
    values = cleaned["red"]
    assert isinstance(values, list)
    assert [type(value) for value in values] == [int, str, bool]
    assert [type(key) for key in cleaned] == [str]
    assert type(clean(_Colour.RED)) is str


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(json_values)
def test_clean_values_come_back_from_json(value: JsonValue) -> None:
    try:
        cleaned = clean_json(value)
    except InvalidInputError as error:
        assert "two keys" in str(error)  # noqa: PT017 - the only reason there may be
        return
    assert json.loads(json.dumps(cleaned)) == cleaned
    if "\\u0000" not in json.dumps(value):
        assert cleaned == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [1, {"b": math.nan}]}, r"metadata\.a\[1\]\.b is nan"),
        ([math.inf], r"metadata\[0\] is inf"),
        ({"when": {1, 2}}, r"metadata\.when is a set"),
        ({"raw": b"x"}, r"metadata\.raw is a bytes"),
        ({1: "x"}, r"metadata has the key 1"),
        ({"a": {None: 1}}, r"metadata\.a has the key None"),
        ({"k\x00": 1, "k\ufffd": 2}, r"two keys"),
        ({"n": 10**5000}, r"metadata\.n is an integer of more than 1024 bits"),
    ],
)
def test_what_json_lacks_is_refused_with_its_path(value: object, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        clean_json(value)


def test_depth_is_bounded_and_a_cycle_ends() -> None:
    deep: list[object] = []
    for _ in range(MAX_JSON_DEPTH - 1):
        deep = [deep]
    assert clean_json(deep) == deep
    with pytest.raises(InvalidInputError, match="nested deeper than 64"):
        clean_json([deep])
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(InvalidInputError, match="nested deeper than 64"):
        clean_json(cycle)


def test_strings_in_metadata_are_cleaned_keys_too() -> None:
    assert clean_json({"a\x00": ["\ud83d\ude00", "\udc8f"]}) == {"a\ufffd": ["😀", "\ufffd"]}


@given(any_text)
def test_line_breaks_are_those_of_splitlines(text: str) -> None:
    assert unify_breaks(text + "x").split("\n") == (text + "x").splitlines()
    assert len(one_line(text).splitlines()) <= 1


def test_one_line_keeps_blanks_inside_a_line() -> None:
    assert one_line(" a  b \r\n\t c\x85") == "a  b c"


@given(st.text("ab \n", max_size=60), st.integers(1, 12), st.integers(1, 12))
def test_a_long_text_keeps_its_beginning_and_end(text: str, head: int, tail: int) -> None:
    short = abridge(text, head, tail)
    assert len(short) <= head + tail + 1
    if len(text) <= head + tail + 1:
        assert short == text
        return
    begin = next(n for n in range(head, -1, -1) if short[:n] == text[:n])
    assert begin >= min(head, head // 2)
    assert text.endswith(short[begin + 1 :])


def test_a_long_text_is_cut_at_word_borders() -> None:
    text = "where is the red boat " + "very " * 50 + "said the old man at the lake"
    assert abridge(text, 20, 17) == "where is the red man at the lake"
    assert abridge("x" * 100, 5, 3) == "xxxxx xxx"


@given(st.text("a\t \n\r\u2028", max_size=40))
def test_a_line_is_what_the_plain_pattern_gives(text: str) -> None:
    plain = re.compile("[\t \n\r\u2028]*[\n\r\u2028][\t \n\r\u2028]*")
    assert one_line(text) == plain.sub(" ", text).strip()


def test_a_million_blanks_take_no_quadratic_time() -> None:
    text = "a" + " " * 1_000_000 + "b"
    assert one_line(text) == text
