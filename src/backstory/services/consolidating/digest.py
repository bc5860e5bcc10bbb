"""What digests a session that ended, and what it is given."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo
from backstory.ports.derived import DerivedPlanner


@dataclass(frozen=True, kw_only=True)
class Digest:
    """A session that ended.

    Attributes:
        messages: All its turns, oldest first, without what memory itself had put into them, and
            with secrets masked where that is set.
        bulk: It was imported: what it says was known when it was said.
        now: The time of the run.
    """

    scope: Scope
    session: SessionInfo
    messages: tuple[Message, ...]
    bulk: bool
    now: datetime


class Digester(Protocol):
    """Makes derived records of a session. It stores nothing.

    Attributes:
        name: The part that it belongs to, as in the setting ``reading``.
    """

    name: str

    async def digest(self, digest: Digest) -> DerivedPlanner:
        """Do what takes time, and give a pure function that plans what is written.

        The plans of all digesters of a session are written in one transaction. A digest of a
        session that was digested before takes the place of the earlier one.
        """
        ...
