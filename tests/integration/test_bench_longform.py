"""The bench of long documents runs, and what it compares is what it says. No speeds are judged."""

import gzip
import json
import zipfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from bench import longform
from bench.longform_books import (
    equal_chapters,
    languages,
    made_chapters,
    paragraphs,
    read_chapters,
    spread,
)
from bench.longform_growth import growth, kept_prefix, table
from bench.longform_scripts import as_chapters

pytestmark = pytest.mark.slow

TINY = replace(
    longform.SMALL,
    chapters=14,
    equal=(70, 90),
    sizes=(5, 30),
    rounds=1,
    calls=1,
    languages=2,
    threads=130,
    exact_each=5,
)


def book_file(tmp_path: Path, count: int) -> Path:
    path = tmp_path / "a-book.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for chapter in made_chapters(count):
            row = {"book": "A", "chapter": chapter.number, "text": chapter.text}
            lines.write(json.dumps(row) + "\n")
    return path


def texts_file(tmp_path: Path) -> Path:
    path = tmp_path / "texts.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/eng.txt", "All human beings are born free.\n\nThey have reason.\n" * 9)
        archive.writestr("x/tha.txt", "มนุษย์ทั้งหลายเกิดมามีอิสระ\n" * 20)
        archive.writestr("x/arb.txt", "يولد جميع الناس أحراراً\n" * 20)
        archive.writestr("x/readme.md", "no text")
    return path


def test_every_part_has_its_figures(tmp_path: Path) -> None:
    options = [f"--data={book_file(tmp_path, 14)}", f"--scripts={texts_file(tmp_path)}"]
    measured = longform.run(
        TINY,
        data=Path(options[0].removeprefix("--data=")),
        scripts=Path(options[1].removeprefix("--scripts=")),
        databases=["sqlite"],
    )
    found = {figure.label: figure for figure in measured.result.figures}
    for label, bar in (
        ("a-book, largest of 14 blocks, o200k_base", 6000),
        ("a-book, largest of 3 blocks packed with a real counter", 6000),
        ("equal summaries, block 90 against block 70, tokens (o200k)", 2),
        ("130 open threads, the block", 6000),
        ("2 languages, the largest block, cl100k_base", 1.03),
    ):
        assert found[label].at_most == bar
        assert found[label].met, label
    assert found["2 languages, 32 blocks within their budget, o200k_base"].value == 100
    assert found["130 open threads, of those shown are the most urgent"].value == 100
    assert "sqlite, block without retrieval, 30 against 5 chapters" in found
    assert "sqlite, block with retrieval, 30 chapters, p50" in found
    longform.write(measured, tmp_path)
    facts = json.loads((tmp_path / "longform.json").read_text())
    assert facts["side_by_side"]["columns"][0] == "before chapter"
    assert [row[0] for row in facts["side_by_side"]["rows"]] == ["10", "15"]
    assert "<svg" in (tmp_path / "longform.svg").read_text()


def test_all_summaries_grow_and_the_block_does_not() -> None:
    points, texts = growth("x", made_chapters(40), None, exact_each=0)
    assert [point.chapter for point in points] == list(range(2, 42))
    assert all(a.everything < b.everything for a, b in pairwise(points))
    assert all(max(point.real.values()) <= point.counted for point in points)
    assert len(texts) == 40
    assert len(table(points)["columns"]) == 5


def test_prefixes() -> None:
    assert kept_prefix("abcd", "abXd") == 50
    assert kept_prefix("ab", "abc") == 100
    assert kept_prefix("", "x") == 0


def test_books(tmp_path: Path) -> None:
    chapters = read_chapters(book_file(tmp_path, 5), limit=3)
    assert [(one.number, one.title) for one in chapters] == [(1, "A 1"), (2, "A 2"), (3, "A 3")]
    assert len({one.summary for one in equal_chapters(9)}) == 1
    assert [name for name, _ in languages(texts_file(tmp_path))] == ["arb", "eng", "tha"]
    assert spread(list("abcdef"), 3) == ["a", "c", "e"]
    assert [len(one) for one in paragraphs("x" * 900)] == [400, 400, 100]
    assert [one.number for one in as_chapters(list("abcdef"))] == [1, 2]
