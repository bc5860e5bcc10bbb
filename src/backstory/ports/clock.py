"""The clock port."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of the current time."""

    def now(self) -> datetime:
        """The current instant, timezone-aware, in UTC."""
        ...
