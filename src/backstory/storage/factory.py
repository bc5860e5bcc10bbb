"""From a location to a store. PostgreSQL's driver loads only when it is used."""

import os
from pathlib import Path

from backstory.core.location import Location
from backstory.errors import MissingDependencyError, StoreUnavailableError
from backstory.storage.engines.base import Units
from backstory.storage.engines.sqlite import SqliteUnits
from backstory.storage.store import SqlStore


def make_store(
    location: Location,
    *,
    prefix: str = "",
    schema: str | None = None,
    cache_bytes: int = 256 * 2**20,
    pool_size: int = 5,
    pool_timeout_s: float = 10.0,
    statement_timeout_s: float = 30.0,
    large_from: int | None = None,
) -> SqlStore:
    """Make a store; it is not opened yet.

    Args:
        location: Where it is.
        prefix: Goes before every table's name.
        schema: The PostgreSQL schema.
        cache_bytes: Bound of the partition cache.
        pool_size: Most PostgreSQL connections at once.
        pool_timeout_s: How long a call waits for one of them.
        statement_timeout_s: Time limit of a statement, and of waiting for SQLite's write lock.
        large_from: See ``SqlStore``.

    Raises:
        StoreUnavailableError: The folder of a file cannot be made.
        MissingDependencyError: psycopg is not installed.
    """
    units: Units
    if location.kind == "postgres":
        units = _postgres(location.target, pool_size, pool_timeout_s, statement_timeout_s)
    else:
        path = _prepared(location.target) if location.kind == "sqlite" else None
        units = SqliteUnits(path, lock_timeout_s=statement_timeout_s)
    return SqlStore(
        units,
        location,
        prefix=prefix,
        schema=schema,
        cache_bytes=cache_bytes,
        large_from=large_from,
    )


def _prepared(target: str) -> Path:
    path = Path(target).expanduser()
    if path.is_dir():
        raise StoreUnavailableError(f"{path} is a folder; give the path of a file in it")
    try:
        # what is remembered of a person is private: the folder is readable by its owner only
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailableError(f"the database file cannot be made ({error})") from error
    return path.resolve()


def _postgres(url: str, pool_size: int, pool_timeout_s: float, statement_timeout_s: float) -> Units:
    try:
        from backstory.storage.engines.postgres import PostgresUnits  # noqa: PLC0415
    except ImportError as error:
        raise MissingDependencyError(
            "PostgreSQL needs psycopg: pip install 'backstory[postgres]'"
        ) from error
    return PostgresUnits(
        url,
        pool_size=pool_size,
        pool_timeout_s=pool_timeout_s,
        statement_timeout_s=statement_timeout_s,
    )
