"""The rows of embedding generations."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select, text, update

from backstory.core.model.embedding import EmbedderIdentity, Generation, find_model
from backstory.ports.reindexing import Build, GenerationState
from backstory.storage.engines.base import Units
from backstory.storage.rows import AnyRow
from backstory.storage.statements import POSTGRES, InsertMissing, Prepared
from backstory.storage.tables import Tables


class GenerationRows(metaclass=Prepared):
    """The table of generations, on the given connection.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._table = table = tables.embedding_generations
        # A switch waits for whoever holds this, and who comes later sees what it made.
        self._role = (
            select(table.c.active)
            .where(table.c.id == bindparam("generation"))
            .with_for_update(read=True, key_share=True)
        )
        self._active = select(table).where(table.c.active.is_(True))
        self._all = select(table).order_by(table.c.id)

    def role(self, connection: Connection, generation_id: int) -> bool | None:
        """Whether a generation is active, until this transaction ends; None = there is none."""
        found: bool | None = connection.scalar(self._role, {"generation": generation_id})
        return found

    def active(self, connection: Connection) -> Generation | None:
        """The generation that search uses."""
        row = connection.execute(self._active).first()
        return to_generation(row) if row else None

    def states(self, connection: Connection) -> list[GenerationState]:
        """All generations, oldest first."""
        return [_to_state(row) for row in connection.execute(self._all)]

    def lock(self, connection: Connection, *, waits_for_writers: bool = False) -> None:
        """Let nobody else change the table, or hold a ``role``, until this transaction ends.

        On PostgreSQL two processes may both find no generation, and one of them the id of the
        other taken when it makes its own: row locks alone would not stop it.
        """
        if connection.dialect.name == POSTGRES:
            name = connection.dialect.identifier_preparer.format_table(self._table)
            connection.execute(text(f"LOCK TABLE {name} IN SHARE ROW EXCLUSIVE MODE"))
        if waits_for_writers:
            connection.execute(self._all.with_for_update()).all()

    def make(
        self, connection: Connection, identity: EmbedderIdentity, now: datetime, *, active: bool
    ) -> int:
        """Make a row; gives its id. The table is locked."""
        table = self._table
        number = (connection.scalar(select(func.max(table.c.id))) or 0) + 1
        values = {
            "id": number,
            "provider": identity.provider,
            "model": identity.model,
            "version": identity.version,
            "dimensions": identity.dimensions,
            "active": active,
            "created_at": now,
        }
        connection.execute(InsertMissing(table).inline(), values)
        return number

    def change(self, connection: Connection, generation_id: int, **values: object) -> None:
        """Write columns of a row."""
        table = self._table
        connection.execute(update(table).where(table.c.id == generation_id).values(**values))


class SqlGenerations:
    """Implements ``GenerationStore``.

    Args:
        units: The engine.
        tables: The store's tables.
    """

    def __init__(self, units: Units, tables: Tables) -> None:
        self._units = units
        self._rows = GenerationRows(tables)
        self._table = tables.embedding_generations

    async def active(self) -> Generation | None:
        """The generation that search uses, None while nothing was embedded."""
        return await self._units.peek(self._rows.active)

    async def activate_first(self, identity: EmbedderIdentity, now: datetime) -> Generation:
        """Register the first generation; if another process was faster, give the one it made."""

        def write(connection: Connection) -> Generation:
            self._rows.lock(connection)
            found = self._rows.active(connection)
            if found is None:
                known = find_model([s.generation for s in self._rows.states(connection)], identity)
                if known is None:
                    self._rows.make(connection, identity, now, active=True)
                else:
                    self._rows.change(connection, known.id, active=True, retired_at=None)
                found = self._rows.active(connection)
            if found is None:
                raise AssertionError
            return found

        return await self._units.write(write)

    async def calibrate(self, generation_id: int, calibration: str | None) -> bool:
        """Keep what was measured of a generation's cosines. False if there is none of this id."""
        table = self._table
        change = (
            update(table)
            .where(table.c.id == generation_id)
            .values(calibration=calibration)
            .returning(table.c.id)
        )
        changed = await self._units.write(lambda connection: connection.scalar(change))
        return changed is not None


def to_generation(row: AnyRow) -> Generation:
    """Make a Generation of its row."""
    identity = EmbedderIdentity(
        provider=row.provider, model=row.model, version=row.version, dimensions=row.dimensions
    )
    return Generation(id=row.id, identity=identity, calibration=row.calibration)


def _to_state(row: AnyRow) -> GenerationState:
    build = None
    if row.building_since is not None:
        build = Build(
            since=row.building_since,
            holder=row.holder,
            lease_until=row.lease_until,
            done=row.done or 0,
            total=row.total or 0,
            problem=row.problem,
        )
    return GenerationState(
        generation=to_generation(row), active=row.active, retired_at=row.retired_at, build=build
    )
