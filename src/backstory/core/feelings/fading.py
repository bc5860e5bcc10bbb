"""How long it matters where a conversation was left off."""

from datetime import timedelta
from enum import StrEnum
from typing import Final

FULL_FOR: Final = timedelta(hours=12)
"""The same day, or the morning after: one goes on where one stopped."""
SHORT_FOR: Final = timedelta(hours=36)
"""The next day: what it was about, but the mood of yesterday says little of today's."""
GONE_AFTER: Final = timedelta(hours=72)
THROUGHLINE_CHARS: Final = 200
_SHORT_CHARS: Final = 120
_FAINT_CHARS: Final = 60


class Fade(StrEnum):
    """How much is left: all, what it was about in short, a trace of that, nothing."""

    FULL = "full"
    SHORT = "short"
    FAINT = "faint"
    GONE = "gone"


CHARS: Final = {Fade.FULL: THROUGHLINE_CHARS, Fade.SHORT: _SHORT_CHARS, Fade.FAINT: _FAINT_CHARS}
"""How much of the throughline is shown."""


def fade_of(age: timedelta) -> Fade:
    """What is left after a time; nothing of what is not over yet (an age below 0)."""
    if age < timedelta(0) or age >= GONE_AFTER:
        return Fade.GONE
    if age < FULL_FOR:
        return Fade.FULL
    return Fade.SHORT if age < SHORT_FOR else Fade.FAINT
