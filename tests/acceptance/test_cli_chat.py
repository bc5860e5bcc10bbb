"""A conversation in the terminal, driven by a pipe: with a model, without, with a broken one."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory, Prompt, Settings
from backstory.errors import ConfigurationError, InvalidInputError
from backstory.testing import ChatServer
from backstory.testing.chat_server import Reply
from tests.acceptance.cli_runner import run

SCRIPT = str(Path(sys.executable).with_name("backstory"))


def stored(path: Path, user: str = "vera") -> list[tuple[str, str]]:
    with Memory(path, embedder=None) as memory:
        return [(str(m.role), m.text) for m in memory.get_all(user_id=user, limit=1000).items]


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def given(tmp_path: Path) -> tuple[str, ...]:
    return ("chat", "--user", "vera", "-u", str(tmp_path / "chat.db"), "--embedder", "none")


def config(folder: Path, server: ChatServer) -> tuple[str, ...]:
    path = folder / "settings.toml"
    path.write_text(
        f'llm = "shades"\nllm_url = "{server.url}"\nreading = "none"\ntime_limits = "llm=5"\n',
        encoding="utf-8",
    )
    return ("--config", str(path))


def test_without_a_model_the_prompt_is_shown(given: tuple[str, ...], tmp_path: Path) -> None:
    first = run(*given, text="I live in Umea.\n\n  \n/facts\n/quit\nnever said\n")
    assert first.exit_code == 0
    assert "no language model is set" in first.stderr
    assert "--- user\nI live in Umea.\n---" in first.stdout
    assert "home.place" in first.stdout
    assert stored(tmp_path / "chat.db") == [("user", "I live in Umea.")]
    again = run(*given, text="Where do I live?")
    system, asked = again.stdout.split("--- user\n")
    assert "Umea" in system
    assert "Where do I live?" not in system
    assert asked == "Where do I live?\n---\n"


def test_commands(given: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*given, text="/facts\n/context\n/help\n/nothing\n//etc is a folder\n/context\n")
    assert result.exit_code == 0
    assert "nothing is known yet" in result.stderr
    assert "0 of 2,000 tokens" in result.stderr
    assert "there is no /nothing" in result.stderr
    assert stored(tmp_path / "chat.db") == [("user", "/etc is a folder")]


def test_a_model_answers_with_what_is_remembered(given: tuple[str, ...], tmp_path: Path) -> None:
    with ChatServer(lambda call: f"answer {len(server.calls)}") as server:
        options = config(tmp_path, server)
        first = run(*given, *options, "--session", "one", text="My cat is called Momo.\n")
        assert (first.exit_code, first.stdout, first.stderr) == (0, "answer 1\n", "")
        second = run(
            *given,
            *options,
            "-t",
            "300",
            text="Who is Momo?\nAnd who else?\n",
        )
        assert second.stdout == "answer 2\nanswer 3\n"
        systems = [call.system for call in server.calls]
        assert "Momo" not in systems[0]
        assert "My cat is called Momo." in systems[1]
        assert "answer 2" in systems[2], "the conversation goes on"
        assert [call.user for call in server.calls[1:]] == ["Who is Momo?", "And who else?"]
    assert stored(tmp_path / "chat.db") == [
        ("user", "My cat is called Momo."),
        ("assistant", "answer 1"),
        ("user", "Who is Momo?"),
        ("assistant", "answer 2"),
        ("user", "And who else?"),
        ("assistant", "answer 3"),
    ]
    with Memory(tmp_path / "chat.db", embedder=None) as memory:
        assert memory.sessions("vera")[0].id == "one"
        assert all(session.ended_at for session in memory.sessions("vera"))


def test_what_was_said_is_kept_when_the_model_fails(given: tuple[str, ...], tmp_path: Path) -> None:
    with ChatServer("fine") as server:
        options = config(tmp_path, server)
        server.script(Reply(status=400), "back again", Reply(text="cut of", finish="length"))
        result = run(*given, *options, "--json", text="One.\nTwo.\nThree.\n")
        assert result.exit_code == 1
        first, second, third = lines_of(result.stdout)
        assert (first["user"], first["error"]) == ("One.", "model")
        assert (second["user"], second["answer"]) == ("Two.", "back again")
        assert third["error"] == "truncated_completion"
        shown = run(*given, *options, text="Four.\n")
        assert (shown.exit_code, shown.stdout) == (0, "fine\n")
        server.script(Reply(status=400))
        assert "error: " in run(*given, *options, text="Five.\n").stderr
    texts = [text for role, text in stored(tmp_path / "chat.db") if role == "user"]
    assert texts == ["One.", "Two.", "Three.", "Four.", "Five."]


def test_a_model_that_is_down_is_not_asked_again_at_the_end(
    given: tuple[str, ...], tmp_path: Path
) -> None:
    with ChatServer("fine") as server:
        server.script(*[Reply(status=503)] * 50)
        path = tmp_path / "settings.toml"
        path.write_text(f'llm = "shades"\nllm_url = "{server.url}"\ntime_limits = "llm=0.3"\n')
        result = run(*given, "--config", str(path), text="I live in Umea.\n")
    assert result.exit_code == 1
    assert "note: the model did not answer" in result.stderr
    assert "messages wait" not in result.stderr
    assert stored(tmp_path / "chat.db") == [("user", "I live in Umea.")]


def test_a_hostile_answer_steers_no_terminal(given: tuple[str, ...], tmp_path: Path) -> None:
    with ChatServer("red \x1b[31mtext\x1b]0;title\x07 here") as server:
        result = run(*given, *config(tmp_path, server), text="Hi\n")
    assert result.stdout == "red text here\n"


def test_json_is_one_line_for_each_turn(given: tuple[str, ...]) -> None:
    result = run(*given, "--json", text="I live in Umea.\n/facts\n/context\n\u200b\n")
    said, facts, context, refused = lines_of(result.stdout)
    assert said["prompt"]["user"] == "I live in Umea."
    assert [fact["value"] for fact in facts["facts"]] == ["Umea"]
    assert context["tokens"] >= 0
    assert refused["error"] == "invalid_input"
    assert result.exit_code == 1


def test_a_terminal_and_an_interruption(given: tuple[str, ...], tmp_path: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [SCRIPT, *given], stdin=slave, stdout=slave, stderr=subprocess.PIPE, close_fds=True
    )
    os.close(slave)
    os.write(master, b"I keep bees.\n")
    seen = b""
    deadline = time.monotonic() + 60
    while b"I keep bees.\r\n---" not in seen and time.monotonic() < deadline:
        seen += os.read(master, 4096)
    assert b"> " in seen
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        # a signal just before the call that waits for a line does not end it: press once more
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=40)
    os.close(master)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert stored(tmp_path / "chat.db") == [("user", "I keep bees.")]
    with Memory(tmp_path / "chat.db", embedder=None) as memory:
        assert memory.sessions("vera")[0].ended_at is not None


def test_a_memory_asks_its_model(tmp_path: Path) -> None:
    with ChatServer("hello") as server:
        settings = Settings.from_config({"llm": "shades", "llm_url": server.url})
        with Memory(tmp_path / "a.db", embedder=None, settings=settings) as memory:
            answer = memory.complete(Prompt(system="Be kind.", user="Hi", max_tokens=7))
        assert answer.text == "hello"
        call = server.calls[0]
        assert (call.system, call.user, call.max_tokens) == ("Be kind.", "Hi", 7)
    with Memory(tmp_path / "b.db", embedder=None) as memory:
        with pytest.raises(ConfigurationError, match="BACKSTORY_LLM"):
            memory.complete(Prompt(system="", user="Hi"))
        with pytest.raises(InvalidInputError):
            memory.complete("Hi")  # type: ignore[arg-type]
