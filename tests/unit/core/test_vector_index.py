"""The index finds exactly what a plain comparison finds, and takes nothing that spoils it."""

import base64
import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from backstory.core.vector_index import RejectedVector, Rejection, VectorHit, VectorIndex
from backstory.errors import EmbeddingDimensionError, InvalidInputError

Matrix = NDArray[np.float32]


def random_rows(count: int, size: int, seed: int = 1) -> Matrix:
    return np.random.default_rng(seed).standard_normal((count, size)).astype(np.float32)


def text_of(row: NDArray[np.float32]) -> str:
    return base64.b64encode(row.astype("<f4").tobytes()).decode()


def index_of(rows: Matrix, *, positions: list[int] | None = None) -> VectorIndex[int]:
    index: VectorIndex[int] = VectorIndex()
    index.add_many(enumerate(rows), positions)
    return index


def plain(rows: Matrix, query: NDArray[np.float32], k: int) -> list[int]:
    """The best rows by cosines in double precision; the first of equal ones first."""
    units = [row / np.linalg.norm(row) for row in rows.astype(np.float64)]
    unit = query.astype(np.float64) / np.linalg.norm(query.astype(np.float64))
    scores = [math.fsum(one * unit) for one in units]
    return sorted(range(len(rows)), key=lambda row: (-scores[row], row))[:k]


def keys(hits: list[VectorHit[int]]) -> list[int]:
    return [hit.key for hit in hits]


@given(st.integers(1, 60), st.integers(1, 40), st.integers(0, 70), st.integers(0, 10_000))
def test_it_finds_what_a_plain_comparison_finds(count: int, size: int, k: int, seed: int) -> None:
    rows = random_rows(count, size + 1, seed)
    query = random_rows(1, size + 1, seed + 1)[0]
    hits = index_of(rows).search(query, k)
    assert keys(hits) == plain(rows, query, k)
    assert all(type(hit.score) is float and abs(hit.score) <= 1 for hit in hits)


def test_equal_rows_come_in_the_order_of_the_keys() -> None:
    row, others = random_rows(1, 100)[0], random_rows(30, 100, seed=2)
    rows = np.concatenate([others[:7], [row] * 11, others[7:], [row] * 6])
    hits = index_of(rows).search(row, 17)
    assert keys(hits) == [*range(7, 18), *range(41, 47)]
    assert len({hit.score for hit in hits}) == 1
    assert keys(index_of(rows).search(row, 12)) == [*range(7, 18), 41]


def test_many_equal_rows_keep_their_order() -> None:
    row = random_rows(1, 100)[0]
    hits = index_of(np.concatenate([random_rows(5, 100, seed=2), [row] * 700])).search(row, 650)
    assert keys(hits) == list(range(5, 655))


def test_rows_that_single_precision_does_not_tell_apart_are_in_order() -> None:
    center, noise = random_rows(1, 300, seed=4)[0], random_rows(900, 300, seed=5)
    rows = (center + noise * np.float32(3e-6)).astype(np.float32)
    query = random_rows(1, 300, seed=6)[0]
    units = [(r / np.linalg.norm(r)).astype(np.float32) for r in rows.astype(np.float64)]
    wide = query.astype(np.float64)
    unit = (wide / np.linalg.norm(wide)).astype(np.float32)
    exact = [math.fsum(one.astype(np.float64) * unit) for one in units]
    wanted = sorted(range(900), key=lambda row: -exact[row])
    in_single = np.argsort(-(np.array(units) @ unit), kind="stable")
    assert in_single[:9].tolist() != wanted[:9], "else the test says nothing"
    assert keys(index_of(rows).search(query, 9)) == wanted[:9]


def test_the_same_from_numbers_bytes_and_text() -> None:
    rows = random_rows(50, 96)
    indices = [index_of(rows)]
    for form in (text_of, lambda row: row.astype("<f4").tobytes(), np.ndarray.tolist):
        index: VectorIndex[int] = VectorIndex(96)
        index.add_many((number, form(row)) for number, row in enumerate(rows))
        indices.append(index)
    found = [index.search(query, 7) for index in indices for query in (rows[3], text_of(rows[3]))]
    assert found == [found[0]] * 8
    assert found[0][0].key == 3
    assert found[0][0].score == pytest.approx(1, abs=1e-6)


def test_a_vector_without_a_direction_is_dropped_and_reported() -> None:
    index: VectorIndex[str] = VectorIndex()
    bad: list[tuple[str, str | bytes | list[float]]] = [
        ("nan", [math.nan, 1.0]),
        ("inf", struct.pack("<2f", math.inf, 0.0)),
        ("minus inf", base64.b64encode(struct.pack("<2f", 1.0, -math.inf)).decode()),
        ("zero", [0.0, 0.0]),
        ("cut", "AACAPwAAAA"),
        ("excess", "AACAPwAAAAA=="),
        ("excess after whole groups", "A" * 16 + "="),
        ("lines", "AACAPwAA\nAAA="),
        ("letters", "日本語"),
        ("surrogate", "\ud800"),
        ("no floats", "AAAAAAA="),
        ("bytes", b"abc"),
        ("empty", ""),
    ]
    good: list[tuple[str, str | bytes | list[float]]] = [("a", [1.0, 0.2]), ("b", [0.2, 1.0])]
    index.add_many([good[0], *bad, good[1]])
    finite, zero = Rejection.NOT_FINITE, Rejection.NO_DIRECTION
    reasons = [finite] * 3 + [zero] + [Rejection.UNREADABLE] * 9
    assert index.rejected == [
        RejectedVector(key, reason) for (key, _), reason in zip(bad, reasons, strict=True)
    ]
    assert [hit.key for hit in index.search([1, 0])] == ["a", "b"]
    assert index.keys == ("a", "b")


def test_a_vector_that_cannot_be_taken_does_not_leave_the_old_one() -> None:
    index = index_of(random_rows(3, 4))
    index.add(1, [math.nan] * 4)
    assert index.keys == (0, 2)
    assert index.rejected == [RejectedVector(1, Rejection.NOT_FINITE)]


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1.0, 1e30, 1e300])
def test_the_length_of_a_vector_does_not_matter(scale: float) -> None:
    index: VectorIndex[str] = VectorIndex()
    index.add("a", [3 * scale, 4 * scale])
    index.add("b", [4.0, -3.0])
    for factor in (1e-200, 1.0, 1e200):
        hits = index.search([3 * factor, 4 * factor])
        assert [hit.key for hit in hits] == ["a", "b"]
        assert [hit.score for hit in hits] == pytest.approx([1, 0], abs=1e-6)


def test_sizes_must_agree() -> None:
    index = index_of(random_rows(3, 4))
    with pytest.raises(
        EmbeddingDimensionError, match="'late' has 5 numbers, and those here have 4"
    ):
        index.add_many([(7, [1, 2, 3, 4]), ("late", [1.0] * 5)])  # type: ignore[list-item]
    assert index.keys == (0, 1, 2), "none is added"
    with pytest.raises(EmbeddingDimensionError):
        index.search([1, 2, 3])
    with pytest.raises(EmbeddingDimensionError, match="has 0 numbers"):
        VectorIndex[int]().add(1, [])
    with pytest.raises(EmbeddingDimensionError):
        VectorIndex[int](4).add(1, [1.0])


@pytest.mark.parametrize("vector", [[[1.0, 2.0]], ["a", "b"], None, 5, [10**400, 1]])
def test_what_is_no_vector_is_refused(vector: object) -> None:
    with pytest.raises(InvalidInputError, match="the vector of 1"):
        VectorIndex[int]().add(1, vector)  # type: ignore[arg-type]


def test_calls_that_cannot_be_meant_are_refused() -> None:
    index = index_of(random_rows(3, 4))
    for limits in ({"k": -1}, {"within": range(0, 9, 2)}, {"mask": np.ones(4, dtype=bool)}):
        with pytest.raises(InvalidInputError):
            index.search([1, 2, 3, 4], **limits)
    with pytest.raises(InvalidInputError, match="cannot be compared"):
        index.search([math.nan, 1, 1, 1])
    with pytest.raises(InvalidInputError, match="2 vectors were given, but 1 positions"):
        index.add_many([(8, [1.0] * 4), (9, [1.0] * 4)], [1])
    with pytest.raises(InvalidInputError):
        VectorIndex(0)


def test_nothing_is_found_by_zeros_or_in_an_empty_index() -> None:
    assert index_of(random_rows(3, 4)).search([0, 0, 0, 0]) == []
    assert VectorIndex[int]().search([1, 2]) == []
    assert VectorIndex[int](2).search([1, 2]) == []
    assert index_of(random_rows(3, 4)).search([1, 0, 0, 0], 0) == []


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 99), st.booleans()), max_size=40),
    st.integers(0, 99),
)
def test_after_any_changes_it_is_as_if_built_anew(
    changes: list[tuple[int, int, bool]], seed: int
) -> None:
    rows = random_rows(100, 6, seed)
    index: VectorIndex[int] = VectorIndex(6)
    wanted: dict[int, int] = {}
    for key, row, is_added in changes:
        if is_added:
            index.add(key, rows[row], position=row)
            wanted[key] = row
        else:
            index.remove([key, 77])
            wanted.pop(key, None)
    fresh: VectorIndex[int] = VectorIndex(6)
    fresh.add_many(((key, rows[row]) for key, row in wanted.items()), wanted.values())
    assert index.keys == fresh.keys == tuple(wanted)
    for within in (None, range(20, 60)):
        assert index.search(rows[5], 5, within=within) == fresh.search(rows[5], 5, within=within)
    assert [key in index for key in range(13)] == [key in wanted for key in range(13)]


@pytest.mark.parametrize("size", [2, 40, 900])
def test_a_search_can_be_limited_to_chapters_and_rows(size: int) -> None:
    rows = random_rows(1_000, 8)
    index = index_of(rows, positions=[number // 10 for number in range(1_000)])
    within = range(50, 50 + size // 10 + 1)
    mask = np.arange(1_000) % 3 == 0
    allowed = [n for n in range(1_000) if n // 10 in within and n % 3 == 0]
    hits = index.search(rows[501], 20, within=within, mask=mask)
    assert keys(hits) == [allowed[place] for place in plain(rows[allowed], rows[501], 20)]
    assert keys(index.search(rows[501], 2_000, mask=mask)) == [
        row * 3 for row in plain(rows[::3], rows[501], 2_000)
    ]
    assert index.search(rows[0], mask=np.zeros(1_000, dtype=bool)) == []


def test_floors() -> None:
    index: VectorIndex[str] = VectorIndex()
    index.add_many([("a", [1, 0]), ("b", [0.9, math.sqrt(1 - 0.81)]), ("c", [-1, 0])])
    assert [hit.key for hit in index.search([1, 0])] == ["a", "b", "c"]
    assert [hit.key for hit in index.search([1, 0], min_score=0.5)] == ["a", "b"]
    assert [hit.key for hit in index.search([1, 0], relative_floor=0.95)] == ["a"]
    below = np.array([False, False, True])
    assert [hit.key for hit in index.search([1, 0], relative_floor=0.9, mask=below)] == ["c"]


def test_the_last_of_pairs_with_one_key_counts() -> None:
    index: VectorIndex[str] = VectorIndex()
    index.add_many([("a", [1, 0]), ("b", [1, 1]), ("a", [0, 1])], [1, 2, 3])
    assert index.search([0, 1], 1, within=range(3, 4)) == [VectorHit("a", 1.0)]
    assert len(index) == 2
    assert index.dimensions == 2
    assert index.nbytes >= 2 * (2 * 4 + 8)


@given(st.integers(1, 60), st.integers(0, 10_000))
def test_a_vector_is_never_more_like_itself_than_one(size: int, seed: int) -> None:
    rows = random_rows(20, size, seed)
    index = index_of(rows)
    for sign in (1, -1):
        hits = [hit for row in rows for hit in index.search(sign * row, 20)]
        assert all(-1.0 <= hit.score <= 1.0 for hit in hits)


def test_the_bytes_of_a_database_are_a_vector_in_any_wrapping() -> None:
    row = random_rows(1, 12)[0].astype("<f4")
    raw = row.tobytes()
    every_other = memoryview(b"".join(bytes((byte, 0)) for byte in raw))[::2]
    index: VectorIndex[str] = VectorIndex(12)
    index.add_many([("a", bytearray(raw)), ("b", memoryview(raw)), ("c", every_other)])
    assert [hit.score for hit in index.search(memoryview(raw))] == pytest.approx([1.0] * 3)


def test_a_mask_may_be_a_list() -> None:
    index = index_of(random_rows(3, 4))
    assert {*keys(index.search([1, 0, 0, 0], mask=[True, False, True]))} == {0, 2}
    assert index.search([1, 0, 0, 0], mask=[False] * 3) == []


@pytest.mark.parametrize(
    "limits",
    [{"min_score": math.nan}, {"relative_floor": math.nan}, {"k": 2.5}, {"k": None}, {"k": True}],
)
def test_limits_that_cannot_be_meant_are_named(limits: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(limits))):
        index_of(random_rows(3, 4)).search([1, 0, 0, 0], **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [2**63, None, "x"])
def test_positions_that_cannot_be_kept_are_refused(position: int) -> None:
    index = index_of(random_rows(3, 4))
    with pytest.raises(InvalidInputError, match="position"):
        index.add(9, [1, 0, 0, 0], position)
    assert len(index) == 3
