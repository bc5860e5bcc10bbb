"""How a relation reads, for interfaces that draw graphs."""

from backstory.core.graph.schema import RULES, RelationType
from backstory.core.model.derived import Relation

__all__ = ["relation_words"]


def relation_words(relation: Relation, seen_from: str) -> str:
    """The words between the entity that it is seen from and the other: "works at", "employs"."""
    rule = RULES[RelationType(relation.type)]
    return rule.forward if relation.subject_id == seen_from else rule.inverse
