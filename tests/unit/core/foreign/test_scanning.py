"""The elements of an array are found wherever its text is cut."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory.core.foreign.scanning import ArrayScanner
from backstory.errors import InvalidInputError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def scanned(pieces: list[str], most: int = 10_000) -> list[Any]:
    scanner = ArrayScanner(most)
    found: list[Any] = []
    take(scanner, pieces, found)
    assert scanner.is_over
    return found


def take(scanner: ArrayScanner, pieces: list[str], found: list[Any]) -> None:
    for piece in pieces:
        found += scanner.feed(piece, last=False)
    found += scanner.feed("", last=True)


def cut(text: str, places: list[int]) -> list[str]:
    ends = sorted({place % (len(text) + 1) for place in places} | {len(text)})
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@example([0.0, -1e-300, 25], list(range(40)), True, None)
@given(
    st.lists(VALUES, max_size=6),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.booleans(),
    st.sampled_from([None, 1]),
)
def test_every_way_to_cut_gives_the_same(
    values: list[Any], places: list[int], ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(values, ensure_ascii=ascii_only, indent=indent)
    assert scanned(cut(f" \n{text}\t", places)) == values


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("[1, 2", [1, 2]),
        ('[{"a": 1}, {"a": ', [{"a": 1}]),
        ('[{"a": 1} {"a": 2}]', [{"a": 1}]),
        ('[{"a": 1},, {"a": 2}]', [{"a": 1}]),
        ("[1, 2] 3", [1, 2]),
        ('["a", "b', ["a"]),
        ('[1, {"a": nothing}, 3]', [1]),
        ("[" * 5_000, []),
        ('{"a": 1}', []),
        ("", []),
        ("[" + "1" * 5_000 + "]", []),
    ],
)
def test_what_is_damaged_is_told_and_what_stands_before_is_given(
    text: str, whole: list[Any]
) -> None:
    for size in (1, 7, 100_000):
        scanner = ArrayScanner(10_000)
        found: list[Any] = []
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        with pytest.raises(InvalidInputError, match="damaged at character"):
            take(scanner, pieces, found)
        assert found == whole


def test_an_element_has_a_bounded_size() -> None:
    with pytest.raises(InvalidInputError, match=r"more than 1,000 characters"):
        take(ArrayScanner(1_000), ["[["] + ["1," * 60] * 100, [])


def test_the_bound_holds_however_the_text_comes() -> None:
    text = json.dumps([{"a": 1}, "x" * 990, "x" * 1_010])
    for size in (10, 700, 10_000):
        found: list[Any] = []
        with pytest.raises(InvalidInputError, match=r"more than 1,000 characters"):
            take(
                ArrayScanner(1_000), [text[n : n + size] for n in range(0, len(text), size)], found
            )
        assert len(found) == 2


def test_tries_take_linear_time() -> None:
    tries = 0

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
            nonlocal tries
            tries += 1
            return super().raw_decode(s, idx)

    scanner = ArrayScanner(10**8)
    scanner._decoder = Counting()
    text = json.dumps([list(range(100_000))])
    found: list[Any] = []
    take(scanner, [text[at : at + 100] for at in range(0, len(text), 100)], found)
    assert found == [list(range(100_000))]
    assert tries < 30
