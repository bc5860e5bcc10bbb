"""Frozen dataclasses to JSON values and back, by their annotations. What does not fit is refused.

A field that has its default is left out; a field that this version does not know is refused, so
that nothing of a file is lost unseen.
"""

import base64
import binascii
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from backstory.core.text import clean, clean_json
from backstory.core.times import parse_instant
from backstory.errors import InvalidInputError

T = TypeVar("T")
Encode = Callable[[Any], Any]
Decode = Callable[[Any, str], Any]
_Pair = tuple[Encode, Decode]
_Part = tuple[Encode, Decode, Any]
_MOST_INTEGER: Final = 2**31 - 1


def encode(value: object) -> dict[str, Any]:
    """A dataclass as JSON-ready data."""
    kind: Any = type(value)
    made: dict[str, Any] = _class_codec(kind)[0](value)
    return made


def decode(kind: type[T], data: object, where: str = "record") -> T:
    """Read a dataclass from JSON data.

    Raises:
        InvalidInputError: A field is missing, unknown, or has a value of another type.
    """
    read: Any = kind
    made: T = _class_codec(read)[1](data, where)
    return made


def encode_parts(value: object, without: frozenset[str]) -> dict[str, Any]:
    """A dataclass as JSON-ready data, without some of its fields."""
    kind: Any = type(value)
    return _encoded(_parts(kind), value, without)


def decode_parts(kind: type[T], data: object, given: Mapping[str, Any], where: str = "record") -> T:
    """Read a dataclass from JSON data and from fields that are given as they are.

    Raises:
        InvalidInputError: A field is missing, unknown, or has a value of another type.
    """
    read: Any = kind
    made: T = _decoded(read, data, where, given)
    return made


@lru_cache(maxsize=128)
def _class_codec(kind: Any) -> _Pair:
    parts = _parts(kind)

    def encoded(value: Any) -> dict[str, Any]:
        return _encoded(parts, value, frozenset())

    def decoded(data: Any, where: str) -> Any:
        return _decoded(kind, data, where, {})

    return encoded, decoded


@lru_cache(maxsize=128)
def _parts(kind: Any) -> dict[str, _Part]:
    """How each field of a class is written and read, and its default."""
    hints = get_type_hints(kind)
    return {f.name: (*_codec(hints[f.name]), _default(f)) for f in fields(kind)}


def _encoded(parts: Mapping[str, _Part], value: Any, without: frozenset[str]) -> dict[str, Any]:
    found = {}
    for name, (to_json, _, default) in parts.items():
        if name in without:
            continue
        part = getattr(value, name)
        if default is MISSING or part != default:
            found[name] = to_json(part)
    return found


def _decoded(kind: Any, data: Any, where: str, known: Mapping[str, Any]) -> Any:
    if not isinstance(data, dict):
        raise InvalidInputError(f"{where} is no object")
    parts = _parts(kind)
    unknown = next((name for name in data if name not in parts or name in known), None)
    if unknown is not None:
        raise InvalidInputError(f"{where} has a field {unknown[:100]!r}, which is unknown")
    given = dict(known)
    for name, (_, from_json, default) in parts.items():
        if name in data:
            given[name] = from_json(data[name], f"{where}.{name}")
        elif default is MISSING and name not in known:
            raise InvalidInputError(f"{where} has no {name}")
    return kind(**given)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _codec(hint: Any) -> _Pair:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (inner,) = (part for part in arguments if part is not type(None))
        return _optional(_codec(inner))
    if origin is tuple:
        return _sequence(_codec(arguments[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*arguments)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if issubclass(hint, StrEnum):
        return _member(hint)
    return _class_codec(hint)


def _optional(inner: _Pair) -> _Pair:
    to_json, from_json = inner
    return (
        lambda value: None if value is None else to_json(value),
        lambda value, where: None if value is None else from_json(value, where),
    )


def _sequence(inner: _Pair) -> _Pair:
    to_json, from_json = inner

    def decoded(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise InvalidInputError(f"{where} is no list")
        return tuple(from_json(item, f"{where}[{place}]") for place, item in enumerate(value))

    return lambda value: [to_json(item) for item in value], decoded


def _mapping(key: Any, value: Any) -> _Pair:
    if key is str and value is Any:
        return dict, _json_object
    to_json, from_json = _codec(value)

    def decoded(data: Any, where: str) -> dict[Any, Any]:
        found = _object(data, where)
        try:
            return {key(name): from_json(item, where) for name, item in found.items()}
        except ValueError as error:
            raise InvalidInputError(f"{where} has a key that is no number") from error

    return lambda data: {str(name): to_json(item) for name, item in data.items()}, decoded


def _member(kind: type[StrEnum]) -> _Pair:
    members = {str(member): member for member in kind}

    def decoded(value: Any, where: str) -> StrEnum:
        if not isinstance(value, str) or value not in members:
            raise InvalidInputError(f"{where} must be one of {', '.join(members)}")
        return members[value]

    return str, decoded


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidInputError(f"{where} is no object")
    return value


def _json_object(value: Any, where: str) -> Any:
    return clean_json(_object(value, where), where)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(f"{where} is no text")
    if clean(value) != value:
        raise InvalidInputError(f"{where} holds a NUL or half of a surrogate pair")
    return value


def _whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInputError(f"{where} is no whole number")
    if not 0 <= value <= _MOST_INTEGER:
        raise InvalidInputError(f"{where} must be from 0 to {_MOST_INTEGER}")
    return value


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidInputError(f"{where} is no number")
    if not math.isfinite(value):
        raise InvalidInputError(f"{where} is not finite")
    return float(value)


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInputError(f"{where} is neither true nor false")
    return value


def _instant(value: Any, where: str) -> datetime:
    if not isinstance(value, str):
        raise InvalidInputError(f"{where} is no time")
    return parse_instant(value, where)


def _day(value: Any, where: str) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"{where} is no day") from error


def _bytes(value: Any, where: str) -> bytes:
    if not isinstance(value, str):
        raise InvalidInputError(f"{where} is no base64")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInputError(f"{where} is no base64") from error


def _same(value: Any) -> Any:
    return value


_PLAIN: Final[dict[Any, _Pair]] = {
    str: (_same, _text),
    int: (_same, _whole),
    float: (_same, _number),
    bool: (_same, _truth),
    datetime: (datetime.isoformat, _instant),
    date: (date.isoformat, _day),
    bytes: (lambda value: base64.b64encode(value).decode("ascii"), _bytes),
}
