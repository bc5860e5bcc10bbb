"""What was erased: keyed hashes, which tell only whoever holds a claim that it was erased."""

import secrets
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, update

from backstory.core.model.scope import Scope
from backstory.storage.facts.hashes import claim_hash
from backstory.storage.rows import key
from backstory.storage.statements import InsertMissing, Lists, Prepared, owned, owner
from backstory.storage.tables import Tables

Claimed = tuple[str, str, str]
_SECRET_BYTES = 32


class ErasedClaims(metaclass=Prepared):
    """Knows claims that were erased, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        tenants, erased = tables.tenants, tables.erased_claims
        self._lists = lists = Lists(dialect)
        mine = tenants.c.id == bindparam("tenant")
        self._secret = select(tenants.c.secret).where(mine)
        self._make = (
            update(tenants)
            .where(mine, tenants.c.secret.is_(None))
            .values(secret=bindparam("new_secret"))
        )
        self._known = select(erased.c.claim_hash).where(
            owned(erased), lists.holds("hashes", erased.c.claim_hash)
        )
        self._insert = InsertMissing(erased).inline()

    def among(
        self, connection: Connection, scope: Scope, claims: Iterable[Claimed]
    ) -> frozenset[Claimed]:
        """Which of these (subject, key, normal value) were erased."""
        named = list(claims)
        secret = self._found(connection, scope) if named else None
        if secret is None:
            return frozenset()
        hashes = {claim_hash(secret, scope.user_id, claim): claim for claim in named}
        given = {**owner(scope), "hashes": self._lists.given(list(hashes))}
        return frozenset(hashes[found] for found in connection.scalars(self._known, given))

    def remember(
        self, connection: Connection, scope: Scope, claims: Iterable[Claimed], now: datetime
    ) -> None:
        """Keep that these were erased."""
        secret = self._found(connection, scope)
        if secret is None:
            # another user of the tenant may make one at this moment: theirs stays
            new = secrets.token_bytes(_SECRET_BYTES)
            connection.execute(self._make, {"tenant": scope.tenant_id, "new_secret": new})
            secret = self._found(connection, scope)
        if secret is None:
            raise AssertionError
        for claim in claims:
            hashed = claim_hash(secret, scope.user_id, claim)
            values = {**key(scope), "claim_hash": hashed, "erased_at": now}
            connection.execute(self._insert, values)

    def _found(self, connection: Connection, scope: Scope) -> bytes | None:
        found: bytes | None = connection.scalar(self._secret, {"tenant": scope.tenant_id})
        return found
