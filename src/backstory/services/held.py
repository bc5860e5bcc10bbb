"""Which sessions are held open by live handles."""

from collections import Counter

from backstory.core.model.scope import Scope


class HeldSessions:
    """Sessions that a live handle keeps open: they do not time out in this process."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Scope, str]] = Counter()

    def hold(self, scope: Scope, session_id: str) -> None:
        """Keep a session open until ``release``."""
        self._counts[scope, session_id] += 1

    def release(self, scope: Scope, session_id: str) -> None:
        """Undo one ``hold``."""
        self._counts[scope, session_id] -= 1
        if self._counts[scope, session_id] <= 0:
            del self._counts[scope, session_id]

    def of(self, scope: Scope) -> frozenset[str]:
        """The sessions of one user that are held now."""
        return frozenset(session_id for owner, session_id in self._counts if owner == scope)

    def of_all(self) -> frozenset[str]:
        """The ids of all sessions that are held now."""
        return frozenset(session_id for _, session_id in self._counts)
