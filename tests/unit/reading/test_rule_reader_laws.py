"""For every text: the rule reader never fails, quotes only what is there, and is fast."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch
from backstory.reading.rules.reader import RuleReader, read_turns
from backstory.reading.rules.text import mask, sentences
from tests.counts import cpu_seconds
from tests.unit.reading.rules_help import turn

_WORDS = """
    I'm im I my is a called live in work at as and , . ! ? : ; ( ) " ' > ` ``` = - \u2014
    \U0001f600 love hate have not never no longer used to favourite wife dog Oda Hull 34 1990
    May nurse allergic from the born if wish would said we our he she they it \u202e
    \u0627\u0644 \u4f60\u597d \ud83d \x00 \u00e9 \u0301 moved now since sorry meant actually
    correction two kids three
"""
_PIECES = st.sampled_from([*_WORDS.split(), "\n", "\t", " "])
_TEXTS = st.one_of(st.text(max_size=300), st.lists(_PIECES, max_size=60).map(" ".join))


@given(_TEXTS)
def test_no_text_makes_it_fail_and_quotes_are_verbatim(text: str) -> None:
    for claim in read_turns(Batch(turns=(turn(text),))).claims:
        assert claim.evidence
        assert all(evidence.quote in text for evidence in claim.evidence)
        assert claim.value is None or claim.value.strip()


@given(_TEXTS)
def test_masking_keeps_every_place(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    for sentence in sentences(masked):
        for word in sentence.words:
            assert 0 <= word.start < word.end <= len(text)


@given(_TEXTS)
def test_what_others_say_states_nothing(text: str) -> None:
    roles = (Role.ASSISTANT, Role.TOOL)
    batch = Batch(turns=tuple(turn(text, role=role) for role in roles))
    assert read_turns(batch).claims == ()


def test_it_reads_in_an_event_loop_and_names_itself() -> None:
    reader = RuleReader()
    reading = asyncio.run(reader.read(Batch(turns=(turn("I live in Hobart"),))))
    assert [claim.value for claim in reading.claims] == ["Hobart"]
    assert (reader.name, reader.reads_at_once) == ("rules", True)
    assert not reader.wants(Role.TOOL, "I live in Hobart")


@pytest.mark.parametrize(
    "unit",
    [
        "a", " ", "'", '"', "(", ",", ".", "-", ">", "`", "\n", "\u0301", "\U0001f600",
        "\u0000", "\ud800", "I ", "my ", "and ", "I am ", "not ", "no longer ", "I'm a ",
        "my dog ", "a.", "a'", "A ", "1 ", "\u4f60", "I love a and ", "if I ", "Bo, ",
        "I live in ", "'a ", "so so ", "used to ", "moved to ", "I'm from ",
        "hi, ", "study law, ", "I live in A, study law, ", "write: ", "sorry, ", "A and i ",
    ],
)  # fmt: skip
def test_time_grows_no_faster_than_the_text(unit: str) -> None:
    short, long_ = (unit * (size // len(unit)) for size in (2_000, 16_000))
    first = _seconds(short)
    limit = 0.15 + 30 * first
    # A busy machine may slow one of them.
    assert _seconds(long_) < limit or _seconds(f"{long_} ") < limit


def _seconds(text: str) -> float:
    return cpu_seconds(lambda: read_turns(Batch(turns=(turn(text),))))


def test_a_text_of_some_hundred_thousand_characters_is_read_in_seconds() -> None:
    text = "The quick brown fox jumps over the lazy dog near the old mill. " * 5_000
    assert _seconds(text) < 6
