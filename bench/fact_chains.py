"""What must hold of a slot whatever happened: one current row, a whole chain behind it."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

from backstory.core.facts.draft import CURRENT
from backstory.core.location import parse_location
from backstory.core.model.fact import USER, Fact, FactHistory
from backstory.core.model.scope import Scope
from backstory.ports.facts import FactFilter
from backstory.ports.store import Store
from backstory.storage.factory import make_store
from backstory.storage.store import SqlStore
from bench.children import must

KEY = "home.place"
SLOT = FactFilter(subject=USER, key=KEY)
_SYLLABLES = [c + v for c in "bdgklmnrst" for v in "aeio"]


def town(number: int) -> str:
    """A name that no other number has."""
    parts = []
    for _ in range(4):
        number, place = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[place])
    return "".join(parts).capitalize()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SqlStore]:
    """The bare store: it reads no messages by itself."""
    store = make_store(parse_location(url))
    await store.open(may_upgrade=True)
    try:
        yield store
    finally:
        await store.close()


async def slot_of(store: Store, scope: Scope) -> FactHistory | None:
    """Rows, states and log of the user's slot; None if nothing is in it."""
    rows = await store.facts.listed(scope, SLOT, None)
    return await store.facts.history(scope, rows[0][1].id) if rows else None


def check_chain(history: FactHistory) -> Fact:
    """Check that one row is current and every other leads to it, without a gap.

    Returns:
        The current row.

    Raises:
        AssertionError: It is not so.
    """
    rows = {row.id: row for row in history.facts}
    current = [row for row in rows.values() if row.status in CURRENT]
    must(len(current) == 1, f"{len(current)} current rows in one slot")
    last = current[0]
    must(last.valid_until is None and last.superseded_by is None, f"the current row ended: {last}")
    for row in rows.values():
        if row is last:
            continue
        after = rows.get(row.superseded_by or "")
        must(after is not None, f"a closed row without a successor: {row}")
        if after is not None:
            must(row.valid_until == after.valid_from, f"a gap between {row} and {after}")
            must(row.superseded_at is not None, f"a closed row without a time: {row}")
    followed = Counter(row.superseded_by for row in rows.values() if row is not last)
    must(max(followed.values(), default=1) == 1, "two rows have one successor")
    must(len(list(_path(rows, last))) == len(rows), "the chain is in pieces")
    _check_log(history, rows)
    return last


def _check_log(history: FactHistory, rows: dict[str, Fact]) -> None:
    """Whoever closed a row left a line. A late one entered closed, behind its successor."""
    logged = {line.fact_id for line in history.corrections}
    for row in rows.values():
        after = rows.get(row.superseded_by or "")
        if after is not None and row.recorded_at < after.recorded_at:
            must(row.id in logged, f"closed without a line in the log: {row}")


def _path(rows: dict[str, Fact], last: Fact) -> Iterator[Fact]:
    """The chain from the current row backwards."""
    before = {row.superseded_by: row for row in rows.values() if row.superseded_by is not None}
    row: Fact | None = last
    while row is not None:
        yield row
        row = before.get(row.id)


def check_values(history: FactHistory, values: Sequence[str]) -> None:
    """Check that a slot holds these values, each in one row, and no other."""
    found = Counter(row.value for row in history.facts)
    twice = [value for value, count in found.items() if count > 1]
    must(not twice, f"values in two rows: {twice[:5]}")
    lost, new = set(values) - set(found), set(found) - set(values)
    must(not lost and not new, f"lost {sorted(lost)[:5]}, not said {sorted(new)[:5]}")
