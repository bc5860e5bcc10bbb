"""How often one name occurs in texts, without reading the texts whole."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final
from unicodedata import normalize

from backstory.core.names import KnownName, NameIndex, lowered, plain_signs

# Of letters and digits, without what ``plain_signs`` makes alike.
_RUN: Final = re.compile(r"[^\W_]+")
# Beside the length of the longest name, for blanks within it and the word that it stands in.
_AROUND: Final = 60


def name_counter(name: KnownName, others: Iterable[KnownName]) -> Callable[[str], int]:
    """A function that gives how often a name occurs in a text.

    It gives what a ``NameIndex`` of all the names would give for this one: an occurrence inside
    of a longer name of somebody else is none. Only where the letters of the name stand is
    the text looked at, so that it takes hardly more time than a search for a string.

    Args:
        name: With a key that no other has.
        others: Names whose occurrences are not this one's.
    """
    names = [name, *others]
    index = NameIndex(names)
    around = _AROUND + max((len(form) for one in names for form in one.forms), default=0)
    looked_for = _looked_for(name)

    def count(text: str) -> int:
        searched = text if name.case_sensitive else lowered(text)
        if looked_for is None:
            return index.count(text).get(name.key, 0)
        return sum(
            index.count(text[start:end]).get(name.key, 0)
            for start, end in _parts(looked_for, searched, around)
        )

    return count


def _looked_for(name: KnownName) -> "re.Pattern[str] | None":
    """The longest run of letters of each form; None if one has no letter to look for."""
    found: dict[str, None] = {}
    for form in name.forms:
        spelled = plain_signs(form).strip()
        if not spelled:
            continue
        spelled = spelled if name.case_sensitive else lowered(spelled)
        for one in (normalize("NFC", spelled), normalize("NFD", spelled)):
            runs = _RUN.findall(one)
            if not runs:
                return None
            found[max(runs, key=len)] = None
    return re.compile("|".join(map(re.escape, found)) or r"(?!)")


def _parts(looked_for: "re.Pattern[str]", text: str, around: int) -> Iterator[tuple[int, int]]:
    """Stretches around what may be a part of the name; none begins or ends near one."""
    begin = end = -1
    for found in looked_for.finditer(text):
        first = max(0, found.start() - around)
        if first > end:
            if end > 0:
                yield begin, end
            begin = first
        end = min(len(text), found.end() + around)
    if end > 0:
        yield begin, end
