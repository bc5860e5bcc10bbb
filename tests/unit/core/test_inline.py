"""The inline detector against written cases, and its laws."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.guards import is_volatile_fact_key
from backstory.core.inline import MAX_SUSPICIONS, detect_inline
from tests.counts import cpu_seconds

DATA = Path(__file__).parents[2] / "data" / "inline.jsonl"


def cases_of(path: Path) -> list[dict[str, Any]]:
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if "doubtful" not in case.get("note", "")]


CASES = cases_of(DATA)


def found_in(case: dict[str, Any]) -> set[tuple[str, str]]:
    facts = [(fact["key"], fact["value"]) for fact in case["facts"]]
    return {(one.key, one.suspected.casefold()) for one in detect_inline(case["message"], facts)}


def wanted(case: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["key"], one["suspected"].casefold()) for one in case["expect"]}


def missed(cases: list[dict[str, Any]]) -> list[str]:
    return [case["message"] for case in cases if not wanted(case) <= found_in(case)]


def false_alarms(cases: list[dict[str, Any]]) -> list[str]:
    return [case["message"] for case in cases if not found_in(case) <= wanted(case)]


def test_the_written_cases() -> None:
    assert false_alarms(CASES) == []
    assert len(missed(CASES)) <= 1, missed(CASES)


def test_the_shared_cases(shared: Path) -> None:
    cases = cases_of(shared / "gold" / "inline.jsonl")
    telling = [case for case in cases if case["expect"]]
    assert len(false_alarms(cases)) <= 0.03 * len(cases), false_alarms(cases)
    assert len(missed(cases)) <= 0.25 * len(telling), missed(cases)


FACTS = st.lists(
    st.sampled_from([(fact["key"], fact["value"]) for case in CASES for fact in case["facts"]])
)
MESSAGES = st.lists(
    st.sampled_from([case["message"] for case in CASES]) | st.text(max_size=20), max_size=6
).map(". ".join)


@given(MESSAGES, FACTS)
def test_the_laws(message: str, facts: list[tuple[str, str]]) -> None:
    found = detect_inline(message, facts)
    keys = [one.key for one in found]
    assert len(found) <= MAX_SUSPICIONS
    assert len(set(keys)) == len(keys)
    for one in found:
        assert (one.key, one.stored) in facts
        assert one.suspected in message
        assert one.suspected.casefold() != one.stored.casefold()
        assert not is_volatile_fact_key(one.key)


@given(MESSAGES, FACTS)
def test_a_question_raises_nothing(message: str, facts: list[tuple[str, str]]) -> None:
    sentence = " ".join(char for char in message.split() if not set(char) & set(".!?\u2026;"))
    assert detect_inline(f"{sentence}?", facts) == []


@pytest.mark.parametrize("case", [case for case in CASES if case["expect"]], ids=lambda c: c["id"])
def test_what_was_suspected_is_no_suspicion_once_it_is_stored(case: dict[str, Any]) -> None:
    facts = [(one["key"], one["suspected"]) for one in case["expect"]]
    assert detect_inline(case["message"], facts) == []


@dataclass(frozen=True)
class Stored:
    key: str
    value: str
    subject: str = "user"
    cardinality: str = "one"


def test_facts_are_objects_or_pairs() -> None:
    message = "My wife Solveig is a nurse"
    assert detect_inline(message, [("partner_name", "Marit")]) == detect_inline(
        message, (Stored(key, "Marit") for key in ["partner_name"])
    )


def test_facts_of_others_and_lists_are_skipped() -> None:
    message = "I live in Namur now and my sister Tone came along"
    assert detect_inline(message, [Stored("home.city", "Gent", subject="friend.sam")]) == []
    assert detect_inline(message, [Stored("sister_name", "Kari", cardinality="many")]) == []
    assert len(detect_inline(message, [Stored("home.city", "Gent")])) == 1


def test_volatile_keys_are_skipped() -> None:
    message = "My sleep schedule is irregular and my sleep apnea is mild"
    facts = [("sleep_schedule", "regular"), ("sleep_apnea", "severe")]
    assert [one.key for one in detect_inline(message, facts)] == ["sleep_apnea"]


def test_one_of_several_stored_values_is_enough() -> None:
    facts = [("sister_name", "Kari"), ("sister_name", "Tone")]
    assert detect_inline("My sister Tone lives far away", facts) == []


@pytest.mark.parametrize("unit", ["my wife ", "I live in ", "A, my wife, ", "I'm a ", "x " * 20])
def test_a_hostile_message_is_read_quickly(unit: str) -> None:
    facts = [("partner_name", "Marit"), ("city", "Gent"), ("job", "welder"), ("employer", "Norvik")]
    assert cpu_seconds(lambda: detect_inline(unit * 50_000, facts)) < 1.0
