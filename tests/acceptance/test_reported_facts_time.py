"""Reported failures of other systems: what is true now, what was, and since when."""

from datetime import UTC, datetime, timedelta
from typing import Any

from backstory import Memory
from backstory.settings import Settings
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import Talk

EMPLOYER = "work.employer"
CHANGES = [
    (
        "I love sushi",
        "Actually I cannot stand sushi any more",
        ("preference.like", "sushi", "ended"),
        ("preference.dislike", "sushi"),
    ),
    (
        "I hate olives",
        "I love olives these days",
        ("preference.dislike", "olives", "ended"),
        ("preference.like", "olives"),
    ),
    (
        "I'm vegetarian",
        "I'm not vegetarian any more, I'm vegan now",
        ("health.diet", "vegetarian", "ended"),
        ("health.diet", "vegan"),
    ),
    (
        "I live in Lund",
        "I moved to Kiel",
        ("home.place", "Lund", "superseded"),
        ("home.place", "Kiel"),
    ),
]
LATE = [
    ("I cycle to work now", "I take the tram to work", "work.commute", ("cycle", "tram")),
    ("I live in Kiel now", "I live in Lund", "home.place", ("Kiel", "Lund")),
    ("I work at Volvo", "I work at Ericsson", EMPLOYER, ("Volvo", "Ericsson")),
    ("I'm vegan", "I'm vegetarian", "health.diet", ("vegan", "vegetarian")),
]
RELATIVE = [
    ("I moved to Lisbon last week", ("2022-09-05", "2022-09-12")),
    ("I've been living in Lisbon since last May", ("2022-05-01", "2022-06-01")),
    ("I moved to Lisbon two years ago", ("2020-01-01", "2021-01-01")),
    ("I moved to Lisbon in March", ("2022-03-01", "2022-04-01")),
]


@ON_ONE
def test_a_mention_of_an_entity_retires_nothing(place: Place) -> None:
    """BUG-015: whatever shares a name, a verb or most words; only a slot's own news ends a row."""
    talk = Talk(place)
    talk.state("project.orion.site", "Frankfurt")
    talk.state("project.orion.lead", "Noor")
    talk.state("project.orion.note", "Orion is deployed in Frankfurt", cardinality="many")
    talk.say("I live in Lund.", "I have a dog called Orion.", "My friend Noor lives in Kiel.")
    before = talk.held(), talk.held("friend.noor")
    talk.say(
        "We discussed Orion at lunch; Lyra is deployed in Dublin",
        "Noor told me about Frankfurt, and Orion sat under the table.",
        "Somebody from Lund asked where I live.",
    )
    talk.state("project.lyra.site", "Dublin")
    talk.state("project.orion.note", "Orion is not deployed in Dublin", cardinality="many")
    new = {
        ("project.lyra.site", "Dublin"),
        ("project.orion.note", "Orion is not deployed in Dublin"),
    }
    assert talk.held() == before[0] | new
    assert talk.held("friend.noor") == before[1]
    assert talk.past() == set()


def test_a_change_ends_the_old_and_stores_the_new(place: Place) -> None:
    """BUG-017: never an empty list, and the old one stays in the history."""
    talk = Talk(place, embedder=None)
    for number, (first, then, over, now) in enumerate(CHANGES):
        talk.user = f"user {number}"
        talk.say(first)
        before = talk.clock.now()
        assert len(talk.held()) == 1
        talk.clock.advance(timedelta(days=40))
        talk.say(then)
        assert talk.held() == {now}
        assert talk.past() == {over}
        old = talk.memory.facts.as_of(talk.user, valid_at=before)
        assert [(fact.key, fact.value) for fact in old] == [over[:2]]
        history = talk.memory.facts.history(old[0].id)
        assert over[1] in {line.old_value for line in history.corrections}
        assert talk.memory.contradictions.counts(talk.user).open == 0


@ON_ONE
def test_an_opposite_without_a_mark_of_change_is_a_question(place: Place) -> None:
    """BUG-017: both sides stay until somebody decides, and the decision is applied."""
    talk = Talk(place, embedder=None)
    talk.say("I love sushi", "I hate sushi")
    assert talk.held() == {("preference.like", "sushi"), ("preference.dislike", "sushi")}
    (doubt,) = talk.memory.contradictions.list_open(talk.user)
    talk.memory.contradictions.resolve(doubt.id, "user_stated")
    assert talk.held() == {("preference.dislike", "sushi")}
    assert talk.past() == {("preference.like", "sushi", "retracted")}


def test_older_news_that_arrives_late_is_earlier(place: Place) -> None:
    """BUG-019: an import of the past is stored as the past, whoever brings it."""
    talk = Talk(place)
    for number, (now, earlier, key, values) in enumerate(LATE):
        talk.user = f"user {number}"
        current, old = datetime(2024, 8, 12, tzinfo=UTC), datetime(2022, 2, 3, tzinfo=UTC)
        talk.clock.set(current)
        talk.say(now)
        talk.clock.set(datetime(2025, 5, 1, tzinfo=UTC))
        talk.recount(earlier, old)
        assert talk.held() == {(key, values[0])}
        assert talk.answers("how do I get to work, where do I live, what do I eat now?") == [
            values[0]
        ]
        (line,) = talk.fact_lines()
        assert values[0] in line
        assert values[1] not in line
        ((past, value, status),) = talk.past()
        assert (past, value) == (key, values[1])
        assert status in {"superseded", "ended"}
        (then,) = talk.memory.facts.as_of(talk.user, valid_at=old + timedelta(days=30))
        assert then.value == values[1]
        assert then.valid_until is not None
        assert then.valid_until <= current + timedelta(minutes=1)
        assert talk.memory.contradictions.counts(talk.user).open == 0


@ON_ONE
def test_a_message_with_its_own_old_time_is_late_too(place: Place) -> None:
    """BUG-019: without a bulk import, and by hand."""
    talk = Talk(place, embedder=None)
    talk.say("I cycle to work now")
    old = {"role": "user", "content": "I take the tram to work", "timestamp": "2022-02-03T08:00Z"}
    talk.say(old)
    talk.state("work.commute", "on foot", valid_from="2020-01-01T00:00Z")
    assert talk.held() == {("work.commute", "cycle")}
    for year, value in ((2021, "on foot"), (2023, "tram"), (2027, "cycle")):
        at = datetime(year, 1, 1, tzinfo=UTC)
        (then,) = talk.memory.facts.as_of(talk.user, valid_at=at)
        assert then.value == value


@ON_ONE
def test_old_and_new_are_no_equals(place: Place) -> None:
    """BUG-020: the current employer alone, or first and the other marked."""
    talk = Talk(place)
    talk.clock.set(datetime(2023, 3, 1, tzinfo=UTC))
    talk.say("I work at Northwind")
    talk.clock.set(datetime(2025, 6, 18, 12, tzinfo=UTC))
    talk.say("I started at Contoso last week")
    assert talk.held() == {(EMPLOYER, "Contoso")}
    assert talk.past() == {(EMPLOYER, "Northwind", "superseded")}
    assert talk.answers("where do I work") == ["Contoso"]
    (line,) = talk.fact_lines("employer")
    assert line.startswith("- work employer: Contoso (since 2025-06-")
    (new,) = talk.rows("active")
    assert new.valid_from is not None
    assert datetime(2025, 6, 9, tzinfo=UTC) <= new.valid_from <= datetime(2025, 6, 16, tzinfo=UTC)
    marked = talk.fact_lines("employer", include_history=True)
    assert [line for line in marked if "Northwind" in line and "superseded" in line]
    hits = talk.memory.facts.search(
        "where do I work", user_id=talk.user, include_history=True, top_k=3
    )
    assert {(hit.fact.value, str(hit.fact.status)) for hit in hits if hit.fact} == {
        ("Contoso", "active"), ("Northwind", "superseded"),
    }  # fmt: skip


def test_a_superseded_fact_does_not_win_by_its_words(place: Place) -> None:
    """BUG-022: it is left out, not pushed down, with any threshold and either arm."""
    talk = Talk(place, settings=Settings(redaction=False))
    old = talk.state("studio.entry", "the door code of the studio is 1357")
    talk.clock.advance(timedelta(days=1))
    current = "type 8642 to get in"
    talk.state("studio.entry", current)
    query = "What is the door code of the studio?"
    ask: dict[str, Any] = {"user_id": talk.user, "top_k": 1}
    for threshold in (None, 0.0, 0.9):
        for hits in (
            talk.memory.facts.search(query, threshold=threshold, **ask),
            talk.memory.search(query, threshold=threshold, kind="facts", **ask),
            talk.memory.search(query, threshold=threshold, **ask),
        ):
            assert "1357" not in str(hits), threshold
            assert threshold or [hit.fact.value for hit in hits if hit.fact] == [current]
    assert "1357" not in talk.memory.context(talk.user, query).text
    near = talk.memory.facts.find_similar(
        "the door code of the studio is 1357", user_id=talk.user, threshold=0.0
    )
    assert old.id not in {one.fact.id for one in near}
    assert talk.held() == {("studio.entry", current)}
    assert "1357" in str(talk.memory.facts.history(old.id))


@ON_ONE
def test_relative_dates_count_from_the_message(place: Place) -> None:
    """BUG-030: not from the clock of the import, and never in its year."""
    talk = Talk(place, embedder=None)
    talk.clock.set(datetime(2026, 11, 2, tzinfo=UTC))
    said = datetime(2022, 9, 14, 10, tzinfo=UTC)
    for number, (text, since) in enumerate(RELATIVE):
        talk.user = f"user {number}"
        talk.say({"role": "user", "content": text, "timestamp": said})
        talk.recount(text, said, "imported")
        assert talk.held() == {("home.place", "Lisbon")}, text
        (fact,) = talk.rows()
        assert fact.valid_from is not None
        first, last = (datetime.fromisoformat(f"{day}T00:00Z") for day in since)
        assert first <= fact.valid_from < last, text
        (line,) = talk.fact_lines()
        assert f"since {fact.valid_from:%Y-%m}" in line
        assert "2026" not in line


@ON_ONE
def test_an_event_of_last_week_is_no_state_of_this_year(memory: Memory) -> None:
    """BUG-030: the message keeps its own time wherever it is shown."""
    said = datetime(2022, 9, 14, 10, tzinfo=UTC)
    message = {"role": "user", "content": "I went to Lisbon last week", "timestamp": said}
    memory.add(message, user_id="u")
    for fact in memory.facts.get("u", status="all"):
        assert fact.valid_from is None or fact.valid_from <= said
    (hit,) = memory.search("Lisbon", user_id="u", kind="messages")
    assert hit.created_at == said
    assert "2022-09-14" in memory.context("u", "Lisbon", sources=["recalled"]).text
