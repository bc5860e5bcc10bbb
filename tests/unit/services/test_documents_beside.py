"""Looking for names and contradictions in a long text leaves the event loop free."""

import asyncio
from datetime import UTC, datetime

from backstory.core.model.chapter_reading import ChapterReading
from backstory.core.model.document import DocumentInfo
from backstory.ports.chapter_reader import ChapterToRead
from backstory.ports.documents import DocumentScope
from backstory.services.documents.checking import Checking
from backstory.services.documents.known import KnownDocuments
from backstory.testing.fake_store.documents import MemoryDocuments
from backstory.testing.fake_store.state import MemoryDatabase

SAID = "Mara Voss came to the mill with Tobin Hale, and the door was shut.\n\n"


class Ran:
    """Counts how often something else ran, and how often it had when a chapter was read."""

    name = "nothing"

    def __init__(self) -> None:
        self.times = 0
        self.before_reading = 0

    async def read(self, _: ChapterToRead) -> ChapterReading:
        """Find nothing, at once."""
        self.before_reading = self.times
        return ChapterReading(summary="")

    async def run(self) -> None:
        """Run whenever the loop is free."""
        while True:
            self.times += 1
            await asyncio.sleep(0)


async def checked(text: str) -> Ran:
    """What ran beside a check of a text, in a store that never waits."""
    documents, scope = MemoryDocuments(MemoryDatabase()), DocumentScope("default", "novel")
    info = DocumentInfo(
        id="novel",
        unit="chapter",
        planned_chapters=None,
        chapters=0,
        last_chapter=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    ran = Ran()
    other = asyncio.create_task(ran.run())
    checking = Checking(documents, KnownDocuments(documents), ran)
    await checking.check(scope, info, text, 1)
    other.cancel()
    return ran


def test_others_run_while_a_long_text_is_looked_through() -> None:
    ran = asyncio.run(checked(SAID * 500))
    assert 0 < ran.before_reading < ran.times


def test_a_short_text_is_looked_through_at_once() -> None:
    assert asyncio.run(checked(SAID)).times == 0
