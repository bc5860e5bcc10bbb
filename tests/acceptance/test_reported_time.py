"""Reported failures of other systems: days that shift, times that crash, filters that come late."""

import itertools
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory
from backstory.errors import InvalidFilterError, InvalidInputError
from tests.acceptance.places import ON_ONE

ZONES = ("America/Los_Angeles", "Asia/Tokyo", "Asia/Kolkata", "UTC")
RENT = """
import itertools, os, sys, time
from backstory import Memory
*urls, zones = sys.argv[1:]
for zone, url in itertools.product(zones.split(), urls):
    os.environ["TZ"] = zone
    time.tzset()
    with Memory(url, embedder=None) as memory:
        with memory.session(user_id=zone) as session:
            session.add("user", "Paid the rent", timestamp="2024-05-12T03:00:00Z")
        day = {"timestamp": {"gte": "2024-05-12", "lte": "2024-05-12"}}
        found = memory.search("rent", user_id=zone, filters=day)
        print([hit.created_at.isoformat() for hit in found])
        print(memory.context(zone, "rent").text.count("2024-05-12"))
"""


def test_the_servers_zone_moves_no_instant(tmp_path: Path, ready_postgres_url: str) -> None:
    """BUG-032: of a process that starts in a zone, and of one that is moved to others."""
    urls = [str(tmp_path / "memory.db"), ready_postgres_url]
    done = subprocess.run(
        ["env", f"TZ={ZONES[0]}", sys.executable, "-c", RENT, *urls, " ".join(ZONES)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["['2024-05-12T03:00:00+00:00']", "1"] * len(ZONES) * 2


@ON_ONE
def test_a_naive_time_is_refused_and_nothing_of_the_call_is_stored(memory: Memory) -> None:
    """BUG-034; the report wants naive times read as UTC, our specification refuses them."""
    good = {"role": "user", "content": "a", "timestamp": "2024-03-02T10:00:00+02:00"}
    naive = {"role": "user", "content": "b", "timestamp": "2024-03-01T10:00:00"}
    with pytest.raises(InvalidInputError, match=r"message 1.*no time zone"):
        memory.add([good, naive], user_id="u")
    with pytest.raises(InvalidInputError, match="no time zone"):
        memory.session(user_id="u").add("user", "c", timestamp=datetime(2024, 3, 1))  # noqa: DTZ001
    assert memory.users() == []
    memory.add([good], user_id="u")
    assert memory.get_all(user_id="u").items[0].timestamp == datetime(2024, 3, 2, 8, tzinfo=UTC)


@ON_ONE
def test_a_time_that_is_none_is_refused(memory: Memory) -> None:
    """BUG-034."""
    for moment in ("yesterday", "2024-13-01T00:00:00Z", "", 5, "0001-01-01T00:00+14:00"):
        with pytest.raises(InvalidInputError, match="timestamp"):
            memory.add({"role": "user", "content": "x", "timestamp": moment}, user_id="u")
        assert memory.users() == [], moment


def test_a_time_filter_comes_before_the_cut(memory: Memory) -> None:
    """BUG-038."""
    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    old = [
        {
            "role": "user",
            "content": f"deploy number {n} of the service went well",
            "timestamp": datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=n),
        }
        for n in range(200)
    ]
    new = [
        {"role": "user", "content": f"deploy {n}", "timestamp": now - timedelta(days=n)}
        for n in (1, 3, 6)
    ]
    memory.add(old + new, user_id="u")
    week = {"timestamp": {"gte": now - timedelta(days=7)}}
    found = memory.search("deploy", user_id="u", top_k=5, filters=week)
    assert {hit.text for hit in found} == {"deploy 1", "deploy 3", "deploy 6"}
    assert memory.get_all(user_id="u", filters=week).total == 3
    context = memory.context("u", "deploy", filters=week, sources=["recalled"])
    assert "number" not in context.text
    assert len(context.items) == 3


@ON_ONE
def test_dates_are_rendered_in_the_zone_that_is_asked_for(memory: Memory) -> None:
    """The calendar day of a message is that of the reader's zone, half-hour offsets included."""
    moment = datetime(2026, 3, 28, 18, 45, tzinfo=UTC)
    memory.add({"role": "user", "content": "Paid", "timestamp": moment}, user_id="u")

    def shown(zone: str | timezone) -> str:
        return memory.context("u", "paid", timezone=zone, sources=["recalled"]).items[0].text

    assert "2026-03-28" in shown("UTC")
    assert "2026-03-29" in shown("Asia/Kolkata")
    assert "2026-03-29" in shown(timezone(timedelta(hours=5, minutes=30)))
    with pytest.raises(InvalidInputError, match="Mars"):
        shown("Mars/Olympus")


WRONG: list[Any] = [
    {"timestamp": "soon"},
    {"timestamp": {"gte": "2024-02-31"}},
    {"timestamp": {"near": "2024-02-01"}},
    {"timestamp": {"gte": datetime(2024, 2, 1)}},  # noqa: DTZ001
    {"weekday": "monday"},
    {"role": {"gt": "user"}},
    {"role": 3},
    {"metadata": "x"},
    {"metadata": {"a": {"like": "x"}}},
    ["role", "user"],
]


@ON_ONE
def test_a_wrong_filter_is_an_error_and_not_an_empty_answer(memory: Memory) -> None:
    """BUG-038."""
    memory.add("hello", user_id="u")
    calls: dict[str, Callable[[Any], object]] = {
        "search": lambda wrong: memory.search("hello", user_id="u", filters=wrong),
        "get_all": lambda wrong: memory.get_all(user_id="u", filters=wrong),
        "context": lambda wrong: memory.context("u", "hello", filters=wrong),
    }
    for wrong, (name, call) in itertools.product(WRONG, calls.items()):
        try:
            call(wrong)
        except InvalidFilterError:
            continue
        pytest.fail(f"{name} took {wrong}")
