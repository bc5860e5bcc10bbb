"""Splitting long texts for a model with a limit, and making one vector of the parts'."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Closing quotes (' " and the curly ones); full stop, exclamation and question mark of Chinese and
# Japanese, danda, Arabic question mark.
_CLOSERS = "'\"\u2019\u201d)\\]"
_WIDE_STOPS = "\u3002\uff01\uff1f\u0964\u061f"
# Best place first: after a paragraph, after a sentence (of any script), after a space.
_BORDERS = (
    re.compile(r"\n\s*\n\s*"),
    re.compile(rf"(?<=[.!?\u2026])[{_CLOSERS}]*\s+|(?<=[{_WIDE_STOPS}])|\n+"),
    re.compile(r"\s+"),
)
# A border earlier than this share of the limit would make needlessly small parts.
_EARLIEST = 0.5


def split_text(text: str, max_chars: int) -> list[str]:
    """Split a text into parts of at most ``max_chars`` characters.

    Args:
        text: Any text.
        max_chars: The limit, 1 or more.

    Returns:
        Parts that, joined, are the text again. The cuts are at the end of a paragraph, of a
        sentence or of a word where there is one in the second half of what fits.

    Raises:
        ValueError: ``max_chars`` is below 1.
    """
    if max_chars < 1:
        message = f"max_chars must be 1 or more, not {max_chars}"
        raise ValueError(message)
    parts = []
    start = 0
    while len(text) - start > max_chars:
        end = _cut(text, start, start + max_chars)
        parts.append(text[start:end])
        start = end
    parts.append(text[start:])
    return parts


def _cut(text: str, start: int, limit: int) -> int:
    earliest = start + max(1, int((limit - start) * _EARLIEST))
    for border in _BORDERS:
        ends = [found.end() for found in border.finditer(text, earliest, limit)]
        if ends:
            return ends[-1]
    return limit


def normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows scaled to length 1 (float32); a row of zeros stays as it is."""
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    scaled: NDArray[np.float32] = (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return scaled


def pool(vectors: NDArray[np.float32], weights: Sequence[float]) -> NDArray[np.float32]:
    """One unit vector for a text that was embedded in parts.

    Args:
        vectors: The parts' unit vectors, one row each.
        weights: How much each part counts (its size), 0 or more, not all 0.

    Returns:
        The weighted mean, scaled to length 1. Parts that cancel out exactly give the largest
        part's vector.
    """
    shares = np.asarray(weights, dtype=np.float64)
    mean = shares @ vectors.astype(np.float64)
    length = float(np.linalg.norm(mean))
    if length < 1e-9 * float(shares.sum()):
        return normalised(vectors[int(np.argmax(shares))])
    result: NDArray[np.float32] = (mean / length).astype(np.float32)
    return result
