"""What is no fact, what is one for a while, and what may change without notice."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.guards import (
    is_ephemeral_fact_key,
    is_meta_commentary_fact,
    is_speaker_fact,
    is_volatile_fact_key,
)
from tests.counts import cpu_seconds

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "meta.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("meta", [True, False])
def test_the_written_cases(meta: bool) -> None:
    texts = [case["text"] for case in CASES if case["meta"] is meta]
    wrong = [text for text in texts if is_meta_commentary_fact(text) is not meta]
    assert wrong == []


@pytest.mark.parametrize("meta", [True, False])
def test_the_shared_cases(shared: Path, meta: bool) -> None:
    lines = (shared / "gold" / "meta.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [case["text"] for case in map(json.loads, lines) if case["meta"] is meta]
    wrong = [text for text in texts if is_meta_commentary_fact(text) is not meta]
    assert len(wrong) <= 0.05 * len(texts), wrong


@given(st.sampled_from([case["text"] for case in CASES]))
def test_spelling_does_not_change_the_verdict(text: str) -> None:
    verdict = is_meta_commentary_fact(text)
    assert is_meta_commentary_fact(f"  {text.upper().replace(' ', '   ')}\n") is verdict


@given(st.text())
def test_any_text_has_a_verdict(text: str) -> None:
    assert is_meta_commentary_fact(text) in {True, False}


@pytest.mark.parametrize(
    "unit", ["a_a ", "the user's ", "no a ", "the memory ", "retrieved ", "i ", "a" * 50 + " "]
)
def test_a_hostile_text_is_judged_quickly(unit: str) -> None:
    assert cpu_seconds(lambda: is_meta_commentary_fact(unit * 100_000)) < 0.5


@pytest.mark.parametrize(
    "key",
    [
        "current_speaker", "speaker", "speaker_name", "speaker.name", "currentSpeaker",
        "active-speaker",
        "session.speaker", "Current Speaker", "who_is_speaking", "speaker_id",
        "conversation.current_speaker",
    ],
)  # fmt: skip
def test_who_speaks_is_no_fact(key: str) -> None:
    assert is_speaker_fact(key)


@pytest.mark.parametrize(
    "key",
    [
        "bluetooth_speaker", "public_speaker", "favourite_speaker", "speaker_brand",
        "home.speakers.kitchen",
        "native_speaker_of", "name", "current_user_city", "work.keynote_speaker", "", "loudspeaker",
    ],
)  # fmt: skip
def test_other_speakers_are_facts(key: str) -> None:
    assert not is_speaker_fact(key)


@pytest.mark.parametrize(
    "key",
    [
        "current_activity", "current.location", "currentMood", "Current Task", "today_plan",
        "todays_lunch",
        "context.right_now", "work.current_task", "doing_now", "temporary_address", "plan.tonight",
    ],
)  # fmt: skip
def test_the_moment_is_ephemeral(key: str) -> None:
    assert is_ephemeral_fact_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "currency",
        "home.city",
        "concurrent_projects",
        "nowhere",
        "temperature",
        "template",
        "",
        "tempo",
    ],
)
def test_what_lasts_is_not_ephemeral(key: str) -> None:
    assert not is_ephemeral_fact_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "work_schedule", "schedule", "schedule.monday.gym", "workSchedule", "sleep_schedule",
        "bedtime",
        "wake_time", "wake_up_time", "health.sleep.quality", "sleep", "mood", "mood_today",
        "current_mood",
        "emotional_state", "weather", "weather_in_lund", "work_hours", "shift_pattern",
        "daily_routine",
        "calendar.next", "availability", "energy_level", "feelings.today", "routine.morning",
    ],
)  # fmt: skip
def test_what_changes_all_the_time_is_volatile(key: str) -> None:
    assert is_volatile_fact_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "home.city", "weather_station", "sleep_mask", "mood_ring", "shift_key", "favourite_weather",
        "favorite.weather", "calendar_app", "name", "partner_name", "schedule_manager_name", "",
        "emotional_support_animal", "preferred_schedule",
    ],
)  # fmt: skip
def test_what_stays_is_not_volatile(key: str) -> None:
    assert not is_volatile_fact_key(key)


@given(
    st.lists(
        st.sampled_from(["work", "mood", "current", "speaker", "now", "sleep", "x"]), min_size=1
    )
)
def test_the_spelling_of_a_key_does_not_matter(words: list[str]) -> None:
    spelled = {"_".join(words), "-".join(words), " ".join(words), "_".join(words).upper()}
    for guard in (is_speaker_fact, is_ephemeral_fact_key, is_volatile_fact_key):
        assert len({guard(key) for key in spelled}) == 1
