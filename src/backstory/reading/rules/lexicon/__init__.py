"""Closed lists of English words that the patterns look at, in lower case."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tests of membership."""
    return frozenset(text.split())
