"""Summaries of sessions, days and weeks, and observations, through the public API."""

from datetime import UTC, date, datetime, timedelta

import pytest

from backstory import Memory, Recall, Settings, SummaryKind
from backstory.errors import InvalidInputError
from backstory.testing import FakeClock, HashEmbedder
from tests.acceptance.places import ON_ONE, Place, everything, message_of

GATHER = "List everything that I bought and all the places I moved to"


def tell(memory: Memory, session: str, *texts: str, user: str = "vera", **given: object) -> None:
    with memory.session(user_id=user, session_id=session, speaker="Vera") as opened:
        for text in texts:
            opened.add("user", text, speaker="Vera", **given)  # type: ignore[arg-type]


def test_a_session_that_ended_has_a_summary_of_who_said_what(place: Place) -> None:
    memory = place.open()
    with memory.session(user_id="vera", session_id="s1", speaker="Vera") as session:
        session.add("user", "I moved to Gothenburg last May. It rains.", speaker="Vera")
        session.add("assistant", "The tram number 11 goes to the sea from there.")
        assert memory.summaries.for_session("vera", "s1") is None
    tell(memory, "s2", "hi", "thanks!")
    memory.flush("vera")
    found = memory.summaries.for_session("vera", "s1")
    assert found is not None
    assert found.text == (
        "Vera: I moved to Gothenburg last May. It rains.\n"
        "assistant: The tram number 11 goes to the sea from there."
    )
    assert (found.kind, found.session_id, found.messages) == (SummaryKind.SESSION, "s1", 2)
    assert memory.summaries.for_session("vera", "s2") is None
    assert memory.summaries.recent("vera") == [found]
    assert memory.summaries.recent("omar") == []
    assert memory.summaries.for_session("omar", "s1") is None
    with pytest.raises(InvalidInputError):
        memory.summaries.recent("vera", kind="month")


@ON_ONE
def test_gathering_questions_get_summaries_of_other_sessions_only(place: Place) -> None:
    memory = place.open(settings=Settings(background=False))
    tell(memory, "s1", "I moved to Gothenburg last May.")
    tell(memory, "s2", "I bought a blue kettle for 40 euros.")
    memory.flush("vera")

    def shown(query: str, **given: object) -> list[str]:
        context = memory.context("vera", query, **given)  # type: ignore[arg-type]
        return [item.text for item in context.items if item.source == "summaries"]

    both = shown(GATHER)
    assert [text.split(": ", 1)[1] for text in both] == [
        "Vera: I moved to Gothenburg last May.",
        "Vera: I bought a blue kettle for 40 euros.",
    ]
    assert shown(GATHER, session_id="s2") == both[:1]
    assert shown("Where is the kettle?") == []
    assert shown("Where is the kettle?", recall=Recall(summaries=True)) != []
    assert shown(GATHER, recall=Recall(summaries=False)) == []
    assert shown("Can you recommend me a kettle?") != []
    assert shown(GATHER, known_at="2020-01-01T00:00:00Z") == []
    assert shown(GATHER, filters={"session_id": "s1"}) == both[:1]
    with pytest.raises(InvalidInputError):
        shown(GATHER, recall=Recall(summaries=2))  # type: ignore[arg-type]


def test_what_an_edit_or_a_deletion_takes_away_is_in_no_summary(place: Place) -> None:
    """Bug kind: derived-state."""
    memory = place.open()
    tell(
        memory, "s1", "I bought a sword in Oslo.", "The sword is called Dawn.", "It cost 90 euros."
    )
    memory.flush("vera")
    named = next(m for m in memory.get_all(user_id="vera").items if "Dawn" in m.text)
    memory.update(message_of(memory, named.id).id, text="The sword is called Dusk.")
    memory.flush("vera")
    summary = memory.summaries.for_session("vera", "s1")
    assert summary is not None
    assert "Dusk" in summary.text
    for query in (GATHER, "sword"):
        assert "Dawn" not in everything(memory, "vera", query)
    memory.delete(named.id)
    memory.flush("vera")
    summary = memory.summaries.for_session("vera", "s1")
    assert summary is not None
    assert "Dusk" not in summary.text
    assert "90 euros" in summary.text
    assert "Dusk" not in everything(memory, "vera", GATHER)
    memory.delete_all(user_id="vera")
    assert memory.summaries.recent("vera", kind="all") == []
    assert memory.search("sword", user_id="vera", kind="conversations") == []


def test_days_and_weeks_are_summarised_by_their_runs_once(place: Place) -> None:
    clock = FakeClock(datetime(2026, 5, 12, 9, tzinfo=UTC))  # a Tuesday
    memory = place.open(clock=clock, settings=Settings(background=False))
    tell(memory, "s1", "I moved to Gothenburg last May.")
    tell(memory, "s2", "I bought a blue kettle for 40 euros.")
    clock.advance(timedelta(days=1))
    assert memory.consolidate("daily").users[0].done["summaries of days"] == 1
    assert memory.consolidate("daily").users[0].done["summaries of days"] == 0
    (day,) = memory.summaries.recent("vera", kind="day")
    assert day.text == (
        "Vera: I moved to Gothenburg last May. I bought a blue kettle for 40 euros."
    )
    assert (day.starts_on, day.sessions) == (date(2026, 5, 12), ("s1", "s2"))
    clock.advance(timedelta(days=6))
    assert memory.consolidate("weekly").users[0].done["summaries of weeks"] == 1
    (week,) = memory.summaries.recent("vera", kind="week")
    assert (week.starts_on, week.ends_on) == (date(2026, 5, 11), date(2026, 5, 17))
    assert week.text.startswith("2026-05-12 Vera: I moved to Gothenburg last May.")
    memory.delete_all(user_id="vera", session_id="s1")
    assert memory.summaries.recent("vera", kind="day") == []
    memory.consolidate("daily")
    (day,) = memory.summaries.recent("vera", kind="day")
    assert day.text == "Vera: I bought a blue kettle for 40 euros."


@ON_ONE
def test_an_import_is_known_since_it_was_said(place: Place) -> None:
    memory = place.open()
    with memory.session(user_id="vera", session_id="old", bulk_import=True) as session:
        session.add(
            "user", "I moved to Gothenburg last May.", timestamp="2024-06-01T10:00:00+02:00"
        )
    memory.flush("vera")
    assert memory.summaries.for_session("vera", "old", known_at="2024-05-31T00:00:00Z") is None
    found = memory.summaries.for_session("vera", "old", known_at="2024-06-02T00:00:00Z")
    assert found is not None
    assert found.starts_on == date(2024, 6, 1)
    hits = memory.search(
        "Gothenburg", user_id="vera", kind="conversations", known_at="2024-05-31T00:00:00Z"
    )
    assert hits == []


@ON_ONE
def test_patterns_are_observed_in_the_weekly_run(place: Place) -> None:
    clock = FakeClock(datetime(2026, 3, 3, 18, tzinfo=UTC))
    memory = place.open(clock=clock, settings=Settings(background=False))
    for number in range(7):
        words = "I made a bowl in my pottery class.", "My pottery kiln broke again."
        tell(memory, f"s{number}", *(words if number % 2 == 0 else ("It rained a lot.",)))
        clock.advance(timedelta(days=7, minutes=3))
    assert memory.observations.get_active("vera") == []
    memory.consolidate("weekly")
    found = {one.pattern: one for one in memory.observations.get_active("vera")}
    assert found["topic:potteri"].sessions == ("s0", "s2", "s4", "s6")
    context = memory.context("vera", "What do I do?")
    assert "Comes back to \u201cpottery\u201d (4 conversations, 2026-03-03 to " in context.text
    past = memory.context("vera", "What do I do?", known_at="2026-03-04T00:00:00Z")
    assert "Comes back" not in past.text
    clock.advance(timedelta(weeks=10))
    memory.consolidate("weekly")
    assert memory.observations.get_active("vera") == []


@pytest.mark.parametrize("reading", ["none", "facts, timeline"])
def test_what_is_off_makes_and_asks_nothing(reading: str) -> None:
    settings = Settings(reading=reading)
    with Memory(":memory:", embedder=HashEmbedder(), settings=settings) as memory:
        tell(memory, "s1", "I bought a blue kettle for 40 euros.")
        memory.flush("vera")
        memory.consolidate("daily")
        assert memory.summaries.recent("vera", kind="all") == []
        context = memory.context("vera", GATHER)
        assert not {"summaries", "observations"} & {section.name for section in context.sections}
        assert [hit.id for hit in memory.search("kettle", user_id="vera", kind="conversations")]
        with pytest.raises(InvalidInputError):
            memory.context("vera", GATHER, sources=["summaries"])
