"""Names of entities: when two are the same, and whether one occurs in a text."""

import hashlib
from functools import lru_cache
from typing import Final

from backstory.core.names import KnownName, NameIndex
from backstory.core.text import one_line
from backstory.core.values import normal_value

_SEPARATOR: Final = "\x1f"


def normal_label(label: str) -> str:
    """The form in which names are compared. ``srv-01`` and ``srv-02`` differ, as ``C`` and ``C++``.

    It is that of values: case, accents of Latin letters and blanks do not count, digits and signs
    do.
    """
    return normal_value(label)


# A graph is computed anew when one of its facts changes: the names of the others are known.
@lru_cache(maxsize=8192)
def entity_id(kind: str, label: str, role: str = "", anchor: str = "") -> str:
    """The id of an entity that facts name: the same whenever they are read.

    Args:
        kind: What it is.
        label: Its name.
        role: What tells it from others of this kind and name, such as "friend".
        anchor: Whose friend or pet it is: the id of an entity, or "" for the user.
    """
    return f"entity-{_digest(kind, normal_label(label), role, anchor)}"


@lru_cache(maxsize=8192)
def relation_id(fact_id: str, type_: str, subject_id: str, object_id: str) -> str:
    """The id of a relation that a fact states: the same whenever it is read."""
    return f"relation-{_digest(fact_id, type_, subject_id, object_id)}"


def _digest(*parts: str) -> str:
    text = _SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=10).hexdigest()


def spelled_in(label: str, text: str) -> str | None:
    """How a text spells a name that occurs in it as a whole, in any script; None if it does not.

    Case does not count.
    """
    line = one_line(text)
    found = _index(one_line(label)).find(line)
    return line[found[0].start : found[0].end] if found else None


@lru_cache(maxsize=512)
def _index(label: str) -> NameIndex:
    return NameIndex([KnownName(key="", forms=(label,), case_sensitive=False)])
