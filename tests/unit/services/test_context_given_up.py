"""A context that is given up leaves nothing running."""

import asyncio
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from typing import cast

import pytest

from backstory.core.model.message import Message
from backstory.core.model.recall import Recall
from backstory.core.model.scope import Scope
from backstory.ports.store import Store
from backstory.services.recalling.context import ContextService
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources import RecentTurns


class Silent:
    """A store that gives no last turns: the question for them is never answered."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.sessions = self

    def one_look(self, _: Scope) -> AbstractContextManager[None]:
        return nullcontext()

    async def tail(self, *_: object) -> list[Message]:
        self.asked.set()
        await asyncio.Event().wait()
        return []


def test_who_gives_up_a_context_leaves_no_reading_behind() -> None:
    async def run() -> None:
        silent = Silent()
        service = ContextService(cast("Store", silent), [RecentTurns()])
        question = Question(
            scope=Scope("t", "u"),
            query=None,
            recall=Recall(),
            filters=None,
            session_id=None,
            timezone=UTC,
            now=datetime(2026, 1, 1, tzinfo=UTC),
            max_tokens=100,
        )
        building = asyncio.create_task(
            service.build(
                question,
                max_tokens=100,
                count=len,
                names=[RecentTurns.name],
                timeout_s=60,
                today=date(2026, 1, 1),
            )
        )
        await silent.asked.wait()
        building.cancel()
        with pytest.raises(asyncio.CancelledError):
            await building
        for _ in range(3):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
