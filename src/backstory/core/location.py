"""Where a store is: a file, memory, or a PostgreSQL server. Pure: looks at text only."""

import re
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

from backstory.errors import ConfigurationError

_DRIVE = re.compile(r"^[A-Za-z]:([\\/]|$)")
_SQLITE_URL = re.compile(r"^sqlite(\+\w+)?:(///)?", re.IGNORECASE)
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True)
class Location:
    """A place of a store.

    Attributes:
        kind: "sqlite", "memory" or "postgres".
        target: The path of the file, "" for memory, or the URL of the server.
    """

    kind: str
    target: str


def parse_location(value: str | PurePath, *, windows: bool = False) -> Location:
    r"""Read what a user may give as the place of a store.

    Accepts a path (text or Path, also ``C:\Users\A B\m.db`` and ``\\server\share\m.db``), a
    ``file:`` URL, ``sqlite:///relative.db`` and ``sqlite:////absolute.db``, ``:memory:``, and
    ``postgresql://`` or ``postgres://`` (a ``+driver`` suffix is ignored).

    Args:
        value: The place.
        windows: Whether paths are those of Windows.

    Raises:
        ConfigurationError: Empty text, or a scheme that no engine serves.
    """
    if isinstance(value, PurePath):
        return Location("sqlite", str(value))
    text = value.strip()
    if not text:
        raise ConfigurationError("the store's location is empty; give a path or a URL")
    if text in {":memory:", "sqlite://", "sqlite:///:memory:"}:
        return Location("memory", "")
    if _DRIVE.match(text) or not _SCHEME.match(text):
        return Location("sqlite", path_of(text, windows=windows))
    scheme = text.split(":", 1)[0].lower()
    family = scheme.split("+")[0]
    if family in {"postgresql", "postgres"}:
        return Location("postgres", "postgresql" + text[len(scheme) :])
    if family in {"file", "sqlite"}:
        return Location("sqlite", path_of(text, windows=windows))
    raise ConfigurationError(
        f"no store is known for the scheme {scheme!r}; use a path, sqlite:/// or postgresql://"
    )


def path_of(text: str, *, windows: bool = False) -> str:
    """Give the native path of a path text, ``file:`` URL or ``sqlite:`` URL."""
    flavour = PureWindowsPath if windows else PurePosixPath
    if url := _SQLITE_URL.match(text):
        return str(flavour(unquote(text[url.end() :])))
    if text.lower().startswith("file:"):
        parts = urlsplit(text)
        path = unquote(parts.path)
        if windows and parts.netloc not in {"", "localhost"}:
            return str(flavour(f"\\\\{parts.netloc}{path}"))
        return str(flavour(path.lstrip("/") if windows and _DRIVE.match(path[1:]) else path))
    return str(flavour(text))
