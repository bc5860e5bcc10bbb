"""The real tokenizers that bounds and budgets are checked against (development only)."""

import importlib
import warnings
from collections.abc import Callable
from functools import cache

ENCODINGS = ("o200k_base", "cl100k_base")


@cache
def encoding_counter(name: str) -> Callable[[str], int]:
    """Tokens of a text in the encoding ``name``; texts of up to a million characters."""
    with warnings.catch_warnings():
        # Its import calls importlib.resources.open_binary, which is deprecated in Python 3.11. It
        # reads every vocabulary, so it is left to those who count.
        warnings.simplefilter("ignore", DeprecationWarning)
        encodings = importlib.import_module("bpe_openai")
    encode = encodings.get_encoding(name).encode_ordinary

    def count(text: str) -> int:
        return len(encode(text))

    count.__name__ = name
    return count
