"""A summary cut to what a query is about. Pure."""

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from backstory.core.continuity.prose import sentences
from backstory.language.extracts import joined
from backstory.language.words import text_keys

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
    found = _parts(text)
    if not found:
        return text
    wanted = frozenset(keys)
    order = sorted(range(len(found)), key=lambda at: (-len(found[at].keys & wanted), at))
    kept: set[int] = set()
    left = most_chars
    for at in order:
        # as if each stood on a line of its own, which is the most that it takes
        cost = len(found[at].label) + len(found[at].text) + 1
        if not kept or cost <= left:
            kept.add(at)
            left -= cost
    return _lines([part for at, part in enumerate(found) if at in kept])


class _Part(NamedTuple):
    """A sentence of a summary, its line and who says it, and the keys of its words."""

    line: int
    label: str
    text: str
    keys: frozenset[int]


# the same summaries are shown again and again
@lru_cache(maxsize=4096)
def _parts(text: str) -> tuple[_Part, ...]:
    found: list[_Part] = []
    for number, line in enumerate(text.split("\n")):
        match = _LABEL.match(line)
        label = match.group() if match else ""
        said = sentences(line[len(label) :])
        found += [_Part(number, label, one.text, text_keys(one.text)) for one in said]
    return tuple(found)


def _lines(parts: list[_Part]) -> str:
    lines = []
    for (_, label), some in groupby(parts, key=lambda part: part[:2]):
        lines.append(label + joined([part.text for part in some]))
    return "\n".join(lines)
