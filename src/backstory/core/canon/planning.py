"""What is stored of a reading: each part is checked against its chapter, and what fails says why.

What a reader derives must be written as the chapter is written, and what it quotes must be there.
The plan is a pure function of the reading and of what is known when it is committed, so that it
holds under the lock of the transaction that stores it.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from backstory.core.canon.evidence import is_evidence
from backstory.core.canon.known import MOST_NAME, KnownEntities, folded
from backstory.core.model.chapter_reading import ChapterReading, Sighting, StateRead
from backstory.core.model.document import MOST_SUMMARY, SummarySource
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.scripts import same_writing
from backstory.core.text import one_line

_MOST_VALUE: Final = 2_000
_MOST_ATTRIBUTE: Final = 200
_MOST_STATES: Final = 500
_MOST_SIGHTINGS: Final = 2_000


@dataclass(frozen=True, kw_only=True)
class ChapterFacts:
    """The chapter that was read.

    Attributes:
        has_summary: Whether the caller gave one; then no reader's is taken.
        stop_words: Words that say nothing, in small letters; a quote of them is no evidence.
    """

    number: int
    revision: str
    text: str
    has_summary: bool = False
    stop_words: Collection[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Derived:
    """What is stored of a reading, but for the threads: see ``ChapterPlan`` of the ports."""

    summary: tuple[str, SummarySource] | None = None
    entities: tuple[Entity, ...] = ()
    sightings: dict[str, int] = field(default_factory=dict)
    states: tuple[EntityState, ...] = ()
    learned: tuple[tuple[str, Knower], ...] = ()
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rejected: tuple[str, ...] = ()


def plan_canon(
    chapter: ChapterFacts,
    reading: ChapterReading,
    source: SummarySource,
    known: Iterable[Entity],
    new_id: Callable[[], str],
    also: ChapterReading | None = None,
) -> Derived:
    """Decide what of a reading is stored.

    Args:
        chapter: What was read.
        reading: What the reader found.
        source: Who made the reading's summary.
        known: All entities, without what an old version of the chapter gave.
        new_id: Gives ids of new records.
        also: What a simpler reader found. Of it stays what the first reading, as far as it is
            valid, does not say otherwise: entities and names, and states of an attribute or a
            sentence of which the first has no state. Its summary does not count.
    """
    planning = _Planning(chapter, KnownEntities(known, new_id), new_id)
    summary = planning.summary(reading.summary, source)
    for sighting in reading.sightings[:_MOST_SIGHTINGS]:
        planning.sight(sighting)
    for state in reading.states[:_MOST_STATES]:
        planning.state(state)
    if also is not None:
        planning.add(also)
    return Derived(
        summary=summary,
        entities=planning.known.new_or_grown,
        sightings=planning.sightings,
        states=tuple(planning.states),
        learned=tuple(planning.learned),
        named=planning.named,
        rejected=(*reading.rejected, *planning.rejected),
    )


class _Read(NamedTuple):
    """A valid state, as far as a second reading is compared with it."""

    entity_id: str
    attribute: str
    quote: str
    is_secret: bool


class _Planning:
    def __init__(
        self, chapter: ChapterFacts, known: KnownEntities, new_id: Callable[[], str]
    ) -> None:
        self._chapter = chapter
        self._new_id = new_id
        self._flat = one_line(" ".join(chapter.text.split())).casefold()
        self.known = known
        self.sightings: dict[str, int] = {}
        self.named: dict[str, tuple[str, ...]] = {}
        self.states: list[EntityState] = []
        self.learned: list[tuple[str, Knower]] = []
        self.rejected: list[str] = []
        self._read: list[_Read] = []

    def add(self, also: ChapterReading) -> None:
        """Take of a second reading what the first, which was taken before, leaves open."""
        first = set(self.sightings)
        for sighting in also.sightings[:_MOST_SIGHTINGS]:
            entity = self.known.find(sighting.name)
            if entity is not None and entity.id in first:
                self._name(self.known.found_or_made(sighting), sighting)
            else:
                self.sight(sighting)
        read = tuple(self._read)
        for state in also.states[: _MOST_STATES - len(self.states)]:
            if not self._is_told(state, read):
                self.state(state)

    def _is_told(self, state: StateRead, read: Iterable[_Read]) -> bool:
        """Whether there is a state of the same attribute, or from the same words.

        What the first reading has as a secret, the second must not tell of anybody from there.
        """
        entity = self.known.find(state.entity)
        attribute, quote = one_line(state.attribute).lower(), _flat(state.quote)
        for one in read:
            is_same = entity is not None and entity.id == one.entity_id
            if is_same and attribute == one.attribute:
                return True
            if (is_same or one.is_secret) and (quote in one.quote or one.quote in quote):
                return True
        return False

    def summary(self, given: str, source: SummarySource) -> tuple[str, SummarySource] | None:
        text = given.strip()
        if self._chapter.has_summary or not text:
            return None
        if not same_writing(text, self._chapter.text):
            self._reject("summary", text, "it is not written as the chapter is")
            return None
        if len(text) > MOST_SUMMARY:
            self._reject("summary", text, f"it has more than {MOST_SUMMARY:,} characters")
            return None
        return text, source

    def sight(self, sighting: Sighting) -> None:
        name = one_line(sighting.name)
        if not any(map(str.isalnum, name)) or len(name) > MOST_NAME:
            self._reject("entity", name, f"it is no name of 1 to {MOST_NAME} characters")
        elif self.known.find(name) is None and not same_writing(name, self._chapter.text):
            self._reject("entity", name, "it is not written as the chapter is")
        else:
            entity = self.known.found_or_made(sighting)
            self._name(entity, sighting)
            times = max(1, sighting.times)
            self.sightings[entity.id] = self.sightings.get(entity.id, 0) + times

    def _name(self, entity: Entity, sighting: Sighting) -> None:
        """Note the names that the chapter uses: they stay as long as a chapter gives them."""
        given = {folded(name) for name in (sighting.name, *sighting.aliases)}
        used = [alias for alias in entity.aliases if folded(alias) in given]
        if used:
            known = self.named.get(entity.id, ())
            self.named[entity.id] = tuple(dict.fromkeys((*known, *used)))

    def state(self, read: StateRead) -> None:
        value, attribute = one_line(read.value), one_line(read.attribute).lower()
        label = f"{read.entity}: {attribute} {value}"
        entity = self.known.find(read.entity)
        if entity is None:
            self._reject("state", label, "it names no entity of the chapter")
            return
        if problem := self._problem(attribute, value, read.quote):
            self._reject("state", label, problem)
            return
        knowers = self._knowers(read.known_by)
        self._read.append(_Read(entity.id, attribute, _flat(read.quote), bool(knowers)))
        known = self._last(entity, attribute, value)
        if read.learned and known is not None:
            self.learned += [(known.id, knower) for knower in knowers]
            return
        if known is not None and not knowers:
            return  # said again
        self.states.append(
            EntityState(
                id=self._new_id(),
                entity=entity.name,
                attribute=attribute,
                value=value,
                chapter=self._chapter.number,
                quote=read.quote.strip(),
                revision=self._chapter.revision,
                known_by=knowers,
            )
        )

    def _problem(self, attribute: str, value: str, quote: str) -> str | None:
        if not value or not attribute:
            return "it says nothing"
        if len(value) > _MOST_VALUE or len(attribute) > _MOST_ATTRIBUTE:
            return "it is too long"
        if _flat(quote) not in self._flat:
            return "its quote is not in the chapter"
        if not is_evidence(quote, value, self._chapter.stop_words):
            return "its quote says too little"
        if not same_writing(value, self._chapter.text):
            return "it is not written as the chapter is"
        return None

    def _knowers(self, names: Iterable[str]) -> tuple[Knower, ...]:
        found = {}
        for name in names:
            entity = self.known.find(name)
            spelled = one_line(name) if entity is None else entity.name
            if spelled and len(spelled) <= MOST_NAME:
                found[folded(spelled)] = spelled
        number = self._chapter.number
        return tuple(Knower(name=name, since_chapter=number) for name in found.values())

    def _last(self, entity: Entity, attribute: str, value: str) -> EntityState | None:
        """The state that holds here, if it is this one."""
        before = [
            state
            for state in (*entity.states, *self.states)
            if state.attribute == attribute
            and state.chapter <= self._chapter.number
            and folded(state.entity) == folded(entity.name)
        ]
        last = before[-1] if before else None
        return last if last is not None and folded(last.value) == folded(value) else None

    def _reject(self, what: str, given: str, why: str) -> None:
        shown = one_line(given)
        self.rejected.append(f"{what} {shown[:80]!r}: {why}")


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
