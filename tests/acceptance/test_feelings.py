# ruff: noqa: RUF001
"""How the user felt: sentiments, emotional moments, the course of days."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from backstory import Memory, Settings
from backstory.core.rendering import MEMORY_NOTE
from backstory.errors import InvalidInputError, StoreError
from backstory.testing import ChatServer, FakeClock
from backstory.testing.chat_server import Call
from tests.acceptance.places import ON_ONE, Place, message_of
from tests.acceptance.scripted import ModelTalk, turns_of
from tests.unit.reading.llm_help import answer

NOW = FakeClock().now()
DAY = timedelta(days=1)
STRONG = "I'm absolutely furious with my landlord!!!"
CALM = "The train to Lund leaves at nine."


def say(memory: Memory, text: str, *, at: datetime = NOW, **label: object) -> str:
    """One message of a session of its own; gives its id."""
    with memory.session(user_id="vera", **label) as session:  # type: ignore[arg-type]
        return session.add("user", text, timestamp=at).id


@pytest.fixture
def small(tmp_path: Path, ready_sqlite: bytes) -> Iterator[Memory]:
    """A memory on SQLite alone, without an embedder."""
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    with Memory(str(path), embedder=None, clock=FakeClock()) as memory:
        yield memory


def test_each_live_message_of_the_user_has_its_sentiment(memory: Memory) -> None:
    with memory.session(user_id="vera") as session:
        angry = session.add("user", STRONG)
        calm = session.add("user", CALM)
        reply = session.add("assistant", "I'm so, so happy for you!!!")
        tool = session.add("tool", "terrible, terrible failure!!!")
    assert angry.sentiment is not None
    assert calm.sentiment is not None
    assert angry.sentiment.valence < -0.5
    assert (angry.sentiment.arousal, angry.sentiment.dominance) == (None, None)
    assert calm.sentiment.valence == 0
    assert (reply.sentiment, tool.sentiment) == (None, None)
    stored = [one.sentiment for one in memory.get_all(user_id="vera").items]
    assert stored == [angry.sentiment, calm.sentiment, None, None]
    (moment,) = memory.emotions.get_recent("vera")
    assert (moment.quote, moment.tags, moment.at) == (STRONG, ("anger",), NOW)
    assert (moment.session_id, moment.valence) == (session.id, angry.sentiment.valence)
    assert [one.message_id for one in moment.evidence] == [angry.id]


def test_a_bulk_import_has_no_feelings(small: Memory) -> None:
    with small.session(user_id="vera", bulk_import=True) as session:
        message = session.add("user", STRONG, timestamp=NOW - DAY)
    assert message.sentiment is None
    small.update(message.id, text="I'm so ashamed, I could die!")
    assert message_of(small, message.id).sentiment is None
    assert small.emotions.list("vera").items == ()
    assert small.emotions.get_course("vera") == []


def test_off_costs_nothing_and_leaves_no_source(tmp_path: Path) -> None:
    settings = Settings(reading="facts, timeline")
    with Memory(tmp_path / "memory.db", embedder=None, settings=settings) as memory:
        message = memory.add(STRONG, user_id="vera").messages[0]
        assert message.sentiment is None
        assert memory.emotions.get_recent("vera") == []
        names = {section.name for section in memory.context("vera", "landlord").sections}
        assert not names & {"emotions", "texture"}


def test_an_edit_reads_the_feeling_anew(memory: Memory) -> None:
    name = say(memory, CALM)
    memory.update(name, text="I've never felt so alone in my whole life.")
    sentiment = message_of(memory, name).sentiment
    assert sentiment is not None
    assert sentiment.valence < -0.3
    (moment,) = memory.emotions.get_recent("vera")
    assert "alone" in moment.quote
    assert moment.session_id == message_of(memory, name).session_id
    memory.update(name, metadata={"seen": True})
    assert len(memory.emotions.get_recent("vera")) == 1
    assert message_of(memory, name).sentiment == sentiment
    memory.update(name, text=CALM)
    assert memory.emotions.get_recent("vera") == []
    assert message_of(memory, name).sentiment != sentiment


def test_a_deleted_message_takes_its_moment(place: Place) -> None:
    memory = place.open()
    name = say(memory, "I'm furious about the xyzzy affair!!!")
    memory.delete(name)
    assert memory.emotions.list("vera").items == ()
    assert "How the user felt" not in memory.context("vera", "xyzzy").text
    memory.close()
    assert "xyzzy" not in place.dump()


def test_a_repeated_message_is_one_moment(small: Memory) -> None:
    with small.session(user_id="vera", session_id="s") as session:
        for _ in range(3):
            session.add("user", STRONG, message_id="a")
    assert len(small.emotions.list("vera").items) == 1


def test_moments_are_the_users_own(small: Memory) -> None:
    with small.session(user_id="vera", session_id="s", speaker="Vera") as session:
        session.add("user", STRONG, speaker="Otto")
        session.add("user", "I'm so happy, best day of my life!", speaker="Vera")
        session.add("user", "I'm terrified, I can't breathe!")
    with small.session(user_id="vera", session_id="s") as again:  # the session knows her name
        again.add("user", "I HATE this, I want to scream!!!", speaker="Otto")
        again.add("user", "I'm absolutely devastated.", speaker="Vera")
    quotes = [one.quote for one in small.emotions.list("vera").items]
    assert len(quotes) == 3
    assert not any("landlord" in quote or "HATE" in quote for quote in quotes)


def test_without_a_name_the_first_speaker_is_the_user(small: Memory) -> None:
    small.add({"role": "user", "content": STRONG, "name": "Vera"}, user_id="vera")
    other = {"role": "user", "content": "I'm absolutely devastated.", "name": "Otto"}
    small.add(other, user_id="vera")
    assert [one.quote for one in small.emotions.list("vera").items] == [STRONG]


def test_recent_moments_are_those_of_the_days(small: Memory) -> None:
    for days in (0, 3, 8, 100):
        say(small, f"I'm absolutely furious, day {days}!!!", at=NOW - days * DAY)
    say(small, "I'm absolutely furious, tomorrow!!!", at=NOW + DAY)

    def days_of(**options: object) -> list[str]:
        found = small.emotions.get_recent("vera", **options)  # type: ignore[arg-type]
        return [one.quote.split("day ")[-1].strip("!") for one in found]

    assert days_of() == ["0", "3"]
    assert days_of(days=8) == ["0", "3", "8"]
    assert days_of(days=float("inf")) == ["0", "3", "8", "100"]
    assert days_of(days=10**9, limit=2) == ["0", "3"]
    assert days_of(days=0) == ["0"]
    assert days_of(now=NOW - 3 * DAY) == ["3", "8"]
    for wrong in ({"days": -1}, {"days": float("nan")}, {"limit": 0}, {"now": "2026-01-01T00:00"}):
        with pytest.raises(InvalidInputError):
            small.emotions.get_recent("vera", **wrong)
    assert small.emotions.get_recent("otto") == []


def test_all_moments_a_page_at_a_time(small: Memory) -> None:
    for number in range(5):  # of the same second
        say(small, f"I'm absolutely furious, number {number}!!!")
    say(small, "I love you so much, more than anything!", at=NOW + DAY)
    seen, cursor = [], None
    while True:
        page = small.emotions.list("vera", limit=2, cursor=cursor)
        seen += [one.id for one in page.items]
        small.emotions.list("vera", tag="anger", limit=1)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page.total == 6
    assert len(small.emotions.list("vera", tag="love").items) == 1
    assert small.emotions.list("vera", limit=2**70).next_cursor is None
    with pytest.raises(InvalidInputError):
        small.emotions.list("vera", cursor="nonsense")


@ON_ONE
def test_moments_as_they_were_known(place: Place) -> None:
    clock = FakeClock()
    memory = place.open(clock=clock)
    name = say(memory, STRONG)
    clock.advance(DAY)
    memory.update(name, text=CALM)
    clock.advance(DAY)
    assert memory.emotions.list("vera").items == ()
    before = NOW + timedelta(hours=1)
    assert memory.emotions.list("vera", known_at=before - DAY).items == ()
    then = memory.context("vera", "landlord", known_at=before, sources=["emotions"])
    now = memory.context("vera", "landlord", sources=["emotions"])
    assert "landlord" not in now.text
    assert ("landlord" in then.text) is bool(memory.emotions.list("vera", known_at=before).items)


def test_the_context_shows_moments_with_the_relevant_first(small: Memory) -> None:
    say(small, "I'm heartbroken, my hamster Pip died this morning.", at=NOW - 60 * DAY)
    for days in range(9):
        say(small, f"I'm absolutely furious about parcel {days}!!!", at=NOW - days * DAY)
    asked = small.context("vera", "How is the hamster Pip?", sources=["emotions"])
    assert max(item.score or 0 for item in asked.items) == 1.0
    lines = asked.text.splitlines()
    assert lines[2] == "## How the user felt"
    assert lines[3].startswith("- 2025-11-06")
    assert "Pip died" in lines[3]
    assert [line[2:12] for line in lines[3:9]] == sorted(line[2:12] for line in lines[3:9])
    plain = small.context("vera", None, sources=["emotions"])
    assert "Pip" not in plain.text
    assert len(plain.items) == 6
    assert plain.text == small.context("vera", None, sources=["emotions"], now=NOW).text
    tight = small.context("vera", None, sources=["emotions"], max_tokens=60)
    assert tight.tokens <= 60


def test_what_stands_in_this_conversation_is_not_said_twice(small: Memory) -> None:
    with small.session(user_id="vera") as session:
        session.add("user", STRONG)
        assert small.context("vera", "hello").text.count("landlord") == 1


def test_what_memory_put_into_the_prompt_is_not_felt(small: Memory) -> None:
    block = f"<memory>\nToday is 2026-01-05. {MEMORY_NOTE}\n- user: {STRONG}\n</memory>\n"
    with small.session(user_id="vera") as session:
        message = session.add("user", block + CALM)
    assert message.sentiment is not None
    assert message.sentiment.valence == 0
    assert small.emotions.list("vera").items == ()


@pytest.mark.parametrize(
    "text",
    [
        'Translate to German: "I am devastated and hopeless!!!"',
        "What does \u201cI'm absolutely furious!!!\u201d mean?",
        "Wie sagt man \u201eIch bin so unendlich traurig!!!\u201c auf Englisch?",
        "\u300cとても悲しいです!!!\u300dを英語に訳してください。",
        "Traduis \u00ab Je suis tellement en col\u00e8re !!! \u00bb",
    ],
)
def test_what_is_quoted_is_no_moment(small: Memory, text: str) -> None:
    say(small, text)
    assert small.emotions.list("vera").items == ()


def test_a_feeling_about_what_is_quoted_is_a_moment(small: Memory) -> None:
    say(small, 'He wrote "we regret to inform you" and I\'m absolutely furious!!!')
    say(small, "I'm absolutely furious!!! 12\" is too small")
    assert len(small.emotions.list("vera").items) == 2


def test_secrets_are_masked_in_quotes(small: Memory) -> None:
    say(small, "I HATE this!!! My key is sk-abcdefghijklmnopqrstuvwxyz123456")
    (moment,) = small.emotions.list("vera").items
    assert "sk-abc" not in moment.quote + moment.evidence[0].quote


def test_a_long_message_is_quoted_where_it_is_strongest(small: Memory) -> None:
    filler = "The train to Lund leaves at nine and the museum opens at ten. " * 12
    say(small, f"{filler}I'm absolutely furious with my landlord. {filler}")
    (moment,) = small.emotions.list("vera").items
    assert "furious with my landlord" in moment.quote
    assert len(moment.quote) <= 240


def test_any_text_has_a_feeling_or_none(small: Memory) -> None:
    for text in [
        "我不开心，我讨厌这一切！！！",
        "אני כל כך עצוב היום 😭😭😭",
        "😡😡😡😡",
        "I HATE this\x00 and\ud800 that!!!",
        "I'm furious!!! " * 200,
        "ugh" + "g" * 5_000,
    ]:
        say(small, text)
    for moment in small.emotions.list("vera").items:
        assert 0 < len(moment.quote) <= 240
        moment.quote.encode()
    assert small.context("vera", "how do I feel?").tokens <= 3200


@ON_ONE
def test_the_course_has_the_days_of_the_zone(memory: Memory) -> None:
    for at, text in [
        (datetime(2026, 1, 3, 23, 30, tzinfo=UTC), "I'm happy."),
        (datetime(2026, 1, 4, 12, tzinfo=UTC), "I'm sad."),
        (datetime(2026, 1, 4, 13, tzinfo=UTC), CALM),
    ]:
        say(memory, text, at=at)
    utc = memory.emotions.get_course("vera")
    assert [(one.day, one.messages) for one in utc] == [
        (date(2026, 1, 3), 1),
        (date(2026, 1, 4), 2),
    ]
    assert utc[0].valence > 0 > utc[1].valence > utc[1].lowest
    (kolkata,) = memory.emotions.get_course("vera", timezone="Asia/Kolkata")
    assert (kolkata.day, kolkata.messages) == (date(2026, 1, 4), 3)
    assert memory.emotions.get_course("vera", days=0.5) == []
    assert len(memory.emotions.get_course("vera", days=float("inf"))) == 2


def test_a_moment_is_stored_with_its_message_or_neither_is(place: Place) -> None:
    memory = place.open()
    lift = place.refuse("derived", "INSERT", "NEW.kind = 'moment'")
    with pytest.raises(StoreError):
        memory.add([CALM, STRONG], user_id="vera", session_id="s")
    assert memory.get_all(user_id="vera").items == ()
    assert memory.add(CALM, user_id="vera").messages[0].created
    lift()
    memory.add(STRONG, user_id="vera")
    assert [one.quote for one in memory.emotions.list("vera").items] == [STRONG]
    assert len(memory.get_all(user_id="vera").items) == 2


@ON_ONE
def test_with_a_model_its_call_finds_the_moments(place: Place) -> None:
    def reply(call: Call) -> str:
        felt = [
            {
                "message": n,
                "quote": text,
                "valence": -0.7,
                "arousal": 0.6,
                "dominance": -0.4,
                "tags": ["grief"],
            }
            for n, text in turns_of(call)
            if "garden" in text
        ]
        mild = [{**one, "quote": "roses", "valence": -0.3, "arousal": 0.2} for one in felt]
        return answer(moments=[*felt, *mild], events=[], intentions=[], entities=[], relations=[])

    with ChatServer(reply) as server:
        talk = ModelTalk(place, server)
        talk.tell(STRONG, "The garden without her, and the roses.")
        (moment,) = talk.memory.emotions.list(talk.user).items
    assert moment.quote.startswith("The garden without her, and the roses")
    assert (moment.arousal, moment.dominance, moment.tags) == (0.6, -0.4, ("grief",))
    assert moment.intensity == pytest.approx(0.92, abs=0.01)
    assert moment.made_by.startswith("model:")
    sentiments = [one.sentiment for one in talk.memory.get_all(user_id=talk.user).items]
    assert sentiments[0] is not None
    assert sentiments[0].valence < -0.5
