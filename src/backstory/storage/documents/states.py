"""States of entities, and who knows of them, on a given connection.

``until_chapter`` is where the next state of the same attribute begins that everybody knows of:
what holds at a chapter is found without reading what held before.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    or_,
    select,
    tuple_,
    update,
)

from backstory.core.model.entity import EntityState, Knower
from backstory.ports.documents import DocumentScope
from backstory.storage.documents.statements import key, owned, owner, same
from backstory.storage.rows import AnyRow
from backstory.storage.statements import BulkInsert, Lists, Prepared
from backstory.storage.tables import Tables

_COLUMNS = (
    "id",
    "seq",
    "entity_id",
    "attribute",
    "value",
    "chapter",
    "quote",
    "revision",
    "hidden",
    "restricted",
)
_SEQ, _CHAPTER = _COLUMNS.index("seq"), _COLUMNS.index("chapter")
Places = dict[tuple[str, str], int]
"""By entity id and attribute, the first chapter from which on states changed."""


class StateRows(metaclass=Prepared):
    """Reads and writes states.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        states, knowers = tables.document_states, tables.document_knowers
        entities = tables.document_entities
        self._lists = lists = Lists(dialect)
        mine = owned(states)
        of_entity = same(states, entities) & (states.c.entity_id == entities.c.id)
        columns = [states.c[name] for name in _COLUMNS]
        every = select(*columns, entities.c.name).join_from(states, entities, of_entity).where(mine)
        some = lists.holds("ids", states.c.entity_id)
        early = states.c.chapter <= bindparam("upto")
        # sorted in Python: for the order alone SQLite would look through all of an entity's
        hold = every.where(states.c.until_chapter.is_(None))
        held = every.where(early, states.c.until_chapter > bindparam("upto"))
        # by whether those that hold are enough, and whether a chapter is given
        wanted = {
            (False, False): [every],
            (False, True): [every.where(early)],
            (True, False): [hold],
            (True, True): [hold.where(early), held],
        }
        self._all = wanted
        self._some = {how: [query.where(some) for query in all_] for how, all_ in wanted.items()}
        self._one = every.where(states.c.id == bindparam("at"))
        of_revision = mine & (states.c.revision == bindparam("version"))
        self._read_in = select(
            states.c.id, states.c.entity_id, states.c.attribute, states.c.chapter
        ).where(of_revision)
        self._drop_read_in = delete(states).where(of_revision)
        self._add = BulkInsert(states, dialect)
        self._drop = delete(states).where(mine, states.c.id == bindparam("at"))
        self._restrict = (
            update(states).where(mine, states.c.id == bindparam("at")).values(restricted=True)
        )
        self._prepare_ends(states)
        self._prepare_knowers(knowers, dialect)

    def _prepare_ends(self, states: Table) -> None:
        later = states.alias("later")
        follows = (
            select(later.c.chapter)
            .where(
                same(later, states),
                later.c.entity_id == states.c.entity_id,
                later.c.attribute == states.c.attribute,
                later.c.hidden.is_(False),
                later.c.restricted.is_(False),
                later.c.chapter >= states.c.chapter,
                tuple_(later.c.chapter, later.c.seq) > tuple_(states.c.chapter, states.c.seq),
            )
            .order_by(later.c.chapter, later.c.seq)
            .limit(1)
            .scalar_subquery()
        )
        begin: ColumnElement[Any] = bindparam("begin")
        self._follow = (
            update(states)
            .where(
                owned(states),
                states.c.entity_id == bindparam("entity"),
                states.c.attribute == bindparam("about"),
                or_(states.c.until_chapter.is_(None), states.c.until_chapter >= begin),
            )
            .values(until_chapter=follows)
        )

    def _prepare_knowers(self, knowers: Table, dialect: str) -> None:
        lists = self._lists
        known = owned(knowers)
        self._knowing = (
            select(knowers.c.state_id, knowers.c.name, knowers.c.since_chapter)
            .where(known, lists.holds("ids", knowers.c.state_id))
            .order_by(knowers.c.since_chapter, knowers.c.seq)
        )
        self._add_knowers = BulkInsert(knowers, dialect)
        self._drop_learned = delete(knowers).where(
            known, knowers.c.revision == bindparam("version")
        )

    def of(
        self,
        connection: Connection,
        scope: DocumentScope,
        ids: Sequence[str] | None,
        upto: int | None,
        *,
        current: bool = False,
    ) -> dict[str, list[EntityState]]:
        """States by entity id, in order of chapters.

        Args:
            connection: Of the transaction.
            scope: The document.
            ids: Of entities; None = all.
            upto: Only those up to this chapter, whoever learns of them when; None = all.
            current: Only those that may still hold.
        """
        given: dict[str, Any] = dict(owner(scope))
        if ids is not None:
            given["ids"] = self._lists.given(ids)
        if upto is not None:
            given["upto"] = upto
        rows: list[AnyRow] = []
        queries = self._all if ids is None else self._some
        for query in queries[current, upto is not None]:
            rows += connection.execute(query, given)
        rows.sort(key=_by_chapter)
        found: dict[str, list[EntityState]] = {}
        for entity_id, state in self._with_knowers(connection, scope, rows):
            found.setdefault(entity_id, []).append(state)
        return found

    def one(
        self, connection: Connection, scope: DocumentScope, state_id: str
    ) -> tuple[str, EntityState] | None:
        """A state with the id of its entity."""
        rows = connection.execute(self._one, {**owner(scope), "at": state_id}).all()
        return next(iter(self._with_knowers(connection, scope, rows)), None)

    def withdraw(
        self, connection: Connection, scope: DocumentScope, revision: str
    ) -> tuple[int, Places]:
        """Remove states and knowledge that were read in a version of a chapter.

        Returns:
            How many there were, and where states changed.
        """
        given = {**owner(scope), "version": revision}
        rows = connection.execute(self._read_in, given).all()
        if rows:
            connection.execute(self._drop_read_in, given)
        learned = connection.execute(self._drop_learned, given).rowcount
        return len(rows) + learned, _places((r.entity_id, r.attribute, r.chapter) for r in rows)

    def add(
        self,
        connection: Connection,
        scope: DocumentScope,
        states: Sequence[tuple[str, EntityState]],
        seq: int,
    ) -> Places:
        """Insert states, each with the id of its entity, from a running number on.

        Each state takes one number, and each of its knowers one.
        """
        rows, knowers = [], []
        for entity_id, state in states:
            rows.append({**key(scope), **_values(entity_id, state), "seq": seq})
            seq += 1
            for knower in state.known_by:
                knowers.append(_knower(scope, state.id, knower, state.revision, seq))
                seq += 1
        if rows:
            self._add.run(connection, rows)
        if knowers:
            self._add_knowers.run(connection, knowers)
        return _places((entity_id, s.attribute, s.chapter) for entity_id, s in states)

    def learn(
        self,
        connection: Connection,
        scope: DocumentScope,
        learned: Sequence[tuple[str, Knower]],
        revision: str | None,
        seq: int,
    ) -> None:
        """Let characters know of states that are there, from a running number on."""
        rows = [
            _knower(scope, state_id, knower, revision, number)
            for number, (state_id, knower) in enumerate(learned, seq)
        ]
        if rows:
            self._add_knowers.run(connection, rows)

    def restrict(self, connection: Connection, scope: DocumentScope, state_id: str) -> None:
        """Let only those know of a state who are said to."""
        connection.execute(self._restrict, {**owner(scope), "at": state_id})

    def drop(self, connection: Connection, scope: DocumentScope, state_id: str) -> bool:
        """Remove a state with its knowers."""
        given = {**owner(scope), "at": state_id}
        return connection.execute(self._drop, given).rowcount > 0

    def fold(self, connection: Connection, scope: DocumentScope, *changed: Places) -> None:
        """Find anew where states end, around those that were added or removed."""
        merged: Places = {}
        for places in changed:
            for place, chapter in places.items():
                merged[place] = min(chapter, merged.get(place, chapter))
        if merged:
            rows = [
                {**owner(scope), "entity": entity_id, "about": attribute, "begin": chapter}
                for (entity_id, attribute), chapter in merged.items()
            ]
            connection.execute(self._follow, rows)

    def _with_knowers(
        self, connection: Connection, scope: DocumentScope, rows: Sequence[AnyRow]
    ) -> list[tuple[str, EntityState]]:
        # those that everybody knows of need not be asked for
        limited = [row.id for row in rows if row.restricted or row.hidden]
        known: dict[str, dict[str, int]] = {}
        if limited:
            given = {**owner(scope), "ids": self._lists.given(limited)}
            for state_id, name, since in connection.execute(self._knowing, given):
                known.setdefault(state_id, {}).setdefault(name, since)
        return [(row.entity_id, _to_state(row, known.get(row.id, {}))) for row in rows]


def place_of(entity_id: str, state: EntityState) -> Places:
    """Where one state is."""
    return {(entity_id, state.attribute): state.chapter}


def _places(changed: Iterable[tuple[str, str, int]]) -> Places:
    found: Places = {}
    for entity_id, attribute, chapter in changed:
        place = (entity_id, attribute)
        found[place] = min(chapter, found.get(place, chapter))
    return found


def _values(entity_id: str, state: EntityState) -> dict[str, Any]:
    return {
        "id": state.id,
        "entity_id": entity_id,
        "attribute": state.attribute,
        "value": state.value,
        "chapter": state.chapter,
        "quote": state.quote,
        "revision": state.revision,
        "hidden": state.hidden,
        "restricted": bool(state.known_by),
        "until_chapter": None,
    }


def _knower(
    scope: DocumentScope, state_id: str, knower: Knower, revision: str | None, seq: int
) -> dict[str, Any]:
    return {
        **key(scope),
        "seq": seq,
        "state_id": state_id,
        "name": knower.name,
        "since_chapter": knower.since_chapter,
        "revision": revision,
    }


def _by_chapter(row: AnyRow) -> tuple[int, int]:
    return row[_CHAPTER], row[_SEQ]


def _to_state(row: AnyRow, known: Mapping[str, int]) -> EntityState:
    # by place: reading columns by name takes longer than making the state
    state_id, _, _, attribute, value, chapter, quote, revision, hidden, restricted, name = row
    # who learns what everybody knows anyway makes no secret of it
    shown = known if restricted or hidden else {}
    return EntityState(
        id=state_id,
        entity=name,
        attribute=attribute,
        value=value,
        chapter=chapter,
        quote=quote,
        revision=revision,
        hidden=hidden,
        known_by=tuple(Knower(name=name, since_chapter=since) for name, since in shown.items()),
    )
