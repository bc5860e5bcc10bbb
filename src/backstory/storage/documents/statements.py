"""Parts of statements on documents."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    FromClause,
    Table,
    Text,
    bindparam,
    func,
    select,
)

from backstory.ports.documents import DocumentScope
from backstory.storage.statements import POSTGRES


def owned(table: FromClause) -> ColumnElement[bool]:
    """The condition that keeps a statement inside one document; see ``owner``."""
    return (table.c.tenant_id == bindparam("tenant")) & (table.c.document_id == bindparam("of"))


def owner(scope: DocumentScope) -> dict[str, Any]:
    """The parameters of ``owned``."""
    return {"tenant": scope.tenant_id, "of": scope.document_id}


def key(scope: DocumentScope) -> dict[str, str]:
    """The two columns that every row of a document starts with."""
    return {"tenant_id": scope.tenant_id, "document_id": scope.document_id}


def same(table: FromClause, other: FromClause) -> ColumnElement[bool]:
    """Joins rows of one document."""
    return (table.c.tenant_id == other.c.tenant_id) & (table.c.document_id == other.c.document_id)


def changed(table: Table, *names: str) -> dict[str, Any]:
    """New values of columns, as parameters ``new_NAME``."""
    return {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in names}


class Whole:
    """Conditions on lists of whole numbers, each list one parameter.

    Args:
        dialect: The name of the database.
    """

    def __init__(self, dialect: str) -> None:
        self._on_postgres = dialect == POSTGRES

    def holds(self, name: str, column: ColumnElement[Any]) -> ColumnElement[bool]:
        """The condition that a column's value is in the list ``name``."""
        if self._on_postgres:
            return column == func.any(bindparam(name, type_=ARRAY(BigInteger, dimensions=1)))
        given = self.rows(name)
        return column.in_(select(given.c.value))

    def rows(self, name: str) -> Any:
        """The list as a table with the column ``value``."""
        if self._on_postgres:
            numbers = bindparam(name, type_=ARRAY(BigInteger, dimensions=1))
            return func.unnest(numbers).table_valued("value", name="given").render_derived()
        return func.json_each(bindparam(name, type_=Text)).table_valued("value", name="given")

    def given(self, values: Sequence[int]) -> Any:
        """The parameter for a list."""
        return list(values) if self._on_postgres else json.dumps(list(values))
