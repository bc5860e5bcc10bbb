"""Who looks, and as of when: what the author may see, and what a character may know."""

from dataclasses import dataclass

from backstory.core.model.entity import Entity, EntityState
from backstory.core.model.plot import PlotThread, ThreadStatus

NOTE = "note"
"""The attribute of which several hold side by side."""


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
    """What holds of an entity, of what may be shown: the last of each attribute, and all notes."""
    held: dict[str, EntityState] = {}
    for state in entity.states:
        if view.sees_state(state):
            key = state.id if state.attribute == NOTE else state.attribute
            held.pop(key, None)
            held[key] = state
    return sorted(held.values(), key=lambda state: state.chapter)
