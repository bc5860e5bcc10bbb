"""Consolidation from outside: by itself, when asked for, and when it is off."""

import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from backstory import ConsolidationStatus, Memory, Settings
from backstory.errors import InvalidInputError
from backstory.testing import FakeClock
from tests.acceptance.cli_runner import answer, run
from tests.acceptance.places import Place

QUIET = Settings(background=False)


@pytest.fixture
def on_file(tmp_path: Path, ready_sqlite: bytes) -> Iterator[Place]:
    """One database, for what does not depend on it."""
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    found = Place(str(path))
    yield found
    for memory in found.opened:
        memory.close()


def talk(memory: Memory, user: str = "vera", session: str = "talk") -> None:
    with memory.session(user_id=user, session_id=session) as opened:
        opened.add("user", "I work at Volvo and I am vegetarian.")
        opened.add("assistant", "How is it at Volvo?")


def until(memory: Memory, what: Callable[[ConsolidationStatus], bool]) -> None:
    give_up = time.monotonic() + 20
    while not what(memory.consolidation_status()):
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_flush_digests_what_has_ended(place: Place) -> None:
    memory = place.open(settings=QUIET)
    talk(memory)
    talk(memory, "kim")
    memory.add("still open", user_id="kim", session_id="open")
    assert memory.consolidation_status().sessions_due == 2
    assert memory.flush("vera").digested == 1
    assert memory.flush().digested == 1
    assert memory.flush().digested == 0
    status = memory.consolidation_status()
    assert (status.sessions_due, status.oldest_age_s, status.failures) == (0, None, ())


def test_the_end_of_a_session_is_digested_in_the_background(place: Place) -> None:
    memory = place.open()
    talk(memory)
    until(memory, lambda status: status.counts[0].done == 1)


def test_each_kind_again_changes_nothing(place: Place) -> None:
    clock = FakeClock()
    memory = place.open(settings=QUIET, clock=clock)
    talk(memory)
    memory.facts.store(user_id="vera", key="plan.trip", value="soon", kind="temporary")
    memory.facts.store(user_id="vera", key="work.tool", value="Lathe")
    memory.facts.store(user_id="vera", key="work_tool", value="lathe")
    memory.facts.store(user_id="vera", key="pet.cat", value="Gaia", cardinality="many")
    memory.facts.store(user_id="vera", key="pet.dog", value="Gaia", cardinality="many")
    clock.advance(timedelta(days=31))
    first = {kind: memory.consolidate(kind) for kind in ("episodic", "daily", "weekly")}
    assert all(report.ok for report in first.values())
    assert first["episodic"].users[0].done["sessions"] == 1
    done = first["daily"].users[0].done
    assert (done["doubles"], done["expired"], done["collisions"]) == (1, 1, 1)
    export = [fact.to_dict() for fact in memory.facts.get("vera", status="all")]
    messages = memory.get_all(user_id="vera").total
    for kind in ("episodic", "daily", "weekly"):
        report = memory.consolidate(kind, "vera")
        assert not any(value for user in report.users for value in user.done.values())
    assert [fact.to_dict() for fact in memory.facts.get("vera", status="all")] == export
    assert memory.get_all(user_id="vera").total == messages
    assert [one.done for one in memory.consolidation_status().counts] == [1, 1, 1]


def test_a_day_that_was_missed_is_caught_up_once(place: Place) -> None:
    """By a process that comes up later; the second one finds nothing to do."""
    clock = FakeClock()
    memory = place.open(settings=QUIET, clock=clock)
    talk(memory)
    clock.advance(timedelta(days=9))
    one = place.open(settings=QUIET, clock=clock)
    two = place.open(settings=QUIET, clock=clock)
    assert _queue(one) == 2  # one daily, one weekly
    assert _queue(two) == 0
    assert _queue(one) == 0
    counts = memory.consolidation_status().counts
    assert [(c.queued, c.oldest_at is not None) for c in counts[1:]] == [(1, True), (1, True)]
    assert _run(one) == 2
    assert _run(two) == 0
    clock.advance(timedelta(days=1))
    assert _queue(two) == 1
    status = memory.consolidation_status()
    assert status.oldest_age_s == 7 * 3600  # it is nine o'clock, due at two


def _queue(memory: Memory) -> int:
    """What the background does after its first round."""

    async def queue() -> int:
        services = await memory._twin._open()
        return await services.consolidation.queue_due()

    return memory._run(queue())


def _run(memory: Memory) -> int:
    async def do() -> int:
        services = await memory._twin._open()
        return await services.consolidation.run_waiting()

    return memory._run(do())


def test_off_means_only_when_asked_for(on_file: Place) -> None:
    memory = on_file.open(settings=Settings(consolidation="off"))
    talk(memory)
    assert memory.flush().digested == 0
    status = memory.consolidation_status()
    assert (status.sessions_due, status.next_runs) == (1, {})
    assert memory.consolidate("episodic").users[0].done["sessions"] == 1
    assert memory.consolidate("daily").ok


def test_an_unknown_kind_is_refused(on_file: Place) -> None:
    memory = on_file.open(settings=QUIET)
    with pytest.raises(InvalidInputError, match="episodic, daily, weekly"):
        memory.consolidate("monthly")
    assert memory.consolidate("daily").users == ()


def test_doctor_says_what_waits_and_what_failed(place: Place) -> None:
    memory = place.open(settings=QUIET)
    talk(memory)
    lift = place.refuse("derived", "INSERT", "NEW.kind = 'summary'")
    report = memory.consolidate("episodic")
    assert not report.ok
    (check,) = [check for check in memory.doctor().checks if check.name == "consolidation"]
    assert not check.ok
    assert "1 sessions to digest" in check.detail
    assert "refused" in check.detail
    lift()
    assert memory.consolidate("episodic").ok
    (check,) = [check for check in memory.doctor().checks if check.name == "consolidation"]
    assert check.ok


def test_without_procrastinate_runs_are_found_in_rounds(
    ready_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    monkeypatch.delitem(sys.modules, "backstory.jobs.queue_worker", raising=False)
    with Memory(ready_postgres_url, embedder=None) as memory:
        talk(memory)
        until(memory, lambda status: status.counts[0].done == 1)


def test_the_command(on_file: Place) -> None:
    memory = on_file.open(settings=QUIET)
    talk(memory)
    memory.close()
    common = ("--url", on_file.url, "--embedder", "none")
    assert answer("consolidate", "--status", *common)["sessions_due"] == 1
    shown = run("consolidate", "episodic", *common)
    assert (shown.exit_code, shown.stdout.startswith("vera: 1 sessions")) == (0, True)
    assert answer("consolidate", "daily", "-U", "vera", *common)["users"][0]["failed"] == {}
    assert "0 sessions to digest" in run("consolidate", "--status", *common).stdout
    assert run("consolidate", *common).exit_code == 2
    assert run("consolidate", "daily", "--status", *common).exit_code == 2
    assert run("consolidate", "monthly", *common).exit_code == 1
