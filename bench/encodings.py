"""The real tokenizers that bounds and budgets are checked against (development only)."""

import warnings
from collections.abc import Callable
from functools import cache

with warnings.catch_warnings():
    # Its import calls importlib.resources.open_binary, which is deprecated in Python 3.11.
    warnings.simplefilter("ignore", DeprecationWarning)
    import bpe_openai

ENCODINGS = ("o200k_base", "cl100k_base")


@cache
def encoding_counter(name: str) -> Callable[[str], int]:
    """Tokens of a text in the encoding ``name``; texts of up to a million characters."""
    encode = bpe_openai.get_encoding(name).encode_ordinary

    def count(text: str) -> int:
        return len(encode(text))

    count.__name__ = name
    return count
