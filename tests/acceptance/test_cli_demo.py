"""The demo: what it shows is true, and it leaves nothing behind."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backstory.cli.app import app
from backstory.cli.tour import BUDGETS, CONTEXT_QUESTION, QUESTIONS, read_conversation

ANSWERS = dict(zip(QUESTIONS, ("We moved Lisbon", "walnuts", "Kvarnbacken 7"), strict=True))

SECTIONS = {
    "facts", "contradictions", "texture", "observations", "emotions", "summaries", "timeline",
    "graph", "recalled", "recent",
}  # fmt: skip


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


def test_facts_are_read_and_kept_in_time(told: dict[str, Any]) -> None:
    current = {fact["key"]: fact["value"] for fact in told["facts"]}
    assert current["work.employer"] == "Tallhaven"
    homes, employers = (
        [(fact["value"], (fact["valid_from"] or "")[:10]) for fact in history["facts"]]
        for history in told["histories"]
    )
    assert homes == [("Majorna", "2026-09-01"), ("Kvillestaden", "2026-10-16")]
    assert employers == [("Fjordlight Maps", "2026-09-01"), ("Tallhaven", "2026-11-02")]


def test_an_order_is_answered_from_the_time_line(told: dict[str, Any]) -> None:
    assert [(event["occurred_on"], event["predicate"]) for event in told["order"]] == [
        ("2026-09-08", "had my first Japanese lesson"),
        ("2026-09-19", "Amira's baby was born"),
        ("2026-10-16", "moved to Kvillestaden"),
        ("2026-10-24", "the race"),
    ]


def test_a_contradiction_is_raised_and_resolved(told: dict[str, Any]) -> None:
    raised, resolved = told["contradiction"]["raised"], told["contradiction"]["resolved"]
    assert (raised["state"], resolved["state"]) == ("open", "resolved")
    assert (raised["stored_value"], raised["stated_value"]) == ("vegetarian", "pescatarian")


def test_a_question_as_of_two_dates_has_two_answers(told: dict[str, Any]) -> None:
    assert [answer["fact"]["value"] for answer in told["as_of"]] == ["Majorna", "Kvillestaden"]


def test_contexts_keep_their_budgets(told: dict[str, Any]) -> None:
    assert [context["max_tokens"] for context in told["contexts"]] == list(BUDGETS)
    for context in told["contexts"]:
        assert context["query"] == CONTEXT_QUESTION
        assert 0.8 * context["max_tokens"] <= context["tokens"] <= context["max_tokens"]
        assert {section["name"] for section in context["sections"]} == SECTIONS
        assert "lead product designer" in " ".join(context["text"].split())


def test_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run_demo("--embedder", "none")
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not any(char in shown for char in "\x1b\x07")
    for part in ("239 messages in 12 sessions", *QUESTIONS, "of 2,000 tokens ✓", "memory.add("):
        assert part in shown
    for part in ("Majorna ──▶  Kvillestaden ──▶", "✗ vegetarian, ", "✓ pescatarian, "):
        assert part in shown
    assert shown.count("✗") == 1
    assert list(tmp_path.iterdir()) == []


def test_keep_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDER", "openai:not-asked")
    path = tmp_path / "kept.db"
    for _ in range(2):
        run_demo("--keep", str(path), "--embedder", "none", "--json")
        users = CliRunner().invoke(app, ["users", "-u", str(path), "--embedder", "none", "--json"])
        assert [user["messages"] for user in json.loads(users.stdout)] == [239]
