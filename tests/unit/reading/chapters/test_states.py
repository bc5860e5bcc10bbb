"""States that a chapter gives its characters, on labelled sentences and in context."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory.reading.chapters.names import find_cast
from backstory.reading.chapters.states import read_states
from tests.unit.reading.chapters.state_cases import KNOWN, read, score


@pytest.mark.parametrize(
    ("part", "precision", "recall"), [("first", 0.99, 0.97), ("kept", 0.96, 0.93)]
)
def test_labelled_sentences(part: str, precision: float, recall: float) -> None:
    reached, notes = score(part)
    assert reached.precision >= precision, notes
    assert reached.recall >= recall, notes


def test_the_quote_is_the_sentence_and_the_value_is_its_words() -> None:
    text = "It rained. Mara had\npale green eyes, and she wept.\n\nThen Tom died."
    states = read_states(text, find_cast(text, KNOWN))
    assert [(one.attribute, one.value, one.quote) for one in states] == [
        ("eyes", "pale green", "Mara had\npale green eyes, and she wept."),
        ("life", "dead", "Then Tom died."),
    ]


def test_a_pronoun_stands_for_the_only_one_it_can_mean() -> None:
    assert read("Anna broke her neck. She was dead.") == {("Anna", "life", "dead")}
    assert read("Anna broke her neck. He was dead.") == set()
    assert read("Anna read the letter. He was dead.") == set()
    assert read("Anna held her brother Tom. She was dead.") == set()
    assert read("Anna broke her neck.\n\nShe was dead.") == set()


def test_what_follows_a_dream_is_dreamed() -> None:
    assert read("Mara dreamed of the river. Tom was dead. Elias died.") == set()
    assert read("Mara dreamed of the river.\n\nTom was dead.") == {("Tom", "life", "dead")}


def test_only_the_last_move_is_kept() -> None:
    text = "Tom went to Vell. Then Tom went to Marle. Tom reached Port Sable."
    assert read(text) == {("Tom", "location", "Port Sable")}


def test_nobody_is_found_in_a_person_and_a_ship_has_no_eyes() -> None:
    assert read("Tom came to Mara. Tom went to Anna.") == set()
    assert read("The Kestrel died. Kestrel was dead.") == set()


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud800 Tom", "Tom", "Tom's", "Tom " * 7000, "汤姆死了。", "مات توم."]
)
def test_nothing_is_stated(text: str) -> None:
    assert read(text) == set()


_PIECES = [
    *(
        "Tom",
        "Anna",
        "died",
        "was",
        "dead",
        "'s",
        "eyes",
        "green",
        "lived in",
        "Vell",
        ".",
        '"',
        "\n\n",
    ),
    "Tom died.",
    "Anna's eyes were\ngreen.",
    "Anna lived in Vell.",
]


@example(["Anna lived in Vell.", "Tom died.", "Anna's eyes were\ngreen."])
@given(st.lists(st.sampled_from(_PIECES), max_size=20))
def test_quotes_are_in_the_text(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for state in read_states(text, find_cast(text, KNOWN)):
        assert state.quote in text
        assert state.value
        assert state.entity in {one.name for one in KNOWN}
