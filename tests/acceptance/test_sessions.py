"""Sessions: when they begin, go on, end and come back."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backstory import AsyncMemory, Memory
from backstory.errors import ClosedError, ConfigurationError, InvalidInputError, WrongThreadError
from backstory.testing import FakeClock, HashEmbedder
from tests.acceptance.places import ON_ONE, Place

T0 = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_leaving_the_block_ends_the_session_at_its_last_message(memory: Memory) -> None:
    said = datetime(2025, 5, 1, 8, 30, tzinfo=UTC)
    with memory.session(user_id="u", mode="voice", channel="web", metadata={"a": 1}) as session:
        assert memory.sessions("u") == []
        session.add("user", "hello", timestamp=said - timedelta(minutes=2))
        session.add("assistant", "hi", timestamp=said)
        assert memory.sessions("u")[0].ended_at is None
    (stored,) = memory.sessions("u")
    assert stored.id == session.id
    assert (stored.started_at, stored.ended_at) == (said - timedelta(minutes=2), said)
    assert (stored.mode, stored.channel, stored.metadata) == ("voice", "web", {"a": 1})
    assert stored.messages == 2


@ON_ONE
def test_an_error_inside_the_block_ends_the_session_too(memory: Memory) -> None:
    def fail() -> None:
        with memory.session(user_id="u") as session:
            session.add("user", "hello")
            session.add("wizard", "abracadabra")

    with pytest.raises(InvalidInputError, match="wizard"):
        fail()
    assert memory.sessions("u")[0].ended_at is not None


def test_adding_to_an_ended_session_reopens_it(memory: Memory) -> None:
    with memory.session(user_id="u", session_id="s", metadata={"a": 1}) as session:
        session.add("user", "hello")
    with memory.session(user_id="u", session_id="s", metadata={"b": 2}) as again:
        again.add("user", "back")
        assert memory.sessions("u")[0].ended_at is None
    (stored,) = memory.sessions("u")
    assert stored.messages == 2
    assert stored.metadata == {"a": 1, "b": 2}
    assert stored.ended_at is not None


def test_add_goes_to_the_open_session_until_it_times_out(place: Place) -> None:
    clock = FakeClock()
    memory = place.open(clock=clock)
    first = memory.add("one", user_id="u").session_id
    clock.advance(timedelta(seconds=299))
    assert memory.add("two", user_id="u").session_id == first
    clock.advance(timedelta(seconds=301))
    second = memory.add("three", user_id="u").session_id
    assert second != first
    assert memory.add("four", user_id="u", agent_id="bot").session_id not in {first, second}
    assert memory.add("five", user_id="other").session_id not in {first, second}
    by_id = {session.id: session for session in memory.sessions("u")}
    assert first is not None
    assert by_id[first].ended_at is not None


def test_the_timeout_counts_from_receipt_and_not_from_timestamps(place: Place) -> None:
    clock = FakeClock()
    memory = place.open(clock=clock)
    old = {"role": "user", "content": "long ago", "timestamp": "2001-01-01T00:00:00Z"}
    first = memory.add(old, user_id="u").session_id
    assert memory.add("now", user_id="u").session_id == first


def test_a_session_held_open_does_not_time_out(place: Place) -> None:
    clock = FakeClock()
    memory = place.open(clock=clock)
    with memory.session(user_id="u") as session:
        session.add("user", "one")
        clock.advance(timedelta(hours=3))
        assert memory.add("two", user_id="u").session_id == session.id
        namesake = memory.add("one", user_id="other", session_id=session.id).session_id
        clock.advance(timedelta(hours=3))
        assert memory.add("two", user_id="other").session_id != namesake
        assert [stored.ended_at for stored in memory.sessions("u")] == [None]
    clock.advance(timedelta(hours=3))
    assert memory.add("three", user_id="u").session_id != session.id


def test_a_session_without_messages_is_not_stored(memory: Memory) -> None:
    with memory.session(user_id="u"):
        pass
    assert memory.sessions("u") == []
    assert memory.users() == []


def test_the_same_session_id_of_two_users_is_two_sessions(memory: Memory) -> None:
    memory.add("mine", user_id="u1", session_id="s")
    memory.add("yours", user_id="u2", run_id="s")
    assert [m.text for m in memory.get_all(user_id="u1", session_id="s").items] == ["mine"]
    assert [m.text for m in memory.get_all(user_id="u2", session_id="s").items] == ["yours"]
    with pytest.raises(InvalidInputError, match="run_id"):
        memory.add("x", user_id="u", session_id="a", run_id="b")


@ON_ONE
def test_speakers_and_agents_are_kept(memory: Memory) -> None:
    with memory.session(user_id="u", speaker="Vera", agent_id="bot") as session:
        assert session.add("user", "hello").speaker == "Vera"
        assert session.add("user", "hi there", speaker="Ann").speaker == "Ann"
        assert session.add("assistant", "good day").speaker is None
    assert {m.agent_id for m in memory.get_all(user_id="u").items} == {"bot"}
    found = memory.search("hi", user_id="u", filters={"speaker": "Ann"})
    assert [hit.text for hit in found] == ["hi there"]


@ON_ONE
def test_mem0_calls_run(memory: Memory) -> None:
    """The call shape of mem0: the same arguments, the messages kept as they are."""
    messages = [
        {"role": "user", "content": "I am a vegetarian"},
        {"role": "assistant", "content": "Noted!"},
    ]
    result = memory.add(
        messages, user_id="alice", agent_id="bot", run_id="r1", metadata={"k": "v"}, infer=False
    )
    assert result.session_id == "r1"
    assert [message.metadata for message in result.messages] == [{"k": "v"}, {"k": "v"}]
    assert memory.search("vegetarian", user_id="alice")[0].text == "I am a vegetarian"


def test_a_closed_memory_says_so(place: Place) -> None:
    memory = place.open()
    memory.add("hello", user_id="u")
    memory.close()
    memory.close()
    with pytest.raises(ClosedError):
        memory.search("hello", user_id="u")


def test_the_asynchronous_twin_does_the_same(place: Place) -> None:
    async def run() -> None:
        async with AsyncMemory(place.url, embedder=HashEmbedder(), clock=FakeClock()) as memory:
            async with memory.session(user_id="u") as session:
                await session.add("user", "the code word is marigold")
                await session.add_many(["and another"], speaker="Ann")
            hits = await memory.search("marigold", user_id="u")
            context = await memory.context("u", "code word")
            assert hits[0].text == "the code word is marigold"
            assert "marigold" in context.text
            assert [m.speaker for m in (await memory.get_all(user_id="u")).items] == [None, "Ann"]

    asyncio.run(run())


def test_opening_twice_at_once_opens_once(place: Place) -> None:
    async def run() -> None:
        memory = AsyncMemory(place.url, embedder=HashEmbedder())
        await asyncio.gather(*(memory.add(f"note {n}", user_id="u") for n in range(10)))
        assert (await memory.get_all(user_id="u")).total == 10
        await memory.close()

    asyncio.run(run())


@ON_ONE
def test_an_asynchronous_memory_stays_in_its_loop(place: Place) -> None:
    async def run() -> None:
        async with AsyncMemory(place.url, embedder=HashEmbedder()) as memory:
            await memory.add("hello", user_id="u")
            with pytest.raises(WrongThreadError, match="another event loop"):
                await asyncio.to_thread(asyncio.run, memory.sessions("u"))
            assert len(await memory.sessions("u")) == 1

    asyncio.run(run())


def test_an_embedder_that_cannot_be_made_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with pytest.raises(ConfigurationError):
        Memory(path, embedder="nobody:knows")
    assert not path.exists()
