"""What the commands answer, run in this process."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from backstory import Memory, Settings, __version__
from backstory.cli import SUMMARIES
from tests.acceptance.cli_runner import answer, run

HOSTILE = "[bold]x[/] \x1b[31mred\x1b]0;title\x07 \u202egnirts\u202c :smile: \x9b2J end"
SHOWN = "[bold]x[/] red gnirts :smile:  end"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a store with a few messages of Vera."""
    path = tmp_path_factory.mktemp("filled") / "chat.db"
    with Memory(path, embedder=None) as memory:
        for day, (role, text) in enumerate(
            (
                ("user", "I work at a bakery in Gothenburg."),
                ("assistant", "A bakery! Which bread is yours?"),
                ("user", "Rye, and on Fridays cinnamon buns."),
            ),
            start=1,
        ):
            memory.add(
                {
                    "role": role,
                    "content": text,
                    "timestamp": f"2026-03-0{day}T12:00:00Z",
                    "metadata": {"turn": day},
                },
                user_id="vera",
                session_id="s1",
            )
    return path.read_bytes()


@pytest.fixture
def store(tmp_path: Path, filled: bytes) -> Path:
    """A store with a few messages of Vera."""
    path = tmp_path / "chat.db"
    path.write_bytes(filled)
    return path


def test_help_lists_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for name, summary in SUMMARIES.items():
        assert name in result.stdout
        assert summary.split()[0] in result.stdout
        assert run(name, "--help").exit_code == 0
    assert run().stdout == result.stdout


def test_version() -> None:
    assert run("--version").stdout == f"backstory {__version__}\n"


def test_add_and_search(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    added = answer("add", "I play the oboe.", "--user", "vera", "-u", path, "--embedder", "none")
    assert added["messages"][0]["text"] == "I play the oboe."
    found = answer("search", "oboe", "--user", "vera", "--kind", "messages", "-u", path)
    assert [hit["id"] for hit in found["hits"]] == [added["messages"][0]["id"]]
    shown = run("-u", path, "search", "oboe", "--user", "vera")
    assert "I play the oboe." in shown.stdout


def test_add_takes_every_option(store: Path) -> None:
    args = ("add", "-", "--user", "vera", "-u", store, "--session", "s2", "--role", "assistant")
    more = ("--speaker", "Bo", "--timestamp", "2026-04-01T10:00:00+02:00", "--message-id", "m1")
    given = (*args, *more, "--metadata", '{"a": [1]}')
    message = answer(*given, text="two\nlines\n")["messages"][0]
    assert (message["text"], message["role"], message["speaker"]) == (
        "two\nlines",
        "assistant",
        "Bo",
    )
    assert (message["session_id"], message["message_id"]) == ("s2", "m1")
    assert message["timestamp"] == "2026-04-01T08:00:00+00:00"
    assert message["metadata"] == {"a": [1]}
    assert answer(*given, text="two\nlines\n")["messages"][0]["created"] is False


@pytest.mark.parametrize(
    "args",
    [
        ("add", "--user", "v"),
        ("add", "text", "--file", "x.jsonl", "--user", "v"),
        ("add", "text"),
        ("add", "text", "--user", "v", "--metadata", "[1]"),
        ("add", "text", "--user", "v", "--metadata", "{"),
        ("add", "--file", "no-such-file.jsonl", "--user", "v"),
        ("add", "--file", "-", "--user", "v"),
        ("search", "q", "--user", "v", "--meta", "novalue"),
        ("search", "q", "--user", "v", "--since", "yesterday"),
        ("search", "q", "--user", "v", "--until", "2026-02-30"),
        ("search", "q", "--user", "v", "--valid-at", "2026-01-01T10:00:00"),
        ("context", "--user", "v", "--known-at", "soon"),
        ("list", "--user", "v", "--since", "2026-13-01"),
        ("facts", "as-of", "then", "--user", "v"),
        ("facts", "store", "k", "v", "--valid-from", "2026", "--user", "v"),
        ("add", "text", "--user", "v", "--timestamp", "2026-01-01"),
        ("search", "q", "--user", "v", "-k", "0"),
        ("context", "--user", "v", "--max-tokens", "-1"),
        ("demo", "--url", "x.db"),
        ("no-such-command",),
        ("users", "--no-such-option"),
    ],
    ids=" ".join,
)
def test_usage_errors(args: tuple[str, ...], tmp_path: Path) -> None:
    # The options come first: they must count before an unknown command, too.
    result = run("--json", *args)
    assert result.exit_code == 2
    assert result.stdout == ""
    error = json.loads(result.stderr)
    assert error["error"] == "usage"
    assert "--help" in error["message"]
    plain = run(*args)
    assert plain.exit_code == 2
    assert plain.stderr.startswith("backstory: ")
    assert plain.stderr.count("\n") == 1


def test_a_wrong_time_steers_no_terminal(store: Path) -> None:
    result = run("search", "bread", "--user", "vera", "-u", store, "--since", "yes\x1b[31mterday")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'yesterday' is no time" in result.stderr
    assert "\x1b" not in result.stderr


def test_what_was_read_in_a_message_is_shown(tmp_path: Path) -> None:
    given = ("--user", "vera", "-u", tmp_path / "new.db", "--embedder", "none")
    result = run("add", "I live in Umea and I am allergic to nuts.", *given)
    assert result.exit_code == 0
    assert "read: home.place: Umea, since" in result.stdout
    assert "read: health.allergy: nuts" in result.stdout
    assert "read:" not in run("add", "Hello there!", *given).stdout


def test_errors_of_backstory_are_one_line_or_json(store: Path) -> None:
    given = ("search", "bread", "--user", "vera\x00\x1b[31m", "-u", store)
    result = run(*given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("backstory: ")
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr
    error = json.loads(run(*given, "--json").stderr)
    assert error["error"] == "invalid_filter" or error["error"] == "invalid_input"
    assert error["message"]


@pytest.mark.parametrize("command", ["search q --user v", "context q --user v", "users", "db"])
def test_reading_makes_no_store(command: str, tmp_path: Path) -> None:
    path = tmp_path / "typo.db"
    result = run(*command.split(), "-u", path, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stderr)["error"] == "not_found"
    assert not path.exists()


def test_search_filters(store: Path) -> None:
    given = ("search", "bread bakery", "--user", "vera", "--kind", "messages", "-u", store)

    def texts(*options: str) -> set[str]:
        found = answer(*given, *options)
        return {hit["text"][:3] for hit in found["hits"]}

    assert texts() == {"I w", "A b", "Rye"}
    assert texts("--role", "assistant") == {"A b"}
    assert texts("--since", "2026-03-02") == {"A b", "Rye"}
    assert texts("--until", "2026-03-02") == {"I w", "A b"}
    assert texts("--meta", "turn=3") == {"Rye"}
    assert texts("--session", "other") == set()
    assert len(texts("-k", "1")) == 1


def test_search_shows_neighbours_in_order_and_reasons(store: Path) -> None:
    given = ("search", "Which bread", "--user", "vera", "-u", store, "-k", "1", "--explain")
    lines = [line.strip() for line in run(*given).stdout.splitlines()]
    places = [
        next(i for i, line in enumerate(lines) if part in line)
        for part in ("I work", "A bakery!", "Rye", "found by words #1", "score of words")
    ]
    assert places == sorted(places)
    why = answer(*given)["hits"][0]["why"]
    assert why["arms"][0]["rank"] == 1
    assert "which" in " ".join(why["terms"]) or "bread" in why["terms"]


def test_search_that_finds_nothing_says_why(store: Path) -> None:
    unknown = run("search", "bread", "--user", "nobody", "-u", store)
    assert (unknown.exit_code, unknown.stdout) == (0, "")
    assert "'nobody'" in unknown.stderr
    filtered = run("search", "bread", "--user", "vera", "-u", store, "--session", "no")
    assert "filters" in filtered.stderr


def test_context_is_exactly_the_text(store: Path) -> None:
    with Memory(store, embedder=None) as memory:
        built = memory.context("vera", query="bread", max_tokens=500, count_tokens="bytes")
    given = ("context", "bread", "--user", "vera", "-u", store, "-t", "500", "--count", "bytes")
    result = run(*given)
    assert result.stdout_bytes == built.text.encode()
    assert result.stderr == ""
    explained = run(*given, "--explain")
    assert explained.stdout_bytes == result.stdout_bytes
    assert "of 500 tokens" in explained.stderr
    assert re.search(r"\b(\d+)/\1 sources answered", explained.stderr)
    as_data = answer(*given)
    assert (as_data["text"], as_data["tokens"]) == (built.text, built.tokens)


def test_context_says_what_it_left_out(store: Path) -> None:
    given = ("context", "bread", "--user", "vera", "-u", store, "--session", "none")
    result = run(*given, "-t", "75", "--explain")
    assert "left out: " in result.stderr
    assert run(*given, "-t", "0").stdout == ""


def test_users(store: Path) -> None:
    assert [user["messages"] for user in answer("users", "-u", store)] == [3]
    assert "vera" in run("users", "-u", store).stdout
    assert answer("users", "-u", store, "--tenant", "other") == []


def test_options_before_and_after_and_config(store: Path, tmp_path: Path) -> None:
    assert answer("-u", "wrong.db", "users", "-u", store) == answer("-u", store, "users")
    config = tmp_path / "settings.toml"
    config.write_text(f'url = "{store.as_posix()}"\nembedder = "none"\n', encoding="utf-8")
    assert len(answer("users", "--config", config)) == 1
    config.write_text("nonsense = 1\n", encoding="utf-8")
    wrong = run("users", "--config", config)
    assert wrong.exit_code == 1
    assert "nonsense" in wrong.stderr


def test_hostile_text_steers_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "hostile.db"
    with Memory(path, embedder=None) as memory:
        memory.add(
            {
                "role": "user",
                "content": HOSTILE,
                "speaker": HOSTILE,
                "timestamp": "2026-01-01T00:00Z",
            },
            user_id=HOSTILE,
            session_id=HOSTILE,
        )
    outputs = [
        run("search", "red", "--user", HOSTILE, "-u", path, "--explain"),
        run("users", "-u", path),
        run("context", "red", "--user", HOSTILE, "-u", path, "--explain"),
        run("search", "red", "--user", "\x1b[31m", "-u", path),
    ]
    for result in outputs:
        assert result.exit_code == 0, result.output
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(result.output)
    assert SHOWN in " ".join(outputs[0].stdout.split("\n"))
    found = answer("search", "red", "--user", HOSTILE, "-u", path)
    assert found["hits"][0]["text"] == HOSTILE


def test_doctor_on_a_good_store(store: Path) -> None:
    result = run("doctor", "-u", store, "--embedder", "none")
    assert result.exit_code == 0
    assert "All 10 checks passed." in result.stdout
    report = answer("doctor", "-u", store, "--embedder", "none")
    assert report["ok"] is True
    assert report["facts"]["database"] == "sqlite"
    # The local embedder would have three messages to read.
    assert run("doctor", "-u", store).exit_code == 1


def test_doctor_measures_only_when_asked_to(store: Path) -> None:
    plain = run("doctor", "-u", store).stdout
    assert "measuring" not in plain
    assert "came with the embedder" in " ".join(plain.split())
    assert "nothing was changed" in " ".join(
        run("doctor", "-u", store, "--calibrate").stdout.split()
    )


def test_doctor_without_a_store(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "none.db"
    report = answer("doctor", "-u", path)
    assert "not there yet" in next(c["detail"] for c in report["checks"] if c["name"] == "database")
    assert any(check["name"] == "embedder" for check in report["checks"])
    assert not path.parent.exists()


def test_doctor_says_why_it_cannot_open(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("This is a text, not a database. " * 100, encoding="utf-8")
    result = run("doctor", "-u", path, "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    check = next(c for c in json.loads(result.stdout)["checks"] if c["name"] == "database")
    assert check["ok"] is False
    assert check["fix"]
    assert "not a SQLite database" in check["detail"]
    shown = run("doctor", "-u", path)
    assert "✗  database" in shown.stdout
    assert "to do: " in shown.stdout
    assert run("doctor", "-u", "redis://host").exit_code == 1


def test_db_upgrade_where_opening_does_not(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    sqlite3.connect(path).close()
    path.touch()
    config = tmp_path / "settings.toml"
    config.write_text(f'url = "{path.as_posix()}"\nauto_migrate = false\n', encoding="utf-8")
    refused = run("users", "--config", config)
    assert refused.exit_code == 1
    assert "backstory db upgrade" in refused.stderr
    assert run("doctor", "-u", path).exit_code == 1  # it upgrades nothing
    report = json.loads(run("doctor", "--config", config, "--json").stdout)
    assert [c["name"] for c in report["checks"] if not c["ok"]] == ["database"]
    upgraded = answer("db", "upgrade", "--config", config)
    assert upgraded["changed"] is True
    assert answer("db", "upgrade", "--config", config) == {**upgraded, "changed": False}
    assert answer("db", "--config", config)["schema"] == upgraded["schema"]
    assert answer("users", "--config", config) == []
    assert "already has" in run("db", "upgrade", "--config", config).stdout
    assert upgraded["schema"] in run("db", "--config", config).stdout


def test_a_newer_store_is_left_alone(store: Path) -> None:
    connection = sqlite3.connect(store)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    result = run("db", "upgrade", "-u", store, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stderr)["error"] == "schema_version"


def test_settings_of_the_environment_are_used(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_URL", str(store))
    assert len(answer("users")) == 1
    assert Settings.from_env().url == str(store)


def test_postgresql(postgres_url: str) -> None:
    given = ("-u", postgres_url, "--embedder", "none")
    assert answer("db", "upgrade", *given)["changed"] is True
    answer("add", "I play the oboe.", "--user", "vera", *given)
    assert answer("users", *given)[0]["messages"] == 1
    assert "oboe" in run("search", "oboe", "--user", "vera", *given, "--explain").stdout
    assert answer("doctor", *given)["facts"]["database"] == "postgresql"


def test_a_password_is_not_shown() -> None:
    for command in ("users", "doctor", "db"):
        result = run(command, "-u", "postgresql://vera:s3cret@localhost:1/none")
        assert result.exit_code == 1
        assert "s3cret" not in result.output
