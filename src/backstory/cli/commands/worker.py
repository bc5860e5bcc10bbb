"""``backstory worker``."""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

import typer

from backstory.api.worker import run_worker
from backstory.cli.options import Common, command
from backstory.cli.output import Screen
from backstory.cli.plain import one_line
from backstory.cli.stores import missing_file
from backstory.errors import NotFoundError
from backstory.settings import Settings

app = typer.Typer(add_completion=False)


@command(app, "worker", user="none")
def worker(common: Common) -> None:
    """Do all background work of the store until SIGTERM or Ctrl-C; says what it does.

    Sessions that are over are ended and digested, daily and weekly runs
    come at their times, and what failed is tried again. Any number of
    workers may be up. What is going on is finished before it ends.
    """
    settings = common.settings()
    missing = missing_file(settings)
    if missing is not None:
        raise NotFoundError(f"there is no store at {one_line(str(missing))} yet")
    screen = Screen(stderr=True)
    asyncio.run(_work(settings, screen.say))


async def _work(settings: Settings, say: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def ask(number: int, _: FrameType | None) -> None:
        loop.call_soon_threadsafe(_asked, stop, say, signal.Signals(number).name)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        say(f"at work on a {settings.location.kind} store")
        await run_worker(settings, stop, say)
        say("stopped")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _asked(stop: asyncio.Event, say: Callable[[str], None], name: str) -> None:
    if not stop.is_set():
        say(f"{name}: what is going on is finished")
        stop.set()
