"""The time line through the public API."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from backstory import Event, Memory, Settings
from backstory.errors import InvalidInputError
from tests.acceptance.cli_runner import answer, run
from tests.acceptance.places import ON_ONE, Place

AT = "2024-06-12T10:00:00+00:00"
TOLD = (
    "I adopted a cat last Tuesday.",
    "We moved to Lund in March.",
    "Did I quit smoking in May?",
    "My sister got married on 1 June.",
    "My exam is on 5 July.",
)
DATED = [
    ("2024-03-01", "month", "user", "moved to Lund"),
    ("2024-06-01", "day", "sister", "got married"),
    ("2024-06-11", "day", "user", "adopted a cat"),
    ("2024-07-05", "day", "user", "my exam"),
]


def tell(
    memory: Memory, *texts: str, session: str = "s1", at: str = AT, user: str = "vera", **label: Any
) -> None:
    with memory.session(user_id=user, session_id=session, **label) as opened:
        for text in texts:
            opened.add("user", text, timestamp=at)
            opened.add("assistant", f"You said: {text} I adopted a dog yesterday.", timestamp=at)
    memory.flush(user)


def rows(events: list[Event]) -> list[tuple[str, str, str, str]]:
    return [(str(e.occurred_on), str(e.precision), e.subject, e.predicate) for e in events]


def everything(memory: Memory, **given: Any) -> list[Event]:
    return list(memory.timeline.list("vera", **given).items)


def shown(memory: Memory, query: str, **given: Any) -> list[str]:
    context = memory.context("vera", query, sources=["timeline"], **given)
    return [item.text for item in context.items]


def test_what_the_user_tells_of_is_put_in_time(place: Place) -> None:
    memory = place.open()
    tell(memory, *TOLD)
    found = everything(memory)
    assert rows(found) == DATED
    cat = found[2]
    said = memory.get(cat.evidence[0].message_id)
    assert cat.evidence[0].quote == "I adopted a cat last Tuesday"
    assert cat.evidence[0].quote in said.text  # type: ignore[union-attr]
    assert (cat.expression, cat.session_id, cat.known_from) == ("last Tuesday", "s1", None)
    assert cat.at == datetime(2024, 6, 12, 10, tzinfo=UTC)
    assert cat.to_dict()["occurred_on"] == "2024-06-11"
    assert list(memory.timeline.list("omar").items) == []


@ON_ONE
def test_ranges_orders_and_what_lies_between(place: Place) -> None:
    memory = place.open()
    tell(memory, *TOLD)
    between = memory.timeline.between
    assert rows(between("vera", "2024-03-20", "2024-06-01")) == DATED[:2]
    assert rows(between("vera", date(2024, 6, 2), None)) == DATED[2:]
    assert rows(between("vera", "2024-06", "2024-06")) == DATED[1:3]
    assert rows(between("vera", "2024", "2024")) == DATED
    assert between("vera", None, "2023") == []
    for wrong in ("soon", "2024-13", "2024-02-30", 7):
        with pytest.raises(InvalidInputError):
            between("vera", wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError):
        between("vera", "2024-06-02", "2024-06-01")
    order = memory.timeline.order
    assert rows(order("vera", ["adopted the cat", "moved to Lund", "zzz"])) == [DATED[0], DATED[2]]
    assert rows(order("vera", "cat or exam, which came first?")) == DATED[2:]
    events = everything(memory)
    assert order("vera", [events[3], events[0], "moved"]) == [events[0], events[3]]
    gap = memory.timeline.elapsed("vera", "my exam", "adopted a cat")
    assert gap is not None
    assert (gap.days, gap.least, gap.most, gap.sure) == (24, 24, 24, True)
    assert rows([gap.first, gap.second]) == DATED[2:]
    assert memory.timeline.elapsed("vera", "my exam", "zzz") is None
    with pytest.raises(InvalidInputError):
        order("vera", [7])  # type: ignore[list-item]


@ON_ONE
def test_a_page_after_the_other_holds_each_event_once(place: Place) -> None:
    """Bug kind: limits-paging."""
    memory = place.open()
    tell(memory, *TOLD)
    first = memory.timeline.list("vera", limit=3)
    assert (len(first.items), first.total) == (3, 4)
    gone = first.items[-1].evidence[0].message_id
    memory.delete(gone)
    second = memory.timeline.list("vera", limit=3, cursor=first.next_cursor)
    assert rows([*first.items, *second.items]) == DATED
    assert second.next_cursor is None
    for wrong in ("", "bm90IGE=", "é", "WzEsMl0="):
        with pytest.raises(InvalidInputError):
            memory.timeline.list("vera", cursor=wrong)


def test_events_are_found_by_meaning_with_filters(place: Place) -> None:
    memory = place.open()
    tell(memory, *TOLD[:2])
    tell(memory, "I adopted a cat in 2019", session="s2")
    hits = memory.search("the cat I adopted", user_id="vera", kind="events", explain=True)
    assert {hit.text for hit in hits[:2]} == {"2024-06-11: adopted a cat", "2019: adopted a cat"}
    assert all(hit.kind == "event" and hit.event is not None and hit.why for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    same = memory.timeline.search("vera", "the cat I adopted", filters={"session_id": "s2"})
    assert [hit.text for hit in same] == ["2019: adopted a cat"]
    other = memory.search("cat", user_id="vera", kind="events", exclude_session_id="s2", top_k=1)
    assert [hit.text for hit in other] == ["2024-06-11: adopted a cat"]
    assert memory.timeline.search("vera", " ") == []
    assert memory.timeline.search("vera", "cat", known_at="2020-01-01T00:00:00Z") == []
    words_only = place.open(embedder=None)
    assert words_only.timeline.search("vera", "moved", top_k=1)[0].text == "2024-03: moved to Lund"


@ON_ONE
def test_a_context_has_them_for_questions_about_time_only(place: Place) -> None:
    memory = place.open()
    tell(memory, *TOLD)
    assert shown(memory, "Which came first, the cat or the move to Lund?") == [
        "- 2024-03: moved to Lund",
        "- 2024-06-11: adopted a cat",
    ]
    assert shown(memory, "What is the cat called?") == []
    assert shown(memory, "What did I do in June 2024?") == [
        "- 2024-06-01 sister: got married",
        "- 2024-06-11: adopted a cat",
    ]
    assert shown(memory, "When did I adopt the cat?", session_id="s1") == []
    assert shown(memory, "When did I adopt the cat?", known_at="2020-01-01T00:00:00Z") == []


@ON_ONE
def test_events_are_chosen_by_meaning_before_they_are_sorted(place: Place) -> None:
    memory = place.open()
    tell(memory, *(f"On {n} May {2000 + n} I bought a bowl number {n}" for n in range(1, 24)))
    tell(memory, "Yesterday I bought the violin", session="s2")
    assert shown(memory, "When did I buy the violin?")[-1] == "- 2024-06-11: bought the violin"


@ON_ONE
def test_a_date_is_the_same_in_every_zone(place: Place) -> None:
    """Bug kind: timezone."""
    memory = place.open()
    tell(memory, "I landed in Oslo yesterday.", at="2024-06-30T23:30:00-07:00")
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu", "Asia/Kathmandu"):
        assert shown(memory, "When did I land?", timezone=zone) == ["- 2024-06-29: landed in Oslo"]


@ON_ONE
def test_the_zone_of_the_words_is_that_of_the_message_or_its_session(place: Place) -> None:
    """Bug kind: timezone."""
    memory = place.open()
    tell(memory, "I landed yesterday", at="2024-07-01T00:10:00+05:45")
    zone = {"timezone": "America/Los_Angeles"}
    tell(memory, "I left yesterday", session="s2", at="2024-07-01T04:00:00Z", metadata=zone)
    unknown = {"timezone": "Nowhere/At All"}
    tell(memory, "I ran yesterday", session="s3", at="2024-07-01T04:00:00Z", metadata=unknown)
    found = [(str(e.occurred_on), e.predicate) for e in everything(memory)]
    assert sorted(found) == [
        ("2024-06-29", "left"),
        ("2024-06-30", "landed"),
        ("2024-06-30", "ran"),
    ]


@ON_ONE
@pytest.mark.parametrize(
    ("text", "at", "zone", "day"),
    [
        ("We got married two days ago.", "2024-03-30T23:30:00Z", "Europe/Berlin", "2024-03-29"),
        ("We got married two days ago.", "2024-03-31T01:30:00Z", "America/Bogota", "2024-03-28"),
        ("We got married yesterday.", "2024-04-09T18:25:00Z", "+05:45", "2024-04-09"),
    ],
)
def test_a_fact_and_an_event_of_one_message_have_one_date(
    place: Place, text: str, at: str, zone: str, day: str
) -> None:
    """Bug kind: timezone."""
    memory = place.open()
    tell(memory, text, at=at, metadata={"timezone": zone})
    [event] = everything(memory)
    [fact] = memory.facts.get("vera")
    assert fact.valid_from is not None
    assert (str(event.occurred_on), str(fact.valid_from.date())) == (day, day)


@ON_ONE
def test_what_happened_on_a_day_that_had_not_begun_in_utc(place: Place) -> None:
    """Bug kind: timezone. Neither is the fact one of the future nor the event a plan."""
    memory = place.open()
    said = datetime(2024, 4, 9, 18, 25, tzinfo=UTC)
    tell(memory, "We got married today.", at=said.isoformat(), metadata={"timezone": "+05:45"})
    assert memory.facts.get("vera")[0].valid_from == said
    memory.close()
    drawn = run("timeline", "-u", place.url, "-U", "vera", "--embedder", "none").stdout
    assert "got married" in drawn
    assert "planned" not in drawn


def test_what_is_said_again_or_edited_or_deleted(place: Place) -> None:
    """Bug kinds: derived-state, deletion."""
    memory = place.open()
    tell(memory, *TOLD[:2])
    before = everything(memory)
    tell(memory, "I ran 10k yesterday.")  # the session goes on, and is read again
    assert [e for e in everything(memory) if e.id in {b.id for b in before}] == before
    assert len(everything(memory)) == 3
    moved = before[0].evidence[0].message_id
    memory.update(moved, text="We moved to Lund in April.")
    memory.flush("vera")
    assert rows(everything(memory))[0] == ("2024-04-01", "month", "user", "moved to Lund")
    memory.delete(moved)
    memory.flush("vera")
    assert "moved to Lund" not in {e.predicate for e in everything(memory)}
    memory.timeline.search("vera", "cat")
    memory.forget_user("vera")
    assert everything(memory) == []
    assert memory.timeline.search("vera", "cat") == []


def test_an_import_was_known_when_it_was_said(place: Place) -> None:
    """Bug kind: relative-dates: never the clock of the import."""
    memory = place.open()
    tell(memory, "I went to Lisbon last week", at="2022-09-14T10:00:00Z", bulk_import=True)
    [event] = everything(memory)
    assert date(2022, 9, 5) <= event.occurred_on <= date(2022, 9, 11)
    assert event.known_from == datetime(2022, 9, 14, 10, tzinfo=UTC)
    assert everything(memory, known_at="2022-09-15T00:00:00Z") == [event]
    assert everything(memory, known_at="2022-09-13T00:00:00Z") == []
    tell(memory, "I went to Lisbon last week", at="2022-09-14T10:00:00Z", session="s2")
    assert len(everything(memory, known_at="2022-09-15T00:00:00Z")) == 1


@ON_ONE
def test_other_speakers_and_hostile_texts(place: Place) -> None:
    memory = place.open()
    with memory.session(user_id="vera", session_id="s1", speaker="Vera") as session:
        session.add("user", "I moved in March", speaker="Omar", timestamp=AT)
        for text in (
            "昨日、猫を引き取りました。",
            "אתמול אימצתי חתול",
            "😀" * 99,
            "\x00\ud800 yesterday",
        ):
            session.add("user", text, speaker="Vera", timestamp=AT)
        session.add("user", "I saw\x00 a fox\ud800 yesterday", speaker="Vera", timestamp=AT)
    memory.flush("vera")
    found = everything(memory)
    assert rows(found)[0] == ("2024-03-01", "month", "Omar", "moved")
    assert [(str(e.occurred_on), e.subject) for e in found[1:]] == [("2024-06-11", "user")]


@ON_ONE
def test_off_means_nothing(place: Place) -> None:
    memory = place.open(settings=Settings(reading="facts"))
    tell(memory, *TOLD, at="2024-06-12T10:00:00+02:00")
    assert everything(memory) == []
    context = memory.context("vera", "When did I move?")
    assert "timeline" not in {section.name for section in context.sections}


@ON_ONE
def test_the_command_draws_it(place: Place) -> None:
    memory = place.open()
    tell(memory, *TOLD)
    memory.close()
    where = ["-u", place.url, "-U", "vera", "--embedder", "none"]
    drawn = run("timeline", *where)
    assert drawn.exit_code == 0, drawn.output
    lines = [line.split(maxsplit=2) for line in drawn.stdout.splitlines()]
    assert [line[2] for line in lines if len(line) == 3] == [
        "moved to Lund",
        "months",
        "sister: got married",
        "adopted a cat",
        "my exam (planned on 2024-06-12)",
    ]
    assert [one["predicate"] for one in answer("timeline", *where, "--from", "2024-06-02")] == [
        "adopted a cat",
        "my exam",
    ]
    assert [one["predicate"] for one in answer("timeline", *where, "the cat")] == ["adopted a cat"]
    assert answer("timeline", "-u", place.url, "-U", "omar") == []
    assert run("timeline", *where, "cat", "--from", "2024").exit_code == 2
