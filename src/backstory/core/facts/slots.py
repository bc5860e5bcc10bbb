"""What is known of the slots themselves: how many values they hold, and whether they can change.

A slot that is not listed takes the cardinality its writer gives (one, if none), and can change.
"""

from dataclasses import dataclass

from backstory.core.model.fact import Cardinality, Category

_ONE, _MANY = Cardinality.ONE, Cardinality.MANY


@dataclass(frozen=True)
class Slot:
    """One slot, or with ``children`` all slots under its key.

    Attributes:
        changes: Whether the world can change it; a birthday cannot.
        timeless: An undated statement holds for always, not only since it was said.
        children: The key is a prefix: "preference.favourite" also stands for
            "preference.favourite.colour".
    """

    key: str
    category: Category
    cardinality: Cardinality = _ONE
    changes: bool = True
    timeless: bool = False
    children: bool = False


AGE = "personal.age"
IMPORTED = "imported.memory"

_LISTED = (
    Slot("personal.name", Category.PERSONAL, timeless=True),
    Slot("personal.surname", Category.PERSONAL, timeless=True),
    Slot("personal.nickname", Category.PERSONAL, _MANY),
    Slot(AGE, Category.PERSONAL),
    Slot("personal.birthday", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.birth_year", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.birthplace", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.origin", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.nationality", Category.PERSONAL, _MANY, timeless=True),
    Slot("personal.mother_tongue", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.language", Category.PERSONAL, _MANY),
    Slot("personal.star_sign", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.blood_type", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.height", Category.PERSONAL),
    Slot("personal.gender", Category.PERSONAL),
    Slot("personal.religion", Category.PERSONAL),
    Slot("personal.first_name", Category.PERSONAL, timeless=True),
    Slot("personal.middle_name", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.maiden_name", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.hometown", Category.PERSONAL, _MANY, timeless=True),
    Slot("personal.handedness", Category.PERSONAL, changes=False, timeless=True),
    Slot("personal.pronouns", Category.PERSONAL),
    Slot("home.place", Category.PERSONAL),
    Slot("home.address", Category.PERSONAL),
    Slot("home.kind", Category.PERSONAL),
    Slot("work.employer", Category.WORK),
    Slot("work.role", Category.WORK),
    Slot("work.second", Category.WORK, _MANY),
    Slot("work.field", Category.WORK),
    Slot("work.started", Category.WORK),
    Slot("work.place", Category.WORK),
    Slot("work.schedule", Category.WORK),
    Slot("work.commute", Category.WORK),
    Slot("study.subject", Category.WORK),
    Slot("study.school", Category.WORK),
    Slot("study.learning", Category.HOBBY, _MANY),
    Slot("relationship.status", Category.RELATIONSHIP),
    Slot("relationship.partner", Category.RELATIONSHIP),
    Slot("relationship.ex", Category.RELATIONSHIP, _MANY),
    Slot("relationship.friend", Category.RELATIONSHIP, _MANY),
    Slot("relationship.colleague", Category.RELATIONSHIP, _MANY),
    Slot("relationship.boss", Category.RELATIONSHIP),
    Slot("relationship.flatmate", Category.RELATIONSHIP, _MANY),
    Slot("relationship.neighbour", Category.RELATIONSHIP, _MANY),
    Slot("relationship.other", Category.RELATIONSHIP, _MANY),
    Slot("family.mother", Category.RELATIONSHIP, changes=False),
    Slot("family.father", Category.RELATIONSHIP, changes=False),
    Slot("family.sister", Category.RELATIONSHIP, _MANY),
    Slot("family.brother", Category.RELATIONSHIP, _MANY),
    Slot("family.daughter", Category.RELATIONSHIP, _MANY),
    Slot("family.son", Category.RELATIONSHIP, _MANY),
    Slot("family.child", Category.RELATIONSHIP, _MANY),
    Slot("family.other", Category.RELATIONSHIP, _MANY),
    Slot("family.parent", Category.RELATIONSHIP, _MANY),
    Slot("family.sisters", Category.RELATIONSHIP),
    Slot("family.brothers", Category.RELATIONSHIP),
    Slot("family.daughters", Category.RELATIONSHIP),
    Slot("family.sons", Category.RELATIONSHIP),
    Slot("family.children", Category.RELATIONSHIP),
    Slot("family.siblings", Category.RELATIONSHIP),
    Slot("pet", Category.RELATIONSHIP, _MANY, children=True),
    Slot("preference.like", Category.PREFERENCE, _MANY),
    Slot("preference.dislike", Category.PREFERENCE, _MANY),
    Slot("preference.favourite", Category.PREFERENCE, children=True),
    Slot("preference.answer_style", Category.PREFERENCE, _MANY),
    Slot("health.allergy", Category.PERSONAL, _MANY),
    Slot("health.condition", Category.PERSONAL, _MANY),
    Slot("health.diet", Category.PREFERENCE),
    Slot("health.habit", Category.PERSONAL, _MANY),
    Slot("health.avoids", Category.PREFERENCE, _MANY),
    Slot("possession", Category.CONTEXT, children=True),
    Slot("possession.car", Category.CONTEXT),
    Slot("possession.phone", Category.CONTEXT),
    Slot("possession.computer", Category.CONTEXT),
    Slot("possession.bike", Category.CONTEXT),
    Slot("possession.thing", Category.CONTEXT, _MANY),
    Slot("hobby.activity", Category.HOBBY, _MANY),
    Slot("hobby.instrument", Category.HOBBY, _MANY),
    Slot("goal.plan", Category.GOAL, _MANY),
    Slot("goal.trip", Category.GOAL, _MANY),
    Slot("goal.appointment", Category.GOAL, _MANY),
    Slot("goal.aim", Category.GOAL, _MANY),
    Slot("event", Category.CONTEXT, _MANY, children=True),
    Slot("context.location", Category.CONTEXT),
    Slot("context.state", Category.CONTEXT, _MANY),
)
SLOTS = {slot.key: slot for slot in _LISTED}


def slot_of(key: str) -> Slot | None:
    """What is known of a slot: its own entry, or that of the prefix it stands under."""
    own = SLOTS.get(key)
    if own is not None:
        return own
    prefix = key.rpartition(".")[0]
    while prefix:
        above = SLOTS.get(prefix)
        if above is not None:
            return above if above.children else None
        prefix = prefix.rpartition(".")[0]
    return None


def is_verbatim(key: str) -> bool:
    """Whether the values of a slot are whole sentences, each of which stands for itself.

    Two of them are the same claim only where they read the same. So a statement about one concerns
    no row of another, and a decision need not see those. Such a slot holds many values.
    """
    return key == IMPORTED


def cardinality_of(key: str, given: Cardinality | None) -> Cardinality:
    """How many values a slot holds: what is known of it, else what the writer says, else one."""
    if is_verbatim(key):
        return Cardinality.MANY
    known = slot_of(key)
    return known.cardinality if known else given or Cardinality.ONE


def category_of(key: str, given: Category | None) -> Category:
    """What a slot is about: what the writer says, else what is known of it."""
    known = slot_of(key)
    return given or (known.category if known else Category.CONTEXT)
