"""What a session that is read again writes on the time line."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from backstory.core.derived.book import DerivedBook
from backstory.core.model.derived import Event
from backstory.core.model.found import FoundEvent
from backstory.core.model.message import Message, Role
from backstory.core.model.session import SessionInfo
from backstory.core.timeline.making import event_id, made_events
from backstory.reading.timeline import find_events
from backstory.services.timeline.digesting import planned
from backstory.services.timeline.zones import named_zone, said_locally

SAID = datetime(2024, 6, 30, 23, tzinfo=UTC)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def events(text: str, at: datetime = SAID, message: str = "m1") -> list[Event]:
    found: list[FoundEvent] = find_events(text, at, message_id=message, session_id="s1")
    return made_events(found, "vera", NOW)


def test_the_same_text_gives_the_same_records() -> None:
    once, again = events("I moved yesterday"), events("I moved yesterday")
    assert once == again
    assert once[0].id == event_id("m1", once[0].evidence[0].quote.index("yesterday"))
    assert event_id("m1", 1) != event_id("m11", 1)
    assert event_id("m\ud800", 0) != event_id("m\udfff", 0)


def test_what_is_no_longer_told_is_withdrawn_and_the_rest_is_put_again() -> None:
    before = events("I moved yesterday. I ran 10k today.")
    other = replace(before[0], id="other", session_id="s2")
    plan = planned(DerivedBook((*before, other)), events("I moved yesterday."), "s1")
    assert [event.id for event in plan.put] == [before[0].id]
    assert plan.withdraw == (before[1].id,)
    assert planned(DerivedBook(), [], "s1") == planned(DerivedBook((other,)), [], "s1")


def test_a_message_that_a_model_read_is_left_to_it() -> None:
    by_model = replace(events("I moved yesterday")[0], id="x", made_by="model:small")
    plan = planned(DerivedBook((by_model,)), events("I moved yesterday. I ran 10k today."), "s1")
    assert (plan.put, plan.withdraw) == ((), ())


def test_a_date_keeps_the_zone_it_was_found_in_for_the_same_words_only() -> None:
    """Bug kind: timezone."""
    local = events("I moved yesterday", SAID.astimezone(timezone(timedelta(hours=9))))
    assert local[0].occurred_on == date(2024, 6, 30)
    book = DerivedBook(tuple(local))
    [same] = planned(book, events("I moved yesterday"), "s1").put
    assert isinstance(same, Event)
    assert same.occurred_on == date(2024, 6, 30)
    [edited] = planned(book, events("I moved last year"), "s1").put
    assert isinstance(edited, Event)
    assert edited.occurred_on == date(2023, 1, 1)


@pytest.mark.parametrize(
    ("message", "session", "hour"),
    [
        ({}, {}, 23),
        ({"timezone": "Asia/Kathmandu"}, {"timezone": "Europe/Berlin"}, 4),
        ({}, {"timezone": "Europe/Berlin"}, 1),
        ({"timezone": "+05:45"}, {}, 4),
        ({"timezone": "UTC-7"}, {}, 16),
        ({"timezone": 7}, {"timezone": "UTC"}, 23),
        ({"timezone": "../etc/passwd"}, {}, 23),
        ({"timezone": "\x00"}, {}, 23),
        ({"timezone": "+99:00"}, {}, 23),
        ({"timezone": "Mars/Base"}, {"timezone": "Europe/Berlin"}, 1),
    ],
)
def test_whose_zone_it_is(
    message: dict[str, object], session: dict[str, object], hour: int
) -> None:
    said = Message(
        id="m",
        user_id="vera",
        session_id="s1",
        role=Role.USER,
        text="x",
        timestamp=SAID,
        recorded_at=NOW,
        metadata=message,
    )
    held = SessionInfo(
        id="s1", user_id="vera", started_at=SAID, last_received_at=NOW, metadata=session
    )
    assert said_locally(said, held).hour == hour
    assert said_locally(said, held) == SAID


def test_zones_with_summer_time() -> None:
    zone = named_zone({"timezone": "America/New_York"})
    assert zone == ZoneInfo("America/New_York")
    first = replace_at(datetime(1, 1, 1, tzinfo=UTC))
    assert first == datetime(1, 1, 1, tzinfo=UTC)


def replace_at(at: datetime) -> datetime:
    """A time at the end of the calendar, in a zone in which it has no date."""
    message = Message(
        id="m", user_id="v", session_id="s", role=Role.USER, text="", timestamp=at, recorded_at=NOW,
        metadata={"timezone": "America/New_York"},
    )  # fmt: skip
    held = SessionInfo(id="s", user_id="v", started_at=at, last_received_at=at)
    return said_locally(message, held)
