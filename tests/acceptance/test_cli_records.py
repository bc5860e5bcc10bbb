"""Single records on the command line, and whole memories that move or go; on both databases."""

import json
from pathlib import Path

import pytest

from backstory import Memory
from tests.acceptance.cli_runner import answer, run
from tests.acceptance.places import ON_ONE, Place


@pytest.fixture
def store(place: Place) -> tuple[str, ...]:
    """The options of a store with three facts of Ada, one of them past."""
    given = ("-u", place.url, "--embedder", "none")
    with Memory(place.url, embedder=None) as memory:
        store = memory.facts.store
        for begin, town in (("2020-01-01T00:00Z", "Lund"), ("2024-06-01T00:00Z", "Malmö")):
            store(user_id="ada", key="home.place", value=town, valid_from=begin)
        store(user_id="ada", key="health.allergy", value="walnuts")
    return given


def facts_of(user: str, store: tuple[str, ...]) -> dict[str, str]:
    """All facts, past ones too: value to id."""
    return {f["value"]: f["id"] for f in answer("facts", "--user", user, "--all", *store)}


def test_a_memory_moves_and_is_forgotten(store: tuple[str, ...], tmp_path: Path) -> None:
    answer("add", "The sea is cold.", "--user", "ada", *store)
    path = tmp_path / "ada.jsonl"
    wrote = run("export", path, "--user", "ada", *store).stdout
    assert "1 message" in wrote
    before = list(facts_of("ada", store))
    receipt = answer("forget", "ada", "--yes", *store)
    assert receipt["rows"]["facts"] == 3
    assert len(receipt["ids_hash"]) == 64
    assert list(facts_of("ada", store)) == []
    assert "Nothing of 'ada'" in run("forget", "ada", "--yes", *store).stdout
    done = answer("import", path, *store)
    assert (done["user_id"], done["imported"]["fact"]) == ("ada", 3)
    assert list(facts_of("ada", store)) == before
    again = run("import", path, *store)
    assert again.exit_code == 0
    assert "Imported nothing for ada" in again.stdout
    shown = run("forget", "ada", "--yes", *store).stdout
    assert "receipt " in shown
    assert "facts" in shown


@ON_ONE
def test_files_that_cannot_be_moved(store: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "no" / "folder.jsonl"
    refused = run("export", path, "--user", "ada", *store, "--json")
    assert (refused.exit_code, json.loads(refused.stderr)["error"]) == (1, "file")
    assert run("import", path, *store).exit_code == 2
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    assert run("import", empty, *store).exit_code == 1
    assert run("import", empty, "--format", "nonsense", *store).exit_code == 1


@ON_ONE
def test_single_records(store: tuple[str, ...]) -> None:
    user = ("--user", "ada", *store)
    first = answer("add", "The sea is cold.", "--session", "s1", *user)["messages"][0]["id"]
    answer("add", "So is the lake.", "--role", "assistant", "--session", "s1", *user)
    page = answer("list", "--limit", "1", *user)
    assert (len(page["items"]), page["total"]) == (1, 2)
    rest = answer("list", "--cursor", page["next_cursor"], *user)
    assert [one["text"] for one in rest["items"]] == ["So is the lake."]
    assert "--cursor " in run("list", "--limit", "1", *user).stderr
    assert "So is the lake." in run("list", "--role", "assistant", *user).stdout
    assert "No such message" in run("list", "--session", "s2", *user).stderr
    changed = answer("update", first[-8:], "--text", "-", *user, text="The sea is warm.\n")
    assert (changed["id"], changed["text"]) == (first, "The sea is warm.")
    assert "The sea is warm." in run("get", first, *store).stdout
    lund = facts_of("ada", store)["Lund"]
    assert answer("get", lund[-8:], *user)["value"] == "Lund"
    assert answer("update", lund, "--value", "Lund C", *store)["value"] == "Lund C"
    assert run("update", lund, "--value", "x", "--text", "y", *store).exit_code == 1
    assert run("get", "zzz", *user).exit_code == 3
