"""An upper bound of the tokens of a text, without a tokeniser.

``token_upper_bound`` is above the count of the public encodings o200k and cl100k for ordinary and
for hostile text; ``docs/explanation/tokens.md`` publishes how that was measured and what it does
not promise. ``strict=True`` gives the number of UTF-8 bytes, which is provable for every byte-pair
encoding that starts from single bytes.
"""

import re
from typing import Final

from backstory.core._token_scan import scan_upper_bound
from backstory.core._token_units import unit_cost, units

# Below this many characters the plain loop is faster than numpy.
_SHORT: Final = 3000
_BLOCK: Final = 1 << 17
_SAFE_END: Final = re.compile("[A-Za-z](?= )")


def count_bytes(text: str) -> int:
    """Count the UTF-8 bytes of a text.

    No byte-pair encoding over bytes makes more tokens than bytes. A lone surrogate, which has no
    UTF-8 form, counts as the three bytes of the replacement character that encoders put there.

    Args:
        text: Any text.

    Returns:
        Bytes, at least 0.
    """
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def token_upper_bound(text: str, *, strict: bool = False) -> int:
    """Bound the tokens of a text from above, for o200k and cl100k.

    The text is counted as ordinary text: names of special tokens in it are not looked for, and what
    a chat format adds around a message is not included.

    Args:
        text: Any text.
        strict: Return the number of UTF-8 bytes, the bound that needs no measurement.

    Returns:
        Tokens, at least 0; at most one token for each UTF-8 byte.
    """
    if strict:
        return count_bytes(text)
    if len(text) <= _SHORT:
        return min(sum(map(unit_cost, units(text))), count_bytes(text))
    return min(sum(_block_bounds(text)), count_bytes(text))


def _block_bounds(text: str) -> list[int]:
    """Bounds of blocks of about 130,000 characters, which fit the processor's cache."""
    bounds = []
    start = 0
    while start < len(text):
        match = _SAFE_END.search(text, start + _BLOCK)
        end = match.end() if match else len(text)
        bounds.append(scan_upper_bound(text[start:end].encode("utf-8", "surrogatepass")))
        start = end
    return bounds
