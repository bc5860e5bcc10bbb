"""Contradictions: labelled texts, and the rules one by one."""

import time
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory.core.continuity.check import conflicts
from backstory.core.model.block import ConflictKind
from backstory.core.model.chapter_reading import ChapterReading, StateRead, ThreadOpRead
from backstory.core.model.entity import Entity, EntityState, Knower
from tests.unit.core.continuity.cases import check, score
from tests.unit.core.continuity.world import entities, threads

NOTHING = ChapterReading(summary="")


@pytest.mark.parametrize(
    ("part", "precision", "recall"), [("first", 0.99, 0.95), ("kept", 0.99, 0.95)]
)
def test_labelled_texts(part: str, precision: float, recall: float) -> None:
    reached, notes = score(part)
    assert reached.precision >= precision, notes
    assert reached.recall >= recall, notes


def test_both_passages_are_given_verbatim() -> None:
    text = "Rain fell. Anna's\nblue eyes shone.\n\nThen Tom smiled at her."
    dead, eyes = check(text)
    assert (dead.kind, dead.about, dead.chapter) == (ConflictKind.DEAD_ACTS, "Tom", 10)
    assert dead.passage == "Then Tom smiled at her."
    assert (dead.known_chapter, dead.known_passage) == (5, "Tom died on the bridge.")
    assert dead.why == "Tom is dead since chapter 5"
    assert eyes.passage == "Anna's\nblue eyes shone."
    assert (eyes.known_chapter, eyes.known_passage) == (1, "Anna's green eyes followed him.")
    assert "green" in eyes.why
    assert "blue" in eyes.why


def test_one_contradiction_is_told_once() -> None:
    assert len(check("Tom smiled. Tom laughed. Tom sat down.\n\nTom nodded.")) == 1


def test_what_comes_later_is_not_known_yet() -> None:
    everything = entities(99)
    assert conflicts("Tom smiled.", 5, everything, (), NOTHING) == []
    assert len(conflicts("Tom smiled.", 6, everything, (), NOTHING)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Elias spoke of how Tom smiled.",
        "They sat in the house which Tom bought.",
        "Young Tom smiled.",
        "Anna's Tom smiled.",
    ],
)
def test_who_is_told_of_or_shares_a_name_does_not_act(text: str) -> None:
    assert check(text) == []


def test_who_lives_again_is_no_mistake() -> None:
    assert check("Tom was alive after all. Tom smiled.") == []
    risen = EntityState(id="x", entity="Tom", attribute="life", value="alive", chapter=7)
    again = tuple(
        replace(one, states=(*one.states, risen)) if one.name == "Tom" else one
        for one in entities(10)
    )
    assert conflicts("Tom smiled.", 10, again, (), NOTHING) == []


def test_a_state_by_hand_has_no_quote_and_is_still_shown() -> None:
    tom = Entity(
        id="t",
        name="Tom",
        states=(EntityState(id="1", entity="Tom", attribute="life", value="dead", chapter=0),),
    )
    (found,) = conflicts("Tom nodded.", 1, (tom,), (), NOTHING)
    assert (found.known_chapter, found.known_passage) == (0, "Tom: dead")


def test_what_somebody_says_is_not_compared() -> None:
    text = '"Anna has blue eyes," said Elias.'
    read = StateRead(entity="Anna Bell", attribute="eyes", value="blue", quote="Anna has blue eyes")
    given = ChapterReading(summary="", states=(read,))
    assert conflicts(text, 10, entities(10), (), given) == []


@pytest.mark.parametrize(
    ("attribute", "value", "count"),
    [
        ("Eye colour", "blue", 1),
        ("eyes", "dark green", 0),
        ("eyes", "tired", 0),
        ("hair", "white", 0),
        ("hair", "dark brown", 0),
        ("hair", "blond", 1),
        ("birthplace", "Old Vell", 0),
        ("birthplace", "Marle", 1),
        ("mood", "sad", 0),
    ],
)
def test_what_a_model_read_is_compared(attribute: str, value: str, count: int) -> None:
    text = f"Anna sat there, {value}, by the fire."
    read = StateRead(entity="Anna Bell", attribute=attribute, value=value, quote=text)
    given = ChapterReading(summary="", states=(read,))
    assert len(conflicts(text, 10, entities(10), (), given)) == count


@pytest.mark.parametrize(
    ("before", "quote", "after", "count"),
    [
        (
            "She talked to the letter-box now. He had gone home.\n\n",
            "Anna's blue eyes shone.",
            "",
            1,
        ),
        ("The leaves had turned. ", "Anna's blue eyes shone.", " It was late now.", 1),
        ("Now it rained.\n \n", "Anna's blue eyes shone.", "", 1),
        ("Elias wore a mask.\n\n", "Anna's blue eyes shone.", "", 1),
        ("Anna wore a mask. ", "Anna's blue eyes shone.", "", 0),
        ("Anna had coloured lenses. ", "Anna's blue eyes shone.", "", 0),
        ("", "Anna's eyes were now blue.", "", 0),
        ("By some trick ", "Anna's eyes were blue", " now. He left.", 0),
        ("Slowly they had changed: ", "Anna's eyes were blue", ".", 0),
    ],
)
def test_a_change_is_said_of_the_colour_itself(
    before: str, quote: str, after: str, count: int
) -> None:
    read = StateRead(entity="Anna Bell", attribute="eyes", value="blue", quote=quote)
    given = ChapterReading(summary="", states=(read,))
    found = conflicts(f"{before}{quote}{after}", 10, entities(10), (), given)
    assert len(found) == count


@pytest.mark.parametrize(
    ("value", "count"), [("39", 1), ("thirty-nine", 1), ("40", 0), ("41", 0), ("old", 0)]
)
def test_an_age_only_rises(value: str, count: int) -> None:
    read = StateRead(entity="Elias", attribute="age", value=value, quote="Elias")
    given = ChapterReading(summary="", states=(read,))
    assert len(conflicts("Elias sat.", 10, entities(10), (), given)) == count


def test_a_closed_thread_planted_again_in_other_words() -> None:
    planted = ThreadOpRead(action="plant", summary="Who really burned the mill?")
    given = ChapterReading(summary="", threads=(planted,))
    (found,) = conflicts("They saw the burned mill.", 10, (), threads(10), given)
    assert (found.kind, found.about) == (ConflictKind.CLOSED_THREAD, "T1")
    assert (found.known_chapter, found.known_passage) == (7, "Judge Harrow burned the mill.")
    assert found.passage == "They saw the burned mill."


def test_a_closed_question_that_is_asked_again() -> None:
    (found,) = conflicts("But who burned the mill?", 10, (), threads(10), NOTHING)
    assert found.about == "T1"
    assert conflicts("But who burned the mill?", 7, (), threads(7), NOTHING) == []
    assert conflicts("But who burned the barn in Marle?", 10, (), threads(10), NOTHING) == []


def secret(*known_by: Knower, hidden: bool = False) -> tuple[Entity, ...]:
    state = EntityState(
        id="1",
        entity="Harrow",
        attribute="deed",
        value="sold the mill",
        chapter=2,
        known_by=known_by,
        hidden=hidden,
    )
    return (
        Entity(id="h", name="Harrow", states=(state,)),
        Entity(id="e", name="Elias"),
        Entity(id="m", name="Mara"),
    )


SAID = '"Harrow sold the mill," said Elias.'


def test_who_learns_it_later_cannot_say_it_now() -> None:
    known = secret(Knower(name="Elias", since_chapter=12))
    (found,) = conflicts(SAID, 10, known, (), NOTHING)
    assert found.kind is ConflictKind.KNOWS_TOO_EARLY
    assert found.why == "Elias knows of it only since chapter 12"
    assert conflicts(SAID, 12, known, (), NOTHING) == []


def test_what_only_the_author_knows_nobody_can_say() -> None:
    (found,) = conflicts(SAID, 10, secret(hidden=True), (), NOTHING)
    assert found.why == "Elias knows of it not at all"


def test_who_hears_it_in_the_text_may_say_it() -> None:
    known = secret(Knower(name="Mara", since_chapter=3))
    assert conflicts(f'"Harrow sold the mill," said Mara. {SAID}', 10, known, (), NOTHING) == []
    learned = StateRead(
        entity="Harrow",
        attribute="deed",
        value="sold the mill",
        quote=SAID,
        known_by=("Elias",),
        learned=True,
    )
    given = ChapterReading(summary="", states=(learned,))
    assert conflicts(SAID, 10, known, (), given) == []


def test_what_is_public_anybody_may_say() -> None:
    assert conflicts(SAID, 10, secret(), (), NOTHING) == []


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "汤姆笑了。", "مات توم", "\U0001f600" * 99])
def test_nothing_is_wrong(text: str) -> None:
    assert check(text) == []


_PIECES = [
    *("Tom", "Anna", "said", "smiled", "'s", "blue eyes", ".", '"', "dead", "\n\n", "?", "Elias"),
    "Tom smiled.",
    "Anna's\nblue eyes shone.",
    "Anna was born in Marle.",
    "“Come in,” said Tom.",
]


@example(["Anna was born in Marle.", "\n\n", "“Come in,” said Tom.", "Anna's\nblue eyes shone."])
@given(st.lists(st.sampled_from(_PIECES), max_size=20))
def test_passages_are_in_the_text(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for one in check(text):
        assert one.passage
        assert one.passage in text
        assert one.known_passage
        assert one.known_chapter < one.chapter


@pytest.mark.parametrize(
    "text",
    [" " * 60_000, "Tom" + " " * 60_000 + "b.", "Tom was " + "very " * 12_000, "\n" * 60_000],
)
def test_runs_of_blanks_and_words_take_linear_time(text: str) -> None:
    began = time.process_time()
    assert check(text) == []
    assert time.process_time() - began < 3
