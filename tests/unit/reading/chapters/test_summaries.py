# ruff: noqa: RUF001 (texts in many scripts)
"""Summaries that take sentences of the chapter as they are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.continuity.prose import sentences
from backstory.core.tokens import token_upper_bound
from backstory.reading.chapters.summaries import summarise

STORY = """# The Mill

Mara reached the mill at dusk, and the wheel stood still. She had come for 3,200 crowns and a name.
The miller, Mr. Oss, would not open. "Go home," he said. "There is nothing here."

She waited until the moon rose. Then she broke the lock of the mill with a stone. Inside, under the
flour, lay her father's ledger. The last page named the man who had sold the mill: it was Judge
Harrow. Mara put the ledger under her coat. Mr. Oss stood in the door with a lamp. He let her pass.

On the road to Vell she read the page again. Judge Harrow had sat at her father's table. She would
go to Vell, and she would ask him why. Behind her the mill began to burn.
"""


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_a_summary_takes_whole_sentences_in_order() -> None:
    summary = summarise(STORY, max_tokens=60)
    assert 0 < token_upper_bound(summary) <= 60
    places = []
    for one in sentences(summary):
        assert squeezed(one.text) in squeezed(STORY)
        places.append(squeezed(STORY).index(squeezed(one.text)))
    assert len(places) > 1
    assert places == sorted(places)


def test_what_fits_is_given_whole() -> None:
    assert summarise("One sentence, 3.5 km long.") == "One sentence, 3.5 km long."


@pytest.mark.parametrize("text", ["", " \n\t ", "...", "\x00", "-- ** --"])
def test_nothing_gives_nothing(text: str) -> None:
    assert summarise(text) == ""


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("昨天下雨。王小明来了！他要走吗？大家都哭了。" * 20, "。！？"),
        ("वह घर आया। राम ने कहा कि वह जाएगा। बारिश हो रही थी। सब रोए।" * 20, "।"),
        ("وصل أحمد إلى البيت. هل رأى أخته؟ بكت المرأة. ثم رحلوا جميعا." * 20, ".؟"),
        ("وہ گھر آیا۔ بارش ہو رہی تھی۔ سب روئے۔ پھر وہ چلا گیا۔ " * 20, "۔"),
        ("သူအိမ်ပြန်လာသည်။ မိုးရွာနေသည်။ သူတို့ငိုကြသည်။ " * 20, "။"),
        ("Он пришёл домой. Шёл дождь! Кто там? Все ушли. " * 20, ".!?"),
        ("እሱ መጣ። ዝናብ ነበር። ሁሉም አለቀሱ። እነሱም ሄዱ። " * 20, "።"),
    ],
)
def test_sentences_of_any_script(text: str, ends: str) -> None:
    summary = summarise(text, max_tokens=60)
    assert summary
    assert token_upper_bound(summary) <= 60
    assert summary[-1] in ends
    assert all(one.text in text for one in sentences(summary))


@pytest.mark.parametrize(
    "text",
    [
        "no marks at all just words that go on and on about the sea " * 200,
        "\n".join(f"line {n} of a song about rain\nand the wind of the plain" for n in range(200)),
        "เขากลับบ้านตอนฝนตกและทุกคนร้องไห้ " * 100,
        "字" * 5000,
        "\U0001f600" * 1000,
        "x" * 10_000,
        "\ud800\x00 a. " * 500,
    ],
)
def test_a_summary_is_never_longer_than_asked(text: str) -> None:
    for room in (5, 40, 120):
        summary = summarise(text, max_tokens=room)
        assert summary
        assert token_upper_bound(summary) <= room


@given(st.text(max_size=300), st.integers(1, 60))
def test_any_text_keeps_the_limit(text: str, room: int) -> None:
    summary = summarise(text, max_tokens=room)
    assert token_upper_bound(summary) <= room


def test_dialogue_is_not_preferred_to_what_happens() -> None:
    talk = '"The bridge fell," said Ann. "The bridge fell," said Tom. "It fell," said Ann. '
    text = talk * 6 + "The bridge over the Oll fell at noon, and nobody could cross. " + talk * 6
    assert "nobody could cross" in summarise(text, max_tokens=50)


def test_a_repeated_sentence_is_taken_once() -> None:
    text = "The king rode to the northern wall. " * 50 + "A child hid the golden key. " * 2
    assert summarise(text, max_tokens=60).count("The king rode") == 1


def test_a_counter_of_the_caller_is_the_measure() -> None:
    summary = summarise(STORY, max_tokens=25, count=lambda text: len(text.split()))
    assert 0 < len(summary.split()) <= 25


def test_half_a_megabyte_takes_seconds_at_most() -> None:
    text = " ".join(f"{STORY} In year {n} it was sold to house {n % 97}." for n in range(600))
    began = time.process_time()
    assert summarise(text[:500_000])
    assert time.process_time() - began < 4
