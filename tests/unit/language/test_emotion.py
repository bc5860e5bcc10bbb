# ruff: noqa: RUF001
"""The feeling that a text shows: our own test sets, the kept one, rules one by one, and laws."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.wordlists import word_set
from backstory.functions import Emotion, score_emotion
from backstory.language.emotion import TAGS
from backstory.language.emotion.lexicon import lexicon
from backstory.language.emotion.model import INTENSE
from backstory.language.emotion.phrases import phrases
from backstory.language.emotion.tokens import sentences
from tests.counts import cpu_seconds

DATA = Path(__file__).parents[2] / "data"
LEAST = {
    "emotions.jsonl": 0.97,
    "emotions_second.jsonl": 0.97,
    "emotions_third.jsonl": 0.97,
    "emotions_fourth.jsonl": 0.92,
    "emotions_fifth.jsonl": 0.9,
}


def polarity(text: str) -> str:
    valence = score_emotion(text).valence
    return "pos" if valence > 0.15 else "neg" if valence < -0.15 else "neutral"


def shares(cases: list[dict[str, Any]]) -> tuple[float, float]:
    """The shares of right valences and of right intensities."""
    valence = sum(polarity(case["text"]) == case["valence"] for case in cases)
    intense = sum(score_emotion(case["text"]).intense == case["intense"] for case in cases)
    return valence / len(cases), intense / len(cases)


def cases(path: Path) -> list[dict[str, Any]]:
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in read if "doubtful" not in case["note"]]


@pytest.mark.parametrize("name", LEAST)
def test_our_own_texts(name: str) -> None:
    known = cases(DATA / name)
    assert min(shares(known)) >= LEAST[name]


def test_our_own_texts_are_balanced() -> None:
    known = cases(DATA / "emotions.jsonl")
    assert len(known) >= 200
    for valence in ("neg", "neutral", "pos"):
        assert sum(case["valence"] == valence for case in known) >= 60
    assert sum(case["intense"] for case in known) >= 60


def test_the_kept_texts(shared: Path) -> None:
    assert min(shares(cases(shared / "gold" / "emotions.jsonl"))) >= 0.9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm not happy about it", "neg"),
        ("I'm not worried any more", "pos"),
        ("I'm not proud of what I said", "neg"),
        ("the room isn't beautiful", "neg"),
        ("I'm not angry with you", "pos"),
        ("the waiter wasn't rude", "pos"),
        ("I never felt jealous", "pos"),
        ("not sad, devastated", "neg"),
        ("neither happy nor unhappy", "neutral"),
        ("not gonna lie, I'm happy", "pos"),
        ("I've never been happier", "pos"),
        ("The hotel was lovely but the trip was awful", "neg"),
        ("the trip was awful but the hotel was lovely", "pos"),
        ("My uncle died in 1998.", "neutral"),
        ("my dog died this morning", "neg"),
        ("the battery died", "neutral"),
        ("The anger management course is in room 4.", "neutral"),
        ("The band is called Joyful Misery", "neutral"),
        ("My sister is furious with the council.", "neutral"),
        ("My sister makes me furious", "neg"),
        ("are you happy with the plan?", "neutral"),
        ("why am I so sad?", "neg"),
        ("oh great, another broken printer", "neg"),
        ("great news, the printer works again", "pos"),
        ("I love it 🙄", "neg"),
        ("I love it 😍", "pos"),
        ("he said yes 😭", "pos"),
        ("he said no and I'm sad 😭", "neg"),
        ("so happy I could cry", "pos"),
        ("kill the process", "neutral"),
        ("Please write a scene in which she is horrified", "neutral"),
        ("Write it again, I hate it", "neg"),
        ("The abandoned cart email goes out at nine", "neutral"),
        ("I feel abandoned", "neg"),
        ("she's having a wonderful time", "neutral"),
        ("I'm having a wonderful time", "pos"),
        ("her husband passed away last Sunday", "neutral"),
        ("my husband passed away last Sunday", "neg"),
        ("lovely, the dog ate my passport", "neg"),
        ("lovely, we ate at the harbour", "pos"),
        ("my car broke down in Lund", "neutral"),
        ("Walnuts make my throat itch, I can't eat them.", "neutral"),
        ("I had to put that off", "neutral"),
        ("call me when I'm done with chapter 3", "neutral"),
        ("I broke down in tears", "neg"),
        ("another night like this", "neutral"),
        ("I really like this", "pos"),
        ("I'd be happy to swap shifts", "neutral"),
        ("I want to die", "neg"),
        ("wasted a whole saturday on ikea instructions", "neg"),
        ("ich bin nicht glücklich", "neg"),
        ("我不开心", "neg"),
        ("嬉しくない", "neg"),
    ],
)
def test_polarity(text: str, expected: str) -> None:
    assert polarity(text) == expected


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("I'm happy", "I'm so, so happy"),
        ("I'm happy", "I'm HAPPY"),
        ("I'm happy", "I'm happyyyy"),
        ("I'm happy", "I'm happy!!!"),
        ("I'm angry", "I'm furious"),
        ("it was the best day", "it was the best day of my life"),
        ("I'm happy", "I'm absolutely happy 🥳"),
        ("debt free 🎉", "debt free 🎉🎉"),
    ],
)
def test_strength(weak: str, strong: str) -> None:
    assert score_emotion(weak).strength < score_emotion(strong).strength
    assert not score_emotion(weak).intense
    assert score_emotion(strong).intense


def test_a_hedge_weakens() -> None:
    assert score_emotion("I'm a bit angry").strength < score_emotion("I'm angry").strength


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("I'm so grateful to you", ("gratitude",)),
        ("I'm furious", ("anger",)),
        ("I'm scared of the surgery", ("fear",)),
        ("I feel lonely", ("loneliness",)),
        ("I was terrified, but now I'm relieved", ("relief", "fear", "mixed")),
        ("oh great, another monday", ("sarcasm",)),
        ("the shop opens at nine", ()),
    ],
)
def test_tags(text: str, tags: tuple[str, ...]) -> None:
    assert score_emotion(text).tags == tags


def test_says_what_it_cannot_read() -> None:
    assert score_emotion("Η βιβλιοθήκη κλείνει στις οκτώ.") == Emotion(
        valence=0.0, intense=False, covered=False
    )
    assert score_emotion("Η βιβλιοθήκη κλείνει στις οκτώ 😡").valence < 0
    assert score_emotion("Heute ist Montag und es regnet in Berlin.").covered
    assert score_emotion("").covered


def test_no_lexicon_gives_arousal_and_dominance() -> None:
    found = score_emotion("I'm furious")
    assert found.arousal is None
    assert found.dominance is None


@given(st.text(st.characters(codec=None, categories=None), max_size=200))
def test_any_text_is_scored(text: str) -> None:
    found = score_emotion(text)
    assert -1 <= found.valence <= 1
    assert 0 <= found.strength <= 1
    assert found.intense == (found.strength >= INTENSE)
    assert set(found.tags) <= TAGS
    assert len(found.tags) <= 3
    assert score_emotion(text) == found


_WORDS = st.sampled_from(
    sorted(
        word_set(
            "I'm my happy sad not never so but if ? ! , furious dog died 😭 🙄 great the BEST "
            "day ever can't stop crying a bit love 100 é 我 \x00 \ud83d \" ’ no longer :) over moon"
        )
    )
)


@given(st.lists(_WORDS, max_size=30))
def test_any_row_of_words_is_scored(words: list[str]) -> None:
    found = score_emotion(" ".join(words))
    assert -1 <= found.valence <= 1
    assert set(found.tags) <= TAGS


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud83d", "…", "!!!", "?", '"', "é", "مرحبا", "שלום"]
)
def test_texts_without_feelings(text: str) -> None:
    assert score_emotion(text).valence == 0


@pytest.mark.parametrize("unit", ["never so happy, ", "😭", "我难过。"])
def test_a_megabyte(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode()))
    assert cpu_seconds(lambda: score_emotion(text)) < 3


def test_every_tag_of_the_lists_is_known() -> None:
    known = lexicon()
    entries = (*known.words.values(), *phrases().values(), *known.signs.values())
    used = {entry.tag for entry in entries}
    assert used - {""} <= TAGS


def test_sentences_keep_signs_behind_their_end() -> None:
    known = lexicon()
    first, second = sentences("Good! 😀 Now go", known.words, known.signs)
    assert [piece.word for piece in first.pieces] == ["good", "😀"]
    assert [piece.word for piece in second.pieces] == ["now", "go"]


def test_what_is_denied_in_favour_of_more_says_nothing() -> None:
    corrected = score_emotion("I'm not sad, I'm devastated")
    assert corrected.valence == score_emotion("I'm devastated").valence
