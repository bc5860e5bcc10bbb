"""From a driver's error to ours: one clear error for each kind of failure."""

import re
import sqlite3

from sqlalchemy import exc

from backstory.errors import (
    StoreAddressError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

_SQLITE: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreBusyError, "the database stayed locked by another process"),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "the database stayed locked by another connection"),
    sqlite3.SQLITE_FULL: (StoreFullError, "the disk is full; free some space and try again"),
    sqlite3.SQLITE_READONLY: (
        StoreReadOnlyError,
        "the database cannot be written; check the permissions of the file and its folder",
    ),
    sqlite3.SQLITE_PERM: (StoreReadOnlyError, "access to the database file was denied"),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "the database file is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: (StoreCorruptError, "the file is not a SQLite database"),
    sqlite3.SQLITE_CANTOPEN: (
        StoreUnavailableError,
        "the database file cannot be opened; check that its folder exists and can be written",
    ),
    sqlite3.SQLITE_IOERR: (StoreUnavailableError, "reading or writing the database file failed"),
}
_POSTGRES: dict[str, tuple[type[StoreError], str]] = {
    "53100": (StoreFullError, "the server's disk is full; free some space and try again"),
    "25006": (StoreReadOnlyError, "the server only accepts reads; it may be a standby"),
    "42501": (StoreReadOnlyError, "the role may not do this; grant it rights on the schema"),
    "57014": (StoreBusyError, "the statement ran into the time limit"),
    "55P03": (StoreBusyError, "a lock was not free within the time limit"),
    "40001": (StoreBusyError, "the transaction met another one; try again"),
    "40P01": (StoreBusyError, "the transaction met another one; try again"),
    "53300": (StoreBusyError, "the server has no free connection"),
    "28P01": (StoreAddressError, "the server refused the password"),
    "28000": (StoreAddressError, "the server refused the role"),
    "3D000": (StoreAddressError, "the server has no database of this name; create it"),
}
# While connecting, the driver gives a text and no code; one in another language stays retryable.
_REFUSED = re.compile(
    r"password authentication failed|no password supplied|no pg_hba\.conf entry"
    r"|(role|database) \".*\" does not exist|authentication failed for user"
    r"|failed to resolve host (?!.*temporary failure)",
    re.IGNORECASE,
)
_CONFLICTS = frozenset({"40001", "40P01"})


def sqlite_code(error: BaseException | None) -> int:
    """The primary result code of a SQLite error, 0 if it has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def sqlite_failure(error: BaseException | None, where: str) -> StoreError:
    """Our error for an error of the sqlite3 module.

    Args:
        error: The driver's error.
        where: The file, to be named in the message.
    """
    kind, reason = _SQLITE.get(sqlite_code(error), (StoreError, "the database failed"))
    return kind(f"{reason} ({where}: {error})")


def postgres_failure(error: Exception) -> StoreError:
    """Our error for what SQLAlchemy raised over psycopg. No password can be in it."""
    if isinstance(error, exc.TimeoutError):
        return StoreBusyError(
            "no connection was free within the time limit; raise the setting pool_size, or pool= "
            "of time_limits"
        )
    origin = error.orig if isinstance(error, exc.DBAPIError) else error
    state = getattr(origin, "sqlstate", None)
    if state in _POSTGRES:
        kind, reason = _POSTGRES[state]
        return kind(f"{reason} ({_first_line(origin)})")
    if state is None and _REFUSED.search(str(origin)):
        return StoreAddressError(f"the server cannot be used as addressed ({_first_line(origin)})")
    if isinstance(error, OSError) or was_lost(error):
        return StoreUnavailableError(f"the database cannot be reached ({_first_line(origin)})")
    return StoreError(f"the database failed ({_first_line(origin)})")


def is_conflict(error: Exception) -> bool:
    """Whether the database asks for the transaction to be run again: a deadlock and its like."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _CONFLICTS


def was_lost(error: Exception) -> bool:
    """Whether the connection is gone."""
    if not isinstance(error, exc.DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None) or ""
    if state == "57014":  # a statement was cancelled, the connection lives
        return False
    return error.connection_invalidated or state[:2] in {"08", "57"} or not state


def _first_line(error: object) -> str:
    return str(error).strip().split("\n", 1)[0]
