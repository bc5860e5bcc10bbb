"""An export is the whole memory: imported elsewhere it answers as before."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backstory import Memory
from backstory.core.archive.lines import VERSION
from backstory.core.model.fact import Fact
from backstory.errors import BackstoryError, FileError, InvalidInputError
from backstory.testing import FakeClock, HashEmbedder
from tests.acceptance.places import ON_ONE, Place
from tests.counts import cases
from tools import forked

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
TOWNS = ("Lund", "Oslo", "Kiel", "Turku", "Bergen")
JOBS = ("nurse", "baker", "pilot")
QUERIES = ("where does she live?", "work", "when did she move to Oslo?")


def live(memory: Memory, clock: FakeClock, seed: int, steps: int = 25) -> None:
    """Let a user say, correct, edit, delete and decide things at random."""
    choose = random.Random(seed)  # noqa: S311
    acts: list[Callable[[], object]] = [
        lambda: memory.add(f"I live in {choose.choice(TOWNS)}.", user_id="vera"),
        lambda: memory.add(f"I moved to {choose.choice(TOWNS)} now.", user_id="vera"),
        lambda: memory.add(f"I work as a {choose.choice(JOBS)}.", user_id="vera"),
        lambda: memory.add([{"role": "assistant", "content": "I see 👍"}], user_id="vera"),
        lambda: _import(memory, clock, choose),
        lambda: _state(memory, choose),
        lambda: _on_message(memory, choose),
        lambda: _on_fact(memory, choose),
        lambda: _decide(memory, choose),
        lambda: memory.collisions.refresh("vera"),
    ]
    for _ in range(steps):
        clock.advance(HOUR * choose.randint(1, 60))
        choose.choices(acts, [4, 3, 3, 2, 1, 3, 2, 4, 2, 1])[0]()


def _import(memory: Memory, clock: FakeClock, choose: random.Random) -> None:
    earlier = clock.now() - HOUR * choose.randint(100, 9000)
    with memory.session(user_id="vera", bulk_import=True, mode="old") as session:
        session.add("user", f"I live in {choose.choice(TOWNS)}.", timestamp=earlier)
        session.add("user", "My sister Dora came.", message_id="m", metadata={"n": [1, {"a": 2}]})


def _state(memory: Memory, choose: random.Random) -> None:
    key = choose.choice(("personal.birthday", "pet.cat", "pet.dog", "home.place"))
    value = choose.choice(("Gaia", "4 May", *TOWNS))
    memory.facts.store(user_id="vera", key=key, value=value, intent_id="own")


def _on_message(memory: Memory, choose: random.Random) -> None:
    found = memory.get_all(user_id="vera").items
    if found:
        message = choose.choice(found)
        if choose.random() < 0.6:
            memory.update(message.id, text=f"I live in {choose.choice(TOWNS)}!", metadata={"e": 1})
        else:
            memory.delete(message.id)


def _on_fact(memory: Memory, choose: random.Random) -> None:
    found = memory.facts.get("vera", status="all")
    if not found:
        return
    fact = choose.choice(found)
    acts: list[Callable[[], object]] = [
        lambda: memory.facts.update(fact.id, value=choose.choice(TOWNS)),
        lambda: memory.facts.retract(fact.id, reason="no"),
        lambda: memory.facts.end(fact.id),
        lambda: memory.facts.touch_mention(fact.id),
        lambda: memory.facts.undo("vera"),
        lambda: memory.facts.delete(fact.id),
    ]
    with suppress(BackstoryError):  # not everything can be done to each fact
        choose.choice(acts)()


def _decide(memory: Memory, choose: random.Random) -> None:
    for item in memory.contradictions.list_open("vera")[:1]:
        if choose.random() < 0.5:
            memory.contradictions.resolve(item.id, choose.choice(("user_stated", "stored")))
        else:
            memory.contradictions.hold(item.id, "later")


def answers(memory: Memory, user_id: str = "vera", *, ids: bool = True) -> dict[str, Any]:
    """What a memory answers, without the time of the commit."""
    moments = [START + timedelta(days=n) for n in (-200, 20, 90)]
    times: list[datetime | None] = [None, *moments]
    found: dict[str, Any] = {
        "messages": [_plain(m, ids) for m in memory.get_all(user_id=user_id).items],
        "facts": [_plain(f, ids) for f in memory.facts.get(user_id, status="all")],
        "sessions": [s.to_dict() | {"user_id": ""} for s in memory.sessions(user_id)],
        "counts": memory.contradictions.counts(user_id).to_dict(),
        "as of": [
            [_plain(f, ids) for f in memory.facts.as_of(user_id, valid_at=at, known_at=known)]
            for at in moments
            for known in times
        ],
    }
    for query in QUERIES:
        hits = memory.search(query, user_id=user_id, top_k=20, include_history=True)
        found[query] = [(h.kind, h.text, h.score, *([h.id] if ids else [])) for h in hits]
        found[f"context {query}"] = [
            memory.context(user_id, query, now=START, known_at=at).text
            for at in times[:: cases(3, 1)]
        ]
    facts = memory.facts.get(user_id, status="all")
    found["history"] = [_history(memory, fact, ids) for fact in facts]
    return found


def _history(memory: Memory, fact: Fact, ids: bool) -> list[Any]:
    told = memory.facts.history(fact.id)
    parts = (*told.facts, *told.revisions, *told.corrections)
    plain = [_plain(part, ids) for part in parts]
    # states of one moment stand in the order of their ids
    return plain if ids else sorted(plain, key=str)


def _plain(record: Any, ids: bool) -> dict[str, Any]:
    data: dict[str, Any] = record.to_dict()
    if "known_from" in data:
        data["known_from"] = data["known_from"] or data["recorded_at"]
        data["recorded_at"] = None
    data["user_id"] = ""
    for name in () if ids else ("id", "fact_id", "other_id", "superseded_by", "evidence"):
        data.pop(name, None)
    return data


@pytest.mark.may_block
@pytest.mark.parametrize("seed", range(cases(1, 3)))
def test_a_round_trip_gives_the_same_memory(postgres_url: str, tmp_path: Path, seed: int) -> None:
    clock = FakeClock(START)
    later = FakeClock(START + timedelta(days=400))
    urls = [str(tmp_path / "one.db"), postgres_url, str(tmp_path / "two.db")]
    wanted: dict[str, Any] = {}
    for place, url in enumerate(urls):
        with Memory(url, embedder=HashEmbedder(), clock=clock if not place else later) as memory:
            if place:
                done = memory.import_file(tmp_path / f"{place - 1}.jsonl")
                assert done.pending == 0
                assert {p.reason[:9] for p in done.problems} <= {"a mark of"}
                # the file itself loses nothing either
            else:
                live(memory, clock, seed)
                clock.set(later.now())
                wanted = answers(memory)
            assert answers(memory) == wanted
            memory.export_user("vera", tmp_path / f"{place}.jsonl")
            if place:
                again = memory.import_file(tmp_path / f"{place - 1}.jsonl")
                assert again.imported == {}
                assert answers(memory) == wanted


@ON_ONE
def test_another_user_of_the_same_tenant_may_have_a_copy(place: Place, tmp_path: Path) -> None:
    clock = FakeClock(START)
    memory = place.open(clock=clock)
    live(memory, clock, 7)
    memory.export_user("vera", tmp_path / "vera.jsonl")
    before = answers(memory)
    copied = memory.import_file(tmp_path / "vera.jsonl", user_id="wilma")
    assert memory.import_file(tmp_path / "vera.jsonl", user_id="wilma").imported == {}
    assert copied.user_id == "wilma"
    assert answers(memory) == before
    assert answers(memory, "wilma", ids=False) == answers(memory, ids=False)
    mine = {m.id for m in memory.get_all(user_id="vera").items}
    assert mine.isdisjoint(m.id for m in memory.get_all(user_id="wilma").items)


def exported(place: Place, path: Path, count: int) -> Memory:
    """A memory, and its export."""
    memory = place.open(clock=FakeClock(START))
    for n in range(count):
        memory.add(f"I like colour number {n}.", user_id="vera")
    memory.export_user("vera", path)
    return memory


@ON_ONE
def test_an_import_that_was_stopped_goes_on(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "vera.jsonl"
    memory = exported(place, path, 12)
    wanted = answers(memory)
    lines = path.read_bytes().splitlines(keepends=True)
    half = tmp_path / "half.jsonl"
    half.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:40])
    with Memory(tmp_path / "new.db", embedder=HashEmbedder(), clock=FakeClock(START)) as new:
        first = new.import_file(half)
        assert [p.position for p in first.problems] == [len(lines) // 2 + 1, len(lines) // 2 + 2]
        seen: list[tuple[int, int]] = []
        new.import_file(path, progress=lambda done, total: seen.append((done, total)))
        assert seen[-1][0] == seen[-1][1] == len(lines) - 2
        assert answers(new) == wanted


def test_a_damaged_line_is_reported_and_nothing_of_it_is_stored(
    place: Place, tmp_path: Path
) -> None:
    path = tmp_path / "vera.jsonl"
    memory = exported(place, path, 12)
    lines = path.read_text(encoding="utf-8").splitlines()
    wrong = {
        2: "{",
        3: "[1]",
        4: _edited(lines[4], lambda d: d.pop("terms")),
        5: _edited(lines[5], lambda d: d["message"].update(timestamp="2026-01-01T00:00:00")),
        6: _edited(lines[6], lambda d: d["vectors"].update({"1": "AAAA"})),
        7: _edited(lines[7], lambda d: d["message"].update(role="king")),
        8: _edited(lines[8], lambda d: d["message"].update(extra=1)),
        9: _edited(lines[9], lambda d: d["message"].update(id="x" * 65)),
        10: _edited(lines[10], lambda d: d.update(kind="poem")),
        11: _edited(lines[11], lambda d: d.update(revision=2**40)),
    }
    for number, line in wrong.items():
        lines[number] = line
    path.write_text("\n".join(lines), encoding="utf-8")
    done = memory.import_file(path, user_id="wilma")
    assert [p.position - 1 for p in done.problems] == list(wrong)
    assert done.problem_count == len(wrong)
    assert len(memory.get_all(user_id="wilma").items) == 12 - len(wrong)
    assert all(p.reason for p in done.problems)


def _edited(line: str, edit: Callable[[dict[str, Any]], object]) -> str:
    data = json.loads(line)
    edit(data)
    return json.dumps(data)


@ON_ONE
def test_files_that_cannot_be_imported_are_refused(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "vera.jsonl"
    memory = exported(place, path, 2)
    lines = path.read_text(encoding="utf-8").splitlines()
    newer = _edited(lines[0], lambda d: d.update(version=VERSION + 1, whatever=1))
    for text in (newer, "", "nonsense", "[]", '{"kind":"header"}', lines[1]):
        path.write_text(f"{text}\n", encoding="utf-8")
        with pytest.raises(InvalidInputError) as caught:
            memory.import_file(path, user_id="wilma")
        assert ("newer backstory" in str(caught.value)) is (text == newer)
    assert [user.user_id for user in memory.users()] == ["vera"]
    for missing in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(FileError):
            memory.import_file(missing)
    with pytest.raises(InvalidInputError):
        memory.import_file(path, format="diary")


@ON_ONE
@pytest.mark.parametrize("bad", ["", "a\0b", "a\ud800b", None, 7])
def test_paths_that_no_system_takes_are_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInputError, match="path"):
        memory.import_file(bad)
    with pytest.raises(InvalidInputError, match="path"):
        memory.export_user("vera", bad)


@ON_ONE
def test_vectors_of_another_model_are_made_anew(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "vera.jsonl"
    exported(place, path, 5)
    other = HashEmbedder(dimensions=32)
    with Memory(tmp_path / "new.db", embedder=other, clock=FakeClock(START)) as new:
        done = new.import_file(path)
        assert (done.vectors, done.pending, done.problems) == (0, 0, ())
        hits = new.search("colour number 3", user_id="vera", kind="messages")
        assert hits[0].text == "I like colour number 3."
        assert [t for t in other.texts if t == "I like colour number 3."]
    with Memory(tmp_path / "plain.db", embedder=None) as plain:
        assert plain.import_file(path).pending == 0


@ON_ONE
def test_a_store_without_vectors_takes_those_of_its_own_model(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "vera.jsonl"
    exported(place, path, 5)
    embedder = HashEmbedder()
    with Memory(tmp_path / "new.db", embedder=embedder, clock=FakeClock(START)) as new:
        assert new.import_file(path).vectors >= 5
        assert embedder.texts == []


def test_what_was_erased_stays_erased_in_its_own_store(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "vera.jsonl"
    memory = place.open(clock=FakeClock(START))
    memory.add("I live in Oslo.", user_id="vera")
    fact = memory.facts.get("vera")[0]
    memory.export_user("vera", path)
    memory.facts.delete(fact.id)
    assert "erased" in memory.import_file(path).problems[0].reason
    assert memory.facts.get("vera", status="all") == []
    memory.export_user("vera", path)
    memory.forget_user("vera")
    assert memory.import_file(path).imported["erased"] == 1
    with pytest.raises(InvalidInputError):
        memory.facts.store(user_id="vera", key=fact.key, value="Oslo")


_FULL = """
import resource, sys
from backstory import Memory
from backstory.core.archive.lines import VERSION
from backstory.errors import FileError
memory = Memory(sys.argv[1], embedder=None)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    memory.export_user("vera", sys.argv[2])
except FileError as error:
    print("refused", error)
"""


@pytest.mark.may_block
def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    url, path = tmp_path / "memory.db", tmp_path / "out" / "vera.jsonl"
    path.parent.mkdir()
    path.write_text("what was there before", encoding="utf-8")
    with Memory(url, embedder=None) as memory:
        memory.add([f"some words {n} " * 20 for n in range(100)], user_id="vera")
    done = forked.run(_FULL, str(url), str(path))
    assert done.stdout.startswith("refused"), done.stderr
    assert [file.name for file in path.parent.iterdir()] == ["vera.jsonl"]
    assert path.read_text(encoding="utf-8") == "what was there before"


@ON_ONE
def test_an_export_is_private_and_named_by_its_hash(place: Place, tmp_path: Path) -> None:
    memory = exported(place, tmp_path / "vera.jsonl", 2)
    done = memory.export_user("vera", tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").stat().st_mode & 0o077 == 0
    assert done.size == Path(done.path).stat().st_size
    with pytest.raises(FileError):
        memory.export_user("vera", tmp_path / "none" / "vera.jsonl")
    with pytest.raises(FileError):
        memory.export_user("vera", tmp_path)
