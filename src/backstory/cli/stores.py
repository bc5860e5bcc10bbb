"""Opening the store that a command works on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backstory.api import Memory
from backstory.cli.plain import one_line
from backstory.errors import NotFoundError
from backstory.settings import Settings


def missing_file(settings: Settings) -> Path | None:
    """The path of the store's file if there is none yet, else None."""
    location = settings.location
    if location.kind != "sqlite":
        return None
    path = Path(location.target).expanduser()
    return None if path.exists() else path


@contextmanager
def opened(
    settings: Settings, *, create: bool = False, background: bool = False
) -> Iterator[Memory]:
    """Open a store for one command.

    Background work stays off unless asked for: a command does what it does before it ends.

    Args:
        settings: Which store, and how.
        create: Whether a file that is not there is made.
        background: Whether work in the background is done, for a command that goes on for long.

    Raises:
        NotFoundError: There is no file, and none may be made.
        BackstoryError: The store cannot be opened.
    """
    missing = missing_file(settings)
    if missing is not None and not create:
        raise NotFoundError(
            f"there is no store at {one_line(str(missing))} yet; "
            "`backstory add` makes one, --url names another place"
        )
    with Memory(settings=settings.with_values({"background": background})) as memory:
        yield memory
