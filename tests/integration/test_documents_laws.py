"""Whatever is written in whatever order, a database says what the store in memory says.

That one holds evidence only and folds it at each reading.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.core.location import Location
from backstory.core.model.entity import EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind
from backstory.errors import BackstoryError
from backstory.ports.store import Store
from backstory.storage.factory import make_store
from backstory.testing.fake_store import MemoryStore
from backstory.testing.stores.base import NOW
from backstory.testing.stores.document_base import NOVEL, derived, reread, rewrite, write

LINES = (
    "Ann",
    "Ann|Annie",
    "Ann|Nan|Annie",
    "Bob",
    "Ann.home=Oslo",
    "Ann.home=Rome",
    "Ann.home=Lund@Bob",
    "Bob.eyes=grey",
    "+who?",
    "+why?",
    "~1",
    "!1",
    "~2",
    "nothing",
)
TEXTS = st.lists(st.sampled_from(LINES), max_size=5).map("\n".join)
NUMBERS = st.integers(1, 5)
STEPS = st.one_of(
    st.tuples(st.sampled_from(["write", "rewrite"]), NUMBERS, TEXTS),
    st.tuples(st.sampled_from(["remove", "reread"]), NUMBERS, st.just("")),
    st.tuples(st.sampled_from(["state", "secret", "tell", "plan", "end", "plot"]), NUMBERS, TEXTS),
    st.tuples(st.sampled_from(["own", "drop_entity", "drop_state", "drop_thread"]), NUMBERS, TEXTS),
)


async def take(store: Store, step: tuple[str, int, str]) -> Any:
    """Do something to a document; what is not allowed gives its error."""
    try:
        return await _act(store, *step)
    except BackstoryError as error:
        return error.code


async def _act(store: Store, what: str, number: int, text: str) -> Any:
    documents = store.documents
    if what in ("write", "rewrite"):
        stored = await (write if what == "write" else rewrite)(store, number, text)
        return stored.created, stored.withdrawn, stored.chapter.revised
    if what == "remove":
        return await documents.remove(NOVEL, number, NOW)
    if what == "reread":
        known = await documents.chapter(NOVEL, number)
        return None if known is None else await reread(store, known)
    if what in ("state", "secret"):
        state = EntityState(
            id=f"s{number % 3}", entity="Ann", attribute="home", value=what, chapter=number
        )
        return await documents.put_state(NOVEL, _hidden(state) if what == "secret" else state, NOW)
    if what in ("plan", "plot", "end"):
        return await _threads(store, what, number)
    return await _author(store, what, number)


async def _threads(store: Store, what: str, number: int) -> Any:
    documents = store.documents
    if what == "end":
        return (await documents.ensure(NOVEL, None, number * 2, NOW)).planned_chapters
    if what == "plan":
        thread = PlotThread(number=number, summary="who?", deadline=number + 3)
        return await documents.plan_thread(NOVEL, thread, NOW)
    kind = list(ThreadEventKind)[number - 1]
    return await documents.add_event(
        NOVEL, ThreadEvent(id=0, thread=1 + number % 2, kind=kind, chapter=number), NOW
    )


async def _author(store: Store, what: str, number: int) -> Any:
    documents = store.documents
    if what == "tell":
        return await documents.put_knower(
            NOVEL, f"s{number % 3}", Knower(name="Max", since_chapter=number), NOW
        )
    if what == "drop_state":
        return await documents.drop_state(NOVEL, f"s{number % 3}", NOW)
    if what == "drop_thread":
        return await documents.drop_thread(NOVEL, number, NOW)
    found = {e.name: e for e in await documents.entities(NOVEL, None, None)}
    ann = found.get("Ann")
    if ann is None:
        return None
    if what == "drop_entity":
        return await documents.drop_entity(NOVEL, ann.id, NOW)
    return (await documents.put_entity(NOVEL, ann, NOW)).aliases


def _hidden(state: EntityState) -> EntityState:
    return EntityState(**{**vars(state), "hidden": True})


async def said(store: Store) -> dict[str, Any]:
    """All that a store says of the document, now and of earlier chapters."""
    documents = store.documents
    info = await documents.info(NOVEL)
    then = {}
    for upto in range(6):
        entities = await documents.entities(NOVEL, None, upto)
        now = await documents.entities(NOVEL, None, upto, current=True)
        then[upto] = (
            sorted((e.name, e.mentions, [s.value for s in e.states]) for e in entities),
            sorted((e.name, [s.value for s in e.states]) for e in now),
            await documents.threads(NOVEL, None, upto),
            await documents.open_then(NOVEL, upto),
        )
    return {**await derived(store), "info": info, "then": then}


@settings(max_examples=12)
@given(steps=st.lists(STEPS, min_size=4, max_size=14))
def test_a_database_says_what_the_evidence_says(
    ready_sqlite: bytes, steps: list[tuple[str, int, str]]
) -> None:
    async def run(path: Path) -> None:
        store, memory = make_store(Location("sqlite", str(path))), MemoryStore()
        try:
            await store.open(may_upgrade=True)
            for one in (store, memory):
                await one.documents.ensure(NOVEL, None, None, NOW)
            for step in steps:
                assert await take(store, step) == await take(memory, step), step
            assert await said(store) == await said(memory)
        finally:
            await store.close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        path.write_bytes(ready_sqlite)
        asyncio.run(run(path))


@pytest.mark.parametrize("what", ["remove", "rewrite"])
def test_taking_back_leaves_what_was_before(ready_sqlite: bytes, tmp_path: Path, what: str) -> None:
    """A chapter that comes and goes leaves no trace in what is derived."""
    (tmp_path / "memory.db").write_bytes(ready_sqlite)
    lines = [line for line in LINES if not line.startswith(("~", "!"))]

    async def run() -> None:
        store = make_store(Location("sqlite", str(tmp_path / "memory.db")))
        await store.open(may_upgrade=True)
        for number in (1, 3, 5):
            await write(store, number, "\n".join(lines[number - 1 :: 2]))
        await write(store, 4, "nothing")
        before = await said(store)
        if what == "remove":
            await write(store, 2, "\n".join(LINES))
            await store.documents.remove(NOVEL, 2, NOW)
        else:
            await rewrite(store, 4, "\n".join(LINES))
            await rewrite(store, 4, "nothing")
        assert await said(store) == before
        await store.close()

    asyncio.run(run())
