"""The secret behind the hashes of erased claims: named, never given away."""

import hashlib
import hmac

from sqlalchemy import Connection, select

from backstory.storage.tables import Tables


def name_of_secret(connection: Connection, tables: Tables, tenant_id: str) -> str | None:
    """A name of a tenant's secret that does not tell it; None if there is none."""
    query = select(tables.tenants.c.secret).where(tables.tenants.c.id == tenant_id)
    secret = connection.scalar(query)
    if secret is None:
        return None
    return hmac.new(secret, b"the name of this secret", hashlib.sha256).hexdigest()
