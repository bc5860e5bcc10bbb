"""Exports of mem0, LangMem and Zep become facts and messages, once."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backstory.core.model.fact import Fact, FactStatus, Trust
from backstory.errors import InvalidInputError
from tests.acceptance.places import ON_ONE, Place

MEM0 = {
    "results": [
        {
            "id": "0a1",
            "memory": "Plays the cello in a quartet",
            "user_id": "vera",
            "hash": "5d1",
            "metadata": {"source": "chat"},
            "categories": ["hobbies"],
            "created_at": "2025-02-03T04:05:06.123456-08:00",
            "updated_at": None,
        },
        {"id": "0a2", "memory": "Allergic to walnuts", "user_id": "vera", "created_at": None},
        {"id": "0a3", "memory": "allergic to  walnuts", "user_id": "vera"},
        {"id": "0a4", "memory": " ", "user_id": "vera"},
        {"id": "0a5", "memory": "Has a boat", "created_at": "2025-02-03T04:05:06"},
        "not a record",
    ]
}
LANGMEM = [
    {
        "namespace": ["memories", "vera"],
        "key": "k1",
        "value": {"kind": "Memory", "content": {"content": "Prefers tea"}},
        "created_at": "2025-05-01T10:00:00+00:00",
        "updated_at": "2025-05-01T10:00:00+00:00",
    },
    {"namespace": ["memories", "vera"], "key": "k2", "value": {"content": "Owns a kayak"}},
    {
        "namespace": ["memories", "vera"],
        "key": "profile",
        "value": {"name": "Vera", "languages": ["Swedish", "Finnish"]},
    },
    {
        "namespace": ["memories", "vera"],
        "key": "t",
        "value": {"subject": "Vera", "predicate": "knows", "object": "Dora"},
    },
    {"namespace": ["memories", "wilma"], "key": "k1", "value": {"content": "Hates tea"}},
]
ZEP = {
    "user_id": "vera",
    "edges": [
        {
            "uuid": "e1",
            "name": "WORKS_AT",
            "fact": "Vera works at Ericsson",
            "created_at": "2024-03-01T00:00:00Z",
            "valid_at": "2022-01-01T00:00:00Z",
            "invalid_at": "2024-06-01T00:00:00Z",
            "expired_at": "2024-07-01T00:00:00Z",
        },
        {
            "uuid": "e2",
            "fact": "Vera works at Spotify",
            "created_at": "2024-07-01T00:00:00Z",
            "valid_at": "2024-06-01T00:00:00Z",
            "invalid_at": None,
        },
        {"uuid": "e3", "fact": "Vera skis", "created_at": "2024-07-01T00:00:00Z"},
    ],
    "threads": [
        {
            "thread_id": "t1",
            "messages": [
                {
                    "uuid": "m1",
                    "name": "Vera",
                    "role": "user",
                    "content": "I live in Umea.",
                    "created_at": "2024-03-01T08:00:00Z",
                },
                {"uuid": "m2", "role": "assistant", "content": "Cold!"},
                {"uuid": "m3", "role": "user", "content": "  "},
            ],
        }
    ],
}
WHERE: dict[str, Any] = {"mem0": MEM0, "langmem": LANGMEM, "zep": ZEP}


def written(tmp_path: Path, data: Any) -> Path:
    """A file with a document."""
    path = tmp_path / "export.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def at(*parts: int) -> datetime:
    """A time in UTC."""
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


def facts(place: Place, user_id: str = "vera") -> list[Fact]:
    """All imported facts."""
    found = place.opened[-1].facts.get(user_id, key="imported.memory", status="all")
    return sorted(found, key=lambda fact: fact.value)


def test_mem0(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    done = memory.import_file(written(tmp_path, MEM0), "mem0")
    assert (done.user_id, dict(done.imported), dict(done.skipped)) == (
        "vera",
        {"fact": 2},
        {"fact": 1},
    )
    assert [p.position for p in done.problems] == [3, 4, 5]
    walnuts, cello = facts(place)
    assert cello.value == "Plays the cello in a quartet"
    assert cello.known_from == cello.valid_from == at(2025, 2, 3, 12, 5, 6, 123456)
    assert (cello.trust, cello.intent_id) == (Trust.IMPORT, "mem0:0a1")
    assert walnuts.mentions == 1
    assert memory.search("cello", user_id="vera")[0].text.endswith("in a quartet")


@ON_ONE
def test_langmem(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    path = written(tmp_path, LANGMEM)
    with pytest.raises(InvalidInputError):
        memory.import_file(path, "langmem")
    done = memory.import_file(path, "langmem", user_id="vera")
    assert dict(done.imported) == {"fact": 4}
    assert [p.position for p in done.problems] == [4]
    assert [fact.value for fact in facts(place)] == [
        "Owns a kayak",
        "Prefers tea",
        "Vera knows Dora",
        "name: Vera; languages: Swedish, Finnish",
    ]


@ON_ONE
def test_zep_keeps_both_times(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    done = memory.import_file(written(tmp_path, ZEP), "zep")
    assert dict(done.imported) == {"fact": 3, "message": 2}
    assert [p.position for p in done.problems] == [5]
    _, ericsson, spotify = facts(place)
    assert (ericsson.valid_from, ericsson.valid_until) == (at(2022, 1, 1), at(2024, 6, 1))
    assert ericsson.status is FactStatus.ENDED
    assert (spotify.valid_from, spotify.valid_until) == (at(2024, 6, 1), None)

    def then(valid: datetime, known: datetime) -> list[str]:
        found = memory.facts.as_of("vera", valid_at=valid, known_at=known)
        return sorted(f.value for f in found if f.key == "imported.memory")

    # that Ericsson was over in June was learnt in July
    assert then(at(2024, 6, 15), at(2024, 6, 15)) == ["Vera works at Ericsson"]
    assert then(at(2024, 6, 15), at(2024, 8, 1)) == ["Vera works at Spotify"]
    assert then(at(2024, 2, 1), at(2024, 2, 1)) == []
    assert [s.id for s in memory.sessions("vera")] == ["t1"]
    first = memory.get_all(user_id="vera").items[0]
    assert (first.speaker, first.message_id) == ("Vera", "m1")
    assert first.timestamp == first.known_from == at(2024, 3, 1, 8)
    assert [f.value for f in memory.facts.get("vera", key="home.place")] == ["Umea"]


@pytest.mark.parametrize("name", WHERE)
def test_running_it_again_adds_nothing(place: Place, tmp_path: Path, name: str) -> None:
    memory = place.open()
    path = written(tmp_path, WHERE[name])
    first = memory.import_file(path, name, user_id="vera")
    before = [f.to_dict() for f in memory.facts.get("vera", status="all")]
    again = memory.import_file(path, name, user_id="vera")
    assert dict(again.imported) == {}
    assert sum(again.skipped.values()) >= sum(first.imported.values())
    assert [f.to_dict() for f in memory.facts.get("vera", status="all")] == before
    assert again.problems == first.problems


@ON_ONE
def test_json_lines_progress_and_users(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    records = [*MEM0["results"][:3], {"memory": "Is tall", "user_id": "wilma"}]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in records) + "\n{", encoding="utf-8")
    with pytest.raises(InvalidInputError):
        memory.import_file(path, "mem0")
    seen: list[tuple[int, int]] = []
    done = memory.import_file(
        path, "mem0", user_id="vera", progress=lambda d, t: seen.append((d, t))
    )
    assert [p.position for p in done.problems] == [3, 4]
    assert seen == [(3, 3)]
    assert len(facts(place)) == 2


@ON_ONE
def test_another_name_is_given_to_the_only_user(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    done = memory.import_file(written(tmp_path, MEM0), "mem0", user_id="anna")
    assert done.user_id == "anna"
    assert len(facts(place, "anna")) == 2


@ON_ONE
@pytest.mark.parametrize("name", WHERE)
@pytest.mark.parametrize("text", ["", "{}", "3", '"text"', "not json"])
def test_what_is_no_such_export_is_refused(
    place: Place, tmp_path: Path, name: str, text: str
) -> None:
    memory = place.open()
    path = tmp_path / "export.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError):
        memory.import_file(path, name, user_id="vera")
    assert memory.users() == []


@ON_ONE
def test_secrets_and_erased_memories_stay_out(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    path = written(tmp_path, MEM0)
    memory.import_file(path, "mem0")
    memory.facts.delete(facts(place)[0].id)
    again = memory.import_file(path, "mem0")
    assert dict(again.imported) == {}
    assert "deleted" in again.problems[0].reason
    assert len(facts(place)) == 1
