"""Importing a book: whole, once, and with each item's fate named."""

import json
from pathlib import Path

import pytest

from tests.acceptance.cli_runner import answer, run
from tests.unit.books.epubs import page, write_epub


@pytest.fixture
def given(tmp_path: Path, ready_sqlite: bytes) -> tuple[str, ...]:
    (tmp_path / "book.db").write_bytes(ready_sqlite)
    return ("-u", str(tmp_path / "book.db"), "--embedder", "none")


def folder(tmp_path: Path) -> Path:
    root = tmp_path / "My Novel"
    root.mkdir()
    for number in (1, 2, 10):
        (root / f"chapter-{number}.md").write_text(
            f"# Chapter {number}: T{number}\n\nAda {number}."
        )
    return root


def test_a_folder_is_imported_once(tmp_path: Path, given: tuple[str, ...]) -> None:
    root = folder(tmp_path)
    first = answer("book", "import", root, "--planned", "12", "--unit", "part", *given)
    assert (first["book"], first["counts"], first["numbered"]) == (
        "My Novel",
        {"added": 3},
        "by name",
    )
    assert [(i["number"], i["title"], i["place"]) for i in first["items"]][-1] == (
        10,
        "T10",
        "chapter-10.md",
    )
    (info,) = answer("book", *given)
    assert (info["planned_chapters"], info["unit"], info["chapters"]) == (12, "part", 3)
    (root / "chapter-3.md").write_text("Ada 3.")
    again = answer("book", "import", root, *given)
    assert again["counts"] == {"already there": 3, "added": 1}
    answer("book", "import", root, "--planned", "30", "--dry-run", *given)
    assert answer("book", *given)[0]["planned_chapters"] == 12
    answer("book", "import", root, "--planned", "30", *given)
    assert answer("book", *given)[0]["planned_chapters"] == 30


def test_another_text_is_replaced_only_when_asked(tmp_path: Path, given: tuple[str, ...]) -> None:
    root = folder(tmp_path)
    answer("book", "import", root, *given)
    (root / "chapter-2.md").write_text("Another text.")
    result = run("book", "import", root, *given)
    assert result.exit_code == 1
    assert "--revise replaces it" in " ".join(result.stderr.split())
    revised = answer("book", "import", root, "--revise", *given)
    assert revised["counts"] == {"already there": 2, "revised": 1}


def test_a_dry_run_stores_nothing(tmp_path: Path, given: tuple[str, ...]) -> None:
    root, report = folder(tmp_path), tmp_path / "report.jsonl"
    new = ("-u", tmp_path / "new.db", "--embedder", "none")
    result = answer("book", "import", root, "--dry-run", "--report", report, *new)
    assert (result["dry_run"], result["counts"]) == (True, {"added": 3})
    assert not (tmp_path / "new.db").exists()
    assert [json.loads(line)["status"] for line in report.read_text().splitlines()] == ["added"] * 3
    answer("book", "import", root, *given)
    (root / "chapter-2.md").write_text("Another text.")
    dry = answer("book", "import", root, "--dry-run", "--revise", *given)
    assert dry["counts"] == {"already there": 2, "revised": 1}
    assert "Would store" in run("book", "import", root, "--dry-run", "--revise", *given).stdout
    assert answer("book", "import", root, "--revise", *given)["counts"]["revised"] == 1


def test_one_bad_file_costs_no_other(tmp_path: Path, given: tuple[str, ...]) -> None:
    root = folder(tmp_path)
    (root / "chapter-4.md").write_bytes("Größe".encode("latin-1"))
    (root / "chapter-5.md").write_text("")
    (root / ".hidden.md").write_text("x")
    result = run("book", "import", root, "--json", *given)
    assert result.exit_code == 1
    outcome = json.loads(result.stdout)
    assert outcome["counts"] == {"added": 3, "failed": 1, "left out": 2}
    assert json.loads(result.stderr)["message"] == "1 item not stored"
    assert answer("book", "import", root, "--encoding", "latin-1", *given)["counts"]["added"] == 1


def test_markdown_text_and_epub(tmp_path: Path, given: tuple[str, ...]) -> None:
    novel = tmp_path / "novel.md"
    novel.write_text("# Novel\n\n## Kapitel 1\n\nEins.\n\n## Kapitel 3\n\nDrei.\n")
    assert answer("book", "import", novel, *given)["numbered"] == "by heading"
    text = tmp_path / "text.txt"
    text.write_text("CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.\n")
    assert answer("book", "import", text, *given)["counts"] == {"added": 2}
    epub = write_epub(tmp_path / "sea.epub", {"a.xhtml": page("<h1>第十二章 海</h1><p>浪🌊</p>")})
    (item,) = answer("book", "import", epub, *given)["items"]
    assert (item["number"], item["title"]) == (12, "海")
    assert [info["id"] for info in answer("book", *given)] == ["novel", "sea", "text"]


def test_what_is_no_book(tmp_path: Path) -> None:
    given = ("-u", tmp_path / "book.db", "--embedder", "none")
    assert run("book", "import", tmp_path / "none", *given).exit_code == 1
    (tmp_path / "empty").mkdir()
    result = run("book", "import", tmp_path / "empty", *given)
    assert (result.exit_code, "no chapter" in result.stderr) == (1, True)
    assert run("book", "import", folder(tmp_path), "--numbering", "x", *given).exit_code == 1
    assert not (tmp_path / "book.db").exists()


def test_an_import_that_was_stopped_goes_on(tmp_path: Path, given: tuple[str, ...]) -> None:
    root = folder(tmp_path)
    answer("book", "init", "My Novel", *given)
    answer("book", "add", "1", "-", "-b", "My Novel", *given, text="Ada 1.")
    assert answer("book", "import", root, *given)["counts"] == {"already there": 1, "added": 2}
