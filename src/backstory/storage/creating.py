"""Makes the tables of a new store at once, from their description in the code.

A store of an earlier version is brought up by the migrations instead. Both ways end at the same
tables; a new store need not go through the history of them, nor load Alembic.
"""

from functools import lru_cache
from typing import Final

from sqlalchemy import URL, Column, Connection, MetaData, PrimaryKeyConstraint, String, Table
from sqlalchemy.schema import CreateIndex, CreateTable

from backstory.storage.statements import POSTGRES
from backstory.storage.tables import build_tables

VERSIONS: Final = "alembic_version"
"""The name of the table that says which version a store has, without its prefix."""


def create_tables(connection: Connection, prefix: str, schema: str | None, version: str) -> None:
    """Make all tables, inside the caller's transaction.

    Args:
        connection: Of a database where none of them is.
        prefix: Goes before every table's name.
        schema: The PostgreSQL schema, which exists, or None.
        version: What the store is said to have from now on.
    """
    dialect = connection.dialect
    statements = _statements(prefix, schema, dialect.name, dialect.driver)
    if dialect.name == POSTGRES:
        # without parameters the server takes many at once
        statements = (";\n".join(statements),)
    for statement in statements:
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
    versions = version_table(prefix, schema)
    connection.execute(versions.insert().values(version_num=version))


@lru_cache(maxsize=16)
def _statements(prefix: str, schema: str | None, name: str, driver: str) -> tuple[str, ...]:
    """What makes the tables and their indexes in a database of this name."""
    dialect = URL.create(f"{name}+{driver}").get_dialect()()
    tables = build_tables(prefix, schema, (name,)).metadata.sorted_tables
    found: list[CreateTable | CreateIndex] = []
    for table in (version_table(prefix, schema), *tables):
        found.append(CreateTable(table))
        found += map(CreateIndex, sorted(table.indexes, key=lambda index: str(index.name)))
    return tuple(str(one.compile(dialect=dialect)) for one in found)


def version_table(prefix: str, schema: str | None) -> Table:
    """The table in which migrations look for the version, as they make it."""
    name = prefix + VERSIONS
    return Table(
        name,
        MetaData(schema=schema),
        Column("version_num", String(32), nullable=False),
        PrimaryKeyConstraint("version_num", name=f"{name}_pkc"),
    )
