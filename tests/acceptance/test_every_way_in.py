"""Nothing is there without a way in: public calls alone fill every table and every source."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory, Settings
from backstory.core.model.derived import KINDS
from backstory.storage.tables import build_tables
from backstory.testing import FakeClock
from tests.acceptance.places import Place

START = datetime(2026, 9, 7, 9, 0, tzinfo=UTC)
WEEK = timedelta(days=7)
LABEL: dict[str, Any] = {"mode": "chat", "channel": "web"}
TALKS = (
    ("My name is Vera and I live in Lund.", "I went running along the river, I loved it!"),
    ("My friend Sam works at Ikea.", "My cat is called Gaia."),
    ("I went running again before work.", "My birthday is 4 May."),
    ("The weather was grey.", "My birthday is 5 June."),
    ("I went running in the rain.", "I adopted a cat last Tuesday, I am so happy and thrilled!!!"),
    ("We painted the kitchen.", "My dog is called Gaia."),
    ("I went running in the dark.", "I moved to Malmö on 12 September."),
    ("The train was late.", "I am furious and terrified, I lost my job and everything is awful!"),
)
QUESTIONS = (
    "When did I adopt the cat?",
    "List everything about running.",
    "Where do I live, and what is with Sam?",
)
# Rows of very large users only: tests/integration/test_large.py.
RARE = {"large_parts"}
# What only a model finds.
BY_MODEL = {"entity", "relation"}


def test_every_part_is_filled_shown_moved_and_forgotten(place: Place, tmp_path: Path) -> None:
    memory, clock = lived(place)
    _check_tables(place)
    _check_sources(memory)
    _check_past(memory)
    _check_archive(memory, clock, tmp_path)
    named = _tables()
    assert set(memory.forget_user("vera").rows) == named
    assert {name for name in named if rows_of(place, name)} == set()
    assert memory.context("vera", QUESTIONS[0]).items == ()


@pytest.mark.parametrize("parts", ["none", "timeline, summaries"])
def test_a_part_that_is_off_makes_nothing(parts: str, tmp_path: Path, ready_sqlite: bytes) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    place = Place(str(path))
    memory, _ = lived(place, reading=parts)
    on = set() if parts == "none" else {part.strip() for part in parts.split(",")}
    expected = {"timeline": "event", "summaries": "summary"}
    assert _kinds(place) - {"intention"} == {k for part, k in expected.items() if part in on}
    assert rows_of(place, "facts") == 0
    names = {section.name for section in memory.context("vera", QUESTIONS[0]).sections}
    derived = {"texture", "observations", "emotions", "summaries", "timeline", "graph"}
    assert names & derived == on
    memory.close()


def _check_tables(place: Place) -> None:
    assert {name for name in _tables() if not rows_of(place, name)} == RARE
    assert _kinds(place) == set(KINDS) - BY_MODEL


def _check_sources(memory: Memory) -> None:
    kept: dict[str, int] = {}
    with memory.session(user_id="vera", session_id="now", **LABEL) as session:
        session.add("user", "Hello again.")
        for question in QUESTIONS:
            context = memory.context(
                "vera", question, session_id="now", include_intention=True, max_tokens=6000, **LABEL
            )
            assert context.sources_responded == "11/11"
            assert not context.degraded
            for section in context.sections:
                kept[section.name] = kept.get(section.name, 0) + section.kept
    assert len(kept) == 11
    assert [name for name, count in kept.items() if not count] == []


def _check_past(memory: Memory) -> None:
    """A context of an earlier time holds nothing that came later, in any source."""
    then = START + 3 * WEEK + timedelta(days=1)
    shown = set()
    for question in (*QUESTIONS, "Is my birthday settled, and how do I feel?"):
        context = memory.context("vera", question, known_at=then, max_tokens=6000, **LABEL)
        assert "running" in context.text
        for later in ("Malmö", "thrilled", "dog", "furious", "kitchen", "train", "bank"):
            assert later not in context.text
        shown |= {section.name for section in context.sections if section.kept}
    assert {"facts", "contradictions", "summaries", "texture", "graph", "recalled"} <= shown


def _check_archive(memory: Memory, clock: FakeClock, folder: Path) -> None:
    before = seen(memory)
    assert all(before)
    memory.export_user("vera", folder / "vera.jsonl")
    settings = Settings(background=False)
    with Memory(str(folder / "other.db"), embedder=None, clock=clock, settings=settings) as other:
        other.import_file(folder / "vera.jsonl", format="backstory")
        assert seen(other) == before


def _tables() -> set[str]:
    return {t.name for t in build_tables().metadata.sorted_tables if "user_id" in t.c}


def _kinds(place: Place) -> set[str]:
    return {kind for (kind,) in place.sql("SELECT DISTINCT kind FROM derived")}


def lived(place: Place, reading: str = "auto") -> tuple[Memory, FakeClock]:
    """Two months of talk through the public calls only, with a life of its own in each week."""
    clock = FakeClock(START)
    settings = Settings(background=False, reading=reading)
    memory = place.open(clock=clock, settings=settings)
    for week, turns in enumerate(TALKS):
        if week:
            clock.advance(WEEK)
        with memory.session(user_id="vera", session_id=f"talk{week}", **LABEL) as session:
            for turn in turns:
                last = session.add("user", turn)
                clock.advance(60)
                session.add("assistant", "Thank you for telling me. What happened then?")
                clock.advance(60)
        memory.flush("vera")
        memory.consolidate("daily")
        memory.consolidate("weekly")
    memory.update(last.id, text=f"{last.text} Really.")
    if memory.facts.get("vera"):
        fact = memory.facts.store(user_id="vera", key="work.role", value="baker")
        memory.facts.delete(fact.id)
    memory.intentions.save("vera", "call the bank")
    memory.flush("vera")
    return memory, clock


def rows_of(place: Place, table: str) -> int:
    """How many rows a table has."""
    count = place.sql(f"SELECT count(*) FROM {table}")[0][0]  # noqa: S608
    assert isinstance(count, int)
    return count


def seen(memory: Memory) -> list[object]:
    """What the parts show, without ids of this store and times of its commits."""
    user = "vera"
    return [
        [(one.text, one.kind) for one in memory.summaries.recent(user, limit=50)],
        [(one.predicate, one.occurred_on) for one in memory.timeline.between(user, None, None)],
        [(one.quote, one.valence) for one in memory.emotions.get_recent(user, days=365)],
        [(one.pattern, one.confidence) for one in memory.observations.get_active(user)],
        [(one.what, one.status) for one in memory.intentions.list_all(user).items],
        memory.quality.get_stats(user).to_dict(),
        [(fact.key, fact.value, fact.status) for fact in memory.facts.get(user, status="all")],
        memory.graph.get_context(user).text,
    ]
