"""Ids that a test can foresee."""

import itertools
import threading


class CountingIds:
    """Gives ``00000001``, ``00000002`` and so on, with a prefix; sorted as they were made."""

    def __init__(self, prefix: str = "") -> None:
        """Start counting at 1.

        Args:
            prefix: Text before the number.
        """
        self._prefix = prefix
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def new(self) -> str:
        """The next id."""
        with self._lock:
            return f"{self._prefix}{next(self._numbers):08d}"
