"""Where a store is: every way to say it."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from backstory.core.location import Location, parse_location, path_of
from backstory.errors import ConfigurationError

WINDOWS = r"C:\Users\A B\mem"


@pytest.mark.parametrize(
    "given",
    [
        WINDOWS,
        "C:/Users/A B/mem",
        PureWindowsPath(WINDOWS),
        "file:///C:/Users/A%20B/mem",
        "file://localhost/C:/Users/A%20B/mem",
        "sqlite:///C:/Users/A B/mem",
    ],
)
def test_one_windows_path_in_every_form(given: str | PureWindowsPath) -> None:
    """BUG-137."""
    assert parse_location(given, windows=True) == Location("sqlite", WINDOWS)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (r"\\server\share\m.db", r"\\server\share\m.db"),
        ("file://server/share/m.db", r"\\server\share\m.db"),
        (r"C:\Users\Zoë\记忆.db", r"C:\Users\Zoë\记忆.db"),
        ("d:", "d:"),
    ],
)
def test_other_windows_paths(given: str, wanted: str) -> None:
    """BUG-137."""
    assert parse_location(given, windows=True).target == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("chat.db", "chat.db"),
        ("./a b/chat.db", "a b/chat.db"),
        (PurePosixPath("/srv/x.db"), "/srv/x.db"),
        ("sqlite:///relative.db", "relative.db"),
        ("sqlite:////srv/x.db", "/srv/x.db"),
        ("sqlite+pysqlite:////srv/x.db", "/srv/x.db"),
        ("file:///srv/a%20b.db", "/srv/a b.db"),
        ("~/chat.db", "~/chat.db"),
        ("100%.db", "100%.db"),
    ],
)
def test_paths(given: str | PurePosixPath, wanted: str) -> None:
    assert parse_location(given) == Location("sqlite", wanted)


@pytest.mark.parametrize("given", [":memory:", "sqlite://", "sqlite:///:memory:"])
def test_memory(given: str) -> None:
    assert parse_location(given) == Location("memory", "")


@pytest.mark.parametrize(
    "given", ["postgresql://u:p@h:1/d", "postgres://u:p@h:1/d", "postgresql+psycopg://u:p@h:1/d"]
)
def test_servers(given: str) -> None:
    assert parse_location(given) == Location("postgres", "postgresql://u:p@h:1/d")


@pytest.mark.parametrize("given", ["", "  ", "mysql://h/d", "redis://h"])
def test_what_no_engine_serves_is_refused(given: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_location(given)


def test_a_data_folder_may_be_a_file_url() -> None:
    assert path_of("file:///C:/A%20B", windows=True) == r"C:\A B"
    assert path_of("file:///srv/data") == "/srv/data"
