"""How many cases a proof tries, and how to time what it tries."""

from collections.abc import Callable
from time import thread_time

from hypothesis import settings


def cases(few: int, many: int) -> int:
    """``few`` in ``make test``, ``many`` in ``make soak``, which loads the profile soak."""
    return many if settings.get_current_profile_name() == "soak" else few


def cpu_seconds(call: Callable[[], object]) -> float:
    """The processor's time of a call in this thread; other work on the machine adds none."""
    start = thread_time()
    call()
    return thread_time() - start
