"""A summary cut to what a query is about. Pure."""

import re
from collections.abc import Collection
from itertools import groupby
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.terms import KEY_MASK
from backstory.language.extracts import joined
from backstory.language.words import bare, token_terms, tokens

# A day, a name or a role with a colon, at the beginning of a line.
_LABEL: Final = re.compile(r"(?:\d{4}-\d\d-\d\d )?[^:\n]{1,80}: ")


def shortened(text: str, keys: Collection[int], most_chars: int) -> str:
    """The sentences of a summary that share most words with a query, in their order.

    Args:
        text: Lines, each with who says it.
        keys: The keys of the query's words.
        most_chars: The longest result, labels included. A text that fits is given whole, and one
            sentence is given in any case.
    """
    if len(text) <= most_chars:
        return text
    found: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n")):
        match = _LABEL.match(line)
        label = match.group() if match else ""
        found += [(number, label, one.text) for one in sentences(line[len(label) :])]
    if not found:
        return text
    wanted = set(keys)
    order = sorted(range(len(found)), key=lambda at: (-len(_keys(found[at][2]) & wanted), at))
    kept: set[int] = set()
    for at in order:
        if not kept or len(_lines(found, {*kept, at})) <= most_chars:
            kept.add(at)
    return _lines(found, kept)


def _lines(found: list[tuple[int, str, str]], kept: Collection[int]) -> str:
    chosen = [one for at, one in enumerate(found) if at in kept]
    lines = []
    for (_, label), some in groupby(chosen, key=lambda one: one[:2]):
        lines.append(label + joined([text for _, _, text in some]))
    return "\n".join(lines)


def _keys(text: str) -> set[int]:
    return {term & KEY_MASK for word in map(bare, tokens(text)) for term in token_terms(word)}
