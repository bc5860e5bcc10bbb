"""Forgetting, in memory."""

import hashlib

from backstory.core.model.scope import Scope
from backstory.ports.erasure import Forgotten
from backstory.testing.fake_store.partitions import MemoryPartitions
from backstory.testing.fake_store.state import MemoryDatabase, UserState


class MemoryErasure:
    """Implements ``ErasureStore``."""

    def __init__(self, database: MemoryDatabase, partitions: MemoryPartitions) -> None:
        self._database = database
        self._partitions = partitions

    async def forget(self, scope: Scope) -> Forgotten:
        """Remove every row of a user, and what is cached."""
        is_known = scope in self._database.users(scope.tenant_id, scope.user_id)
        state = self._database.user(scope)
        ids = _ids(state)
        self._database.forget(scope)
        self._partitions.forget(scope)
        rows = {name: len(found) for name, found in ids.items()}
        rows |= _parts(state) | {"users": int(is_known)}
        lines = sorted(f"{name}/{i}\n" for name, found in ids.items() for i in found)
        digest = hashlib.sha256("".join(lines).encode()).hexdigest()
        return Forgotten(rows=dict(sorted(rows.items())), ids_hash=digest)


def _ids(state: UserState) -> dict[str, list[str]]:
    """The ids of records by table."""
    return {
        "sessions": [row.key for row in state.sessions.values()],
        "messages": list(state.messages),
        "facts": list(state.facts),
        "fact_corrections": list(state.corrections),
        "contradictions": list(state.contradictions),
        "collisions": [collision.id for collision in state.collisions.values()],
        "derived": [row.record.id for row in state.derived.values()],
    }


def _parts(state: UserState) -> dict[str, int]:
    """How many rows a database would have that have no id of their own."""
    quotes = [row.fact.evidence for row in state.facts.values()]
    quotes += [line.evidence for line in state.corrections.values()]
    quotes += [item.evidence for item in state.contradictions.values()]
    messages = state.messages.values()
    return {
        "message_revisions": sum(len(row.versions) for row in messages),
        "message_vectors": sum(len(row.vectors) for row in messages),
        "fact_vectors": sum(len(row.vectors) for row in state.facts.values()),
        "fact_revisions": len(state.revisions),
        "fact_evidence": sum(map(len, quotes)),
        "erased_claims": len(state.erased),
        "derived_vectors": sum(len(row.vectors) for row in state.derived.values()),
        "consolidation_runs": len(state.runs),
    }
