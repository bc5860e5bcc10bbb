"""The tables of what is derived from messages, and of the runs that derive it."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    text,
)
from sqlalchemy.types import JSON

from backstory.storage.building import USER_KEY, Builder, Instant, key_columns

# Written out, not as parameters: a database uses a partial index only for a query of its words.
CURRENT: Final = "replaced_at IS NULL"
DUE: Final = "ended_at IS NOT NULL AND episode_seq < touched"
WAITING: Final = "state IN ('queued', 'running', 'failed')"


class DerivedBuilder(Builder):
    """Describes the tables of derived records."""

    def derived(self, users: Table) -> Table:
        """One row for each version of each record, whatever its kind."""
        result: Table = self.table(
            "derived",
            *key_columns(),
            # names the version; the record's id names all its versions
            Column("seq", BigInteger, nullable=False),
            Column("id", String(64), nullable=False),
            Column("change_no", BigInteger, nullable=False),
            Column("kind", String(16), nullable=False),
            # of what only one current record of the kind may have, or null
            Column("slot_hash", String(64)),
            Column("at", Instant, nullable=False),
            Column("recorded_at", Instant, nullable=False),
            Column("known_from", Instant),
            Column("replaced_at", Instant),
            Column("needs_vector", Boolean, nullable=False),
            # the other fields of the kind, see core/derived/rows.py
            Column("body", JSON, nullable=False),
            self.primary("derived", "seq"),
            self.reference("derived_user_fkey", users),
        )
        self.index("derived_changes", result, *USER_KEY, "change_no")
        self.index("derived_by_id", result, "tenant_id", "id")
        self.index(
            "derived_pending", result, *USER_KEY, "seq", where=result.c.needs_vector.is_(True)
        )
        self._one_current("derived_current", result, "id")
        self._one_current("derived_slot", result, "kind", "slot_hash")
        return result

    def vectors(self, derived: Table, generations: Table) -> Table:
        """The vectors of versions, by embedding generation."""
        return self.table(
            "derived_vectors",
            *key_columns(),
            Column("seq", BigInteger, nullable=False),
            Column("generation_id", ForeignKey(generations.c.id), nullable=False),
            # little-endian float32, of length 1
            Column("vector", LargeBinary, nullable=False),
            self.primary("derived_vectors", "seq", "generation_id"),
            ForeignKeyConstraint(
                [*USER_KEY, "seq"],
                [derived.c.tenant_id, derived.c.user_id, derived.c.seq],
                name=f"{self._prefix}derived_vectors_derived_fkey",
                ondelete="CASCADE",
            ),
        )

    def runs(self, users: Table) -> Table:
        """One row for each session, day and week that is or was consolidated."""
        result: Table = self.table(
            "consolidation_runs",
            *key_columns(),
            Column("kind", String(16), nullable=False),
            # "sessions" or the hash of one of them, or the time that the run is due since
            Column("period", String(64), nullable=False),
            Column("state", String(16), nullable=False),
            Column("attempts", Integer, nullable=False),
            Column("queued_at", Instant, nullable=False),
            Column("started_at", Instant),
            Column("finished_at", Instant),
            # which process is at it, and until when it counts as alive without another word of it
            Column("holder", Text),
            Column("lease_until", Instant),
            Column("problem", Text),
            Column("receipt", JSON),
            self.primary("consolidation_runs", "kind", "period"),
            self.reference("consolidation_runs_user_fkey", users),
        )
        self.index(
            "consolidation_runs_waiting", result, "tenant_id", "queued_at", where=text(WAITING)
        )
        return result

    def _one_current(self, name: str, table: Table, *columns: str) -> None:
        options: dict[str, Any] = {f"{name}_where": text(CURRENT) for name in self._dialects}
        chosen = (table.c[part] for part in (*USER_KEY, *columns))
        Index(self._prefix + name, *chosen, unique=True, **options)
