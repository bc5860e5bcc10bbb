"""Vectors as base64 text in any column, and a search that compares all of them.

Compatible with the module of the same name in the package ``longform-memory``, and with the text it
writes: a vector divided by its length, as little-endian float32, in padded base64 of the standard
alphabet. A search over vectors that are kept decoded is ``VectorIndex`` in ``backstory.functions``.
"""

import base64
import binascii
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from backstory.longform._numpy import dot_products

__all__ = [
    "DEFAULT_MIN_SCORE",
    "RELATIVE_FLOOR",
    "ScoredRow",
    "decode_vector",
    "encode_vector",
    "search_top_k",
]

T = TypeVar("T")

DEFAULT_MIN_SCORE: Final = 0.2
"""The least similarity of a hit. What it means differs from embedder to embedder."""

RELATIVE_FLOOR: Final = 0.88
"""The least similarity of a hit as a part of the best one's."""

_ROWS_AT_ONCE: Final = 32  # their products stay in the cache of the processor
_WORTH_NUMPY: Final = 4096  # fewer products than this take less time than importing it
_BYTES: Final = 4


@dataclass
class ScoredRow(Generic[T]):
    """A row that was found, with its similarity to the query."""

    row: T
    score: float


def encode_vector(vec: Iterable[float]) -> str:
    """A vector as text, divided by its length.

    Args:
        vec: Numbers; a list, an array, or anything else that can be iterated.

    Returns:
        Base64 of little-endian float32, "" for no numbers. A vector without a direction (zero, not
        finite, or with a square too large or too small for a double) becomes zeros.

    Raises:
        TypeError: Something in it is not a number.
        OverflowError: An int in it is too large for a double.
    """
    values = _unit(vec)
    return base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode("ascii")


def decode_vector(b64: str) -> list[float] | None:
    """The numbers of a text that ``encode_vector`` wrote, or None if it did not.

    None is given for an empty text, a character outside the standard alphabet (white space and
    line ends included), wrong padding, and bytes that are not whole float32 values. Values that are
    not finite come back as they are.
    """
    raw = _raw(b64)
    if raw is None:
        return None
    return list(struct.unpack(f"<{len(raw) // _BYTES}f", raw))


def search_top_k(
    query_vec: Iterable[float],
    rows: Iterable[T],
    get_embedding: Callable[[T], str],
    k: int = 6,
    min_score: float = DEFAULT_MIN_SCORE,
    relative_floor: float = RELATIVE_FLOOR,
) -> list[ScoredRow[T]]:
    """The rows most similar to a query, by comparing each.

    Rows whose text cannot be decoded, or whose vector has another length or a product with the
    query that is not finite, are passed over.

    Args:
        query_vec: The vector looked for; it is divided by its length.
        rows: Anything that can be iterated.
        get_embedding: The text of a row's vector, as ``encode_vector`` writes it. The vector is
            compared as it is, not divided by its length again.
        k: The most hits. As in a slice: a negative number drops so many from the end, None none.
        min_score: The least similarity of a hit.
        relative_floor: The least similarity as a part of the best hit's.

    Returns:
        The best first; those with the same similarity in the order given.
    """
    query = _unit(query_vec)
    if not query:
        return []
    hits = [
        ScoredRow(row, score)
        for row, score in _scored(rows, get_embedding, query)
        if math.isfinite(score) and not score < min_score
    ]
    if not hits:
        return []
    hits.sort(key=lambda hit: hit.score, reverse=True)
    floor = hits[0].score * relative_floor
    return [hit for hit in hits if hit.score >= floor][:k]


def _numbers(vec: Iterable[Any]) -> list[Any]:
    """The numbers of a vector as Python's, so that they are not summed in their own precision."""
    to_list = getattr(vec, "tolist", None)
    values = list(vec) if to_list is None else list(to_list())
    if not {float, int, bool}.issuperset(map(type, values)):
        return [value.item() if hasattr(value, "item") else value for value in values]
    return values


def _unit(vec: Iterable[Any]) -> list[float]:
    """A vector divided by its length; zeros if it has no direction."""
    values = _numbers(vec)
    total = 0.0
    for value in values:  # sum() of floats is compensated in newer versions of Python
        total += value * value
    length = math.sqrt(total)
    if length == 0 or not math.isfinite(length):
        return [0.0] * len(values)
    return [value / length for value in values]


def _raw(b64: Any) -> bytes | None:
    if not b64:
        return None
    try:
        raw = binascii.a2b_base64(b64, strict_mode=True)
    except (TypeError, ValueError):
        return None
    padded = -(-len(raw) // 3) * 4
    return raw if len(raw) % _BYTES == 0 and len(b64) == padded else None


def _scored(
    rows: Iterable[T], get_embedding: Callable[[T], str], query: list[float]
) -> Iterator[tuple[T, float]]:
    """The comparable rows with their products, computed for several rows at once."""
    size = _BYTES * len(query)
    owners: list[T] = []
    raws: list[bytes] = []
    for row in rows:
        raw = _raw(get_embedding(row))
        if raw is None or len(raw) != size:
            continue
        owners.append(row)
        raws.append(raw)
        if len(raws) == _ROWS_AT_ONCE:
            yield from zip(owners, _products(raws, query), strict=True)
            owners, raws = [], []
    yield from zip(owners, _products(raws, query), strict=True)


def _products(raws: list[bytes], query: list[float]) -> list[float]:
    if len(raws) * len(query) >= _WORTH_NUMPY:
        products = dot_products(raws, query)
        if products is not None:
            return products
    unpack = struct.Struct(f"<{len(query)}f").unpack
    return [_product(unpack(raw), query) for raw in raws]


def _product(row: Sequence[float], query: Sequence[float]) -> float:
    total = 0.0
    for one, other in zip(row, query, strict=True):
        total += one * other
    return total
