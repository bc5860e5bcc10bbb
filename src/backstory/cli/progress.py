"""A bar for work that takes a while."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from backstory.cli.options import Common
from backstory.cli.output import Screen


@contextmanager
def progress_bar(what: str, common: Common) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr if that is a terminal; gives what is called with the numbers."""
    screen = Screen(stderr=True)
    progress = Progress(
        TextColumn(what),
        BarColumn(),
        TaskProgressColumn(),
        console=screen,
        transient=True,
        disable=common.as_json or not screen.is_terminal,
    )
    with progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
