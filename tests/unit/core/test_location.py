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


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ("file:chat.db?mode=ro", "?mode=ro"),
        ("file:///srv/chat.db?mode=ro&cache=shared", "?mode=ro&cache=shared"),
        ("file:///srv/chat.db#old", "#old"),
        ("file://server/srv/chat.db", "server"),
        ("sqlite:////srv/chat.db?mode=ro", "?mode=ro"),
        ("sqlite:///:memory:?cache=shared", "?cache=shared"),
        ("sqlite://chat.db", "sqlite:///"),
    ],
)
def test_no_part_of_a_url_is_dropped_unseen(given: str, part: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_location(given)
    assert part in str(caught.value)


def test_a_path_may_hold_what_a_url_may_not() -> None:
    assert parse_location("what?#.db").target == "what?#.db"
    assert parse_location("file:///srv/what%3F%23.db").target == "/srv/what?#.db"
    assert parse_location("a//b@c.db").target == "a/b@c.db"


@pytest.mark.parametrize(
    "given",
    [
        "postgresql//bob:hunter22@h/db",
        "postgresql:/bob:hunter22@h/db",
        "postgres:bob:hunter22@h/db",
        "postgresql+psycopg//bob:hunter22@h/db",
        "postgresql//h/db",
        "postgresql ://bob:hunter22@h/db",
        "postgrsql//bob:hunter22@h/db",
        "//bob:hunter22@h/db",
    ],
)
def test_a_mistyped_server_is_no_path(given: str) -> None:
    with pytest.raises(ConfigurationError, match="postgresql://") as caught:
        parse_location(given)
    assert "hunter22" not in str(caught.value)


@pytest.mark.parametrize("given", ["\0", "a\0.db", PurePosixPath("a\0.db"), "file:///a%00.db"])
def test_no_path_holds_a_nul(given: str | PurePosixPath) -> None:
    with pytest.raises(ConfigurationError, match="NUL"):
        parse_location(given)
