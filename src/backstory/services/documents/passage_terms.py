"""The words of a passage as they are stored for search."""

import numpy as np

from backstory.language.words import token_terms, tokens


def passage_terms(text: str) -> bytes:
    """The hashed words of a text in order, and their other forms: little-endian uint32."""
    terms = [term for word in tokens(text) for term in token_terms(word)]
    return np.array(terms, dtype="<u4").tobytes()
