"""The commands for a book: chapters, threads, entities, blocks, checks."""

import json
from pathlib import Path

import pytest

from tests.acceptance.cli_runner import answer, run

ONE = "Ada's eyes were green. Ada lit the lamp in Hollin, and Bruno waited for Ada."
TWO = "Bruno died that night. Ada wound the clock. 海は静かだった。"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, ready_sqlite: bytes) -> bytes:
    """The file of a store with a novel of two parts."""
    path = tmp_path_factory.mktemp("filled") / "book.db"
    path.write_bytes(ready_sqlite)
    given = ("-u", str(path), "--embedder", "none")
    answer("book", "init", "novel", "--planned", "4", "--unit", "chapter", *given)
    for number, text in enumerate((ONE, TWO), start=1):
        answer("book", "add", str(number), "-", "--title", f"Part {number}", *given, text=text)
    return path.read_bytes()


@pytest.fixture
def store(tmp_path: Path, filled: bytes) -> tuple[str, ...]:
    (tmp_path / "book.db").write_bytes(filled)
    return ("-u", str(tmp_path / "book.db"), "--embedder", "none")


def test_init_keeps_what_is_planned(tmp_path: Path) -> None:
    given = ("-u", tmp_path / "new.db", "--embedder", "none")
    first = answer("book", "init", "novel", "--planned", "12", "--unit", "lesson", *given)
    assert (first["planned_chapters"], first["unit"], first["chapters"]) == (12, "lesson", 0)
    (listed,) = answer("book", *given)
    assert (listed["id"], listed["planned_chapters"]) == ("novel", 12)
    again = answer("book", "init", "novel", "--planned", "20", *given)
    assert (again["planned_chapters"], again["unit"]) == (20, "lesson")
    assert "0 lessons" in run("book", "init", "novel", *given).stdout


def test_a_chapter_is_added_once(store: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "one.md"
    file.write_bytes(b"\xef\xbb\xbf" + ONE.encode())
    again = answer("book", "add", "1", file, *store)
    assert again["chapter"]["revised"] == 0
    other = run("book", "add", "1", "-", *store, text="Another text.")
    assert other.exit_code == 1
    revised = answer("book", "add", "1", "-", "--revise", *store, text=ONE + " Dusk fell.")
    assert revised["chapter"]["revised"] == 1
    shown = run("book", "add", "3", "-", "--summary", "Mine.", *store, text="Ada slept in Hollin.")
    assert "3: Mine." in shown.stdout


def test_files_that_cannot_be_read(store: tuple[str, ...], tmp_path: Path) -> None:
    bad = tmp_path / "bad.md"
    bad.write_bytes(b"\xff\xfe\xfa")
    result = run("book", "add", "3", bad, *store)
    assert (result.exit_code, "not UTF-8" in result.stderr) == (1, True)
    assert run("book", "add", "3", tmp_path / "none.md", *store).exit_code == 2
    assert run("book", "add", "3", "-", *store, text="   ").exit_code == 1
    assert run("book", "add", "0", "-", *store, text="x").exit_code == 2


def test_the_book_that_is_meant(store: tuple[str, ...], tmp_path: Path) -> None:
    empty = ("-u", str(tmp_path / "empty.db"), "--embedder", "none")
    assert run("book", "status", *empty).exit_code == 3
    run("users", *empty)
    result = run("book", "status", "-b", "nobody", *store)
    assert (result.exit_code, "no book 'nobody'" in result.stderr) == (3, True)
    answer("book", "init", "שני", *store)
    several = run("book", "status", *store)
    assert (several.exit_code, "name one of the 2 books" in several.stderr) == (2, True)
    assert answer("book", "status", "-b", "שני", *store)["chapter"] is None


def test_the_block_is_exactly_the_text(store: tuple[str, ...]) -> None:
    built = answer("book", "block", *store)
    assert (built["chapter"], built["budget"]) == (3, 6000)
    result = run("book", "block", "--explain", *store)
    assert result.stdout == built["text"]
    assert "of 6,000 tokens" in result.stderr
    assert "海は静かだった" in built["text"]
    small = answer("book", "block", "2", "-t", "60", "--as-of", "1", "--query", "", *store)
    assert small["tokens"] <= 60
    assert "Bruno died" not in small["text"]
    assert run("book", "block", "-t", "0", *store).stdout == ""
    assert run("book", "block", "0", *store).exit_code == 2


def test_threads_from_plan_to_end(store: tuple[str, ...]) -> None:
    made = answer(
        *("book", "threads", "plant", "Who lit the lamp?", "-c", "1"),
        *("--deadline", "2", "--kind", "mystery"),
        *store,
    )
    assert (made["number"], made["status"], made["deadline"]) == (1, "open", 2)
    planned = answer("book", "threads", "plant", "The storm.", "--hidden", *store)
    assert (planned["number"], planned["status"]) == (2, "planned")
    assert answer("book", "threads", "progress", "T1", "-c", "2", *store)["status"] == "progressing"
    assert "overdue" in run("book", "threads", *store).stdout
    closed = answer("book", "threads", "resolve", "1", "-c", "2", "--note", "Ada", *store)
    assert (closed["status"], closed["closed_in"], closed["note"]) == ("resolved", 2, "Ada")
    assert [one["number"] for one in answer("book", "threads", "--all", *store)] == [1, 2]
    then = answer("book", "threads", "--as-of", "1", *store)
    assert [one["status"] for one in then if one["number"] == 1] == ["open"]
    assert answer("book", "threads", "reopen", "T1", "-c", "2", *store)["status"] != "resolved"
    assert answer("book", "threads", "abandon", "[T1]", "-c", "2", *store)["status"] == "abandoned"
    assert run("book", "threads", "resolve", "T9", *store).exit_code == 3
    assert run("book", "threads", "resolve", "x", *store).exit_code == 1
    assert run("book", "threads", "delete", "1", *store).exit_code == 2
    assert answer("book", "threads", "delete", "1", "--yes", *store)["deleted"] is True
    assert "resolved in 2" not in run("book", "threads", "--all", *store).stdout


def test_entities_and_who_knows(store: tuple[str, ...]) -> None:
    saved = answer("book", "entities", "save", "Ada", "--kind", "person", *store)
    assert saved["kind"] == "person"
    state = answer(
        *("book", "entities", "note", "Ada", "the heir", "--attribute", "secret"),
        *("-c", "1", "--known-by", "Bruno"),
        *store,
    )
    assert [one["name"] for one in state["known_by"]] == ["Bruno"]
    shown = run("book", "entities", "get", "Ada", *store).stdout
    assert "secret the heir (since 1, known to Bruno)" in " ".join(shown.split())
    assert "Ada" in run("book", "entities", *store).stdout
    assert "the heir" in answer("book", "block", *store)["text"]
    nobody = run("book", "block", "--knower", "Nobody", *store)
    assert "no entity is called 'Nobody'" in nobody.stderr
    assert "the heir" not in answer("book", "block", "--knower", "Ada", *store)["text"]
    assert run("book", "entities", "get", "Nobody", *store).exit_code == 3
    assert run("book", "entities", "delete", "Ada", *store).exit_code == 2
    assert answer("book", "entities", "delete", "Ada", "--yes", *store)["deleted"] is True


def test_a_contradiction_ends_with_1(store: tuple[str, ...], tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text('"Good evening," said Bruno.')
    result = run("book", "check", draft, *store)
    assert result.exit_code == 1
    assert "Bruno died that night" in " ".join(result.stdout.split())
    found = run("book", "check", draft, *store, "--json")
    assert [one["kind"] for one in json.loads(found.stdout)] == ["dead_acts"]
    draft.write_text("Ada opened the window.")
    good = run("book", "check", draft, *store)
    assert (good.exit_code, good.stderr.strip()) == (0, "No contradiction found.")
    assert answer("book", "status", *store)["contradictions"] == []


def test_status_export_delete(store: tuple[str, ...], tmp_path: Path) -> None:
    answer("book", "add", "4", "-", *store, text="Ada slept.")
    stands = answer("book", "status", *store)
    assert (stands["missing"], stands["chapter"]) == ([3], 4)
    shown = run("book", "status", *store).stdout
    assert "novel: 3 of 4 chapters, the last is 4" in shown
    assert "missing: 3" in shown
    file = tmp_path / "novel.jsonl"
    assert answer("book", "export", file, *store)["size"] == file.stat().st_size
    assert run("book", "delete", *store).exit_code == 2
    assert answer("book", "delete", "--yes", *store) == {"id": "novel", "deleted": True}
    assert answer("book", *store) == []
    assert "No book is stored" in run("book", *store).stdout
    answer("import", file, *store)
    assert answer("book", "status", *store)["chapter"] == 4
    again = run("import", file, *store)
    assert "Imported nothing (document); " in " ".join(again.stdout.split()), again.stdout
