"""Which relation a fact states, by its slot."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from backstory.core.graph.roles import ROLE_OF_KEY
from backstory.core.graph.schema import EntityKind, RelationType, refused_label
from backstory.core.text import one_line
from backstory.core.wordlists import word_set

_T, _K = RelationType, EntityKind


@dataclass(frozen=True)
class SlotRule:
    """A relation from a fact's subject to its value."""

    type: RelationType
    kind: EntityKind


SLOT_RULES: Final[Mapping[str, SlotRule]] = {
    "home.place": SlotRule(_T.LIVES_IN, _K.PLACE),
    "personal.birthplace": SlotRule(_T.BORN_IN, _K.PLACE),
    "personal.origin": SlotRule(_T.COMES_FROM, _K.PLACE),
    "personal.hometown": SlotRule(_T.COMES_FROM, _K.PLACE),
    "work.employer": SlotRule(_T.WORKS_AT, _K.ORGANISATION),
    "study.school": SlotRule(_T.STUDIES_AT, _K.ORGANISATION),
    "study.subject": SlotRule(_T.STUDIES, _K.TOPIC),
    "study.learning": SlotRule(_T.STUDIES, _K.TOPIC),
}
"""Slots whose value is no person and no animal."""
PET_PREFIX: Final = "pet."
ONE_AT_A_TIME: Final = frozenset({_T.LIVES_IN, _T.WORKS_AT, _T.STUDIES_AT, _T.PARTNER_OF})
"""Types that a slot of one value holds: a fact that begins later says what became of them."""

_DESCRIBES: Final = word_set(
    "a an the my our your his her their its some any no one two three four five six several many "
    "this that these those another"
)
_AND: Final = re.compile(r"\s*(?:[,;/&+]|\b(?:and|und|et|och|og|y|e|en)\b)\s*")


def is_relational(key: str) -> bool:
    """Whether the facts of a slot state relations."""
    return key in SLOT_RULES or key in ROLE_OF_KEY or key.startswith(PET_PREFIX)


@lru_cache(maxsize=8192)
def refused_name(value: str) -> str | None:
    """Why the value of a fact names nothing, or None: "a bank" describes, "Volvo" names."""
    line = one_line(value)
    reason = refused_label(line)
    if reason is None and line.split()[0] in _DESCRIBES:
        reason = f"{line!r} describes, and names nothing"
    return reason


@lru_cache(maxsize=8192)
def names_of(value: str) -> tuple[str, ...]:
    """The people or animals that a value names: "Nalla and Gaia" are two."""
    parts = [part.strip() for part in _AND.split(one_line(value))]
    return tuple(part for part in parts if part)
