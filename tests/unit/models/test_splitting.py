"""Splitting and pooling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.models.splitting import normalised, pool, split_text


@given(st.text(), st.integers(1, 50))
def test_parts_join_to_the_text_and_fit(text: str, limit: int) -> None:
    parts = split_text(text, limit)
    assert "".join(parts) == text
    assert all(len(part) <= limit for part in parts)
    assert text == "" or all(parts)


@given(st.text(alphabet="ab. \n!?。", min_size=1, max_size=400), st.integers(4, 40))
def test_parts_are_not_needlessly_many(text: str, limit: int) -> None:
    assert len(split_text(text, limit)) <= 2 * len(text) / limit + 1


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("short", 10, ["short"]),
        ("One two. Three four five.", 12, ["One two. ", "Three four ", "five."]),
        ('He said "stop." Then he left.', 18, ['He said "stop." ', "Then he left."]),
        ("First line here\n\nsecond one", 22, ["First line here\n\n", "second one"]),
        ("我喜欢茶。你喜欢咖啡吗。", 8, ["我喜欢茶。", "你喜欢咖啡吗。"]),
        ("one two six ten off", 16, ["one two six ten ", "off"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 3, [""]),
    ],
)
def test_cuts_are_at_the_best_border(text: str, limit: int, parts: list[str]) -> None:
    assert split_text(text, limit) == parts


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="max_chars"):
        split_text("text", 0)


def test_a_large_text_of_one_kind_of_character_is_split_in_time() -> None:
    for text in (" " * 300_000, "\n" * 300_000, "a" * 300_000, ". " * 150_000, '"' * 300_000):
        assert "".join(split_text(text, 2000)) == text


@given(
    st.lists(st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4), min_size=1, max_size=5)
)
def test_a_pooled_vector_is_a_unit_vector(rows: list[list[float]]) -> None:
    matrix = np.array(rows, dtype=np.float32)
    matrix[:, 0] += 3.0
    units = normalised(matrix)
    result = pool(units, [1.0] * len(rows))
    assert abs(float(np.linalg.norm(result.astype(np.float64))) - 1.0) < 1e-6
    assert np.allclose(np.linalg.norm(units, axis=1), 1.0, atol=1e-6)


def test_larger_parts_count_more_and_opposite_ones_do_not_vanish() -> None:
    units = np.array([[1, 0], [0, 1]], dtype=np.float32)
    assert np.allclose(pool(units, [3, 1]), np.array([3, 1]) / np.sqrt(10), atol=1e-6)
    opposite = np.array([[1, 0], [-1, 0]], dtype=np.float32)
    assert np.array_equal(pool(opposite, [1, 1]), [1, 0])
