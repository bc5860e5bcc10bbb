"""Documents in files: nothing is lost on the way, and nothing bad comes in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory import Document, Memory
from backstory.errors import ConflictError, FileError, InvalidInputError, NotFoundError
from tests.acceptance.places import Place


def _full(memory: Memory) -> Document:
    book = memory.document("novel 🦊", planned_chapters=9, unit="章")
    book.add_chapter(1, "Lena Holt met Max Weber in Arnheim.", title="One")
    book.add_chapter(2, "Lena Holt hid the brass key.", summary="The key is hidden.")
    book.add_chapter(5, "林黛玉走进荣国府。\n\nMax Weber slept.")
    book.revise_chapter(2, "Lena Holt hid the silver key.")
    book.threads.plant("gone", chapter=1)
    book.threads.plant("What does the key open?", chapter=2, deadline=8, kind="mystery")
    book.threads.progress(2, 5, note="the cellar")
    book.threads.plant("A plan", hidden=True)
    book.threads.delete(1)
    book.entities.save("The Order", "lore", aliases=["Ordo"], case_sensitive=False, hidden=True)
    state = book.entities.note("Lena Holt", "limps", chapter=2, known_by=["Max Weber"])
    book.entities.learn(state.id, "Oskar", 5)
    book.drafts.save(6, "Not yet.", title="Six")
    return book


def _state(book: Document) -> list[Any]:
    parts: list[Any] = [book.info(), book.entities.list(), book.threads.list(), book.drafts.list()]
    parts += [book.chapters.history(chapter.number) for chapter in book.chapters.list()]
    parts += [book.threads.events(thread.number) for thread in book.threads.list()]
    return parts


def test_a_document_comes_back_as_it_was(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    book = _full(memory)
    before, block = _state(book), book.block(6)
    written = book.export(tmp_path / "novel.jsonl")
    assert written.records["chapter"] == 3
    assert written.size == (tmp_path / "novel.jsonl").stat().st_size
    assert (tmp_path / "novel.jsonl").stat().st_mode & 0o077 == 0
    again = memory.import_file(tmp_path / "novel.jsonl")
    assert (again.imported, again.skipped["chapter"]) == ({}, 3)
    book.delete()
    result = memory.import_file(tmp_path / "novel.jsonl")
    assert (result.format, result.imported["entity"]) == ("document", len(before[1]))
    assert _state(book) == before
    assert book.flush().pending == 0
    assert book.block(6) == block
    assert book.threads.plant("The next").number == 4
    assert book.revise_chapter(5, "Max Weber woke.").withdrawn > 0
    with pytest.raises(ConflictError, match="other content"):
        memory.import_file(tmp_path / "novel.jsonl")


def test_another_tenant_takes_it_in(place: Place, tmp_path: Path) -> None:
    _full(place.open()).export(tmp_path / "novel.jsonl")
    other = place.open(tenant="other")
    assert other.import_file(tmp_path / "novel.jsonl", dry_run=True).imported["chapter"] == 3
    assert other.documents() == []
    other.import_file(tmp_path / "novel.jsonl", "document")
    assert [info.id for info in other.documents()] == ["novel 🦊"]


def _without_end(lines: list[dict[str, Any]]) -> None:
    lines.pop()


def _newer(lines: list[dict[str, Any]]) -> None:
    lines[0]["version"] = 99


def _miscounted(lines: list[dict[str, Any]]) -> None:
    del lines[1]


def _unknown_field(lines: list[dict[str, Any]]) -> None:
    lines[1]["colour"] = "red"


def _wrong_passage(lines: list[dict[str, Any]]) -> None:
    lines[1]["passages"] = [{"start": 0, "end": 10**6}]


def _strange_revision(lines: list[dict[str, Any]]) -> None:
    next(line for line in lines if line.get("record") == "event")["revision"] = "f" * 32


def _ghost(lines: list[dict[str, Any]]) -> None:
    next(line for line in lines if line.get("record") == "event")["thread"] = 77


def _negative(lines: list[dict[str, Any]]) -> None:
    lines[0]["next_thread"] = -1


def _twice(lines: list[dict[str, Any]]) -> None:
    lines.insert(2, lines[1])
    lines[-1]["records"]["chapter"] += 1


@pytest.fixture(scope="module")
def exported() -> list[str]:
    """The lines of an exported document, once a test has made them."""
    return []


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without_end, "cut off"),
        (_newer, "newer backstory"),
        (_miscounted, "other numbers of records"),
        (_unknown_field, "line 2: .*colour"),
        (_wrong_passage, "passages of chapter 1"),
        (_strange_revision, "not there"),
        (_ghost, "thread"),
        (_negative, "next_thread"),
        (_twice, "the same"),
    ],
)
def test_a_forged_or_damaged_file_stores_nothing(
    exported: list[str],
    ready_sqlite: bytes,
    tmp_path: Path,
    damage: Callable[[list[dict[str, Any]]], None],
    message: str,
) -> None:
    path, store = tmp_path / "novel.jsonl", tmp_path / "novel.db"
    store.write_bytes(ready_sqlite)
    with Memory(store, embedder=None) as memory:
        if not exported:
            book = _full(memory)
            book.export(path)
            book.delete()
            exported += path.read_text("utf-8").splitlines()
        lines = [json.loads(line) for line in exported]
        damage(lines)
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        with pytest.raises(InvalidInputError, match=message):
            memory.import_file(path)
        assert memory.documents() == []


def test_files_that_cannot_be_are_refused(ready_sqlite: bytes, tmp_path: Path) -> None:
    store = tmp_path / "novel.db"
    store.write_bytes(ready_sqlite)
    with Memory(store, embedder=None) as memory:
        book = memory.document("novel")
        with pytest.raises(NotFoundError, match="nothing is stored"):
            book.export(tmp_path / "x.jsonl")
        book.add_chapter(1, "x")
        with pytest.raises(FileError):
            book.export(tmp_path / "no" / "x.jsonl")
        with pytest.raises(FileError):
            book.export(tmp_path)
        with pytest.raises(FileError):
            memory.import_file(tmp_path / "none.jsonl", "document")
        (tmp_path / "half.jsonl").write_bytes(b'{"kind":"header","format":"backstory-document"')
        with pytest.raises(InvalidInputError):
            memory.import_file(tmp_path / "half.jsonl", "document")
        assert not list(tmp_path.glob(".*part"))
