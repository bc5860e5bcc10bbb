"""Filters of search and lists: what a caller may ask for, and which rows pass. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.columns import Labels
from backstory.core.content import read_name, read_role
from backstory.core.identity import check_id
from backstory.core.partition import Partition
from backstory.core.text import clean, clean_json
from backstory.core.times import day_bounds, parse_instant, to_micros
from backstory.errors import InvalidFilterError, InvalidInputError

Mask = NDArray[np.bool_]

_LABELS: Final = ("role", "speaker", "agent_id")
_TIMES: Final = {"timestamp": "timestamps", "created_at": "timestamps", "recorded_at": "recorded"}
_FIELDS: Final = (*_LABELS, "session_id", *_TIMES, "metadata")
_ORDERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "gt": lambda a, b: a > b,
    "gte": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "lte": lambda a, b: a <= b,
}
_OPERATORS: Final = ("eq", "ne", "in", "contains", "exists", *_ORDERS)


@dataclass(frozen=True)
class Condition:
    """One condition on one field: an operator and its operand."""

    field: str
    operator: str
    operand: Any


@dataclass(frozen=True)
class Filter:
    """Conditions that must all hold.

    Attributes:
        columns: On role, speaker, agent, session and times.
        metadata: On the caller's metadata; ``field`` is the key.
    """

    columns: tuple[Condition, ...] = ()
    metadata: tuple[Condition, ...] = ()

    @property
    def session_names(self) -> tuple[str, ...]:
        """The session ids that the conditions name."""
        names: list[str] = []
        for condition in self.columns:
            if condition.field == "session_id":
                names.extend(_listed(condition.operand))
        return tuple(names)


def parse_filter(filters: Mapping[str, Any] | None) -> Filter:
    """Read filters: ``{"role": "user", "timestamp": {"gte": "2026-03-01"}, "metadata": {"a": 1}}``.

    Fields: role, speaker, agent_id, session_id, timestamp (or created_at), recorded_at, metadata
    (a dict of keys, or ``"metadata.key"``). A plain value means "is equal"; a list of role,
    speaker, agent or session means "is one of". Operators: eq, ne, in; for times and metadata gt,
    gte, lt, lte; for metadata contains (an element of a list, a part of a text) and exists. A time
    is an aware datetime, ISO 8601 text with a zone, or a date, which means that whole day in UTC.

    Raises:
        InvalidFilterError: A field, operator or operand cannot be used; the error says which.
    """
    if filters is None:
        return Filter()
    if not isinstance(filters, Mapping):
        raise InvalidFilterError(f"filters must be a dict, not {type(filters).__name__}")
    columns: list[Condition] = []
    metadata: list[Condition] = []
    for name, value in filters.items():
        if name == "metadata":
            if not isinstance(value, Mapping):
                raise InvalidFilterError("the filter 'metadata' needs a dict of keys and values")
            for inner, operand in value.items():
                metadata.extend(_on_metadata(inner, operand))
        elif isinstance(name, str) and name.startswith("metadata."):
            metadata.extend(_on_metadata(name[len("metadata.") :], value))
        elif name in _FIELDS:
            columns.extend(_checked(c) for c in _conditions(name, value, plain_list="in"))
        else:
            raise InvalidFilterError(
                f"the filter field {name!r} is unknown; there are {', '.join(_FIELDS)}. "
                f"Metadata is filtered by {{'metadata': {{{name!r}: …}}}}"
            )
    return Filter(columns=tuple(columns), metadata=tuple(metadata))


def _on_metadata(key: object, value: Any) -> list[Condition]:
    """Conditions on one key, with operands in the form in which metadata is stored."""
    if not isinstance(key, str):
        raise InvalidFilterError(f"the keys of 'metadata' are text, not {type(key).__name__}")
    try:
        return [
            replace(one, field=clean(key), operand=_metadata_operand(one))
            for one in _conditions(key, value, plain_list="eq")
        ]
    except InvalidInputError as error:
        raise InvalidFilterError(str(error)) from error


def _metadata_operand(condition: Condition) -> Any:
    operand = clean_json(condition.operand, f"metadata.{condition.field}")
    if condition.operator in _ORDERS and (
        isinstance(operand, bool) or not isinstance(operand, (int, float, str))
    ):
        raise InvalidFilterError(
            f"the operator {condition.operator!r} of {condition.field!r} needs a number or a text, "
            f"not {type(condition.operand).__name__}"
        )
    return operand


def _conditions(name: str, value: Any, *, plain_list: str) -> list[Condition]:
    if isinstance(value, Mapping):
        if not value:
            raise InvalidFilterError(
                f"the condition on {name!r} is empty (compare with {{}} by {{'eq': {{}}}})"
            )
        for operator in value:
            if operator not in _OPERATORS:
                raise InvalidFilterError(
                    f"the operator {operator!r} of {name!r} is unknown; there are "
                    f"{', '.join(_OPERATORS)} (compare a dict with {{'eq': {{…}}}})"
                )
        return [_operand_checked(Condition(name, op, operand)) for op, operand in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [Condition(name, plain_list, list(value))]
    return [Condition(name, "eq", value)]


def _operand_checked(condition: Condition) -> Condition:
    if condition.operator == "in":
        if isinstance(condition.operand, (str, bytes, Mapping)):
            raise InvalidFilterError(f"the operator 'in' of {condition.field!r} needs a list")
        try:
            return Condition(condition.field, "in", list(condition.operand))
        except TypeError as error:
            raise InvalidFilterError(
                f"the operator 'in' of {condition.field!r} needs a list"
            ) from error
    if condition.operator == "exists" and not isinstance(condition.operand, bool):
        raise InvalidFilterError(f"the operator 'exists' of {condition.field!r} needs a bool")
    return condition


def _checked(condition: Condition) -> Condition:
    if condition.field in _TIMES:
        return _time_condition(condition)
    if condition.operator not in {"eq", "ne", "in"}:
        raise InvalidFilterError(
            f"the operator {condition.operator!r} does not fit {condition.field!r}; use eq, ne, in"
        )
    try:
        if isinstance(condition.operand, list):
            listed = [_label(condition.field, one) for one in condition.operand]
            return replace(condition, operand=listed)
        return replace(condition, operand=_label(condition.field, condition.operand))
    except InvalidInputError as error:
        raise InvalidFilterError(str(error)) from error


def _label(name: str, operand: Any) -> str | None:
    """The operand in the form in which the column holds it."""
    if name == "session_id":
        return check_id(operand, name)
    if name == "role":
        return str(read_role(operand))
    if operand is None:
        return None
    if name == "agent_id":
        return check_id(operand, name)
    label = read_name(operand, name)
    if label is None:
        raise InvalidFilterError(f"{name!r} is blank; compare with None to find those without one")
    return label


def _listed(operand: Any) -> list[Any]:
    return operand if isinstance(operand, list) else [operand]


def _time_condition(condition: Condition) -> Condition:
    """Give the condition a half-open range of microseconds as its operand."""
    name, operator = condition.field, condition.operator
    if operator not in {"eq", *_ORDERS}:
        raise InvalidFilterError(
            f"the operator {operator!r} does not fit {name!r}; use eq, gt, gte, lt, lte"
        )
    try:
        first, after = _span(condition.operand, name)
    except InvalidInputError as error:
        raise InvalidFilterError(str(error)) from error
    spans = {
        "eq": (first, after),
        "gte": (first, None),
        "gt": (after, None),
        "lt": (None, first),
        "lte": (None, after),
    }
    return Condition(name, "span", spans[operator])


def _span(value: Any, name: str) -> tuple[int, int]:
    """The first microsecond of a moment or day, and the first one after it."""
    if isinstance(value, str) and len(value.strip()) == len("2026-03-01"):
        try:
            value = date.fromisoformat(value.strip())
        except ValueError as error:
            raise InvalidFilterError(f"{name} {value!r} is not a date like 2026-03-01") from error
    if isinstance(value, date) and not isinstance(value, datetime):
        start, end = day_bounds(value)
        return to_micros(start), to_micros(end)
    moment = to_micros(parse_instant(value, name))
    return moment, moment + 1


def mask_of(
    partition: Partition,
    conditions: Filter,
    session_keys: Mapping[str, str],
    metadata: Sequence[Mapping[str, Any]] | None,
) -> Mask:
    """Mark the rows that pass.

    Args:
        partition: The messages.
        conditions: What ``parse_filter`` gave.
        session_keys: For the session ids that the conditions name: how the partition names them.
        metadata: The metadata of each row; needed if the filter has conditions on it.
    """
    mask = np.ones(len(partition), dtype=np.bool_)
    for condition in conditions.columns:
        if condition.operator == "span":
            mask &= _in_span(getattr(partition, _TIMES[condition.field]), condition.operand)
        elif condition.field == "session_id":
            wanted = [session_keys.get(name) for name in _listed(condition.operand)]
            mask &= _labelled(partition.sessions, condition.operator, [w for w in wanted if w])
        else:
            labels = {
                "role": partition.roles,
                "speaker": partition.speakers,
                "agent_id": partition.agents,
            }[condition.field]
            mask &= _labelled(labels, condition.operator, _listed(condition.operand))
    if conditions.metadata and metadata is not None:
        passing = [all(_holds(c, row) for c in conditions.metadata) for row in metadata]
        mask &= np.array(passing, dtype=np.bool_)
    return mask


def _in_span(values: NDArray[np.int64], span: tuple[int | None, int | None]) -> Mask:
    first, after = span
    mask = np.ones(len(values), dtype=np.bool_)
    if first is not None:
        mask &= values >= first
    if after is not None:
        mask &= values < after
    return mask


def _labelled(labels: Labels, operator: str, wanted: Sequence[str | None]) -> Mask:
    found = labels.is_any_of(wanted)
    return ~found if operator == "ne" else found


def _holds(condition: Condition, row: Mapping[str, Any]) -> bool:
    there = condition.field in row
    if condition.operator == "exists":
        return there is condition.operand
    if not there:
        return condition.operator == "ne"
    value, operand = row[condition.field], condition.operand
    if condition.operator in _ORDERS:
        return _ordered(value, operand) and _ORDERS[condition.operator](value, operand)
    return _TESTS[condition.operator](value, operand)


def _same(value: Any, operand: Any) -> bool:
    # Python takes True for 1, JSON does not.
    if isinstance(value, bool) is not isinstance(operand, bool):
        return False
    return bool(value == (list(operand) if isinstance(operand, tuple) else operand))


def _contains(value: Any, operand: Any) -> bool:
    if isinstance(value, str):
        return isinstance(operand, str) and operand in value
    return isinstance(value, list) and any(_same(one, operand) for one in value)


_TESTS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": _same,
    "ne": lambda value, operand: not _same(value, operand),
    "in": lambda value, operand: any(_same(value, one) for one in operand),
    "contains": _contains,
}


def _ordered(value: Any, operand: Any) -> bool:
    numbers = all(
        isinstance(one, (int, float)) and not isinstance(one, bool) for one in (value, operand)
    )
    return numbers or (isinstance(value, str) and isinstance(operand, str))
