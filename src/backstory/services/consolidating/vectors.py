"""Vectors of derived records, of the same embedder as those of messages."""

from backstory.core.model.scope import Scope
from backstory.ports.derived import DerivedPending
from backstory.ports.store import Store
from backstory.services.embedding.records import RecordVectors
from backstory.services.embedding.vectors import VectorMaker


class DerivedVectors:
    """Makes the vectors of summaries, events and what else has a text to be found by.

    Which are missing is read from the store, so a crash loses and repeats nothing. A vector goes
    with the version that it was made of. After a move to another embedder all are pending again,
    and those of the other one are not looked at.

    Args:
        store: Where they go.
        vectors: The embedder, and the generation that it belongs to.
    """

    def __init__(self, store: Store, vectors: VectorMaker) -> None:
        derived = store.derived
        self._records = RecordVectors[DerivedPending](
            vectors, derived.pending, derived.save_vectors, lambda item: item.recorded_at
        )

    async def flush(self, scope: Scope | None, tenant_id: str) -> tuple[int, set[str]]:
        """Make every pending vector, each tried once. Returns how many, and why others failed."""
        return await self._records.flush(scope, tenant_id)
