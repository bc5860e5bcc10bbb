"""The demo: what it shows is true, and it leaves nothing behind."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backstory.cli.app import app
from backstory.cli.tour import BUDGETS, CONTEXT_QUESTION, QUESTIONS, read_conversation

ANSWERS = dict(zip(QUESTIONS, ("We moved Lisbon", "walnuts", "Kvarnbacken 7"), strict=True))


def run_demo(*options: str) -> str:
    result = CliRunner().invoke(app, ["demo", *options])
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run_demo("--json"))
    return data


def test_the_conversation_is_whole() -> None:
    conversation = read_conversation()
    assert (conversation.user, len(conversation.talks), conversation.size) == ("vera", 12, 239)
    assert len({m["id"] for talk in conversation.talks for m in talk.messages}) == 239


def test_searches_find_the_answers(told: dict[str, Any]) -> None:
    for search in told["searches"]:
        texts = [hit["text"] for hit in search["hits"]]
        assert any(ANSWERS[search["query"]] in text for text in texts), search["query"]
        assert all(hit["why"]["arms"] for hit in search["hits"])


def test_contexts_keep_their_budgets(told: dict[str, Any]) -> None:
    assert [context["max_tokens"] for context in told["contexts"]] == list(BUDGETS)
    for context in told["contexts"]:
        assert context["query"] == CONTEXT_QUESTION
        assert 0.8 * context["max_tokens"] <= context["tokens"] <= context["max_tokens"]
        assert {section["name"] for section in context["sections"]} == {"recalled", "recent"}
        assert "lead product designer" in " ".join(context["text"].split())


def test_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run_demo()
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not any(char in shown for char in "\x1b\x07")
    for part in ("239 messages in 12 sessions", *QUESTIONS, "of 2,000 tokens ✓", "memory.add("):
        assert part in shown
    assert "✗" not in shown
    assert list(tmp_path.iterdir()) == []


def test_keep_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDER", "openai:not-asked")
    path = tmp_path / "kept.db"
    for _ in range(2):
        run_demo("--keep", str(path), "--embedder", "none", "--json")
        users = CliRunner().invoke(app, ["users", "-u", str(path), "--embedder", "none", "--json"])
        assert [user["messages"] for user in json.loads(users.stdout)] == [239]
