"""What people are to one another: which words and slots say so, and which relation it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from backstory.core.graph.schema import RelationType


@dataclass(frozen=True)
class Role:
    """What somebody is to somebody else.

    Attributes:
        name: It is shown beside a name that several bear.
        type: The relation that says so.
        leads: Whether the relation goes from that person: a parent is "parent of" the user.
        circle: Two people of one name and circle are the same person: a son is a child, a former
            partner was a partner. Empty = the name of the role.
        alone: Whether there is one at a time, so that "my boss" means the one who is named.
    """

    name: str
    type: RelationType
    leads: bool = False
    circle: str = ""
    alone: bool = False

    @property
    def group(self) -> str:
        """The circle."""
        return self.circle or self.name


_T = RelationType
_PARTNER: Final = Role("partner", _T.PARTNER_OF, alone=True)
_FORMER: Final = Role("former partner", _T.FORMER_PARTNER_OF, circle="partner")
_FRIEND: Final = Role("friend", _T.FRIEND_OF)
_COLLEAGUE: Final = Role("colleague", _T.COLLEAGUE_OF)
_BOSS: Final = Role("boss", _T.MANAGES, leads=True, alone=True)
_FLATMATE: Final = Role("flatmate", _T.LIVES_WITH)
_NEIGHBOUR: Final = Role("neighbour", _T.NEIGHBOUR_OF)
_KNOWN: Final = Role("acquaintance", _T.KNOWS)
_MOTHER: Final = Role("mother", _T.PARENT_OF, leads=True, circle="parent", alone=True)
_FATHER: Final = Role("father", _T.PARENT_OF, leads=True, circle="parent", alone=True)
_PARENT: Final = Role("parent", _T.PARENT_OF, leads=True)
_SISTER: Final = Role("sister", _T.SIBLING_OF, circle="sibling")
_BROTHER: Final = Role("brother", _T.SIBLING_OF, circle="sibling")
_SIBLING: Final = Role("sibling", _T.SIBLING_OF)
_DAUGHTER: Final = Role("daughter", _T.PARENT_OF, circle="child")
_SON: Final = Role("son", _T.PARENT_OF, circle="child")
_CHILD: Final = Role("child", _T.PARENT_OF)
_RELATIVE: Final = Role("relative", _T.RELATIVE_OF)

ROLE_OF_KEY: Final[Mapping[str, Role]] = {
    "relationship.partner": _PARTNER,
    "relationship.ex": _FORMER,
    "relationship.friend": _FRIEND,
    "relationship.colleague": _COLLEAGUE,
    "relationship.boss": _BOSS,
    "relationship.flatmate": _FLATMATE,
    "relationship.neighbour": _NEIGHBOUR,
    "relationship.other": _KNOWN,
    "family.mother": _MOTHER,
    "family.father": _FATHER,
    "family.parent": _PARENT,
    "family.sister": _SISTER,
    "family.brother": _BROTHER,
    "family.daughter": _DAUGHTER,
    "family.son": _SON,
    "family.child": _CHILD,
    "family.other": _RELATIVE,
}
"""What the value of a slot is to its subject."""

_WORDS: Final[Mapping[Role, str]] = {
    _PARTNER: "partner wife husband hubby spouse girlfriend boyfriend fiance fiancee missus",
    _FORMER: "ex ex_wife ex_husband ex_girlfriend ex_boyfriend ex_partner",
    _FRIEND: "friend best_friend mate buddy bestie pal bff",
    _COLLEAGUE: "colleague coworker co_worker workmate",
    _BOSS: "boss manager supervisor",
    _FLATMATE: "flatmate roommate housemate",
    _NEIGHBOUR: "neighbour neighbor",
    _KNOWN: "other acquaintance coach trainer therapist carer landlord landlady teacher tutor "
    "doctor dentist student client",
    _MOTHER: "mother mum mom mam mama mummy",
    _FATHER: "father dad papa daddy",
    _PARENT: "parent",
    _SISTER: "sister sis stepsister half_sister",
    _BROTHER: "brother bro stepbrother half_brother",
    _SIBLING: "sibling",
    _DAUGHTER: "daughter girl stepdaughter",
    _SON: "son boy stepson",
    _CHILD: "child kid baby eldest oldest youngest twin toddler firstborn newborn middle",
    _RELATIVE: "relative family cousin aunt auntie uncle niece nephew grandmother grandma gran "
    "granny nan nana grandfather grandad granddad grandpa grandson granddaughter grandchild godson "
    "goddaughter mother_in_law father_in_law sister_in_law brother_in_law son_in_law "
    "daughter_in_law stepmum stepmother stepdad stepfather",
}
ROLE_OF_WORD: Final[Mapping[str, Role]] = {
    word: role for role, words in _WORDS.items() for word in words.split()
}
"""What the first part of a subject such as "friend.sam" says."""
