"""Reading many messages leaves the event loop free."""

import asyncio
from datetime import UTC, datetime

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Reading, Turn
from backstory.reading.rules.reader import RuleReader


def batch(count: int) -> Batch:
    """Turns that state something."""
    return Batch(
        turns=tuple(
            Turn(
                message_id=f"m{n}",
                revision=1,
                role=Role.USER,
                text="I live in Skara and I have a dog called Pixel.",
                timestamp=datetime(2026, 3, 1, tzinfo=UTC),
                is_user=True,
            )
            for n in range(count)
        )
    )


async def read_beside(count: int) -> tuple[Reading, int]:
    """A reading, and how often something else ran meanwhile."""
    ran = 0

    async def run() -> None:
        nonlocal ran
        while True:
            ran += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(run())
    reading = await RuleReader().read(batch(count))
    other.cancel()
    return reading, ran


def test_others_run_while_many_messages_are_read() -> None:
    reading, ran = asyncio.run(read_beside(40))
    assert {c.value for c in reading.claims} >= {"Skara", "Pixel"}
    assert ran > 0


def test_a_message_is_read_at_once() -> None:
    reading, ran = asyncio.run(read_beside(1))
    assert reading.claims
    assert ran == 0
