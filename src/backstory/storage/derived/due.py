"""Which sessions ended and were not digested since they last changed."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, Select, Text, bindparam, func, select, text, tuple_

from backstory.core.model.scope import Scope
from backstory.ports.derived import DueSession
from backstory.storage.building import Instant
from backstory.storage.derived_tables import DUE
from backstory.storage.rows import AnyRow, hash_name
from backstory.storage.sessions import select_sessions, to_session
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


class DueSessions(metaclass=Prepared):
    """Finds them, on the given connection.

    Args:
        tables: The store's tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._t = tables
        sessions = tables.sessions
        place = (sessions.c.user_id, sessions.c.ended_at, sessions.c.name_hash)
        self._tenant = (sessions.c.tenant_id == bindparam("tenant")) & text(DUE)
        self._mine = sessions.c.user_id == bindparam("user")
        self._query = (
            select_sessions(tables)
            .where(self._tenant)
            .order_by(*place)
            .limit(bindparam("most", type_=Integer))
        )
        after = tuple_(
            bindparam("after_user", type_=Text),
            bindparam("after_end", type_=Instant),
            bindparam("after_hash", type_=Text),
        )
        self._behind = tuple_(*place) > after
        self._before = sessions.c.ended_at < bindparam("before", type_=Instant)
        self._count = select(func.count()).select_from(sessions).where(self._tenant)

    def find(
        self,
        connection: Connection,
        scope: Scope | None,
        tenant_id: str,
        limit: int,
        after: DueSession | None,
        ended_before: datetime | None,
    ) -> list[DueSession]:
        """Due sessions by user and end."""
        query, given = self._within(self._query, scope, tenant_id)
        given["most"] = limit
        if after is not None:
            query = query.where(self._behind)
            given["after_user"] = after.scope.user_id
            given["after_end"] = after.session.ended_at
            given["after_hash"] = hash_name(after.session.id)
        if ended_before is not None:
            query = query.where(self._before)
            given["before"] = ended_before
        return [_due(row) for row in connection.execute(query, given)]

    def count(self, connection: Connection, scope: Scope | None, tenant_id: str) -> int:
        """How many there are."""
        query, given = self._within(self._count, scope, tenant_id)
        return connection.scalar(query, given) or 0

    def _within(
        self, query: Select[Any], scope: Scope | None, tenant_id: str
    ) -> tuple[Select[Any], dict[str, Any]]:
        if scope is None:
            return query, {"tenant": tenant_id}
        return query.where(self._mine), {"tenant": scope.tenant_id, "user": scope.user_id}


def _due(row: AnyRow) -> DueSession:
    return DueSession(
        scope=Scope(row.tenant_id, row.user_id),
        session=to_session(row),
        touched=row.touched,
        bulk=row.bulk_import,
    )
