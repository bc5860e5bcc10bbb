"""``backstory summaries`` and ``observations``: what is shown is what the memory says."""

import pytest

from backstory import Memory, Settings
from backstory.testing import FakeClock
from tests.acceptance.cli_runner import answer, run

HOSTILE = "[bold]x[/] \x1b[31mred\x1b]0;title\x07 \u202egnirts\u202c"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The options of a store in which Vera talked twice."""
    url = str(tmp_path_factory.mktemp("cli") / "memory.db")
    settings = Settings(background=False)
    with Memory(url, embedder=None, clock=FakeClock(), settings=settings) as memory:
        with memory.session(user_id="vera", session_id="one") as session:
            session.add("user", "I bought a blue bike for 300 euros.", speaker="Vera")
            session.add("assistant", "The bike has 7 gears.")
        with memory.session(user_id="vera", session_id=HOSTILE) as session:
            session.add("user", f"My code is 4711 {HOSTILE}", speaker=HOSTILE)
        memory.flush()
    return ("-u", url, "--embedder", "none", "--user", "vera")


def test_summaries_are_shown_the_latest_first(store: tuple[str, ...]) -> None:
    found = answer("summaries", *store)
    assert [one["session_id"] for one in found] == [HOSTILE, "one"]
    assert found[1]["text"] == (
        "Vera: I bought a blue bike for 300 euros.\nassistant: The bike has 7 gears."
    )
    assert [one["kind"] for one in answer("summaries", "--kind", "all", *store)] == ["session"] * 2
    assert len(answer("summaries", "--limit", "1", *store)) == 1
    assert answer("summaries", "--session", "one", *store) == found[1:]
    assert answer("summaries", "--session", "two", *store) == []
    assert answer("summaries", "--known-at", "2001-01-01", *store) == []
    shown = run("summaries", *store).stdout
    assert "I bought a blue bike for 300 euros." in shown
    assert "2 messages" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    empty = run("summaries", "--kind", "week", *store)
    assert empty.exit_code == 0
    assert "No week of 'vera' has a summary yet" in empty.stderr
    assert run("summaries", "--kind", "month", *store).exit_code == 2


def test_conversations_are_searched(store: tuple[str, ...]) -> None:
    hits = answer("search", "gears of the bike", "--kind", "conversations", *store)["hits"]
    assert [hit["id"] for hit in hits] == ["one", HOSTILE]
    assert hits[0]["summary"]["session_id"] == "one"
    shown = run("search", "bike", "--kind", "conversations", "--explain", *store).stdout
    assert "conversation  one" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_without_a_pattern_it_is_said_what_one_needs(store: tuple[str, ...]) -> None:
    assert answer("observations", *store) == []
    shown = run("observations", *store)
    assert shown.exit_code == 0
    assert "three conversations of three weeks" in " ".join(shown.stderr.split())
