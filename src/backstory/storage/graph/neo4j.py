"""The graph in Neo4j, by its official driver, over Bolt.

It repeats what the store's facts and readings say (see ``services.graph.keeping``); what it holds
can be looked at with the tools of Neo4j. Anything else that speaks Bolt and Cypher will do.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction
from neo4j.exceptions import AuthError, ConstraintError, DriverError, Neo4jError

from backstory.core.graph.matching import MOST_MATCHES, LabelIndex, around, search_form
from backstory.core.graph.schema import EntityKind
from backstory.core.graph.value import Graph, record_mark
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER
from backstory.core.model.scope import Scope
from backstory.core.times import to_micros
from backstory.errors import (
    ConfigurationError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
)
from backstory.language.lexicon import STOP_WORDS
from backstory.ports.graph import Sighted, When
from backstory.storage.graph import statements
from backstory.storage.graph.rows import (
    OPEN,
    counted,
    entity_of,
    entity_row,
    graph_of_rows,
    known_since,
    relation_row,
)

T = TypeVar("T")
_Work = Callable[[AsyncManagedTransaction], Awaitable[T]]
_CONNECT_S: Final = 3.0
_RETRY_S: Final = 3.0
_RETRY_FIRST_S: Final = 0.1
_MOST_CANDIDATES: Final = 500
_ROWS: Final = 1000
_TRIES: Final = 3


class Neo4jGraph:
    """A graph store in Neo4j.

    Args:
        address: "neo4j://user:password@host:port/database", or bolt:// and the like. Without a
            database it is the user's home database.
        password: Takes the place of one in the address.

    Raises:
        ConfigurationError: The address cannot be read.
    """

    def __init__(self, address: str, password: str | None = None) -> None:
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port or 7687
        except ValueError as error:
            raise ConfigurationError("the address of the graph server cannot be read") from error
        if not host:
            raise ConfigurationError("the address of the graph server names no host")
        shown = f"[{host}]" if ":" in host else host
        self._uri = f"{parts.scheme}://{shown}:{port}"
        self._database = unquote(parts.path.strip("/")) or None
        secret = password or unquote(parts.password or "")
        user = unquote(parts.username or "neo4j")
        self._auth = (user, secret) if secret or parts.username else None
        self._driver: AsyncDriver | None = None
        self._is_ready = False

    async def put(
        self, scope: Scope, records: Sequence[GraphEntity | Relation], now: datetime
    ) -> None:
        """See ``GraphStore``."""
        given = [replace(record, recorded_at=now) for record in records]

        async def work(tx: AsyncManagedTransaction) -> None:
            await _run(tx, statements.LOCK, scope)
            marks = await _marks(tx, scope)
            changed = [r for r in given if marks.get(r.id) != record_mark(r)]
            await _put_user(tx, scope, changed, now)
            await _run(
                tx, statements.END_RELATIONS, scope,
                ids=[r.id for r in changed if r.id in marks], open=OPEN, now=to_micros(now),
            )  # fmt: skip
            await _write(tx, scope, changed, marks, to_micros(now))

        await self._write(work)

    async def withdraw(self, scope: Scope, ids: Sequence[str], now: datetime) -> None:
        """See ``GraphStore``."""

        async def work(tx: AsyncManagedTransaction) -> None:
            await _run(tx, statements.LOCK, scope)
            for statement in (statements.END_RELATIONS, statements.END_ENTITIES):
                await _run(tx, statement, scope, ids=list(ids), open=OPEN, now=to_micros(now))

        await self._write(work)

    async def get_context(self, scope: Scope, when: When, limit: int) -> Graph:
        """See ``GraphStore``."""

        async def work(tx: AsyncManagedTransaction) -> Graph:
            rows = await _run(
                tx, statements.CENTRES, scope, first=USER, most=MOST_MATCHES, **counted(when)
            )
            names = [row["id"] for row in rows]
            return around(await _around(tx, scope, names, when, limit), names, limit)

        return await self._read(work)

    async def search_entities(self, scope: Scope, query: str, when: When, limit: int) -> Sighted:
        """See ``EntitySearch``."""

        async def work(tx: AsyncManagedTransaction) -> Sighted:
            # the server looks for parts of the query; which of them are whole names is told here
            rows = await _run(
                tx, statements.CANDIDATES, scope,
                query=search_form(query), known=counted(when)["known"], most=_MOST_CANDIDATES,
            )  # fmt: skip
            found = {entity.id: entity for entity in (entity_of(row["body"]) for row in rows)}
            named = LabelIndex(list(found.values()), STOP_WORDS).find(query)
            graph = await _around(tx, scope, named, when, limit)
            related = {end for r in graph.relations for end in (r.subject_id, r.object_id)}
            tied = await self._tied(tx, scope, [n for n in named if n not in related], when)
            names = [name for name in named if name in related or name not in tied][:MOST_MATCHES]
            whole = Graph(
                {**{name: found[name] for name in names}, **graph.entities}, graph.relations
            )
            return Sighted(graph=around(whole, names, limit), matched=tuple(names))

        return await self._read(work)

    async def _tied(
        self, tx: AsyncManagedTransaction, scope: Scope, names: Sequence[str], when: When
    ) -> set[str]:
        """Those that have relations in other times only."""
        if not names:
            return set()
        past = replace(when, history=True, valid_at=None)
        rows = await _run(tx, statements.AROUND, scope, ids=list(names), limit=1, **counted(past))
        return {row["id"] for row in rows}

    async def forget(self, scope: Scope) -> int:
        """See ``GraphStore``."""

        async def work(tx: AsyncManagedTransaction) -> int:
            number = 0
            for statement in (statements.COUNT_RELATIONS, statements.COUNT_ENTITIES):
                number += (await _run(tx, statement, scope))[0]["number"]
            for statement in statements.FORGET:
                await _run(tx, statement, scope)
            return number

        return await self._write(work)

    async def stamp(self, scope: Scope) -> str | None:
        """See ``GraphMirror``."""

        async def work(tx: AsyncManagedTransaction) -> str | None:
            rows = await _run(tx, statements.STAMP, scope)
            return rows[0]["stamp"] if rows else None

        return await self._read(work)

    async def replace(self, scope: Scope, graph: Graph, stamp: str) -> int:
        """See ``GraphMirror``. What is no longer there is deleted, so nothing erased stays here."""
        records: list[GraphEntity | Relation] = [*graph.entities.values(), *graph.relations]
        wanted = {record.id: record_mark(record) for record in records}

        async def work(tx: AsyncManagedTransaction) -> int:
            await _run(tx, statements.LOCK, scope)
            marks = await _marks(tx, scope)
            stale = [name for name, mark in marks.items() if wanted.get(name) != mark]
            gone = [name for name in stale if name not in wanted]
            await _run(tx, statements.DROP_RELATIONS, scope, ids=stale)
            await _run(tx, statements.DROP_ENTITIES, scope, ids=gone)
            changed = [r for r in records if marks.get(r.id) != wanted[r.id]]
            await _write(tx, scope, changed, {}, None)
            await _run(tx, statements.SET_STAMP, scope, stamp=stamp)
            return len(changed) + len(gone)

        return await self._write(work)

    async def clear(self) -> None:
        """Remove all users of all tenants, and nothing that is not ours."""

        async def work(tx: AsyncManagedTransaction) -> None:
            for statement in statements.CLEAR:
                await (await tx.run(statement)).consume()

        await self._write(work)

    async def aclose(self) -> None:
        """Close the driver."""
        driver, self._driver = self._driver, None
        if driver is not None:
            await driver.close()

    async def _read(self, work: _Work[T]) -> T:
        return await self._within(lambda session: session.execute_read(work))

    async def _write(self, work: _Work[T]) -> T:
        for _ in range(_TRIES):
            try:
                return await self._within(lambda session: session.execute_write(work))
            except StoreBusyError:  # two first writes of a user at once: the other one won
                continue
        return await self._within(lambda session: session.execute_write(work))

    async def _within(self, call: Callable[[Any], Awaitable[T]]) -> T:
        try:
            if self._driver is None:
                self._driver = AsyncGraphDatabase.driver(
                    self._uri,
                    auth=self._auth,
                    connection_timeout=_CONNECT_S,
                    connection_acquisition_timeout=_CONNECT_S,
                    max_transaction_retry_time=_RETRY_S,
                    initial_retry_delay=_RETRY_FIRST_S,
                )
            async with self._driver.session(database=self._database) as session:
                if not self._is_ready:
                    for statement in statements.INDEXES:
                        await (await session.run(statement)).consume()
                    self._is_ready = True
                return await call(session)
        except AuthError as error:
            raise ConfigurationError(
                f"the graph server {self._uri} refuses the user or the password"
            ) from error
        except (DriverError, OSError) as error:
            raise StoreUnavailableError(
                f"the graph server {self._uri} does not answer: {type(error).__name__}"
            ) from error
        except ConstraintError as error:
            raise StoreBusyError(f"the graph server {self._uri} is busy") from error
        except Neo4jError as error:
            raise StoreError(f"the graph server {self._uri} failed: {error.code}") from error


async def _run(
    tx: AsyncManagedTransaction, statement: str, scope: Scope, **values: Any
) -> list[Mapping[str, Any]]:
    """Run a statement for one user."""
    parameters = {"tenant": scope.tenant_id, "user": scope.user_id, **values}
    result = await tx.run(statement, parameters)
    return [record.data() async for record in result]


async def _marks(tx: AsyncManagedTransaction, scope: Scope) -> dict[str, str]:
    """The marks of everything current."""
    found: dict[str, str] = {}
    for statement in (statements.ENTITY_MARKS, statements.RELATION_MARKS):
        rows = await _run(tx, statement, scope, open=OPEN)
        found.update((row["id"], row["mark"]) for row in rows)
    return found


async def _write(
    tx: AsyncManagedTransaction,
    scope: Scope,
    records: Sequence[GraphEntity | Relation],
    before: Mapping[str, str],
    now: int | None,
) -> None:
    """Write records; new versions are known from now on, others since their own time."""
    entities, relations = [], []
    for record in records:
        is_new_version = record.id in before and now is not None
        known = now if is_new_version and now is not None else known_since(record)
        if isinstance(record, GraphEntity):
            # of a node there is one version: it was known before it got another name
            entities.append(entity_row(record, known_since(record)))
        else:
            relations.append(relation_row(record, known))
    for statement, rows in (
        (statements.PUT_ENTITIES, entities),
        (statements.PUT_RELATIONS, relations),
    ):
        for start in range(0, len(rows), _ROWS):
            await _run(tx, statement, scope, rows=rows[start : start + _ROWS])


async def _put_user(
    tx: AsyncManagedTransaction,
    scope: Scope,
    records: Sequence[GraphEntity | Relation],
    now: datetime,
) -> None:
    """See that the user is a node where relations name them."""
    named = any(isinstance(r, Relation) and USER in (r.subject_id, r.object_id) for r in records)
    if not named or await _run(tx, statements.BODIES, scope, ids=[USER], known=OPEN - 1):
        return
    user = GraphEntity(
        id=USER, user_id=scope.user_id, at=now, recorded_at=now, kind=EntityKind.PERSON, label=USER
    )
    await _run(tx, statements.PUT_ENTITIES, scope, rows=[entity_row(user, known_since(user))])


async def _around(
    tx: AsyncManagedTransaction, scope: Scope, names: Sequence[str], when: When, limit: int
) -> Graph:
    if not names:
        return Graph()
    rows = await _run(tx, statements.AROUND, scope, ids=list(names), limit=limit, **counted(when))
    return graph_of_rows(rows)
