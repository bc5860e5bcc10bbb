"""What the descriptions of all tables are made of: instants, keys, names with the prefix."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

from backstory.core.times import from_micros, to_micros

USER_KEY = ("tenant_id", "user_id")
DIALECTS = ("sqlite", "postgresql")


class Instant(TypeDecorator[datetime]):
    """An instant to the microsecond: ``timestamptz``, or integer microseconds on SQLite."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the database."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(BigInteger())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Write an aware time."""
        if value is None or dialect.name == "postgresql":
            return value
        return to_micros(value)

    def result_processor(
        self,
        dialect: Dialect,
        coltype: object,  # noqa: ARG002 - SQLAlchemy gives it
    ) -> Callable[[Any], datetime | None]:
        """Give what reads it back in UTC, whatever zone the server's session has.

        Not ``process_result_value``, which costs two more calls for each of many times.
        """
        return _in_utc if dialect.name == "postgresql" else _of_micros


def _in_utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC)


def _of_micros(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)


def key_columns() -> list[Column[Any]]:
    """The two columns that every row of a user starts with."""
    return [Column("tenant_id", Text, nullable=False), Column("user_id", Text, nullable=False)]


class Builder:
    """Makes the tables of one store: every name in it begins with the prefix."""

    def __init__(self, metadata: MetaData, prefix: str, dialects: tuple[str, ...]) -> None:
        self.metadata = metadata
        self._prefix = prefix
        self._dialects = dialects

    def table(self, name: str, *parts: Any) -> Table:
        """A table."""
        return Table(self._prefix + name, self.metadata, *parts)

    def primary(self, table: str, *columns: str) -> PrimaryKeyConstraint:
        """A primary key: the user's two columns, then these."""
        return PrimaryKeyConstraint(*USER_KEY, *columns, name=f"{self._prefix}{table}_pkey")

    def unique(self, name: str, *columns: str) -> UniqueConstraint:
        """A constraint that these columns are unique within a user."""
        return UniqueConstraint(*USER_KEY, *columns, name=self._prefix + name)

    def reference(self, name: str, target: Table, *columns: str) -> ForeignKeyConstraint:
        """A reference to a user's row; without columns, to the user itself."""
        return ForeignKeyConstraint(
            [*USER_KEY, *columns],
            [target.c.tenant_id, target.c.user_id, *([target.c.id] if columns else [])],
            name=self._prefix + name,
            ondelete="CASCADE",
        )

    def index(self, name: str, table: Table, *columns: str, where: Any = None) -> None:
        """An index, over the rows of a condition if one is given."""
        options = {f"{dialect}_where": where for dialect in self._dialects}
        chosen = (table.c[column] for column in columns)
        Index(self._prefix + name, *chosen, **({} if where is None else options))
