"""Reading imports: batches across sessions, calls beside each other, writing in order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.message import Message, Role
from backstory.core.model.reading import Batch, Reading
from backstory.core.model.scope import Scope
from backstory.errors import BackstoryError, ModelUnavailableError, ReadingError
from backstory.ports.facts import Unread
from backstory.services.batching import batches_across, without_rest
from backstory.services.bulk_reading import GROUP, MOST_CALLS, BulkReading
from backstory.services.understanding import Understood

AT = datetime(2026, 1, 1, tzinfo=UTC)
VERA = Scope("default", "vera")


def message(session: str, number: int, text: str = "hi", role: Role = Role.USER) -> Message:
    at = AT + timedelta(minutes=number)
    return Message(
        id=f"{session}{number}", user_id="vera", session_id=session, role=role, text=text,
        timestamp=at, recorded_at=at,
    )  # fmt: skip


def unread(session: str, count: int, text: str = "hi", failures: int = 0) -> Unread:
    messages = tuple((message(session, number, text), 1) for number in range(count))
    return Unread(
        scope=VERA, session_id=session, messages=messages, bulk=True, failures=failures
    )  # fmt: skip


def ids(parts: Sequence[Unread]) -> list[str]:
    return [one.id for part in parts for one, _ in part.messages]


# --- which messages go together ---


def test_batches_cross_the_borders_of_sessions() -> None:
    batches = batches_across([unread("a", 5), unread("b", 20), unread("c", 2)])
    assert [[(p.session_id, len(p.messages)) for p in batch] for batch in batches] == [
        [("a", 5), ("b", 7)],
        [("b", 12)],
        [("b", 1), ("c", 2)],
    ]
    assert [one.id for one in batches[1][0].before] == [f"b{number}" for number in range(1, 7)]
    assert batches[0][0].before == ()


@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.sampled_from(["x", "x" * 900, "x" * 13_000])),
        min_size=1,
        max_size=8,
    )
)
def test_nothing_is_left_out_or_read_twice_and_batches_are_bounded(
    sizes: list[tuple[int, str]],
) -> None:
    sessions = [unread(f"s{n}.", count, text) for n, (count, text) in enumerate(sizes)]
    batches = batches_across(sessions)
    assert [one for batch in batches for one in ids(batch)] == ids(sessions)
    for batch in batches:
        chars = sum(len(m.text) for part in batch for m, _ in part.messages)
        assert len(ids(batch)) <= 12
        assert chars <= 12_000 or len(ids(batch)) == 1
    total = sum(count * len(text) for count, text in sizes)
    assert len(batches) <= sum(count for count, _ in sizes) / 12 + 2 * total / 12_000 + 1


def test_long_words_of_others_count_as_they_are_read() -> None:
    said = tuple((message("a", n, "x" * 9_000, Role.ASSISTANT), 1) for n in range(12))
    assert len(batches_across([Unread(scope=VERA, session_id="a", messages=said)])) == 2


def test_what_failed_is_tried_alone_in_ever_smaller_batches() -> None:
    sizes = {
        failures: [len(ids(b)) for b in batches_across([unread("a", 12, failures=failures)])]
        for failures in range(6)
    }
    assert sizes == {0: [12], 1: [6, 6], 2: [3] * 4, 3: [1] * 12, 4: [1] * 12, 5: [1] * 12}
    batches = batches_across([unread("a", 3), unread("b", 4, failures=1), unread("c", 3)])
    assert [[part.session_id for part in batch] for batch in batches] == [["a"], ["b"], ["c"]]


def test_a_batch_that_can_be_filled_waits() -> None:
    full, rest = [unread("a", 24)], [unread("a", 25)]
    assert len(without_rest(batches_across(full))) == 2
    assert len(without_rest(batches_across(rest))) == 2
    assert without_rest([]) == []


# --- how they are read ---


@dataclass
class Desk:
    """A model and a store for a bulk reading: notes what was asked, written and refused.

    Attributes:
        seconds: How long the call for a batch takes, by its first message; 0.001 for others.
        fails: The errors of a batch, by its first message, one for each try.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    fails: dict[str, list[BackstoryError]] = field(default_factory=dict)
    asked: list[list[str]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    writes: int = 0
    failed: list[str] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    ahead: int = 0

    async def read(self, parts: Sequence[Unread]) -> Understood:
        first = ids(parts)[0]
        self.asked.append(ids(parts))
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.ahead = max(self.ahead, sum(map(len, self.asked)) - len(self.written))
        try:
            await asyncio.sleep(self.seconds.get(first, 0.001))
            errors = self.fails.get(first)
            if errors:
                raise errors.pop(0)
        finally:
            self.at_once -= 1
        return Understood(tuple(parts), Batch(turns=()), Reading())

    async def write(self, some: Sequence[Understood]) -> None:
        self.writes += 1
        self.written += [one for understood in some for one in ids(understood.parts)]

    async def fail(self, parts: Sequence[Unread], error: BackstoryError) -> None:
        self.failed += ids(parts)

    def run(self, *sessions: Unread) -> bool:
        async def act() -> bool:
            reading = BulkReading(self.read, self.write, self.fail)
            return await reading.run(batches_across(sessions))

        return asyncio.run(act())


def test_calls_run_beside_each_other_under_a_limit() -> None:
    desk = Desk()
    assert desk.run(unread("a", 12 * 40))
    assert desk.most == MOST_CALLS
    assert len(desk.asked) == 40
    assert desk.writes == 40 / GROUP
    assert desk.ahead <= 12 * 2 * GROUP


def test_what_comes_back_in_any_order_is_written_in_order() -> None:
    slow = {f"a{12 * n}": 0.03 - 0.002 * n for n in range(12)}
    desk = Desk(seconds=slow)
    sessions = [unread("a", 150), unread("b", 100)]
    assert desk.run(*sessions)
    assert desk.written == ids(sessions)


def test_a_batch_that_cannot_be_read_costs_its_own_sessions_only() -> None:
    sessions = [unread(name, 10) for name in "abcdef"]
    desk = Desk(fails={"b2": [ReadingError("no")]})
    assert desk.run(*sessions)
    assert desk.failed == ids(batches_across(sessions)[1])
    blocked = {"b", "c"}
    wanted = [one for one in ids(sessions) if one[0] not in blocked]
    assert desk.written == ["a" + one[1:] for one in ids([sessions[0]])] + ["b0", "b1"] + [
        one for one in wanted if one[0] != "a"
    ]


def test_a_service_that_refuses_is_asked_less_and_then_no_more() -> None:
    down = Desk(fails={"a24": [ModelUnavailableError("429")] * 99})
    assert not down.run(unread("a", 12 * 20), unread("b", 12))
    assert down.written == ids([unread("a", 24)])
    assert down.failed == ids([unread("a", 36)])[24:]
    short = Desk(fails={"a24": [ModelUnavailableError("429")] * 2})
    assert short.run(unread("a", 12 * 20))
    assert short.written == ids([unread("a", 12 * 20)])
    assert short.failed == []


def test_what_is_stopped_leaves_nothing_running() -> None:
    desk = Desk(seconds={"a96": 60, "a108": 60})

    async def act() -> None:
        reading = BulkReading(desk.read, desk.write, desk.fail)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await reading.run(batches_across([unread("a", 12 * 20)]))
        assert desk.at_once == 0
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(act())
    assert desk.written == ids([unread("a", 96)])


def test_a_write_that_fails_ends_it() -> None:
    desk = Desk()

    async def broken(some: Sequence[Understood]) -> None:
        raise RuntimeError

    async def act() -> None:
        with pytest.raises(RuntimeError):
            await BulkReading(desk.read, broken, desk.fail).run(batches_across([unread("a", 99)]))

    asyncio.run(act())
    assert desk.at_once == 0
