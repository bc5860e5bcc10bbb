"""The demo of a book: what it shows is true, and it leaves nothing behind."""

import json
from pathlib import Path
from typing import Any

import pytest

from backstory.cli.tour_book import BUDGET, DRAFT, read_novel
from tests.acceptance.cli_runner import answer, run


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    result = run("demo", "--book", "--json", "--embedder", "none")
    assert result.exit_code == 0, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_the_novel_is_whole() -> None:
    novel = read_novel()
    assert [part.number for part in novel.parts] == list(range(1, 13))
    assert all(250 <= len(part.text.split()) <= 400 for part in novel.parts)
    assert all(part.title for part in novel.parts)
    assert (novel.planned, len(novel.plan["threads"])) == (14, 6)


def test_threads_stand_as_the_novel_has_them(told: dict[str, Any]) -> None:
    states = {thread["number"]: thread["status"] for thread in told["threads"]}
    assert states == {
        1: "resolved",
        2: "resolved",
        3: "resolved",
        4: "progressing",
        5: "progressing",
        6: "progressing",
    }
    assert [one["number"] for one in told["status"]["overdue"]] == [4]
    assert {one["number"] for one in told["status"]["open_threads"]} == {4, 5, 6}
    owed = [one["number"] for one in told["status"]["owed"]]
    assert owed[0] == 4
    assert set(owed) <= {4, 5, 6}


def test_the_two_errors_are_found_and_no_third(told: dict[str, Any]) -> None:
    found = {
        (one["about"], one["kind"], one["known_chapter"], one["chapter"])
        for one in told["status"]["contradictions"]
    }
    planted = {
        (one["about"], one["kind"], one["first"], one["then"])
        for one in read_novel().plan["errors"]
    }
    assert found == planted
    assert [one["about"] for one in told["draft"]] == ["Matthias Quill"]


def test_the_block_keeps_its_budget(told: dict[str, Any]) -> None:
    block = told["block"]
    assert (block["chapter"], block["budget"]) == (13, BUDGET)
    assert 0.5 * BUDGET <= block["tokens"] <= BUDGET
    for mark in ("[T4]", "[T5]", "[T6]", "Ada Renn"):
        assert mark in block["text"]
    recent = {s["part"]: s["kept"] for s in told["as_of"]["sections"]}["recent"]
    assert recent == ["1", "2", "3", "4", "5"]


def test_the_secret_is_kept(told: dict[str, Any]) -> None:
    secret = read_novel().plan["secrets"][0]["value"]
    assert secret in told["knowers"]["Ilse"]["text"]
    assert secret not in told["knowers"]["Ada"]["text"]
    assert "keeper's daughter" not in told["knowers"]["Ada"]["text"]


def test_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("demo", "--book", "--embedder", "none")
    assert (result.exit_code, result.stderr) == (0, "")
    shown = " ".join(result.stdout.split())
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert not any(char in shown for char in "\x1b\x07")
    for part in (
        "12 of 14 chapters",
        "Overdue: T4.",
        "as Ada may know it",
        "does not give it away",
        DRAFT,
    ):
        assert part in shown, part
    assert list(tmp_path.iterdir()) == []


def test_keep_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    for _ in range(2):
        answer("demo", "--book", "--keep", path, "--embedder", "none")
        (info,) = answer("book", "-u", path, "--embedder", "none")
        assert (info["chapters"], info["planned_chapters"]) == (12, 14)
        threads = answer("book", "threads", "--all", "-u", path, "--embedder", "none")
        assert len(threads) == 6
