"""Who looks, and as of when: what the author may see, and what a character may know."""

from collections.abc import Iterable
from dataclasses import dataclass

from backstory.core.model.entity import Entity, EntityState
from backstory.core.model.plot import PlotThread, ThreadStatus

NOTE = "note"
"""The attribute of what the author just says of an entity."""


@dataclass(frozen=True, kw_only=True)
class View:
    """Whose eyes, up to which chapter.

    Attributes:
        as_of: The last chapter that counts; 0 = before the first.
        knower: The character who looks; None = the author.
        names: All names of the knower, in lower case.
        chapters: In which chapters the knower occurs; not read for the author.
    """

    as_of: int
    knower: str | None = None
    names: frozenset[str] = frozenset()
    chapters: frozenset[int] = frozenset()

    @property
    def is_author(self) -> bool:
        """Whether nothing is hidden."""
        return self.knower is None

    def sees_state(self, state: EntityState) -> bool:
        """Whether a state may be shown."""
        if state.chapter > self.as_of:
            return False
        if self.is_author:
            return True
        if state.hidden:
            return False
        return not state.known_by or any(
            knower.name.casefold() in self.names and knower.since_chapter <= self.as_of
            for knower in state.known_by
        )

    def sees_entity(self, entity: Entity) -> bool:
        """Whether there may be talk of an entity at all."""
        return self.is_author or not entity.hidden

    def sees_thread(self, thread: PlotThread) -> bool:
        """Whether a thread may be shown: a plan to the author only, and what is hidden too."""
        if self.is_author:
            return thread.planted_in is None or thread.planted_in <= self.as_of
        if thread.hidden or thread.status is ThreadStatus.PLANNED or thread.planted_in is None:
            return False
        return thread.planted_in in self.chapters and thread.planted_in <= self.as_of


def current_states(entity: Entity, view: View) -> list[EntityState]:
    """What holds of an entity, of what may be shown: the last state of each attribute."""
    held: dict[str, EntityState] = {}
    for state in entity.states:
        if view.sees_state(state):
            held.pop(state.attribute, None)
            held[state.attribute] = state
    return sorted(held.values(), key=lambda state: state.chapter)


def is_note(attribute: str) -> bool:
    """Whether an attribute is a note: "note", "note 2" and so on stand side by side."""
    return attribute == NOTE or attribute.startswith(f"{NOTE} ")


def note_name(states: Iterable[EntityState]) -> str:
    """The attribute of the next note beside the states of an entity."""
    taken = {state.attribute for state in states if is_note(state.attribute)}
    numbers = range(2, len(taken) + 3)
    free = (f"{NOTE} {number}" for number in numbers)
    return NOTE if NOTE not in taken else next(name for name in free if name not in taken)
