"""Where a store is: a file, memory, or a PostgreSQL server. Pure: looks at text only."""

import re
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

from backstory.errors import ConfigurationError

_DRIVE = re.compile(r"^[A-Za-z]:([\\/]|$)")
_SQLITE_URL = re.compile(r"^sqlite(\+\w+)?:(///)?", re.IGNORECASE)
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
# a server's URL with a mistake in its scheme would make folders named after the password
_MISTYPED = re.compile(r"^postgres(ql)?(\+\w+)?\W{0,2}//|//[^/]*:[^/]*@|://", re.IGNORECASE)
_SERVER = "write postgresql://user:password@host:port/database"


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
        ConfigurationError: Empty text, a NUL, a scheme that no engine serves, a URL that is
            mistyped, or one with a part that would have no effect. No password is in the message.
    """
    if isinstance(value, PurePath):
        return Location("sqlite", _without_nul(str(value)))
    text = value.strip()
    if not text:
        raise ConfigurationError("the store's location is empty; give a path or a URL")
    if text in {":memory:", "sqlite://", "sqlite:///:memory:"}:
        return Location("memory", "")
    if _DRIVE.match(text) or not _SCHEME.match(text):
        if _MISTYPED.search(text):
            raise ConfigurationError(f"this is neither a path nor a URL; {_SERVER}")
        return Location("sqlite", path_of(text, windows=windows))
    scheme = text.split(":", 1)[0].lower()
    family = scheme.split("+")[0]
    if family in {"postgresql", "postgres"}:
        if not text.startswith("://", len(scheme)):
            raise ConfigurationError(f"the URL of the server cannot be read; {_SERVER}")
        return Location("postgres", "postgresql" + text[len(scheme) :])
    if family in {"file", "sqlite"}:
        return Location("sqlite", path_of(text, windows=windows))
    raise ConfigurationError(
        f"no store is known for the scheme {scheme!r}; use a path, sqlite:/// or postgresql://"
    )


def path_of(text: str, *, windows: bool = False) -> str:
    """Give the native path of a path text, ``file:`` URL or ``sqlite:`` URL.

    Raises:
        ConfigurationError: It holds a NUL, or a part that is not of a path: a query, a host.
    """
    return _without_nul(_path_of(text, windows=windows))


def _path_of(text: str, *, windows: bool) -> str:
    flavour = PureWindowsPath if windows else PurePosixPath
    if url := _SQLITE_URL.match(text):
        path, mark, query = text[url.end() :].partition("?")
        _refuse_part(mark + query)
        if not url.group(2) and path.startswith("//"):
            raise ConfigurationError("write sqlite:///relative.db or sqlite:////absolute.db")
        return str(flavour(unquote(path)))
    if text.lower().startswith("file:"):
        parts = urlsplit(text)
        _refuse_part(f"?{parts.query}" if parts.query else "")
        _refuse_part(f"#{parts.fragment}" if parts.fragment else "")
        path = unquote(parts.path)
        if parts.netloc not in {"", "localhost"}:
            if not windows:
                _refuse_part(parts.netloc)
            return str(flavour(f"\\\\{parts.netloc}{path}"))
        return str(flavour(path.lstrip("/") if windows and _DRIVE.match(path[1:]) else path))
    return str(flavour(text))


def _refuse_part(part: str) -> None:
    if part:
        raise ConfigurationError(
            f"the part {part!r} of the store's URL has no meaning here; leave it out, "
            "or write it with %3F for ? and %23 for # if it is of the file's name"
        )


def _without_nul(path: str) -> str:
    if "\0" in path:
        raise ConfigurationError("the path of the store holds a NUL character")
    return path
