"""What a daily or weekly run does for one user, step by step."""

from datetime import datetime
from typing import Protocol

from backstory.core.model.scope import Scope


class Step(Protocol):
    """One part of a run.

    It plans with a pure function from rows to operations, and applies that in one transaction.
    Doing it again changes nothing, what a model says wrong changes nothing, and no message is ever
    deleted.

    Attributes:
        name: What it does, for reports.
    """

    name: str

    async def run(self, scope: Scope, now: datetime) -> int:
        """Do it for a user. Gives how much it changed."""
        ...
