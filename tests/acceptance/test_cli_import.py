"""``backstory import``: a trial, a report of each item, what is shown, how it ends."""

import json
import os
import pty
import zipfile
from pathlib import Path

import pytest

from backstory import Memory
from backstory.testing.chat_server import ChatServer
from tests.acceptance.cli_runner import answer, run
from tests.unit.core.foreign.exports import MESSAGES, chatgpt
from tools import forked

TOLD_AT = """
import sys
from backstory.cli import main
sys.stderr = open(sys.argv.pop(1), "w", buffering=1)
sys.exit(main())
"""


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(), 3]))
    return path


@pytest.fixture
def given(tmp_path: Path) -> tuple[str, ...]:
    return ("--user", "vera", "-u", str(tmp_path / "chat.db"), "--embedder", "none")


def test_a_trial_makes_no_store(export: Path, given: tuple[str, ...], tmp_path: Path) -> None:
    trial = run("import", export, "--dry-run", *given)
    assert trial.exit_code == 1, "one record cannot be read"
    told = "Would import 4 messages for vera (chatgpt); 0 already there, 4 left out, 1 problem."
    assert told in " ".join(trial.stdout.split())
    assert not (tmp_path / "chat.db").exists()
    first = run("import", export, *given)
    assert "Imported 4 messages for vera (chatgpt); 0 already there" in first.stdout
    assert "left out: 2 hidden message" in first.stdout
    assert "1 message has no time of its own" in first.stdout
    assert "1: it is no object" in first.stderr
    again = run("import", export, "--dry-run", *given)
    assert "Would import nothing for vera (chatgpt); 4 already there" in again.stdout


def test_a_model_has_read_everything_when_it_ends(
    given: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chat.jsonl"
    lines = [
        {"role": "user", "content": f"I paint {n}", "session_id": f"s{n // 5}", "id": f"m{n}"}
        for n in range(30)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with ChatServer('{"facts": []}') as server:
        monkeypatch.setenv("BACKSTORY_LLM", "openai:shades")
        monkeypatch.setenv("BACKSTORY_LLM_URL", server.url)
        monkeypatch.setenv("BACKSTORY_BACKGROUND", "false")
        done = answer("import", path, *given)
        assert (done["imported"], done["pending"]) == ({"message": 30}, 0)
        assert len(server.calls) == 3
        assert answer("import", path, *given)["imported"] == {}
        assert len(server.calls) == 3


def test_a_report_tells_of_each_item(export: Path, given: tuple[str, ...], tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    result = run("import", export, "--report", report, *given)
    assert result.exit_code == 1
    items = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    assert sorted(item["outcome"] for item in items) == [
        *["left out"] * 4,
        "refused",
        *["stored"] * 4,
    ]
    assert {item["id"] for item in items} == {*(f"m{n}" for n in range(7)), "m2b", None}
    refused = run("import", export, "--report", tmp_path, *given)
    assert refused.exit_code == 2


def test_a_report_replaces_neither_the_file_nor_the_store(
    export: Path, given: tuple[str, ...], tmp_path: Path
) -> None:
    run("import", export, *given)
    for place in (export, tmp_path / "chat.db"):
        before = place.read_bytes()
        refused = run("import", export, "--report", place, *given)
        assert (refused.exit_code, place.read_bytes()) == (2, before)


def test_a_file_that_cannot_be_read_leaves_nothing(given: tuple[str, ...], tmp_path: Path) -> None:
    for place in (tmp_path / "none.zip", tmp_path):
        refused = run("import", place, "--report", tmp_path / "report.jsonl", *given)
        assert refused.exit_code == 2
    assert not (tmp_path / "chat.db").exists()
    assert not (tmp_path / "report.jsonl").exists()


def test_as_data(tmp_path: Path, given: tuple[str, ...]) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(map(json.dumps, MESSAGES)), encoding="utf-8")
    done = answer("import", path, *given)
    assert (done["format"], done["imported"], done["undated"]) == ("messages", {"message": 3}, 2)
    nobody = run("import", path, *given[2:], "--json")
    assert nobody.exit_code == 1
    assert json.loads(nobody.stderr)["error"] == "invalid_input"


def test_a_terminal_sees_how_far_it_is(export: Path, given: tuple[str, ...]) -> None:
    master, slave = pty.openpty()
    process = forked.start(TOLD_AT, os.ttyname(slave), "import", str(export), *given)
    ended = process.finish()
    os.set_blocking(master, False)
    with open(master, "rb", buffering=0) as terminal:  # noqa: PTH123
        shown = b"".join(iter(lambda: terminal.read(65_536), None))
    os.close(slave)
    assert ended.returncode == 1
    assert b"importing" in shown
    assert "Imported 4 messages" in ended.stdout
    with Memory(given[3], embedder=None) as memory:
        assert len(memory.get_all(user_id="vera").items) == 4
