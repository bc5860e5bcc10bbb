"""What a reader found beside statements: it is no record before it has passed the gate."""

from dataclasses import dataclass
from datetime import date, datetime

from backstory.core.model.derived import Precision
from backstory.core.model.fact import USER
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class Found(Record):
    """Something found in one message.

    Attributes:
        message_id: Where it was said.
        quote: The words of the message that it is drawn from.
        said_at: The time of the message.
        session_id: The session of the message.
    """

    message_id: str
    quote: str
    said_at: datetime
    session_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class FoundEvent(Found):
    """Something that happened, or will, at a date; see ``Event``.

    Attributes:
        expression: The words that the date was read from.
        place: Where in the message the date stands, in characters.
    """

    subject: str = USER
    predicate: str
    occurred_on: date
    precision: Precision
    expression: str
    place: int


@dataclass(frozen=True, kw_only=True)
class FoundMoment(Found):
    """A strong feeling of the user, each part from -1 to 1; see ``EmotionalMoment``."""

    valence: float
    arousal: float | None = None
    dominance: float | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FoundIntention(Found):
    """Something that the user means to do; it is only ever proposed."""

    what: str
    when_hint: str | None = None


@dataclass(frozen=True, kw_only=True)
class FoundEntity(Found):
    """A person, a place and so on that was named; see ``GraphEntity``."""

    kind: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FoundRelation(Found):
    """How two entities are tied; see ``Relation``.

    Attributes:
        subject, object: Names of entities; "user" is the memory's user.
        subject_kind, object_kind: What they are; empty if it was not said.
        valid_from, valid_until: When it is true in the world; None = not said.
    """

    type: str
    subject: str
    subject_kind: str
    object: str
    object_kind: str
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class FoundSummary(Record):
    """What was said in a session so far, or in the turns that were read of it.

    Attributes:
        text: The summary.
        earlier: The summary of what came before, which the text goes on from; empty = none was
            shown, and the text is about the turns alone.
    """

    session_id: str
    text: str
    earlier: str = ""
