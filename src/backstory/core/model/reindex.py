"""What a change of the embedder did, and how far it is."""

from dataclasses import dataclass
from datetime import datetime

from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True)
class ReindexResult(Record):
    """What ``reindex`` or ``undo_reindex`` did.

    Attributes:
        source: The embedder that search used before, as "provider:model@version"; None if there
            were no vectors.
        target: The embedder that the vectors were made with.
        switched: Whether search uses ``target`` now. If not, everything that was made is kept,
            search goes on with ``source``, and the next call goes on where this one stopped.
        embedded: Vectors made by this call, of messages and facts.
        failed: Messages and facts that the embedder refused.
        reasons: The distinct reasons of failures, or why it stopped.
        pending: Messages and facts without a vector of ``target``. After the switch they are
            found by their words, and made by the background or ``flush``; before it they are what
            is left to do.
        kept: The embedder that ``undo_reindex`` would go back to; None if its vectors were not
            kept.
    """

    source: str | None
    target: str
    switched: bool
    embedded: int = 0
    failed: int = 0
    reasons: tuple[str, ...] = ()
    pending: int = 0
    kept: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReindexStatus(Record):
    """The embedders of a store, and how far a reindex is.

    Attributes:
        active: The embedder that search uses; None before the first vector.
        previous: The one that ``undo_reindex`` would go back to, or None.
        target: The one that an unfinished reindex moves to; None if there is none.
        running: Whether a process is at it now; if not, ``reindex`` goes on with it.
        since: When it was begun.
        done: How many messages and facts have their new vector.
        total: How many there are.
        problem: Why it stopped, or None.
    """

    active: str | None
    previous: str | None = None
    target: str | None = None
    running: bool = False
    since: datetime | None = None
    done: int = 0
    total: int = 0
    problem: str | None = None
