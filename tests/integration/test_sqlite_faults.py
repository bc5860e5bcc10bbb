"""What can happen to a file: one clear error each, and what was acknowledged is still there."""

import asyncio
import ctypes
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from backstory.core.location import Location
from backstory.errors import (
    StoreAddressError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from backstory.testing.stores.base import NOW, VERA, add, said, texts
from tools import forked


@pytest.fixture
def path(tmp_path: Path, ready_sqlite: bytes) -> Path:
    """A file with one message."""
    file = tmp_path / "folder" / "memory.db"
    file.parent.mkdir(mode=0o700)
    file.write_bytes(ready_sqlite)
    run_in(file, "add('kept')")
    return file


def store_at(path: Path, lock_timeout_s: float = 30.0) -> SqlStore:
    """A store that is not opened yet."""
    return make_store(Location("sqlite", str(path)), statement_timeout_s=lock_timeout_s)


async def opened(path: Path) -> SqlStore:
    """An open store."""
    store = store_at(path)
    await store.open(may_upgrade=True)
    return store


async def kept(path: Path) -> list[str]:
    """The texts that a new store finds."""
    store = await opened(path)
    found = await texts(store)
    await store.close()
    return found


SCRIPT = """
import asyncio, resource, sys
from pathlib import Path
from backstory.errors import BackstoryError
from tests.integration import test_sqlite_faults as here

async def act(path, limit, restricted, *steps):
    if restricted:
        here.give_up_rights_of_root()
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    store = here.store_at(Path(path))
    async def add(text): await here.add(store, text)
    async def texts(): print(await here.texts(store))
    try:
        await store.open(may_upgrade=True)
        for step in steps:
            await eval(step)
    except BackstoryError as error:
        print(type(error).__name__ + ":", error)
    finally:
        await store.close()

asyncio.run(act(*sys.argv[1:]))
"""


def give_up_rights_of_root() -> None:
    """Hold this process to the permissions of files, like anybody else's."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # this version of the call, this thread
    rights = (ctypes.c_uint32 * 6)()  # the first three words: in force, permitted, inheritable
    assert libc.capget(header, rights) == 0
    for right in (1, 2, 3):  # DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER
        for word in range(3):
            rights[word] &= ~(1 << right)
    assert libc.capset(header, rights) == 0


def run_in(path: Path, *steps: str, limit: int | None = None, restricted: bool = False) -> str:
    """Open a store in another process, run steps, and give what it printed."""
    done = attempt(path, *steps, limit=limit, restricted=restricted)
    assert done.returncode == 0, done.stderr
    return done.stdout


def attempt(
    path: Path, *steps: str, limit: int | None = None, restricted: bool = False
) -> forked.Ended:
    """Do the same, and give what became of the process."""
    return forked.run(
        SCRIPT, str(path), str(limit or ""), "restricted" if restricted else "", *steps
    )


def test_a_full_disk(path: Path) -> None:
    async def run() -> None:
        store = await opened(path)
        pages = "PRAGMA max_page_count=1"  # SQLite raises it to what is there now
        await store.units.write(lambda c: c.exec_driver_sql(pages).scalar())
        with pytest.raises(StoreFullError, match=r"disk is full.*memory\.db"):
            await add(store, "x" * 100_000)
        assert await texts(store) == ["kept"]
        more = "PRAGMA max_page_count=1000000"
        await store.units.write(lambda c: c.exec_driver_sql(more).scalar())
        await add(store, "there is room again")
        await store.close()
        assert await kept(path) == ["kept", "there is room again"]

    asyncio.run(run())


def test_a_file_that_must_not_grow(path: Path) -> None:
    """The system refuses the write itself, as a quota does."""
    size = path.stat().st_size
    printed = run_in(path, "add('y' * 2_000_000)", limit=size + 20_000)
    assert printed.startswith(("StoreFullError:", "StoreUnavailableError:"))
    assert asyncio.run(kept(path)) == ["kept"]


def test_a_read_only_file(path: Path) -> None:
    path.chmod(0o444)
    printed = run_in(path, "texts()", "add('more')", restricted=True)
    assert "StoreReadOnlyError: the database cannot be written; check the permissions" in printed
    path.chmod(0o600)
    assert asyncio.run(kept(path)) == ["kept"]


def test_a_read_only_folder(path: Path) -> None:
    path.parent.chmod(0o555)
    printed = run_in(path, "add('more')", restricted=True)
    path.parent.chmod(0o700)
    assert printed.startswith(("StoreReadOnlyError:", "StoreUnavailableError:"))
    assert "permissions" in printed or "written" in printed
    assert asyncio.run(kept(path)) == ["kept"]


def test_a_new_file_in_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    done = attempt(folder / "memory.db", restricted=True)
    assert "StoreUnavailableError: the database file cannot be made" in done.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 8000])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)

    async def run() -> None:
        store = store_at(path)
        with pytest.raises(StoreCorruptError, match=r"notes\.txt"):
            await store.open(may_upgrade=True)
        await store.close()

    asyncio.run(run())
    assert path.read_bytes() == content


def filled(path: Path) -> None:
    """Make a file of many pages."""

    async def run() -> None:
        store = await opened(path)
        await add(store, *(f"text {n} " + "word " * 50 for n in range(500)))
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize("where", ["first page", "all pages", "cut off"])
def test_a_damaged_file(path: Path, where: str) -> None:
    filled(path)
    content = bytearray(path.read_bytes())
    if where == "first page":
        content[100:4096] = os.urandom(3996)
    elif where == "all pages":
        content[4096:] = os.urandom(len(content) - 4096)
    else:
        content = content[: len(content) // 2]
    path.write_bytes(content)

    async def run() -> None:
        store = store_at(path)
        with pytest.raises(StoreCorruptError, match=r"damaged|not a"):
            await read_all(store)
        await store.close()

    async def read_all(store: SqlStore) -> None:
        await store.open(may_upgrade=True)
        await texts(store)
        await store.partitions.get(VERA, None)
        await add(store, *(said(str(n), at=NOW) for n in range(200)))

    asyncio.run(run())


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="is a folder"):
        store_at(tmp_path)


def test_a_file_instead_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreUnavailableError, match="cannot be made"):
        store_at(tmp_path / "taken" / "memory.db")


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "memory.db"
    assert asyncio.run(kept(path)) == []
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_vanishes(path: Path) -> None:
    """Linux keeps an open file alive; what cannot be opened is an error, and not a new file."""

    async def run() -> None:
        store = store_at(path)
        shutil.rmtree(path.parent)
        with pytest.raises(StoreUnavailableError, match="folder"):
            await store.open(may_upgrade=True)
        await store.close()

    asyncio.run(run())
    assert not path.exists()


@pytest.mark.parametrize("fate", ["deleted", "moved", "replaced"])
def test_a_file_that_is_taken_away(path: Path, fate: str) -> None:
    """What would be written into a file that nobody finds is refused, and not acknowledged."""

    async def run() -> None:
        store = await opened(path)
        await add(store, "also kept")
        moved = path.with_name("moved.db")
        shutil.move(path, moved)
        if fate == "deleted":
            os.remove(moved)  # noqa: PTH107 - as another program would
        if fate == "replaced":
            shutil.copy(moved, path)
        for _ in range(2):
            with pytest.raises(StoreAddressError, match=r"moved or deleted.*memory\.db") as caught:
                await add(store, "lost")
            assert not caught.value.retryable
        assert await texts(store) == ["kept", "also kept"]
        if fate == "moved":
            shutil.move(moved, path)
            await add(store, "it came back")
            assert await texts(store) == ["kept", "also kept", "it came back"]
        await store.close()

    asyncio.run(run())


def test_no_reader_opens_another_file(path: Path) -> None:
    async def run() -> None:
        store = store_at(path)
        await texts(store)
        shutil.move(path, path.with_name("moved.db"))
        gate = threading.Barrier(2)
        # the second reading thread has no connection yet
        with pytest.raises(StoreAddressError, match="moved or deleted"):
            await asyncio.gather(*(store.units.read(lambda _: gate.wait(1)) for _ in range(2)))
        await store.close()

    asyncio.run(run())
    assert not path.exists()


def test_what_was_put_off_does_not_keep_a_store_closed(path: Path) -> None:
    """Opening empties a log that a killed process left; where it cannot, it opens all the same."""
    more_than_is_there = path.stat().st_size // len("word ") + 1
    run_in(path, f"add('word ' * {more_than_is_there})", "__import__('os')._exit(0)")
    assert path.with_name(path.name + "-wal").stat().st_size > path.stat().st_size
    printed = run_in(path, "texts()", limit=path.stat().st_size)
    assert printed.startswith("['kept', 'word ")
    assert asyncio.run(kept(path))[0] == "kept"


def test_another_program_keeps_the_lock(path: Path) -> None:
    async def run() -> None:
        store = store_at(path, lock_timeout_s=0.3)
        await store.open(may_upgrade=True)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="locked"):
            await add(store, "not stored")
        assert await texts(store) == ["kept"]
        assert len(await store.partitions.get(VERA, None)) == 1
        other.execute("ROLLBACK")
        other.close()
        await add(store, "stored")
        assert await texts(store) == ["kept", "stored"]
        await store.close()

    asyncio.run(run())


def test_every_failure_names_the_file(path: Path) -> None:
    async def run() -> None:
        store = await opened(path)
        with pytest.raises(StoreError, match=r"memory\.db.*no such table"):
            await store.units.read(lambda c: c.exec_driver_sql("SELECT * FROM nowhere").all())
        await store.close()

    asyncio.run(run())
