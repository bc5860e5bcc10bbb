"""Which sessions are held open by live handles."""

from collections import Counter


class HeldSessions:
    """Sessions that a live handle keeps open: they do not time out in this process."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def hold(self, session_id: str) -> None:
        """Keep a session open until ``release``."""
        self._counts[session_id] += 1

    def release(self, session_id: str) -> None:
        """Undo one ``hold``."""
        self._counts[session_id] -= 1
        if self._counts[session_id] <= 0:
            del self._counts[session_id]

    def ids(self) -> frozenset[str]:
        """The sessions held now."""
        return frozenset(self._counts)
