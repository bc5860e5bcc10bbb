"""Whether a run of characters was made by a machine at random."""

import re
from collections import Counter
from itertools import pairwise
from math import log2
from typing import Final

_HEX: Final = re.compile(r"[0-9a-f]+", re.IGNORECASE)
_PART: Final = re.compile(r"[^A-Za-z0-9]+")
_SHORTEST: Final = 20
_LEAST_ENTROPY: Final = 3.5
_LEAST_CHANGES: Final = 0.35


def is_random(run: str) -> bool:
    """Whether a run of letters, figures and signs looks like a secret drawn at random.

    It has at least 20 characters with small letters, capitals and figures in one part, at least 3.5
    bits of Shannon entropy per character, and changes between the three more often than words do.
    Hexadecimal runs are hashes or UUIDs of records more often than secrets, and are not
    taken; nor are paths, addresses and names of programs.

    Args:
        run: Characters without blanks.
    """
    parts = [part for part in _PART.split(run) if part]
    longest = max(parts, key=len, default="")
    if len(longest) < _SHORTEST or _HEX.fullmatch(longest):
        return False
    kinds = [_kind(char) for char in longest]
    if len(set(kinds)) < len("aA1"):
        return False
    changes = sum(one != other for one, other in pairwise(kinds))
    return entropy(longest) >= _LEAST_ENTROPY and changes >= _LEAST_CHANGES * len(longest)


def entropy(text: str) -> float:
    """Shannon's entropy of the characters of a text, in bits per character; 0 for an empty one."""
    total = len(text)
    return -sum(n / total * log2(n / total) for n in Counter(text).values()) if total else 0.0


def _kind(char: str) -> str:
    return "1" if char.isdigit() else "A" if char.isupper() else "a"
