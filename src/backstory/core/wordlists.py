"""Lists of words written as running text."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text that are divided by blanks."""
    return frozenset(text.split())
