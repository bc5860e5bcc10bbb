"""The fields of one object of a model's answer, by their own or other names. Pure."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

from backstory.errors import ReadingError

OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
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
SHOWN: Final = 40

_Word = TypeVar("_Word", bound=StrEnum)


class Fields:
    """Reads fields, and says which one cannot be read.

    Args:
        item: The object.
        where: Its place in the answer, such as "facts[0]"; empty = it is the answer.
        others: Other names of fields; one at a time may stand for a field.

    Attributes:
        where: As it was given.
    """

    def __init__(
        self,
        item: Mapping[str, Any],
        where: str,
        others: Mapping[str, tuple[str, ...]] = OTHER_NAMES,
    ) -> None:
        self._item = item
        self.where = where
        self._before = f"{where}." if where else ""
        self._others = others

    def get(self, name: str) -> Any:
        """The value of a field as it is, or None."""
        if self._item.get(name) is not None:
            return self._item[name]
        others = [n for n in self._others.get(name, ()) if self._item.get(n) is not None]
        if len(others) > 1:
            raise ReadingError(
                f"{self._before}{name} is missing, and {others[0]!r} and {others[1]!r} both could "
                "stand for it"
            )
        return self._item[others[0]] if others else None

    def text(self, name: str, *, required: bool = False) -> str:
        """A text without blanks around it; empty where nothing was given."""
        value = self.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = f"{value}"
        if value is not None and not isinstance(value, str):
            raise ReadingError(f"{self._before}{name} must be a text, not {kind_of(value)}")
        found = (value or "").strip()
        if required and not found:
            raise ReadingError(f"{self._before}{name} is missing or empty")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Some texts; one alone, or several divided by commas, are taken too."""
        value = self.get(name)
        if isinstance(value, str):
            value = value.split(",")
        if value is not None and not isinstance(value, list):
            raise ReadingError(
                f"{self._before}{name} must be a list of texts, not {kind_of(value)}"
            )
        for one in value or ():
            if not isinstance(one, str):
                raise ReadingError(f"{self._before}{name} must hold texts, not {kind_of(one)}")
        return tuple(found for one in value or () if (found := one.strip()))

    def number(self, name: str) -> int | None:
        """The number of a turn or a line, or None where nothing was given."""
        value = self.get(name)
        if isinstance(value, str):
            match = _NUMBER.fullmatch(value.strip())
            value = int(match.group(1)) if match else value
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise ReadingError(
            f"{self._before}{name} must be the number of a turn, not {kind_of(value)}"
        )

    def truth(self, name: str) -> bool:
        """True or false; false where nothing was given."""
        value = self.get(name)
        if isinstance(value, str):
            value = _TRUTH.get(value.strip().lower(), value)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise ReadingError(f"{self._before}{name} must be true or false, not {kind_of(value)}")

    def word(self, name: str, words: type[_Word], *, required: bool = False) -> _Word | None:
        """One of a few words. An unknown one matters only where it is required."""
        value = self.text(name, required=required).lower()
        if value in {word.value for word in words}:
            return words(value)
        if required and value:
            known = ", ".join(word.value for word in words)
            raise ReadingError(f"{self._before}{name} is {value[:SHOWN]!r}; it must be {known}")
        return None

    def within(self, name: str, least: float, most: float) -> float | None:
        """A number within bounds, given as a number or as a text; None where nothing was given."""
        value = self.get(name)
        if value is None:
            return None
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = least - 1
        if not least <= found <= most or isinstance(value, bool):
            raise ReadingError(f"{self._before}{name} must be a number from {least:g} to {most:g}")
        return found


def unnested(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object with what its evidence holds, message and quote, beside its other fields."""
    evidence = item.get("evidence")
    if isinstance(evidence, list) and len(evidence) == 1:
        evidence = evidence[0]
    if not isinstance(evidence, dict):
        return item
    return {**{k: v for k, v in item.items() if k != "evidence"}, **evidence}


def objects_of(value: Any, name: str) -> Sequence[Mapping[str, Any]]:
    """A list of objects; one alone is taken too."""
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise ReadingError(f"the field {name!r} must be a list of objects, not {kind_of(value)}")
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise ReadingError(f"{name}[{index}] must be an object, not {kind_of(item)}")
    return value


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
