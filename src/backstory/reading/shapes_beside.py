"""What a model answered beside facts: events, feelings, intentions, entities, summaries. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from backstory.errors import ReadingError
from backstory.reading.fields import OTHER_NAMES, Fields, kind_of, objects_of, unnested

EVENTS: Final = "events"
MOMENTS: Final = "moments"
INTENTIONS: Final = "intentions"
ENTITIES: Final = "entities"
RELATIONS: Final = "relations"
SUMMARIES: Final = "summaries"
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "message": OTHER_NAMES["message"],
    "quote": OTHER_NAMES["quote"],
    "since": OTHER_NAMES["since"],
    "until": OTHER_NAMES["until"],
    "what": ("predicate", "event", "intention", "goal", "description", "action"),
    "when": ("date", "time", "when_hint", "expression", "occurred_on"),
    "kind": ("entity_type", "category"),
    "name": ("label", "entity", "entity_name"),
    "type": ("relation", "relation_type", "predicate"),
    "subject": ("from", "source", "person", "who"),
    "object": ("to", "target"),
    "tags": ("emotions", "emotion", "feelings"),
    "session": ("session_number", "session_id", "number"),
    "text": ("summary", "content"),
}


@dataclass(frozen=True, kw_only=True)
class StatedItem:
    """One item as the model gave it; texts are stripped, and empty where nothing was given."""

    message: int | None
    quote: str


@dataclass(frozen=True, kw_only=True)
class StatedEvent(StatedItem):
    """Something that happens at a date."""

    subject: str
    what: str
    when: str


@dataclass(frozen=True, kw_only=True)
class StatedMoment(StatedItem):
    """A strong feeling."""

    valence: float
    arousal: float | None
    dominance: float | None
    tags: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StatedIntention(StatedItem):
    """Something that is meant to be done."""

    what: str
    when: str


@dataclass(frozen=True, kw_only=True)
class StatedEntity(StatedItem):
    """Somebody or something with a name."""

    kind: str
    name: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StatedRelation(StatedItem):
    """How two of them are tied."""

    type: str
    subject: str
    object: str
    since: str
    until: str


@dataclass(frozen=True, kw_only=True)
class StatedSummary:
    """What was said in a session."""

    session: int | None
    text: str


@dataclass(frozen=True, kw_only=True)
class StatedBeside:
    """All of it."""

    events: tuple[StatedEvent, ...] = ()
    moments: tuple[StatedMoment, ...] = ()
    intentions: tuple[StatedIntention, ...] = ()
    entities: tuple[StatedEntity, ...] = ()
    relations: tuple[StatedRelation, ...] = ()
    summaries: tuple[StatedSummary, ...] = ()


def read_beside(whole: Mapping[str, Any], asked: Collection[str]) -> StatedBeside:
    """Read the lists that were asked for; one that is missing is empty.

    Raises:
        ReadingError: One is of another shape; the message names the field.
    """

    def items(name: str) -> list[Fields]:
        if name not in asked or not whole.get(name):
            return []
        given = objects_of(whole[name], name)
        return [
            Fields(unnested(one), f"{name}[{index}]", _NAMES) for index, one in enumerate(given)
        ]

    return StatedBeside(
        events=tuple(map(_event, items(EVENTS))),
        moments=tuple(map(_moment, items(MOMENTS))),
        intentions=tuple(map(_intention, items(INTENTIONS))),
        entities=tuple(map(_entity, items(ENTITIES))),
        relations=tuple(map(_relation, items(RELATIONS))),
        summaries=_summaries(whole.get(SUMMARIES)) if SUMMARIES in asked else (),
    )


def _place(fields: Fields) -> dict[str, Any]:
    return {"message": fields.number("message"), "quote": fields.text("quote", required=True)}


def _event(fields: Fields) -> StatedEvent:
    return StatedEvent(
        subject=fields.text("subject") or "user",
        what=fields.text("what", required=True),
        when=fields.text("when"),
        **_place(fields),
    )


def _moment(fields: Fields) -> StatedMoment:
    valence = fields.within("valence", -1, 1)
    if valence is None:
        raise ReadingError(f"{fields.where}.valence is missing")
    return StatedMoment(
        valence=valence,
        arousal=fields.within("arousal", -1, 1),
        dominance=fields.within("dominance", -1, 1),
        tags=fields.texts("tags"),
        **_place(fields),
    )


def _intention(fields: Fields) -> StatedIntention:
    return StatedIntention(
        what=fields.text("what", required=True), when=fields.text("when"), **_place(fields)
    )


def _entity(fields: Fields) -> StatedEntity:
    return StatedEntity(
        kind=fields.text("kind", required=True),
        name=fields.text("name", required=True),
        aliases=fields.texts("aliases"),
        **_place(fields),
    )


def _relation(fields: Fields) -> StatedRelation:
    return StatedRelation(
        type=fields.text("type", required=True),
        subject=fields.text("subject", required=True),
        object=fields.text("object", required=True),
        since=fields.text("since"),
        until=fields.text("until"),
        **_place(fields),
    )


def _summaries(value: Any) -> tuple[StatedSummary, ...]:
    """Summaries; a text alone, or texts in the order of the sessions, are taken too."""
    if not value:
        return ()
    given = value if isinstance(value, list) else [value]
    found = []
    for index, item in enumerate(given):
        if isinstance(item, str):
            found.append(StatedSummary(session=index + 1, text=item.strip()))
        elif isinstance(item, dict):
            fields = Fields(unnested(item), f"{SUMMARIES}[{index}]", _NAMES)
            found.append(StatedSummary(session=fields.number("session"), text=fields.text("text")))
        else:
            raise ReadingError(f"{SUMMARIES}[{index}] must be an object, not {kind_of(item)}")
    return tuple(found)
