"""The closed schema of the graph: seven kinds of entities, 27 types of relations.

What does not fit is refused with a reason, and stays a fact or a message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from backstory.core.text import one_line
from backstory.core.values import normal_value

MAX_LABEL_CHARS: Final = 80
MAX_LABEL_WORDS: Final = 8


class EntityKind(StrEnum):
    """What an entity is.

    TOPIC is what is studied or liked in general (law, Portuguese); THING is one thing or product
    (srv-01, a permit, a book).
    """

    PERSON = "person"
    PET = "pet"
    PLACE = "place"
    ORGANISATION = "organisation"
    EVENT = "event"
    THING = "thing"
    TOPIC = "topic"


class RelationType(StrEnum):
    """How the subject is tied to the object."""

    PARTNER_OF = "partner_of"
    FORMER_PARTNER_OF = "former_partner_of"
    PARENT_OF = "parent_of"
    SIBLING_OF = "sibling_of"
    RELATIVE_OF = "relative_of"
    FRIEND_OF = "friend_of"
    COLLEAGUE_OF = "colleague_of"
    MANAGES = "manages"
    NEIGHBOUR_OF = "neighbour_of"
    LIVES_WITH = "lives_with"
    KNOWS = "knows"
    OWNS_PET = "owns_pet"
    LIVES_IN = "lives_in"
    BORN_IN = "born_in"
    COMES_FROM = "comes_from"
    VISITED = "visited"
    LOCATED_IN = "located_in"
    WORKS_AT = "works_at"
    STUDIES_AT = "studies_at"
    STUDIES = "studies"
    MEMBER_OF = "member_of"
    LEADS = "leads"
    PART_OF = "part_of"
    OWNS = "owns"
    LIKES = "likes"
    TAKES_PART_IN = "takes_part_in"
    RELATED_TO = "related_to"


@dataclass(frozen=True, kw_only=True)
class RelationRule:
    """What a type of relation may join, and how it reads.

    Attributes:
        subjects, objects: The kinds that may stand there.
        symmetric: Whether it holds in both directions; it is kept in one.
        forward: Between subject and object: "Oda works at Ericsson".
        inverse: The same from the object's side: "Ericsson employs Oda".
    """

    subjects: frozenset[EntityKind]
    objects: frozenset[EntityKind]
    symmetric: bool = False
    forward: str
    inverse: str


_K, _T = EntityKind, RelationType
_PERSON: Final = frozenset({_K.PERSON})
_LIVING: Final = frozenset({_K.PERSON, _K.PET})
_PLACE: Final = frozenset({_K.PLACE})
_ORGANISATION: Final = frozenset({_K.ORGANISATION})
_FIXED: Final = frozenset({_K.PLACE, _K.ORGANISATION, _K.EVENT, _K.THING})
_NO_PERSON: Final = frozenset(_K) - _LIVING


def _between_people(words: str) -> RelationRule:
    return RelationRule(
        subjects=_PERSON, objects=_PERSON, symmetric=True, forward=words, inverse=words
    )


def _rule(
    subjects: frozenset[EntityKind], objects: frozenset[EntityKind], forward: str, inverse: str
) -> RelationRule:
    return RelationRule(subjects=subjects, objects=objects, forward=forward, inverse=inverse)


RULES: Final[Mapping[RelationType, RelationRule]] = {
    _T.PARTNER_OF: _between_people("partner of"),
    _T.FORMER_PARTNER_OF: _between_people("former partner of"),
    _T.PARENT_OF: _rule(_PERSON, _PERSON, "parent of", "child of"),
    _T.SIBLING_OF: _between_people("sibling of"),
    _T.RELATIVE_OF: _between_people("relative of"),
    _T.FRIEND_OF: _between_people("friend of"),
    _T.COLLEAGUE_OF: _between_people("colleague of"),
    _T.MANAGES: _rule(_PERSON, _PERSON, "manages", "reports to"),
    _T.NEIGHBOUR_OF: _between_people("neighbour of"),
    _T.LIVES_WITH: RelationRule(
        subjects=_LIVING,
        objects=_LIVING,
        symmetric=True,
        forward="lives with",
        inverse="lives with",
    ),
    _T.KNOWS: _between_people("known to"),
    _T.OWNS_PET: _rule(_PERSON, frozenset({_K.PET}), "has the pet", "pet of"),
    _T.LIVES_IN: _rule(_LIVING, _PLACE, "lives in", "home of"),
    _T.BORN_IN: _rule(_LIVING, _PLACE, "born in", "birthplace of"),
    _T.COMES_FROM: _rule(_LIVING, _PLACE, "comes from", "origin of"),
    _T.VISITED: _rule(_LIVING, _PLACE, "visited", "visited by"),
    _T.LOCATED_IN: _rule(_FIXED, _PLACE, "located in", "location of"),
    _T.WORKS_AT: _rule(_PERSON, _ORGANISATION, "works at", "employs"),
    _T.STUDIES_AT: _rule(_PERSON, _ORGANISATION, "studies at", "place of study of"),
    _T.STUDIES: _rule(_PERSON, frozenset({_K.TOPIC}), "studies", "studied by"),
    _T.MEMBER_OF: _rule(_LIVING, _ORGANISATION, "member of", "has the member"),
    _T.LEADS: _rule(
        _PERSON, frozenset({_K.ORGANISATION, _K.EVENT, _K.THING, _K.TOPIC}), "leads", "led by"
    ),
    _T.PART_OF: _rule(_NO_PERSON, _NO_PERSON, "part of", "has the part"),
    _T.OWNS: _rule(
        frozenset({_K.PERSON, _K.ORGANISATION}),
        frozenset({_K.THING, _K.ORGANISATION, _K.PLACE}),
        "owns",
        "owned by",
    ),
    _T.LIKES: _rule(_LIVING, frozenset(_K), "likes", "liked by"),
    _T.TAKES_PART_IN: _rule(
        frozenset({_K.PERSON, _K.PET, _K.ORGANISATION}),
        frozenset({_K.EVENT}),
        "takes part in",
        "attended by",
    ),
    _T.RELATED_TO: RelationRule(
        subjects=_NO_PERSON,
        objects=_NO_PERSON,
        symmetric=True,
        forward="related to",
        inverse="related to",
    ),
}
"""What each type allows."""
TIMELESS: Final = frozenset(
    {_T.PARENT_OF, _T.SIBLING_OF, _T.RELATIVE_OF, _T.BORN_IN, _T.COMES_FROM, _T.VISITED}
)
"""What holds always, or once and for all, where no date is given."""


def refused_kind(kind: str) -> str | None:
    """Why something is no kind of entity, or None."""
    if kind in {k.value for k in EntityKind}:
        return None
    return f"{kind!r} is no kind of entity; there are {', '.join(EntityKind)}"


def refused_label(label: str) -> str | None:
    """Why a text is no name of an entity, or None. Names are short; a sentence is none."""
    shown = one_line(label)
    if not normal_value(shown) or not any(map(str.isalnum, shown)):
        return "it has no name"
    if len(shown) > MAX_LABEL_CHARS or len(shown.split()) > MAX_LABEL_WORDS:
        return f"{shown[:40]!r} … is a text, not a name"
    return None


def refused_relation(type_: str, subject_kind: str, object_kind: str) -> str | None:
    """Why a relation does not fit the schema, or None.

    Args:
        type_: Its type.
        subject_kind: What it would go from.
        object_kind: What it would go to.
    """
    if type_ not in {t.value for t in RelationType}:
        return f"{type_!r} is no type of relation; there are {', '.join(RelationType)}"
    for kind in (subject_kind, object_kind):
        reason = refused_kind(kind)
        if reason is not None:
            return reason
    rule = RULES[RelationType(type_)]
    for place, kind, allowed in (
        ("from", subject_kind, rule.subjects),
        ("to", object_kind, rule.objects),
    ):
        if kind not in allowed:
            kinds = " or ".join(k.value for k in EntityKind if k in allowed)
            return f"{type_} goes {place} {kinds}, not {place} {kind}"
    return None
