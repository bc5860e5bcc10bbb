"""The reading of one message in the light of what is held, as it grows from stage to stage."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from backstory.core.facts.slots import slot_of
from backstory.core.model.fact import Cardinality, Evidence
from backstory.core.model.reading import Act, Batch, Claim, Turn
from backstory.core.values import normal_value
from backstory.reading.rules import marks
from backstory.reading.rules.held import Held, same
from backstory.reading.rules.lines import Line
from backstory.reading.rules.scene import ACTOR, Scene

Read = Callable[[Turn, Batch], Scene]
"""The plain reading of one message."""


@dataclass(slots=True)
class Course:
    """The reading of one message in the light of what is held.

    Attributes:
        turn: The message.
        batch: All that was handed over.
        read: The plain reading.
        held: What is held of its writer, the latest said first.
        scene: Its plain reading.
        plain: The statements it makes.
        others: Ends, retractions, denials and temporary facts.
        news: The beginnings of the slots that the message announces news of.
    """

    turn: Turn
    batch: Batch
    read: Read
    held: list[Held]
    scene: Scene
    plain: list[Claim] = field(default_factory=list)
    others: list[Claim] = field(default_factory=list)
    news: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.turn.timestamp

    def dated(self, read: Callable[[str, datetime], marks.Times], text: str) -> marks.Times:
        """What the dates of a text say, seen from the day where the message was written."""
        found = read(text, self.today)
        return found if found.start is None else replace(found, start=min(found.start, self.at))

    @property
    def today(self) -> datetime:
        """What calendar and clock said where it was written; dates of facts are kept in UTC."""
        return (self.turn.local or self.at).replace(tzinfo=UTC)

    def state(self, text: str) -> list[Claim]:
        """The plain reading of another text, as if it had been said instead."""
        return self.read(replace(self.turn, text=text), self.batch).claims

    def made(self, act: Act, key: str, value: str | None, quote: str, **more: object) -> Claim:
        """A claim of this message."""
        claim = Claim(
            act=act, key=key, value=value, said_at=self.at, confidence=0.9, actor=ACTOR,
            session_id=self.turn.session_id,
            evidence=(Evidence(message_id=self.turn.message_id, quote=quote),),
        )  # fmt: skip
        return replace(claim, **more)  # type: ignore[arg-type]

    def quote(self, line: Line, start: int, end: int) -> str:
        """The words of the message that a stretch of a line is made of."""
        first, last = line.place(start, end)
        return self.scene.turn.text[first:last]


def merged(claims: Sequence[Claim]) -> list[Claim]:
    """Each statement once; one that is said twice has the marks of both."""
    found: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        place = (claim.act, claim.subject, claim.key, normal_value(claim.value or ""))
        first = found.setdefault(place, claim)
        if claim.changed or claim.valid_from:
            found[place] = replace(
                first, changed=True, valid_from=first.valid_from or claim.valid_from
            )
    return list(found.values())


def since_of(course: Course, claim: Claim, when: marks.Times) -> datetime | None:
    """Since when a statement holds; later than what its slot holds was last said, if it may be."""
    other = [h.said_at for h in course.held if h.key == claim.key and h.said_at and h.is_one]
    return when.after(max(other, default=None), course.at)


def put(course: Course, claim: Claim) -> None:
    """Add a statement, or what it says to one that was read already."""
    for number, other in enumerate(course.plain):
        if (other.key, other.subject) != (claim.key, claim.subject):
            continue
        if normal_value(other.value or "") == normal_value(claim.value or ""):
            course.plain[number] = replace(
                other,
                changed=other.changed or claim.changed,
                valid_from=other.valid_from or claim.valid_from,
                replaces=other.replaces or claim.replaces,
            )
            return
        if same(other.value or "", claim.value or "") and is_one(claim):
            return
    course.plain.append(claim)


def is_one(claim: Claim) -> bool:
    """Whether the slot of a statement is known to hold one value at a time."""
    slot = slot_of(claim.key or "")
    return slot is not None and slot.cardinality is Cardinality.ONE


def is_timeless(claim: Claim) -> bool:
    """Whether the world cannot change the slot of a statement: a birthday."""
    slot = slot_of(claim.key or "")
    return slot is not None and slot.timeless and not slot.changes


def event_time(course: Course, line: Line, start: int, end: int) -> marks.Times:
    """When what a stretch of a line tells of was: the date in it, or the next one behind it."""
    tail = re.split(r"[;.!?]", line.text[end:], maxsplit=1)[0][:40]
    return course.dated(marks.event_time, line.text[max(0, start - 30) : end] + tail)


def is_among(claim: Claim, claims: Iterable[Claim]) -> bool:
    """Whether one of the statements is about the same slot and value."""
    return any(c.key == claim.key and same(c.value or "", claim.value or "") for c in claims)


def over_of(course: Course, held: Held, quote: str, until: marks.Times) -> Claim:
    """The end of a held value, not before it was last said to hold if that may be."""
    end = until.after(held.said_at, course.at)
    return course.made(Act.END, held.key, held.value, quote, valid_until=end)


def window_of(course: Course, quote: str) -> str:
    """A clause and those behind it that have no statement of their own."""
    text = course.scene.turn.text
    at = text.find(quote)
    if at < 0 or not quote:
        return quote
    end = at + len(quote)
    rest = re.split(r"[.;!?\n]|\b(?:and|but) (?:i|my|we)\b", text[end:], maxsplit=1)[0]
    others = [c.evidence[0].quote for c in course.plain if c.evidence]
    for other in others:
        place = rest.find(other)
        if other != quote and place >= 0:
            rest = rest[:place]
    return quote + rest


def requoted(course: Course, claim: Claim, quote: str) -> Claim:
    """A statement with other words of the message as its evidence."""
    return replace(claim, evidence=(Evidence(message_id=course.turn.message_id, quote=quote),))
