"""What a model answered of a chapter, as items of the wanted shape. Pure.

A list or a text that is left out is taken for an empty one only where it may be empty; all else of
a wrong shape is an error that names the field, so that the model can be told and nothing of
the answer is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from backstory.core.model.entity import EntityKind
from backstory.errors import ReadingError
from backstory.reading.fields import Fields, kind_of

FIELDS: Final = ("summary", "entities", "threads")
_DEPTH: Final = 3
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "entities": ("characters", "entity"),
    "threads": ("thread_ops", "thread_operations", "plot_threads", "operations"),
    "aliases": ("alias", "other_names"),
    "kind": ("type",),
    "attribute": ("key", "property"),
    "quote": ("evidence", "passage"),
    "action": ("operation", "op"),
    "ref": ("thread", "id", "number"),
    "note": ("how", "reason"),
}


@dataclass(frozen=True, kw_only=True)
class SaidState:
    """A state as the model gave it."""

    attribute: str
    value: str
    quote: str
    known_by: tuple[str, ...]
    learned: bool


@dataclass(frozen=True, kw_only=True)
class SaidEntity:
    """An entity as the model gave it."""

    name: str
    kind: EntityKind
    aliases: tuple[str, ...]
    states: tuple[SaidState, ...]


@dataclass(frozen=True, kw_only=True)
class SaidThread:
    """A thread operation as the model gave it; what its words mean is decided elsewhere."""

    action: str
    ref: str
    summary: str
    kind: str
    deadline: int | float | str | None
    note: str


@dataclass(frozen=True, kw_only=True)
class SaidChapter:
    """A whole answer."""

    summary: str
    entities: tuple[SaidEntity, ...]
    threads: tuple[SaidThread, ...]


def read_answer(value: dict[str, Any] | list[Any]) -> SaidChapter:
    """Read a JSON answer: the wanted object, also within one wrapping field (three deep).

    Raises:
        ReadingError: It is of another shape; the message names the field.
    """
    whole = _unwrapped(value, _DEPTH)
    fields = _Fields(whole, "")
    return SaidChapter(
        summary=fields.text("summary"),
        entities=tuple(
            _entity(item, f"entities[{number}]")
            for number, item in enumerate(fields.objects("entities", required=True))
        ),
        threads=tuple(
            _thread(item, f"threads[{number}]")
            for number, item in enumerate(fields.objects("threads"))
        ),
    )


def _unwrapped(value: Any, depth: int) -> Mapping[str, Any]:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        if any(name in value for name in ("entities", *_OTHER_NAMES["entities"])):
            return value
        inner = [item for item in value.values() if isinstance(item, dict | list)]
        if depth and len(value) == len(inner) == 1:
            return _unwrapped(inner[0], depth - 1)
    raise ReadingError("the field 'entities' is missing: answer with the three wanted fields")


def _entity(item: Mapping[str, Any], where: str) -> SaidEntity:
    fields = _Fields(item, where)
    kind = fields.text("kind").lower()
    known = {one.value for one in EntityKind}
    return SaidEntity(
        name=fields.text("name", required=True),
        kind=EntityKind(kind) if kind in known else EntityKind.OTHER,
        aliases=fields.texts("aliases"),
        states=tuple(
            _state(one, f"{where}.states[{number}]")
            for number, one in enumerate(fields.objects("states"))
        ),
    )


def _state(item: Mapping[str, Any], where: str) -> SaidState:
    fields = _Fields(item, where)
    return SaidState(
        attribute=fields.text("attribute", required=True),
        value=fields.text("value", required=True),
        quote=fields.text("quote", required=True),
        known_by=fields.texts("known_by"),
        learned=fields.truth("learned"),
    )


def _thread(item: Mapping[str, Any], where: str) -> SaidThread:
    fields = _Fields(item, where)
    deadline = fields.get("deadline")
    if isinstance(deadline, bool) or not isinstance(deadline, int | float | str | None):
        raise ReadingError(f"{where}.deadline must be a number or null, not {kind_of(deadline)}")
    return SaidThread(
        action=fields.text("action", required=True),
        ref=fields.text("ref"),
        summary=fields.text("summary"),
        kind=fields.text("kind"),
        deadline=deadline,
        note=fields.text("note"),
    )


class _Fields(Fields):
    """The fields of one object: the first of its names that is given counts."""

    def __init__(self, item: Mapping[str, Any], where: str) -> None:
        super().__init__(item, where, _OTHER_NAMES)

    def get(self, name: str) -> Any:
        for one in (name, *_OTHER_NAMES.get(name, ())):
            if self._item.get(one) is not None:
                return self._item[one]
        return None

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.get(name)
        if isinstance(value, str):
            value = [value]
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ReadingError(
                f"{self._before}{name} must be a list of texts, not {kind_of(value)}"
            )
        return tuple(one.strip() for one in value if one.strip())

    def objects(self, name: str, *, required: bool = False) -> list[Mapping[str, Any]]:
        value = self.get(name)
        if value is None and not required:
            return []
        if not isinstance(value, list):
            raise ReadingError(
                f"{self._before}{name} must be a list of objects, not {kind_of(value)}"
            )
        for number, item in enumerate(value):
            if not isinstance(item, dict):
                raise ReadingError(
                    f"{self._before}{name}[{number}] must be an object, not {kind_of(item)}"
                )
        return value
