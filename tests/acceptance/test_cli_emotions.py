"""``backstory emotions``: the drawn course of days, and moments of strong feeling."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory import FeelingDay, Memory
from backstory.cli.course import columns_of, show_course
from backstory.cli.output import Screen
from backstory.models.system import SystemClock
from tests.acceptance.cli_runner import answer, run

FIRST = date(2026, 1, 1)


def day(number: int, valence: float = 0.5, messages: int = 1) -> FeelingDay:
    return FeelingDay(
        day=FIRST + timedelta(days=number),
        messages=messages,
        valence=valence,
        lowest=valence,
        highest=valence,
    )


@pytest.fixture
def store(tmp_path: Path, ready_sqlite: bytes) -> tuple[str, ...]:
    """The options of a store in which Ada was furious yesterday and is fine today."""
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    now = SystemClock().now()
    with Memory(path, embedder=None) as memory, memory.session(user_id="ada") as session:
        furious = "I'm absolutely furious with \x1b[31mmy landlord!!!"
        session.add("user", furious, timestamp=now - timedelta(days=1))
        session.add("user", "I'm glad it is over.", timestamp=now)
    return ("-u", str(path), "--embedder", "none")


def test_shows_the_course_and_the_moments(store: tuple[str, ...]) -> None:
    shown = run("emotions", "--user", "ada", *store)
    assert shown.exit_code == 0
    assert "\x1b" not in shown.stdout
    assert "2 messages on 2 days" in shown.stdout
    assert "anger" in shown.stdout
    assert "my landlord!!!" in shown.stdout
    assert "█" in shown.stdout
    found = answer("emotions", "--user", "ada", *store)
    assert [one["messages"] for one in found["course"]] == [1, 1]
    assert [one["tags"] for one in found["moments"]] == [["anger"]]
    assert answer("emotions", "--user", "ada", "--days", "0.5", *store)["moments"] == []


def test_says_so_where_nothing_was_read(store: tuple[str, ...]) -> None:
    shown = run("emotions", "--user", "otto", *store)
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "No feeling of 'otto' was read" in shown.stderr
    assert answer("emotions", "--user", "otto", *store) == {"course": [], "moments": []}


def test_an_unknown_zone_is_a_clear_error(store: tuple[str, ...]) -> None:
    shown = run("emotions", "--user", "ada", "--timezone", "Mars/Base", *store)
    assert shown.exit_code != 0
    assert "Mars/Base" in shown.stderr


def test_bars_stand_on_their_side_of_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    show_course(Screen(), [day(0, 0.4), day(2, -0.8), day(3, 0.0)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(" +0.8 ")
    bars = [line.split("│")[1] if "│" in line else "" for line in lines[:-1]]
    assert [line.count("█") for line in bars] == [0, 0, 1, 1, 0, 1, 1, 1, 1]
    assert bars[4] == "·───·─·─"
    assert bars[5].index("█") == 4
    assert lines[-1].split() == ["2026-01-01", "2026-01-04"]


def test_an_empty_side_is_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    show_course(Screen(), [day(0, 0.4)])
    assert len(capsys.readouterr().out.splitlines()) == 6
    show_course(Screen(), [])
    assert capsys.readouterr().out == ""


@settings(max_examples=60)
@given(
    numbers=st.sets(st.integers(0, 4000), min_size=1, max_size=30),
    most=st.integers(1, 60),
)
def test_every_day_is_in_one_column(numbers: set[int], most: int) -> None:
    days = [day(number, 0.5, messages=number + 1) for number in sorted(numbers)]
    columns = columns_of(days, most)
    assert 1 <= len(columns) <= most
    assert columns[0].first == days[0].day
    starts = [column.first for column in columns]
    for number in numbers:
        place = max(at for at, start in enumerate(starts) if start <= day(number).day)
        assert columns[place].valence == pytest.approx(0.5)
