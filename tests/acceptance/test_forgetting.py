"""A user who is forgotten is in no table, no file, no cache and no answer."""

import hashlib
import threading

from backstory import Memory, Settings
from backstory.errors import BackstoryError
from backstory.storage.tables import build_tables
from tests.acceptance.places import Place, everything

MARK = "zanzibarine"


def remember(memory: Memory, user_id: str, word: str = MARK) -> None:
    """Leave facts, corrections, a dispute, an edit, an erased fact and a collision."""
    with memory.session(user_id=user_id, session_id=f"{word} talk", speaker=word) as session:
        session.add("user", f"I live in {word}.", metadata={"note": word})
        session.add("user", f"I moved to New{word} now.")
        edited = session.add("user", f"My sister is called {word}.")
    memory.update(edited.id, text=f"My brother is called {word}.")
    store = memory.facts.store
    store(user_id=user_id, key="personal.birthday", value=f"4 May {word}")
    store(user_id=user_id, key="personal.birthday", value=f"5 May {word}")
    store(user_id=user_id, key="pet.cat", value=word, cardinality="many")
    store(user_id=user_id, key="pet.dog", value=word, cardinality="many")
    gone = store(user_id=user_id, key="work.role", value=f"{word} maker")
    memory.facts.delete(gone.id)
    memory.collisions.refresh(user_id)


def test_every_table_that_names_a_user_is_emptied_and_the_receipt_says_so(place: Place) -> None:
    memory = place.open(settings=Settings(background=False))
    remember(memory, "vera")
    memory.flush(user_id="vera")  # digests the session: nothing is written after the look
    tables = [t for t in build_tables().metadata.sorted_tables if "user_id" in t.c]
    named = {table.name for table in tables}
    lines = []
    for table in tables:
        if "id" in table.c:
            found = place.sql(f"SELECT id FROM {table}")  # noqa: S608
            lines += [f"{table.name}/{row[0]}\n" for row in found]
    receipt = memory.forget_user("vera")
    assert receipt.ids_hash == hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    assert set(receipt.to_dict()) == {"rows", "ids_hash", "forgotten_at"}
    assert set(receipt.rows) == named
    # rows of very large users only: tests/integration/test_large.py
    assert {name for name, count in receipt.rows.items() if not count} == {"large_parts"}
    for name in named:
        assert place.sql(f"SELECT count(*) FROM {name}") == [(0,)]  # noqa: S608
    assert receipt.total == sum(receipt.rows.values())


def test_no_byte_is_left(place: Place) -> None:
    memory = place.open()
    remember(memory, "vera")
    memory.search(MARK, user_id="vera")
    assert MARK in place.dump()
    memory.forget_user("vera")
    assert MARK not in place.dump()
    assert MARK not in everything(memory, "vera", MARK).replace(f"'{MARK}'", "")
    assert memory.facts.get("vera", status="all") == []


def test_others_and_other_tenants_keep_theirs(place: Place) -> None:
    memory = place.open()
    elsewhere = place.open(tenant="elsewhere")
    remember(memory, "vera")
    remember(memory, "wilma", "other")
    remember(elsewhere, "vera", "other")
    before = everything(memory, "wilma", "other"), everything(elsewhere, "vera", "other")
    memory.forget_user("vera")
    assert (everything(memory, "wilma", "other"), everything(elsewhere, "vera", "other")) == before


def test_an_unknown_user_gives_zeros(place: Place) -> None:
    memory = place.open()
    receipt = memory.forget_user("nobody")
    assert set(receipt.rows.values()) == {0}
    assert receipt.ids_hash == hashlib.sha256().hexdigest()


def test_a_cache_of_another_process_forgets(place: Place) -> None:
    memory, other = place.open(), place.open()
    memory.add([f"{MARK} {n}" for n in range(4)], user_id="vera")
    assert len(other.search(MARK, user_id="vera")) == 4
    other.facts.search(MARK, user_id="vera")
    memory.forget_user("vera")
    memory.add(["something new", *(f"fresh {n}" for n in range(3))], user_id="vera")
    assert MARK not in str(other.search(MARK, user_id="vera"))
    assert len(other.search("fresh", user_id="vera")) == 4


def test_writers_beside_it_leave_whole_users(place: Place) -> None:
    memories = [place.open() for _ in range(3)]
    failures: list[BackstoryError] = []

    def write(memory: Memory) -> None:
        for n in range(6):
            try:
                memory.add(f"I live in Town{n}.", user_id="vera")
            except BackstoryError as error:
                failures.append(error)

    threads = [threading.Thread(target=write, args=(memory,)) for memory in memories[:2]]
    for thread in threads:
        thread.start()
    for _ in range(4):
        memories[2].forget_user("vera")
    for thread in threads:
        thread.join()
    assert failures == []
    kept = {message.id for message in memories[0].get_all(user_id="vera").items}
    for fact in memories[0].facts.get("vera", status="all"):
        assert {evidence.message_id for evidence in fact.evidence} <= kept
    memories[2].forget_user("vera")
    assert memories[0].get_all(user_id="vera").items == ()
    assert memories[1].facts.get("vera", status="all") == []
