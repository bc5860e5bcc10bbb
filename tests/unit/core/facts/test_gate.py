"""The gate in front of the fact writer: what may not become a fact, and why."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.facts.gate import EPHEMERAL, MAX_VALUE_CHARS, admit
from backstory.core.model.fact import Evidence, FactKind, Trust
from backstory.core.model.reading import Claim

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXT = "I live in Lund, near the old mill"
SAID = Claim(
    key="home.place",
    value="Lund",
    said_at=NOON,
    actor="rules",
    evidence=(Evidence(message_id="m", quote="I live in Lund"),),
)


def refused(claim: Claim, text: str = TEXT) -> str | None:
    admitted = admit([claim], {"m": text})
    assert len(admitted.claims) + len(admitted.rejections) == 1
    return admitted.rejections[0].guard if admitted.rejections else None


def test_a_plain_claim_passes_as_it_is() -> None:
    assert admit([SAID], {"m": TEXT}).claims == (SAID,)


@pytest.mark.parametrize(
    ("changes", "guard"),
    [
        ({"value": "The search returned no results"}, "is_meta_commentary_fact"),
        ({"key": "current_speaker"}, "is_speaker_fact"),
        ({"trust": Trust.ASSISTANT}, "attribution"),
        ({"trust": Trust.TOOL}, "attribution"),
        ({"evidence": (Evidence(message_id="m", quote="I live in Malmo"),)}, "evidence"),
        ({"evidence": (Evidence(message_id="other", quote="I live in Lund"),)}, "evidence"),
        ({"evidence": ()}, "evidence"),
        ({"evidence": (Evidence(message_id="m", quote=" "),)}, "evidence"),
        ({"value": "\u30eb\u30f3\u30c9", "actor": "model:x"}, "language"),
        ({"value": "sk-live-9f8Qx2Lm4Vt7Zp1Rw6Kd3Yb5"}, "secrets"),
        ({"value": "  "}, "form"),
        ({"key": ""}, "form"),
        ({"key": "a\0b"}, "form"),
        ({"value": "x" * (MAX_VALUE_CHARS + 1)}, "form"),
        ({"confidence": 1.5}, "form"),
        ({"valid_from": NOON, "valid_until": NOON}, "form"),
    ],
)
def test_each_guard_refuses_with_its_name(changes: dict[str, object], guard: str) -> None:
    assert refused(replace(SAID, **changes)) == guard  # type: ignore[arg-type]


def test_a_refused_secret_is_not_in_the_rejection() -> None:
    shown = "sk-live-9f8Qx2Lm4Vt7Zp1Rw6Kd3Yb5"
    admitted = admit([replace(SAID, value=shown)], {"m": TEXT})
    assert shown not in str(admitted.rejections)


def test_a_secret_beside_other_words_is_masked_in_value_and_quote() -> None:
    shown = "sk-live-9f8Qx2Lm4Vt7Zp1Rw6Kd3Yb5"
    text = f"the key for the boiler is {shown}"
    evidence = (Evidence(message_id="m", quote=text),)
    claim = replace(SAID, key="home.note", value=f"boiler key {shown}", evidence=evidence)
    (passed,) = admit([claim], {"m": text}).claims
    assert shown not in str(passed)
    assert str(passed.value).startswith("boiler key [redacted")
    (kept,) = admit([claim], {"m": text}, redaction=False).claims
    assert shown in str(kept)


def test_a_passing_state_ends_after_twelve_hours_or_when_it_says() -> None:
    (passed,) = admit([replace(SAID, key="current_mood")], {"m": TEXT}).claims
    assert passed.kind is FactKind.TEMPORARY
    assert passed.valid_until == NOON + EPHEMERAL
    end = NOON + timedelta(days=2)
    (until,) = admit([replace(SAID, key="current_mood", valid_until=end)], {"m": TEXT}).claims
    assert until.valid_until == end


def test_what_the_api_states_needs_no_quote() -> None:
    assert refused(replace(SAID, actor="api", evidence=())) is None


def test_the_case_and_spacing_of_a_quote_do_not_matter() -> None:
    quote = (Evidence(message_id="m", quote="i  LIVE in lund"),)
    assert refused(replace(SAID, evidence=quote)) is None


@given(st.text(), st.text(), st.text(), st.text())
def test_no_text_breaks_it(key: str, value: str, subject: str, quote: str) -> None:
    claim = replace(
        SAID,
        key=key,
        value=value,
        subject=subject,
        evidence=(Evidence(message_id="m", quote=quote),),
    )
    admitted = admit([claim], {"m": TEXT})
    assert len(admitted.claims) + len(admitted.rejections) == 1
