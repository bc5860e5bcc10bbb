"""Fills a store with a long document faster than the library does: rows in bulk, one transaction.

The rows are those that adding the chapters leaves behind. Chapters repeat a few hundred texts, and
the vectors are seeded random directions: neither changes what assembling a block costs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, insert, select

from backstory import Memory
from backstory.services.documents.passage_terms import passage_terms
from backstory.storage.rows import hash_name
from backstory.storage.tables import Tables
from bench.filled import RandomVectors, settle
from bench.longform_books import made_chapters
from bench.stored import connected

CAST = 60
THREADS = 40
_SEEN = 3
_TEXTS = 300
_ROWS = 5000
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fill(database: str, url: str, name: str, chapters: int, *, threads: int = THREADS) -> None:
    """Store a document of so many chapters, each with one passage and three entities of sixty.

    Args:
        database: "sqlite" or "postgresql".
        url: A store that may be new.
        name: Of the document; it must be new.
        chapters: How many.
        threads: How many are open.
    """
    with Memory(url, embedder=RandomVectors()) as memory:
        memory.add("The tables are there now.", user_id="first")
        memory.document(name, planned_chapters=chapters + 1000)
    with connected(database, url) as (connection, tables):
        generation = connection.scalar(select(tables.embedding_generations.c.id))
        owned = {"tenant_id": "default", "document_id": name}
        for table, rows in _tables(tables, chapters, threads, generation):
            _write(connection, table, rows, owned)
        mine = tables.documents.c.document_id == name
        connection.execute(
            tables.documents.update()
            .where(mine)
            .values(chapters=chapters, next_thread=threads + 1, next_seq=10, names_seq=9)
        )
        connection.commit()
    settle(url)


def _write(
    connection: Connection,
    table: Table,
    rows: Iterator[dict[str, Any]],
    owned: Mapping[str, str],
) -> None:
    while batch := [{**owned, **row} for row in islice(rows, _ROWS)]:
        connection.execute(insert(table), batch)


def _tables(
    tables: Tables, chapters: int, threads: int, generation: int | None
) -> Iterable[tuple[Table, Iterator[dict[str, Any]]]]:
    texts = [chapter.text for chapter in made_chapters(min(_TEXTS, chapters))]
    return (
        (tables.document_chapters, _chapters(chapters, texts)),
        (tables.document_passages, _passages(chapters, texts, generation)),
        (tables.document_vectors, _vectors(chapters, generation)),
        (tables.document_entities, _entities(chapters)),
        (tables.document_sightings, _sightings(chapters)),
        (tables.document_threads, _threads(threads, chapters)),
        (tables.document_thread_events, _events(threads)),
    )


def _chapters(count: int, texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        text = texts[number % len(texts)]
        yield {
            "number": number,
            "revised": 0,
            "revision": f"r{number}",
            "recorded_at": _NOW,
            "summary_source": "extract",
            "title": "",
            "summary": text[:300],
            "text": text,
        }


def _passages(count: int, texts: Sequence[str], generation: int | None) -> Iterator[dict[str, Any]]:
    terms = [passage_terms(text) for text in texts]
    for number in range(1, count + 1):
        place = number % len(texts)
        yield {
            "number": number,
            "place": 0,
            "revision": f"r{number}",
            "first": 0,
            "behind": len(texts[place]),
            "change_no": 5,
            "generation_id": generation,
            "terms": terms[place],
            "terms_version": 1,
        }


def _vectors(count: int, generation: int | None) -> Iterator[dict[str, Any]]:
    random = np.random.default_rng(1)
    for number in range(1, count + 1):
        row = random.standard_normal(384, dtype=np.float32)
        row /= np.linalg.norm(row)
        yield {
            "number": number,
            "place": 0,
            "generation_id": generation,
            "vector": row.astype("<f4").tobytes(),
        }


def _entities(chapters: int) -> Iterator[dict[str, Any]]:
    for number in range(CAST):
        name = f"Person{number}"
        yield {
            "id": f"e{number:03}",
            "seq": number + 1,
            "name": name,
            "name_hash": hash_name(name),
            "kind": "person",
            "aliases": [],
            "own_aliases": [],
            "case_sensitive": True,
            "authored": False,
            "hidden": False,
            "first_chapter": 1,
            "last_chapter": chapters,
            "mentions": max(1, chapters * _SEEN // CAST),
        }


def _sightings(chapters: int) -> Iterator[dict[str, Any]]:
    random = Random(1)  # noqa: S311 - texts, not secrets
    for number in range(1, chapters + 1):
        for entity in random.sample(range(CAST), _SEEN):
            yield {
                "number": number,
                "entity_id": f"e{entity:03}",
                "revision": f"r{number}",
                "times": 2,
                "kind": None,
                "aliases": [],
            }


def _threads(count: int, chapters: int) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        due = chapters + 1 + number
        yield {
            "number": number,
            "summary": f"What was promised under number {number} is still to be told.",
            "kind": "promise",
            "deadline": due,
            "hidden": False,
            "authored": True,
            "status": "open",
            "planted_in": 1,
            "last_chapter": 1,
            "closed_in": None,
            "note": "",
            "due": due,
            "touched": 1,
            "since": 1,
            "is_open": True,
        }


def _events(count: int) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        yield {
            "thread": number,
            "chapter": 1,
            "id": number,
            "kind": "planted",
            "note": "",
            "revision": None,
        }
