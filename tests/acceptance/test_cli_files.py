"""Importing a chat from a file: once, whole, and with each bad line named."""

import json
from pathlib import Path

from backstory import Memory
from tests.acceptance.cli_runner import answer, run


def lines_file(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_file_is_imported_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    file = lines_file(
        tmp_path,
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Hi!", "id": 7, "session": 3},
        {"role": "user", "content": "Hello.", "timestamp": "2026-01-01T00:00:00Z"},
    )
    given = ("add", "--file", file, "--user", "vera", "-u", path, "--embedder", "none")
    first = answer(*given, "--metadata", '{"from": "export"}')
    assert (first["added"], first["already_there"], first["not_stored"]) == (3, 0, 0)
    assert first["sessions"] == ["talk.jsonl", "3"]
    again = answer(*given)
    assert (again["added"], again["already_there"]) == (0, 3)
    with Memory(path, embedder=None) as memory:
        stored = memory.get_all(user_id="vera").items
        assert all(session.ended_at for session in memory.sessions("vera"))
    assert [message.message_id for message in stored] == ["talk.jsonl:1", "7", "talk.jsonl:3"]
    assert all(message.metadata == {"from": "export"} for message in stored)


def test_a_bad_line_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    file = tmp_path / "talk.jsonl"
    good = [json.dumps({"role": "user", "content": f"Message {n}."}) for n in range(200)]
    bad = {
        3: "not json",
        50: json.dumps({"role": "nobody", "content": "x"}),
        70: json.dumps({"role": "user", "content": "x", "timestamp": "2026-01-01T00:00:00"}),
        71: json.dumps({"role": "user", "content": "  "}),
        90: json.dumps(["a list"]),
        120: json.dumps({"role": "user", "content": "x", "session": "s" * 600}),
        130: json.dumps({"role": "user", "content": "x", "session": ["a"]}),
        140: "[" * 100_000,
    }
    for number, line in bad.items():
        good[number - 1] = line
    file.write_bytes("\n".join(good).encode() + b'\n\n{"role": "user", "content": "\xff"}\n')
    given = ("add", "--file", file, "--user", "vera", "-u", path, "--embedder", "none")
    result = run(*given)
    assert result.exit_code == 1
    for number in (*bad, 202):
        assert f"line {number}: " in result.stderr
    assert "192 added, 0 already there, 9 not stored" in " ".join(result.stdout.split())
    as_data = run(*given, "--json")
    assert as_data.exit_code == 1
    outcome = json.loads(as_data.stdout)
    assert (outcome["added"], outcome["already_there"]) == (0, 192)
    assert [problem["line"] for problem in outcome["problems"]] == [*bad, 202]
    assert json.loads(as_data.stderr)["error"] == "invalid_input"


def test_a_changed_line_is_a_conflict(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    given = ("--user", "vera", "-u", path, "--embedder", "none")
    run("add", "--file", lines_file(tmp_path, {"content": "one"}, {"content": "two"}), *given)
    changed = lines_file(tmp_path, {"content": "one"}, {"content": "another"})
    result = run("add", "--file", changed, *given, "--json")
    assert json.loads(result.stdout)["problems"][0]["error"] == "conflict"


def test_a_file_from_stdin(tmp_path: Path) -> None:
    given = ("add", "--file", "-", "--session", "s9", "--user", "vera", "-u", tmp_path / "new.db")
    outcome = answer(*given, "--embedder", "none", text='\ufeff{"content": "Hej!"}\n')
    assert (outcome["added"], outcome["sessions"]) == (1, ["s9"])
