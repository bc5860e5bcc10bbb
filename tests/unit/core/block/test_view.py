"""Who may see what: states, threads, sentences."""

import pytest

from backstory.core.block.knowing import Perceived, Secrets
from backstory.core.block.view import View, current_states, note_name
from backstory.core.model.entity import Entity, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadStatus
from backstory.core.names import KnownName

MAX = View(as_of=10, knower="Max", names=frozenset({"max"}), chapters=frozenset({3, 9}))
AUTHOR = View(as_of=10)


def _state(value: str, chapter: int = 1, **changes: object) -> EntityState:
    given: dict[str, object] = {"id": value, "entity": "letter", "attribute": "state"}
    return EntityState(**{**given, "value": value, "chapter": chapter, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "max_sees", "author_sees"),
    [
        (_state("open"), True, True),
        (_state("open", 11), False, False),
        (_state("open", hidden=True), False, True),
        (_state("open", known_by=(Knower(name="Lena", since_chapter=1),)), False, True),
        (_state("open", known_by=(Knower(name="MAX", since_chapter=10),)), True, True),
        (_state("open", known_by=(Knower(name="Max", since_chapter=11),)), False, True),
    ],
)
def test_states(state: EntityState, max_sees: bool, author_sees: bool) -> None:
    assert MAX.sees_state(state) is max_sees
    assert AUTHOR.sees_state(state) is author_sees


def test_the_last_state_that_may_be_seen_holds_and_notes_stand_side_by_side() -> None:
    entity = Entity(
        id="1",
        name="letter",
        states=(
            _state("sealed"),
            _state("burnt", 2, hidden=True),
            _state("a", attribute="note"),
            _state("b", attribute="note 2"),
        ),
    )
    assert {state.value for state in current_states(entity, MAX)} == {"sealed", "a", "b"}
    assert {state.value for state in current_states(entity, AUTHOR)} == {"burnt", "a", "b"}


def test_notes_have_names_of_their_own() -> None:
    entity = Entity(id="1", name="x")
    assert note_name(entity.states) == "note"
    states = tuple(_state(name, attribute=name) for name in ("note", "note 3", "eyes"))
    assert note_name(states) == "note 2"


def test_threads() -> None:
    open_one = PlotThread(number=1, summary="x", status=ThreadStatus.OPEN, planted_in=3)
    assert MAX.sees_thread(open_one)
    for changes in ({"planted_in": 4}, {"hidden": True}, {"planted_in": None}):
        other = PlotThread(**{**open_one.to_dict(), "status": ThreadStatus.OPEN, **changes})
        assert not MAX.sees_thread(other)
        assert AUTHOR.sees_thread(other)
    late = PlotThread(number=1, summary="x", status=ThreadStatus.OPEN, planted_in=11)
    assert not AUTHOR.sees_thread(late)


def test_a_text_is_cut_to_what_a_character_perceives() -> None:
    secret = _state("forged", known_by=(Knower(name="Lena", since_chapter=1),))
    letter = Entity(id="l", name="the letter", states=(secret,))
    hidden = Entity(id="h", name="Oskar", hidden=True)
    perceived = Perceived(
        KnownName(key="m", forms=("Max",)),
        [KnownName(key="e", forms=("Lena",))],
        Secrets([letter, hidden], MAX),
    )
    text = (
        "Lena wept. It rained. Max came in. He sat down. Lena left. Nobody spoke. "
        "Max saw that the letter was forged. Max met Oskar. Max slept."
    )
    assert perceived.of(text) == "Max came in. He sat down. Max slept."
    assert perceived.of("") == ""
    assert Secrets([letter, hidden], AUTHOR).is_empty
