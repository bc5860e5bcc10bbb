"""What of a batch is in a table already, and outcomes that more than one kind of record has."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, select

from backstory.core.model.archive import Restored
from backstory.core.model.scope import Scope
from backstory.storage.statements import Lists, owned, owner

STORED: Final = Restored(stored=True)
PRESENT: Final = Restored(stored=False)


def refused(reason: str) -> Restored:
    """A record that cannot be stored."""
    return Restored(stored=False, problem=reason)


class Taken:
    """Looks up which values of a column a user has, each with another column of its row.

    Args:
        table: The table.
        column: The column that is looked up.
        lists: Conditions on lists.
        also: The column that is given with it.
        where: Only rows that pass.
    """

    def __init__(
        self,
        table: Table,
        column: str,
        lists: Lists,
        also: str | None = None,
        where: ColumnElement[bool] | None = None,
    ) -> None:
        self._lists = lists
        chosen = table.c[column]
        query = select(chosen, table.c[also or column]).where(
            owned(table), lists.holds("wanted", chosen)
        )
        self._query = query if where is None else query.where(where)

    def among(
        self, connection: Connection, scope: Scope, wanted: Iterable[str | None]
    ) -> dict[str, Any]:
        """The values that are there, with what stands beside each."""
        asked: Sequence[str] = [value for value in wanted if value is not None]
        if not asked:
            return {}
        given = {**owner(scope), "wanted": self._lists.given(asked)}
        return {row[0]: row[1] for row in connection.execute(self._query, given)}
