"""Parts of statements that are written once and run often.

Building a statement costs six times as much as running it, so each repository builds its own
when the store is made, with named parameters. A list of values is one parameter (an array on
PostgreSQL, JSON on SQLite): the text of a statement never depends on how many there are.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Insert,
    Table,
    Text,
    bindparam,
    cast,
    func,
    insert,
    literal_column,
    select,
    type_coerce,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import NullType

from backstory.core.model.scope import Scope

POSTGRES = "postgresql"
CopyVectors: TypeAlias = Callable[[Connection, Scope, int, Mapping[str, bytes]], None]
"""Also puts new vectors of a generation, by message id, where very large users are searched."""


class Prepared(type):
    """Makes one object of a class for the same arguments, and gives it again.

    For classes that hold statements and nothing of a store: building its statements is most of
    what opening a store takes.
    """

    @lru_cache(maxsize=512)  # noqa: B019 - the classes live as long as the program
    def __call__(cls, *args: Any) -> Any:
        """Make the object, or give the one that is there."""
        return super().__call__(*args)


def owned(table: Table) -> ColumnElement[bool]:
    """The condition that keeps a statement inside one user's data; see ``owner``."""
    return (table.c.tenant_id == bindparam("tenant")) & (table.c.user_id == bindparam("user"))


def owner(scope: Scope) -> dict[str, Any]:
    """The parameters of ``owned``."""
    return {"tenant": scope.tenant_id, "user": scope.user_id}


class Lists:
    """Conditions on whole lists of texts, for one database.

    Args:
        dialect: Its name.
    """

    def __init__(self, dialect: str) -> None:
        self._on_postgres = dialect == POSTGRES

    def holds(self, name: str, column: ColumnElement[Any]) -> ColumnElement[bool]:
        """The condition that a column's value is in the list ``name``."""
        if self._on_postgres:
            return column == func.any(bindparam(name, type_=ARRAY(Text, dimensions=1)))
        values = func.json_each(bindparam(name, type_=Text)).table_valued(
            "value", name=f"given_{name}"
        )
        return column.in_(select(values.c.value))

    def given(self, values: Sequence[str]) -> Any:
        """The parameter for a list."""
        return list(values) if self._on_postgres else json.dumps(list(values))


class BulkInsert:
    """Inserts any number of rows with one statement and one round trip.

    Args:
        table: Where rows go; each row names every column.
        dialect: The name of the database.
    """

    def __init__(self, table: Table, dialect: str) -> None:
        self._names = [column.name for column in table.columns]
        self._on_postgres = dialect == POSTGRES
        if not self._on_postgres:
            self._statement: Any = insert(table)
            return
        columns = [
            bindparam(column.name, type_=ARRAY(column.type, dimensions=1))
            for column in table.columns
        ]
        source = func.unnest(*columns).table_valued(*self._names, name="given").render_derived()
        self._statement = insert(table).from_select(
            self._names, select(*(source.c[name] for name in self._names))
        )

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows, at least one."""
        if self._on_postgres:
            arrays = {name: [row[name] for row in rows] for name in self._names}
            connection.execute(self._statement, arrays)
        else:
            connection.execute(self._statement, rows)


class InsertMissing(Insert):
    """Inserts a row unless one with its key is there (also when another process inserts it now).

    SQLite and PostgreSQL share the words; SQLAlchemy's own variants would load the dialect of
    PostgreSQL, 0.05 s, also for SQLite.
    """

    inherit_cache = True


@compiles(InsertMissing)
def _compile_insert_missing(insert: InsertMissing, compiler: SQLCompiler, **options: Any) -> str:
    plain = compiler.visit_insert(insert, **options)  # type: ignore[no-untyped-call]
    head, sign, rest = plain.partition(" RETURNING ")
    return f"{head} ON CONFLICT DO NOTHING{sign}{rest}"


def micros(column: ColumnElement[Any], dialect: str) -> ColumnElement[Any]:
    """An instant as integer microseconds since 1970, with no datetime made of it."""
    if dialect != POSTGRES:
        return type_coerce(column, BigInteger)
    # extract() gives an exact numeric
    return cast(func.extract("epoch", column) * literal_column("1000000"), BigInteger)


def as_stored(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column as the driver gives it, with no conversion of each value."""
    return type_coerce(column, NullType())
