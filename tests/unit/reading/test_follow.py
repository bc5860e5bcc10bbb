"""Laws of the whole reading: it never fails, it quotes, it marks in any order of other words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.core.facts.gate import admit
from backstory.core.model.fact import FactKind
from backstory.core.model.reading import Act, Batch
from backstory.reading.rules.reader import read_turns
from tests.counts import cases, cpu_seconds
from tests.unit.reading.rules_help import AT, claims, conversation, turn

_PHRASES = (
    "I live in Sopot",
    "I'm 61",
    "my wife is called Ines",
    "I work at Ottermill",
    "not",
    "no",
    "sorry",
    "I meant",
    "now",
    "since March",
    "until friday",
    "I no longer",
    "sold the Comet",
    "moved to",
    "Sofia",
    "*",
    "actually",
    "wait",
    ",",
    ".",
    "!",
    "?",
    "and",
    "used to",
    "Ines and I broke up",
    "any more",
    "in 2012",
    "wrong",
    "I don't",
    "for two weeks",
    "61",
    "two",
    "traded",
    "for",
    "instead of",
    "yes",
    "I play the harp",
    "with a z",
    "forget what I said about",
    "only",
    "left",
    "my new",
    "is",
    "\U0001f600",
)
_messages = st.lists(st.sampled_from(_PHRASES), max_size=9).map(" ".join)
_texts = st.one_of(_messages, st.text(max_size=80))


@given(st.lists(_texts, min_size=1, max_size=4))
def test_reading_never_fails_and_quotes_what_it_read(texts: list[str]) -> None:
    batch = conversation(texts)
    last = batch.turns[0]
    for claim in read_turns(batch).claims:
        assert claim.evidence[0].message_id == last.message_id
        assert claim.evidence[0].quote in last.text
        assert claim.said_at == last.timestamp
        assert claim.key
        assert claim.value
        if claim.valid_from and claim.valid_until and claim.act is Act.STATE:
            assert claim.valid_from < claim.valid_until
        if claim.kind is FactKind.TEMPORARY:
            assert claim.valid_until is not None
        if claim.act is Act.CORRECT:
            assert claim.replaces


@settings(max_examples=cases(12, 100))
@given(st.lists(_messages, min_size=1, max_size=4))
def test_reading_in_one_batch_passes_the_gate(texts: list[str]) -> None:
    turns = [turn(text, number=n) for n, text in enumerate(texts)]
    found = read_turns(Batch(turns=tuple(turns))).claims
    admitted = admit(found, {t.message_id: t.text for t in turns})
    assert [r for r in admitted.rejections if r.guard in {"evidence", "form"}] == []


@given(_texts)
def test_the_same_message_is_read_the_same_way(text: str) -> None:
    assert claims(text) == claims(text)


@pytest.mark.parametrize("lead", ["", "ok so ", "btw ", "haha, ", "guess what, ", "Big news: "])
def test_a_lead_in_changes_nothing(lead: str) -> None:
    found = claims("I live in Sopot", f"{lead}I moved to Sofia last week")
    assert [(c.act, c.key, c.value, c.changed) for c in found] == [
        (Act.STATE, "home.place", "Sofia", True)
    ]


def test_turns_of_one_batch_see_those_before_them() -> None:
    turns = [turn("I drive a Fjord", number=0), turn("traded in the Fjord for a Comet", number=1)]
    found = read_turns(Batch(turns=tuple(turns))).claims
    assert [(c.value, c.replaces) for c in found] == [("Fjord", None), ("Comet", "Fjord")]
    assert found[0].said_at == AT


@pytest.mark.parametrize(
    "text",
    [
        'my aunt always said "I moved to Sofia"',
        "write a story: I moved to Sofia and quit my job",
        "if I sold the Fjord I'd buy a Comet",
        "I wish I had moved to Sofia",
        "should I quit Ottermill?",
    ],
)
def test_what_is_not_meant_changes_nothing(text: str) -> None:
    assert claims("I drive a Fjord and I work at Ottermill", text) == ()


@pytest.mark.parametrize(
    "unit", ["no, ", ", ", "and i ", "I moved to Sofia and ", "not ", "sorry ", "Ines and I ", "- "]
)
def test_a_long_message_of_one_word_takes_no_ages(unit: str) -> None:
    """Patterns that backtrack take minutes here."""
    said = ("I live in Sopot", "my wife is called Ines", unit * (10_000 // len(unit)))
    assert cpu_seconds(lambda: claims(*said)) < 30
