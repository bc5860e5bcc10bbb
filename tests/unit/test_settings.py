"""Settings: precedence, types, errors that name the setting."""

from dataclasses import fields
from pathlib import Path

import pytest
from platformdirs import user_data_path

from backstory.core.model.schedule import Schedule
from backstory.core.options import PARTS, TimeLimits
from backstory.errors import ConfigurationError
from backstory.settings import Settings


def test_the_environment_is_read_by_name() -> None:
    found = Settings.from_env(
        {
            "BACKSTORY_URL": "x.db",
            "BACKSTORY_POOL_SIZE": "9",
            "BACKSTORY_AUTO_MIGRATE": "off",
            "BACKSTORY_CACHE_MB": "1.5",
            "BACKSTORY_THREADS": "3",
            "BACKSTORY_SCHEMA": "",
            "OTHER": "1",
        }
    )
    assert (found.url, found.pool_size, found.auto_migrate) == ("x.db", 9, False)
    assert (found.cache_mb, found.threads, found.schema) == (1.5, 3, None)


def test_config_goes_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_TENANT", "from-env")
    monkeypatch.setenv("BACKSTORY_EMBEDDER", "none")
    found = Settings.from_config({"tenant": "from-config"})
    assert (found.tenant, found.embedder) == ("from-config", "none")


@pytest.mark.parametrize("head", ["", "[backstory]\n"])
def test_a_toml_file(tmp_path: Path, head: str) -> None:
    path = tmp_path / "backstory.toml"
    path.write_text(head + 'tenant = "t"\npool_size = 2\nbackground = false\n')
    found = Settings.from_config(path)
    assert (found.tenant, found.pool_size, found.background) == ("t", 2, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pool_size", 0),
        ("pool_size", "many"),
        ("pool_size", True),
        ("pool_size", 1.5),
        ("threads", -1),
        ("cache_mb", 0),
        ("cache_mb", float("nan")),
        ("cache_mb", "inf"),
        ("time_limits", "pool=-1"),
        ("time_limits", "pool=nan"),
        ("time_limits", "llm=inf"),
        ("time_limits", "statement=soon"),
        ("time_limits", "statement"),
        ("time_limits", "llm="),
        ("time_limits", "pool=1; pool=2"),
        ("time_limits", "queue=3"),
        ("time_limits", 5),
        ("auto_migrate", "perhaps"),
        ("table_prefix", "a; DROP"),
        ("table_prefix", "x" * 32),
        ("schema", 'a"b'),
        ("tenant", ""),
        ("tenant", "a\0b"),
        ("url", 5),
    ],
)
def test_a_wrong_value_is_named(name: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=name):
        Settings.from_config({name: value})


def test_a_time_limit_that_is_left_out_keeps_its_default() -> None:
    assert Settings().limits == Settings(time_limits="").limits == TimeLimits()
    found = Settings(time_limits=" llm = 0.3 ;; pool=1e1;").limits
    assert found == TimeLimits(pool=10.0, statement=30.0, llm=0.3)


def test_parts_of_reading() -> None:
    assert Settings().parts == Settings(reading="auto").parts == frozenset(PARTS)
    assert Settings(reading="none").parts == frozenset()
    assert Settings(reading=" facts ,timeline").parts == {"facts", "timeline"}
    assert Settings(graph="none").parts == frozenset(PARTS) - {"graph"}


def test_the_schedule_of_runs() -> None:
    assert Settings().schedule == Schedule()
    assert Settings(consolidation="off").schedule is None
    found = Settings(consolidation="weekly=30 4 * * MON; zone=Asia/Kolkata").schedule
    assert found == Schedule(weekly="30 4 * * MON", zone="Asia/Kolkata")


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("reading", "facts,feelings", "'feelings'.*timeline"),
        ("reading", "auto,facts", "'auto'"),
        ("reading", "", "commas"),
        ("reading", "facts,", "''"),
        ("consolidation", "", "'on', 'off'"),
        ("consolidation", "sometimes", "daily=0 2"),
        ("consolidation", "daily=0 2 * *", "five fields"),
        ("consolidation", "daily=61 2 * * *", "minute"),
        ("consolidation", "weekly=0 0 31 2 *", "0 0 31 2"),
        ("consolidation", "daily=@daily", "five fields"),
        ("consolidation", "zone=Europe/Göteborg", "Göteborg"),
        ("consolidation", "zone=../../etc/passwd", "time zone"),
        ("consolidation", "zone=a\0b", "time zone"),
        ("graph", "postgres://h", "neo4j://"),
        ("graph", "neo4j://", "neo4j://"),
        ("graph", "", "tables"),
    ],
)
def test_a_wrong_form_is_explained(name: str, value: str, named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_a_graph_password_is_not_shown() -> None:
    assert "s3cret" not in repr(Settings(graph="neo4j://bob:s3cret@h"))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"'urll'.*url, home"):
        Settings.from_config({"urll": "x"})


def test_a_wrong_variable_is_named_as_a_variable() -> None:
    with pytest.raises(ConfigurationError, match="BACKSTORY_POOL_SIZE"):
        Settings.from_env({"BACKSTORY_POOL_SIZE": "x"})


@pytest.mark.parametrize("content", [None, "tenant = ", "backstory = 3", "[backstory]\nx = 1"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "x.toml"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigurationError):
        Settings.from_config(str(path))


def test_the_default_store_is_in_the_data_folder(tmp_path: Path) -> None:
    found = Settings(home=str(tmp_path / "höme"))
    assert found.location.target == str(tmp_path / "höme" / "memory.db")
    assert Settings(home=None).home_path == user_data_path("backstory", appauthor=False)


def test_there_are_at_most_25_settings() -> None:
    assert len(fields(Settings)) <= 25


def test_a_password_is_not_shown() -> None:
    found = Settings(url="postgresql://bob:s3cret@h/d")
    assert "s3cret" not in repr(found) + str(found)
