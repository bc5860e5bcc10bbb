"""What of a reading becomes canon, and what is refused."""

import itertools
from collections.abc import Iterable

import pytest

from backstory.core.canon.planning import ChapterFacts, Derived, plan_canon
from backstory.core.model.chapter_reading import ChapterReading, Sighting, StateRead
from backstory.core.model.document import SummarySource
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower

TEXT = "Lena Holt came home. Her eyes were green. Nobody else knew that the letter was forged."
LENA = Entity(id="lena", name="Lena Holt", aliases=("Lena",))


def _plan(
    reading: ChapterReading,
    known: Iterable[Entity] = (),
    *,
    has_summary: bool = False,
    also: ChapterReading | None = None,
) -> Derived:
    ids = map(str, itertools.count())
    chapter = ChapterFacts(
        number=5, revision="r5", text=TEXT, has_summary=has_summary, stop_words={"her", "the"}
    )
    return plan_canon(chapter, reading, SummarySource.MODEL, known, lambda: next(ids), also)


def _reading(*states: StateRead, **changes: object) -> ChapterReading:
    given: dict[str, object] = {"summary": "Lena comes home.", "states": states}
    given["sightings"] = (Sighting(name="Lena Holt", kind=EntityKind.PERSON, times=2),)
    return ChapterReading(**{**given, **changes})  # type: ignore[arg-type]


def _eyes(**changes: object) -> StateRead:
    given: dict[str, object] = {
        "entity": "Lena",
        "attribute": "Eyes",
        "value": "green",
        "quote": "Her eyes were green.",
    }
    return StateRead(**{**given, **changes})  # type: ignore[arg-type]


def test_new_and_known_entities_are_told_apart() -> None:
    plan = _plan(_reading(), [LENA])
    assert plan.sightings == {"lena": 2}
    assert [entity.kind for entity in plan.entities] == [EntityKind.PERSON]
    new = _plan(_reading())
    assert new.entities[0].name == "Lena Holt"
    assert list(new.sightings) == [new.entities[0].id]


def test_an_alias_of_another_entity_is_not_taken() -> None:
    other = Entity(id="x", name="Holt")
    sighting = Sighting(name="Lena Holt", aliases=("Holt", "Miss Holt"))
    plan = _plan(_reading(sightings=(sighting,)), [LENA, other])
    assert plan.entities[0].aliases == ("Lena", "Miss Holt")
    assert plan.named == {"lena": ("Miss Holt",)}


def test_a_state_is_stored_with_its_quote_and_the_version() -> None:
    (state,) = _plan(_reading(_eyes()), [LENA]).states
    assert (state.entity, state.attribute, state.value) == ("Lena Holt", "eyes", "green")
    assert (state.chapter, state.revision, state.known_by) == (5, "r5", ())


def test_what_holds_already_is_not_stored_again() -> None:
    held = EntityState(id="s", entity="Lena Holt", attribute="eyes", value="Green", chapter=1)
    known = Entity(id="lena", name="Lena Holt", aliases=("Lena",), states=(held,))
    assert _plan(_reading(_eyes()), [known]).states == ()
    learned = _plan(_reading(_eyes(learned=True, known_by=("Max",))), [known])
    assert learned.learned == (("s", Knower(name="Max", since_chapter=5)),)
    assert learned.states == ()


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (_eyes(entity="Nobody Known"), "names no entity"),
        (_eyes(quote="Her eyes were blue."), "quote is not in the chapter"),
        (_eyes(quote="e"), "quote says too little"),
        (_eyes(quote="Her"), "quote says too little"),
        (_eyes(quote=""), "quote says too little"),
        (_eyes(value="  "), "says nothing"),
        (_eyes(attribute="\n"), "says nothing"),
        (_eyes(value="зелёные глаза"), "not written as"),
        (_eyes(value="x" * 3000), "too long"),
    ],
)
def test_a_state_that_cannot_be_stands_with_its_reason(state: StateRead, reason: str) -> None:
    plan = _plan(_reading(state), [LENA])
    assert plan.states == ()
    assert reason in plan.rejected[0]


def test_a_summary_is_of_the_chapter_or_the_callers() -> None:
    assert _plan(_reading()).summary == ("Lena comes home.", SummarySource.MODEL)
    assert _plan(_reading(), has_summary=True).summary is None
    assert _plan(_reading(summary=" ")).summary is None
    foreign = _plan(_reading(summary="Лена пришла домой."))
    assert foreign.summary is None
    assert "not written as" in foreign.rejected[0]


def test_odd_names_are_refused() -> None:
    names = ("", "…", "x" * 300, "Лена")
    plan = _plan(_reading(sightings=tuple(Sighting(name=name) for name in names)))
    assert plan.entities == ()
    assert len(plan.rejected) == 4


def test_what_a_model_does_not_repeat_stays_as_the_rules_read_it() -> None:
    rules = _reading(_eyes(), summary="The extract.")
    nothing = ChapterReading(summary="Lena comes home.")
    plan = _plan(nothing, also=rules)
    assert plan.summary == ("Lena comes home.", SummarySource.MODEL)
    assert [(entity.name, plan.sightings[entity.id]) for entity in plan.entities] == [
        ("Lena Holt", 2)
    ]
    wrong = _reading(_eyes(value="blue", quote="Her eyes were blue."), sightings=())
    plan = _plan(wrong, [LENA], also=rules)
    assert [state.value for state in plan.states] == ["green"]
    assert plan.sightings == {"lena": 2}


def test_what_a_model_says_of_an_attribute_or_a_sentence_takes_the_place_of_the_rules() -> None:
    rules = _reading(_eyes(value="grey-green"), sightings=(Sighting(name="Lena", times=9),))
    for said in (_eyes(), _eyes(attribute="look", quote="eyes were green")):
        plan = _plan(_reading(said), [LENA], also=rules)
        assert [(state.attribute, state.value) for state in plan.states] == [
            (said.attribute.lower(), "green")
        ]
        assert plan.sightings == {"lena": 2}
    both = _reading(_eyes(attribute="home", value="home", quote="Lena Holt came home."))
    plan = _plan(both, [LENA], also=rules)
    assert [state.attribute for state in plan.states] == ["home", "eyes"]


def test_the_rules_do_not_tell_what_a_model_read_as_a_secret() -> None:
    quote = "Nobody else knew that the letter was forged."
    secret = _eyes(attribute="secret", value="forged", quote=quote, known_by=("Lena",))
    told = StateRead(entity="Max", attribute="letter", value="forged", quote=quote)
    plan = _plan(_reading(secret), [LENA, Entity(id="max", name="Max")], also=_reading(told))
    assert [state.entity for state in plan.states] == ["Lena Holt"]
