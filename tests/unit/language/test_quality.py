"""Scores of responses and replies: what they tell apart, and what they must not punish."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.language.quality import (
    Feedback,
    feedback_of,
    score_integrity,
    score_vitality,
)

DATA = Path(__file__).parents[2] / "data"
FACTS = [("diet", "vegetarian"), ("home.city", "Gothenburg"), ("favourite.band", "Radiohead")]


def cases(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def integrity(case: dict[str, Any]) -> float:
    facts = [(key, value) for key, value in case["facts"]]
    return score_integrity(case["response"], prompt=case["user"], facts=facts).score


def area(good: Sequence[float], bad: Sequence[float]) -> float:
    """How often a good one scores above a bad one (area under the curve)."""
    wins = sum((one > other) + 0.5 * (one == other) for one in good for other in bad)
    return wins / (len(good) * len(bad))


@pytest.mark.parametrize(
    ("name", "least", "least_feedback"),
    [("quality.jsonl", 0.94, 0.95), ("quality_second.jsonl", 0.87, 0.8)],
)
def test_good_responses_score_above_bad_ones(
    name: str, least: float, least_feedback: float
) -> None:
    known = cases(name)
    good = [integrity(case) for case in known if case["good"]]
    bad = [integrity(case) for case in known if not case["good"]]
    assert area(good, bad) >= least
    right = [feedback_of(case["reply"], case["user"]) == case["feedback"] for case in known]
    assert sum(right) / len(right) >= least_feedback


def parts(response: str, prompt: str = "", **given: Any) -> dict[str, float]:
    return dict(score_integrity(response, prompt=prompt, **given).parts)


def test_known_facts_count_only_when_they_are_denied() -> None:
    said = "You live in Malmö, so take the bridge train to Copenhagen."
    assert parts(said)["memory_fidelity"] == 1.0
    assert parts(said, facts=[("diet", "vegan")])["memory_fidelity"] == 1.0
    assert parts(said, facts=FACTS)["memory_fidelity"] < 0.3
    for fine in (
        "Take the bridge train to Copenhagen.",
        "You live in Gothenburg, so take the train to Malmö.",
        "If you moved to Malmö, you could take the bridge train.",
        "My cousin lives in Malmö. She likes Coldplay.",
        "Is your favourite band still Radiohead?",
    ):
        assert parts(fine, facts=FACTS)["memory_fidelity"] == 1.0, fine
    assert parts("Your favourite band is Coldplay.", facts=FACTS)["memory_fidelity"] < 0.3


@pytest.mark.parametrize(
    "response",
    [
        "First, boil the water and then",
        "```python\nprint(1)\n",
        "1. Boil the water.\n2.",
        "I'm sorry, but I can't help with that.",
        "Das kann ich leider nicht beantworten.",
        "申し訳ありませんが、お答えできません。",
    ],
)
def test_what_is_cut_off_or_refused_is_incomplete(response: str) -> None:
    assert parts(response)["completeness"] < 0.2


@pytest.mark.parametrize(
    "response",
    [
        "Canberra.",
        "```python\nprint(1)\n```",
        "我觉得先烧水,然后放面条。",
        "اغسل القميص بماء دافئ؟",
        "Take the train 🚆",
        "I don't know: you have not told me yet.",
        "1. Boil the water.\n2. Add the rice.",
    ],
)
def test_what_is_whole_is_complete_and_honest(response: str) -> None:
    found = parts(response)
    assert found["completeness"] == 1.0
    assert found["honesty"] == 1.0


def test_relevance_is_what_both_speak_of() -> None:
    asked = "How do I boil rice in a small pot?"
    near = parts("Rinse the rice, cover it in the pot with water, and simmer.", asked)
    far = parts("The train to Hamburg leaves from platform seven in the evening.", asked)
    assert near["relevance"] > 0.8
    assert far["relevance"] < 0.5
    assert parts("Canberra.", "What is the capital of Australia?")["relevance"] > 0.7
    assert parts("猫很可爱,大家都喜欢猫和狗。", "我明天去北京带什么衣服?")["relevance"] < 0.5
    assert parts("明天北京很冷,带上厚衣服。", "我明天去北京带什么衣服?")["relevance"] > 0.8
    general = "Oslo is the capital of Norway. It lies on a fjord."
    assert parts(general, "Should I move to Oslo?")["relevance"] < 0.5
    assert parts(general, "Where is Oslo?")["relevance"] > 0.7


def test_deeds_need_a_tool() -> None:
    said = "I have booked the table for two at eight."
    assert parts(said)["honesty"] < 0.5
    assert parts(said, used_tools=True)["honesty"] == 1.0
    assert parts("It is 100% safe, guaranteed, trust me.")["honesty"] < 0.3


def test_repetition_and_another_language_are_incoherent() -> None:
    assert parts("Sleep is good. Sleep is good. Sleep is good. Sleep is good.")["coherence"] < 0.2
    asked = "Quel vin servir avec la raclette, et pourquoi ?"
    assert parts("The wine is nice and the cheese is on the table.", asked)["coherence"] < 0.5
    assert parts("猫是一种可爱的动物。", "How do I cook rice?")["coherence"] < 0.5
    told = "Comment dit-on en English: je suis la ?"
    assert parts("You say that I am here, and it is all.", told)["coherence"] == 1.0


@pytest.mark.parametrize(
    "text", ["", " \n", "\0", "\ud800", "?", "🙂", "a" * 300_000, "的" * 300_000]
)
def test_any_text_has_scores(text: str) -> None:
    found = score_integrity(text, prompt=text, facts=FACTS)
    assert all(0 <= part <= 1 for part in (found.score, *found.parts.values()))
    took = score_vitality(text, prompt=text, delay_s=-5)
    assert all(0 <= part <= 1 for part in (took.score, *took.parts.values()))


@given(response=st.text(max_size=200), prompt=st.text(max_size=80))
def test_scores_are_shares_and_the_same_each_time(response: str, prompt: str) -> None:
    one = score_integrity(response, prompt=prompt, facts=FACTS)
    assert 0 <= one.score <= 1
    assert one == score_integrity(response, prompt=prompt, facts=FACTS)


def test_vitality_is_of_the_reply_alone() -> None:
    soon = score_vitality("thanks, that helps", delay_s=20)
    late = score_vitality("thanks, that helps", delay_s=3600 * 9)
    unknown = score_vitality("thanks, that helps")
    assert soon.score > late.score > 0.6
    assert "speed" not in unknown.parts
    assert score_vitality("useless", delay_s=20).score < 0.4


@pytest.mark.parametrize(
    ("reply", "feedback"),
    [
        ("thanks for nothing", Feedback.NEGATIVE),
        ("no thanks", Feedback.NEUTRAL),
        ("not very helpful", Feedback.NEGATIVE),
        ("👍", Feedback.POSITIVE),
        ("🙄", Feedback.NEGATIVE),
        ("??", Feedback.NEGATIVE),
        ("Nein, ich wohne in Kiel.", Feedback.CORRECTION),
        ("Det stämmer inte.", Feedback.CORRECTION),
        ("谢谢!", Feedback.POSITIVE),
        ("没用", Feedback.NEGATIVE),
        ("ありがとう", Feedback.POSITIVE),
        ("고마워요", Feedback.POSITIVE),
        ("merci !", Feedback.POSITIVE),
        ("¡muchas gracias!", Feedback.POSITIVE),
        ("How long should an egg boil?", Feedback.REPEAT),
        ("And what do I need for pancakes?", Feedback.NEUTRAL),
        ("", Feedback.NEUTRAL),
    ],
)
def test_replies_have_a_class(reply: str, feedback: Feedback) -> None:
    assert feedback_of(reply, "How long should an egg boil?") is feedback
