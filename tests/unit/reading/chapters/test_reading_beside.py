"""Reading a long chapter leaves the event loop free."""

import asyncio

from backstory.core.model.chapter_reading import ChapterReading
from backstory.ports.chapter_reader import ChapterToRead
from backstory.reading.chapters.rules import RuleChapterReader

SAID = "Mara Voss has green eyes. Tobin met Mara Voss at the mill.\n\n"


async def read_beside(text: str) -> tuple[ChapterReading, int]:
    """A reading, and how often something else ran meanwhile."""
    ran = 0

    async def run() -> None:
        nonlocal ran
        while True:
            ran += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(run())
    reading = await RuleChapterReader().read(ChapterToRead(number=1, title="", text=text))
    other.cancel()
    return reading, ran


def test_others_run_while_a_long_chapter_is_read() -> None:
    reading, ran = asyncio.run(read_beside(SAID * 100))
    assert "Mara Voss" in {one.name for one in reading.sightings}
    assert ran > 0


def test_a_few_lines_are_read_at_once() -> None:
    reading, ran = asyncio.run(read_beside(SAID))
    assert reading.summary
    assert ran == 0
