"""What a model answered, as items of the wanted shape. Pure.

Other names and wrappings are taken where only one thing can be meant; everything else is an error
that names the field, so that the model can be told and nothing is half stored.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from backstory.core.model.fact import Cardinality, Category, FactKind
from backstory.core.model.reading import Act
from backstory.errors import ReadingError

FACTS: Final = "facts"
LISTS: Final = (FACTS, "contradictions")
_FACT_LISTS: Final = (FACTS, "fact", "memories", "claims", "statements", "items")
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "message": ("message_number", "message_no", "message_id", "turn", "turn_number", "msg"),
    "quote": ("evidence", "evidence_quote", "span", "evidence_span", "source_text"),
    "subject": ("entity", "entity_name", "person", "who"),
    "key": ("slot", "attribute", "predicate"),
    "value": ("object", "val"),
    "replaces": ("old_value", "previous_value", "replaced"),
    "since": ("valid_from",),
    "until": ("valid_until", "valid_to"),
    "act": ("action", "operation"),
    "known": ("known_fact", "fact", "fact_number"),
    "why": ("reason",),
}
_NUMBER: Final = re.compile(r"\D{0,12}(\d{1,6})\W*")
_TRUTH: Final = {"true": True, "yes": True, "false": False, "no": False, "": False}
_DEPTH: Final = 3
_SHOWN: Final = 40
_DEFAULT_CONFIDENCE: Final = 0.8

_Word = TypeVar("_Word", bound=StrEnum)


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


def read_answer(value: dict[str, Any] | list[Any]) -> Stated:
    """Read a JSON answer.

    Taken: the wanted object; the same within one wrapping field (three deep); a bare list of
    facts; a bare fact; the usual other names of a field, one at a time.

    Raises:
        ReadingError: It is of another shape; the message names the field.
    """
    whole = _unwrapped(value, _DEPTH)
    facts = _objects(whole[FACTS], FACTS)
    others = _objects(whole.get("contradictions") or [], "contradictions")
    return Stated(
        facts=tuple(_fact(item, f"facts[{index}]") for index, item in enumerate(facts)),
        contradictions=tuple(
            _contradiction(item, f"contradictions[{index}]") for index, item in enumerate(others)
        ),
    )


def _unwrapped(value: Any, depth: int) -> Mapping[str, Any]:
    """The object with the field ``facts``."""
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict) and FACTS in value[0]:
            return _unwrapped(value[0], depth - 1)
        return {FACTS: value}
    if not isinstance(value, dict):
        raise ReadingError(f"the field 'facts' is missing: the answer holds {_kind(value)}")
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
    shown = ", ".join(repr(name[:_SHOWN]) for name in list(value)[:6]) or "no field"
    raise ReadingError(f"the field 'facts' is missing; the answer has {shown}")


def _is_fact(value: Mapping[str, Any]) -> bool:
    return all(any(n in value for n in (name, *_OTHER_NAMES[name])) for name in ("key", "value"))


def _objects(value: Any, name: str) -> Sequence[Mapping[str, Any]]:
    if isinstance(value, dict) and (name != FACTS or _is_fact(value)):
        value = [value]
    if not isinstance(value, list):
        raise ReadingError(f"the field {name!r} must be a list of objects, not {_kind(value)}")
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise ReadingError(f"{name}[{index}] must be an object, not {_kind(item)}")
    return value


def _fact(item: Mapping[str, Any], where: str) -> StatedFact:
    fields = _Fields(item, where)
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
        confidence=fields.share("confidence"),
    )


def _contradiction(item: Mapping[str, Any], where: str) -> StatedContradiction:
    fields = _Fields(item, where)
    return StatedContradiction(
        message=fields.number("message"),
        quote=fields.text("quote", required=True),
        known=fields.number("known"),
        why=fields.text("why"),
    )


class _Fields:
    """The fields of one object, by their own or their other names."""

    def __init__(self, item: Mapping[str, Any], where: str) -> None:
        evidence = item.get("evidence")
        if isinstance(evidence, list) and len(evidence) == 1:
            evidence = evidence[0]
        if isinstance(evidence, dict):
            # message and quote, one level deeper
            item = {**{k: v for k, v in item.items() if k != "evidence"}, **evidence}
        self._item = item
        self._where = where

    def get(self, name: str) -> Any:
        if self._item.get(name) is not None:
            return self._item[name]
        others = [n for n in _OTHER_NAMES.get(name, ()) if self._item.get(n) is not None]
        if len(others) > 1:
            raise ReadingError(
                f"{self._where}.{name} is missing, and {others[0]!r} and {others[1]!r} both could "
                "stand for it"
            )
        return self._item[others[0]] if others else None

    def text(self, name: str, *, required: bool = False) -> str:
        value = self.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = f"{value}"
        if value is not None and not isinstance(value, str):
            raise ReadingError(f"{self._where}.{name} must be a text, not {_kind(value)}")
        found = (value or "").strip()
        if required and not found:
            raise ReadingError(f"{self._where}.{name} is missing or empty")
        return found

    def number(self, name: str) -> int | None:
        value = self.get(name)
        if isinstance(value, str):
            match = _NUMBER.fullmatch(value.strip())
            value = int(match.group(1)) if match else value
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise ReadingError(f"{self._where}.{name} must be the number of a turn, not {_kind(value)}")

    def truth(self, name: str) -> bool:
        value = self.get(name)
        if isinstance(value, str):
            value = _TRUTH.get(value.strip().lower(), value)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise ReadingError(f"{self._where}.{name} must be true or false, not {_kind(value)}")

    def word(self, name: str, words: type[_Word], *, required: bool = False) -> _Word | None:
        """One of a few words. An unknown one matters only where it is required."""
        value = self.text(name, required=required).lower()
        if value in {word.value for word in words}:
            return words(value)
        if required and value:
            known = ", ".join(word.value for word in words)
            raise ReadingError(f"{self._where}.{name} is {value[:_SHOWN]!r}; it must be {known}")
        return None

    def share(self, name: str) -> float:
        value = self.get(name)
        if value is None:
            return _DEFAULT_CONFIDENCE
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = -1.0
        if not 0 <= found <= 1 or isinstance(value, bool):
            raise ReadingError(f"{self._where}.{name} must be a number from 0 to 1")
        return found


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
