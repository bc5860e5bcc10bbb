"""Who a fact is about: people by name and role, so that two of one name stay two."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from backstory.core.facts.asof import holds_at
from backstory.core.graph.naming import entity_id, normal_label
from backstory.core.graph.roles import ROLE_OF_KEY, ROLE_OF_WORD, Role
from backstory.core.graph.rules import names_of, refused_name
from backstory.core.graph.schema import EntityKind
from backstory.core.model.fact import USER, Fact, FactStatus

_BETWEEN: Final = re.compile(r"[\s_./'-]+")
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
_MOST_WORDS: Final = 4


@dataclass(frozen=True)
class Person:
    """Somebody, as a fact names them.

    Attributes:
        id: Of the entity.
        label: The name, or where there is none the role: "boss".
        role: What they are to ``anchor``; None where that is not said.
        anchor: The id of the person whose friend, boss and so on it is.
    """

    id: str
    label: str
    role: Role | None
    anchor: str

    @property
    def is_named(self) -> bool:
        """Whether the label is a name."""
        return self.role is None or self.label != self.role.name


def person(label: str, role: Role | None, anchor: str) -> Person:
    """Somebody by name and role."""
    group = role.group if role is not None else ""
    beside = "" if anchor == USER else anchor
    return Person(entity_id(EntityKind.PERSON, label, group, beside), label, role, anchor)


@dataclass
class People:
    """Everybody that the facts name, found again by the subjects of facts.

    Attributes:
        named: By anchor, circle and slug of the name.
        holders: By anchor and role, of roles that one person holds at a time: the facts that say
            who, and the person.
    """

    named: dict[tuple[str, str, str], Person] = field(default_factory=dict)
    holders: dict[tuple[str, Role], list[tuple[Fact, Person]]] = field(default_factory=dict)
    _subjects: dict[str, Person] = field(default_factory=dict)

    def note(self, fact: Fact, anchor: str) -> None:
        """Take whom a fact such as ``relationship.friend`` = Sam names."""
        role = ROLE_OF_KEY.get(fact.key)
        if role is None or fact.status is FactStatus.RETRACTED:
            return
        for name in names_of(fact.value):
            if refused_name(name):
                continue
            found = person(name, role, anchor)
            self.named.setdefault((anchor, role.group, _slug(name)), found)
            if role.alone:
                self.holders.setdefault((anchor, role), []).append((fact, found))

    def of_subject(self, fact: Fact) -> Person | None:
        """Whom the facts of a subject such as "friend.sam", "boss" or "sam" are about.

        None if it is the user, or nobody that can be told.
        """
        base, _, name = fact.subject.partition(".")
        role = ROLE_OF_WORD.get(base)
        if role is None:
            return None if name else self._unplaced(fact)
        if not name:
            return self._holder(fact, role)
        if "." in name:
            return None
        known = self.named.get((USER, role.group, _slug(name)))
        return known or self._subject(fact, name, role)

    def _unplaced(self, fact: Fact) -> Person | None:
        """Somebody of whom only the name is known: the one who bears it, if there is one."""
        slug = _slug(fact.subject)
        found = {
            p.id: p for (anchor, _, n), p in self.named.items() if n == slug and anchor == USER
        }
        if len(found) == 1:
            return next(iter(found.values()))
        return self._subject(fact, fact.subject, None)

    def _holder(self, fact: Fact, role: Role) -> Person:
        """Who held a role when something was said of "my boss"; else somebody without a name."""
        held = self.holders.get((USER, role), [])
        if len({p.id for _, p in held}) > 1:
            at = fact.valid_from or fact.known_from or fact.recorded_at
            held = [(f, p) for f, p in held if holds_at(f, at)]
        people = {p.id: p for _, p in held}
        return next(iter(people.values())) if len(people) == 1 else person(role.name, role, USER)

    def _subject(self, fact: Fact, slug: str, role: Role | None) -> Person:
        """Somebody whom only a subject names: as the message spells it, else as the slug does."""
        known = self._subjects.get(fact.subject)
        if known is None:
            label = _spelled(_slug(slug), (e.quote for e in fact.evidence))
            known = self._subjects[fact.subject] = person(
                label or slug.replace("_", " ").title(), role, USER
            )
        return known


@lru_cache(maxsize=8192)
def _slug(name: str) -> str:
    """A name as it is compared with the subjects of facts, which hold no blanks or dots."""
    return _BETWEEN.sub("_", normal_label(name)).strip("_")


def _spelled(slug: str, quotes: Iterable[str]) -> str | None:
    """The words of a quote that have this slug."""
    length = min(slug.count("_") + 1, _MOST_WORDS)
    for quote in quotes:
        words = list(_WORD.finditer(quote))
        for first, last in zip(words, words[length - 1 :], strict=False):
            text = quote[first.start() : last.end()]
            if _slug(text) == slug:
                return text
    return None
