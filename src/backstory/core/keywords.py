"""The words of a fact's key, however it is written."""

import re
from typing import Final

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN: Final = re.compile(r"[\W_]+")
_PARTS: Final = re.compile(r"[.:]+")
# One spelling of each.
_SPELLING: Final = {
    "favorite": "favourite", "fav": "favourite", "fave": "favourite", "color": "colour",
    "todays": "today", "neighbor": "neighbour",
}  # fmt: skip


def key_parts(key: str) -> tuple[tuple[str, ...], ...]:
    """Lower-case words of each dotted part: ``("work",), ("job", "title")`` for ``work.jobTitle``.

    British spelling, so that ``favorite_color`` has the words of ``favourite colour``.
    """
    parts = (_words(part) for part in _PARTS.split(key))
    return tuple(part for part in parts if part)


def key_words(key: str) -> tuple[str, ...]:
    """All words of a key, in order."""
    return tuple(word for part in key_parts(key) for word in part)


def _words(part: str) -> tuple[str, ...]:
    spelled = _BETWEEN.split(_CAMEL.sub(" ", part).casefold())
    return tuple(_SPELLING.get(word, word) for word in spelled if word)
