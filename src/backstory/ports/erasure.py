"""The part of the store that forgets a whole user."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from backstory.core.model.scope import Scope


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What was removed: rows by table, and the hash of ids that a ``ForgetReceipt`` explains."""

    rows: Mapping[str, int]
    ids_hash: str


class ErasureStore(Protocol):
    """Forgetting."""

    async def forget(self, scope: Scope) -> Forgotten:
        """Remove every row of a user, the user's own too, in one transaction, and what is cached.

        A write that comes at the same time is either removed with the rest, or makes the user
        anew. Of an unknown user there are zero rows.
        """
        ...
