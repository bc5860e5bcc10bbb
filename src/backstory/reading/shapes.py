"""What a model answered, as items of the wanted shape. Pure.

Other names and wrappings are taken where only one thing can be meant; everything else is an error
that names the field, so that the model can be told and nothing is half stored.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from backstory.core.model.fact import Cardinality, Category, FactKind
from backstory.core.model.reading import Act
from backstory.errors import ReadingError
from backstory.reading.fields import OTHER_NAMES, SHOWN, Fields, kind_of, objects_of, unnested
from backstory.reading.shapes_beside import StatedBeside, read_beside

FACTS: Final = "facts"
CONTRADICTIONS: Final = "contradictions"
_FACT_LISTS: Final = (FACTS, "fact", "memories", "claims", "statements", "items")
_DEPTH: Final = 3
_DEFAULT_CONFIDENCE: Final = 0.8


@dataclass(frozen=True, kw_only=True)
class StatedFact:
    """One fact as the model gave it; texts are stripped, and empty where nothing was given.

    Attributes:
        message: The number of the turn, or None if it gave none.
    """

    message: int | None
    quote: str
    subject: str
    key: str
    act: Act
    value: str
    replaces: str
    changed: bool
    since: str
    until: str
    cardinality: Cardinality | None
    kind: FactKind
    category: Category | None
    confidence: float


@dataclass(frozen=True, kw_only=True)
class StatedContradiction:
    """Something that the user does against a known fact, as the model gave it."""

    message: int | None
    quote: str
    known: int | None
    why: str


@dataclass(frozen=True)
class Stated:
    """A whole answer."""

    facts: tuple[StatedFact, ...]
    contradictions: tuple[StatedContradiction, ...] = ()
    beside: StatedBeside = field(default_factory=StatedBeside)


def read_answer(
    value: dict[str, Any] | list[Any], asked: Collection[str] = (FACTS, CONTRADICTIONS)
) -> Stated:
    """Read a JSON answer.

    Taken: the wanted object; the same within one wrapping field (three deep); a bare list of
    facts; a bare fact; the usual other names of a field, one at a time. Of the lists beside the
    facts one may be missing; of several that were asked for, without facts, one must be there.

    Args:
        value: The answer.
        asked: The names of the lists that were asked for; others are not looked at.

    Raises:
        ReadingError: It is of another shape; the message names the field.
    """
    whole = _unwrapped(value, _DEPTH) if FACTS in asked else _holding(value, asked, _DEPTH)
    facts = _facts(whole[FACTS]) if FACTS in asked else []
    given = whole.get(CONTRADICTIONS) if CONTRADICTIONS in asked else None
    others = objects_of(given or [], CONTRADICTIONS)
    return Stated(
        facts=tuple(_fact(item, f"facts[{index}]") for index, item in enumerate(facts)),
        contradictions=tuple(
            _contradiction(item, f"contradictions[{index}]") for index, item in enumerate(others)
        ),
        beside=read_beside(whole, asked),
    )


def _unwrapped(value: Any, depth: int) -> Mapping[str, Any]:
    """The object with the field ``facts``."""
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and FACTS in value[0]:
            return _unwrapped(value[0], depth - 1)
        return {FACTS: value}
    if not isinstance(value, dict):
        raise ReadingError(f"the field 'facts' is missing: the answer holds {kind_of(value)}")
    if FACTS in value:
        return value
    if _is_fact(value):
        return {FACTS: [value]}
    named = [name for name in _FACT_LISTS if name in value]
    if len(named) == 1:
        return {**value, FACTS: value[named[0]]}
    inner = [item for item in value.values() if isinstance(item, dict | list)]
    if depth and len(value) == len(inner) == 1:
        return _unwrapped(inner[0], depth - 1)
    shown = ", ".join(repr(name[:SHOWN]) for name in list(value)[:6]) or "no field"
    raise ReadingError(f"the field 'facts' is missing; the answer has {shown}")


def _holding(value: Any, asked: Collection[str], depth: int) -> Mapping[str, Any]:
    """The object with one of the fields that were asked for."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        if any(name in value for name in asked):
            return value
        if depth and len(value) == 1:
            return _holding(next(iter(value.values())), asked, depth - 1)
    raise ReadingError(f"the answer must be an object with {', '.join(map(repr, sorted(asked)))}")


def _is_fact(value: Mapping[str, Any]) -> bool:
    return all(any(n in value for n in (name, *OTHER_NAMES[name])) for name in ("key", "value"))


def _facts(value: Any) -> list[Mapping[str, Any]]:
    if isinstance(value, dict) and not _is_fact(value):
        raise ReadingError("the field 'facts' must be a list of objects, not an object")
    return list(objects_of(value, FACTS))


def _fact(item: Mapping[str, Any], where: str) -> StatedFact:
    fields = Fields(unnested(item), where)
    confidence = fields.within("confidence", 0, 1)
    act = fields.word("act", Act, required=True) or Act.STATE
    names_value = act in {Act.STATE, Act.CORRECT, Act.DENY}
    return StatedFact(
        message=fields.number("message"),
        quote=fields.text("quote", required=True),
        subject=fields.text("subject") or "user",
        key=fields.text("key", required=act in {Act.STATE, Act.DENY}),
        act=act,
        value=fields.text("value", required=names_value),
        replaces=fields.text("replaces"),
        changed=fields.truth("changed"),
        since=fields.text("since"),
        until=fields.text("until"),
        cardinality=fields.word("cardinality", Cardinality),
        kind=fields.word("kind", FactKind) or FactKind.PERMANENT,
        category=fields.word("category", Category),
        confidence=_DEFAULT_CONFIDENCE if confidence is None else confidence,
    )


def _contradiction(item: Mapping[str, Any], where: str) -> StatedContradiction:
    fields = Fields(unnested(item), where)
    return StatedContradiction(
        message=fields.number("message"),
        quote=fields.text("quote", required=True),
        known=fields.number("known"),
        why=fields.text("why"),
    )
