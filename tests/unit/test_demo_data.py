"""The conversation that ships with the package keeps the form that its README promises."""

import json
import re
from collections import Counter
from datetime import datetime, timedelta
from importlib.resources import files
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

DEMO = files("backstory").joinpath("data", "demo")
LINES = DEMO.joinpath("conversation.jsonl").read_text(encoding="utf-8").splitlines()
HEAD = json.loads(LINES[0])
MESSAGES = [json.loads(line) for line in LINES[1:]]
IDS = {message["id"] for message in MESSAGES}
QUESTIONS = json.loads(DEMO.joinpath("questions.json").read_text(encoding="utf-8"))
README = DEMO.joinpath("README.md").read_text(encoding="utf-8")


def _times() -> list[datetime]:
    return [datetime.fromisoformat(message["timestamp"]) for message in MESSAGES]


def test_first_line_describes_the_conversation() -> None:
    assert set(HEAD) == {"user", "title", "timezone"}
    assert HEAD["user"] == "vera"
    assert HEAD["title"].strip()
    assert ZoneInfo(HEAD["timezone"]).key == "Europe/Stockholm"


def test_every_message_has_exactly_the_documented_fields() -> None:
    for message in MESSAGES:
        assert set(message) == {"session", "id", "role", "content", "timestamp"}, message
        assert message["role"] in {"user", "assistant", "tool"}
        assert message["content"] == message["content"].strip() != ""


def test_sessions_are_twelve_in_order_and_of_the_promised_size() -> None:
    sessions = [message["session"] for message in MESSAGES]
    assert sorted(sessions) == sessions
    sizes = Counter(sessions)
    assert list(sizes) == list(range(1, 13))
    assert all(12 <= size <= 24 for size in sizes.values()), sizes
    assert f"{len(MESSAGES)} messages" in README


def test_ids_are_unique_and_count_within_the_session() -> None:
    assert len(IDS) == len(MESSAGES)
    position: Counter[int] = Counter()
    for message in MESSAGES:
        position[message["session"]] += 1
        expected = f"s{message['session']:02d}-m{position[message['session']]:02d}"
        assert message["id"] == expected


def test_times_ascend_over_two_months_in_the_zone_of_the_user() -> None:
    times = _times()
    zone = ZoneInfo(HEAD["timezone"])
    assert all(time.utcoffset() == time.astimezone(zone).utcoffset() for time in times)
    assert all(before < after for before, after in pairwise(times))
    assert times[-1] - times[0] >= timedelta(days=61)
    assert (times[0].year, times[0].month, times[-1].month) == (2026, 9, 11)


def test_sessions_are_hours_apart_and_messages_minutes() -> None:
    for (first, second), (before, after) in zip(
        pairwise(MESSAGES), pairwise(_times()), strict=True
    ):
        same = first["session"] == second["session"]
        gap = after - before
        assert gap < timedelta(minutes=5) if same else gap > timedelta(hours=12), second["id"]


def test_roles_alternate_except_for_tool_results() -> None:
    spoken = [message for message in MESSAGES if message["role"] != "tool"]
    for first, second in pairwise(spoken):
        if first["session"] == second["session"]:
            assert first["role"] != second["role"], second["id"]
    tools = [message for message in MESSAGES if message["role"] == "tool"]
    assert len(tools) >= 2
    assert all(json.loads(message["content"])["tool"] for message in tools)


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("Swedish", r"hyresvärden"),
        ("Japanese", r"[\u3040-\u30ff]"),
        ("emoji", r"[\U0001f300-\U0001faff]"),
        ("pasted JSON", r"```json\n\{"),
        ("a list", r"(?m)^- .+\n- "),
    ],
)
def test_variety_that_the_readme_names(what: str, pattern: str) -> None:
    assert any(re.search(pattern, message["content"]) for message in MESSAGES), what


def test_questions_point_at_messages_that_exist() -> None:
    assert len(QUESTIONS) >= 20
    assert len({row["question"] for row in QUESTIONS}) == len(QUESTIONS)
    for row in QUESTIONS:
        assert set(row) == {"question", "answers"}
        assert row["answers"] == sorted(set(row["answers"])) != []
        assert set(row["answers"]) <= IDS, row


def test_readme_names_only_messages_and_questions_that_exist() -> None:
    assert set(re.findall(r"s\d\d-m\d\d", README)) <= IDS
    asked = re.findall(r"(?m)^\| ([^|]+\?) \|(.*)\|$", README)
    answers = {row["question"]: row["answers"] for row in QUESTIONS}
    assert len(asked) == 6
    for question, named in asked:
        assert sorted(re.findall(r"s\d\d-m\d\d", named)) == answers[question]


@pytest.mark.parametrize(
    ("message_id", "words"),
    [
        ("s01-m03", "24 October"),
        ("s06-m13", "31 October"),
        ("s01-m13", "vegetarian"),
        ("s06-m07", "usual Friday salmon"),
        ("s03-m15", "21 November"),
        ("s09-m17", "12 November"),
        ("s01-m07", "four years old"),
        ("s08-m13", "Six years old"),
        ("s02-m05", "1 October"),
        ("s05-m15", "10 October"),
        ("s07-m07", "16 October"),
        ("s03-m13", "Malmö, not Lund"),
    ],
)
def test_planted_facts_stand_where_the_readme_says(message_id: str, words: str) -> None:
    content = {message["id"]: message["content"] for message in MESSAGES}[message_id]
    assert words in content
    assert f"`{message_id}`" in README
