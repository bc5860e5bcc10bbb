"""Entities and where they occur, on a given connection.

Kind and aliases of an entity that the author did not enter, and the chapters of each, are folded
from its sightings: whatever a chapter gave goes with it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, exists, func, insert, select, update

from backstory.core.model.entity import Entity, EntityKind
from backstory.errors import ConflictError
from backstory.ports.documents import ChapterPlan, DocumentScope, EntityName
from backstory.storage.documents.statements import Whole, changed, key, owned, owner, same
from backstory.storage.rows import AnyRow, hash_name
from backstory.storage.statements import BulkInsert, Lists, Prepared, as_stored
from backstory.storage.tables import Tables

_KINDS = {str(kind): kind for kind in EntityKind}
_SET = ("name", "name_hash", "kind", "aliases", "own_aliases", "case_sensitive", "hidden")


class EntityRows(metaclass=Prepared):
    """Reads and writes entities and sightings.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        entities, sightings = tables.document_entities, tables.document_sightings
        states = tables.document_states
        self._lists = lists = Lists(dialect)
        self._whole = Whole(dialect)
        mine = owned(entities)
        this = mine & (entities.c.id == bindparam("at"))
        # listed in the order in which they came
        self._all = select(entities).where(mine).order_by(entities.c.seq)
        shown = ("id", "name", "aliases", "case_sensitive", "authored", "hidden")
        self._names = (
            select(*(as_stored(entities.c[name]) for name in shown))
            .where(mine)
            .order_by(entities.c.seq)
        )
        self._some = self._all.where(lists.holds("ids", entities.c.id))
        self._named = select(entities).where(mine, entities.c.name_hash == bindparam("hash"))
        of_entity = same(sightings, entities) & (sightings.c.entity_id == entities.c.id)
        occurs = of_entity & (sightings.c.times > 0)
        number = sightings.c.number
        first = select(func.min(number)).where(occurs).scalar_subquery()
        last = select(func.max(number)).where(occurs)
        early = occurs & (number <= bindparam("upto"))
        self._early = select(
            entities.c.id,
            select(func.min(number)).where(early).scalar_subquery(),
            select(func.max(number)).where(early).scalar_subquery(),
            select(func.count()).where(early).scalar_subquery(),
        ).where(mine, entities.c.last_chapter > bindparam("upto"))
        self._early_some = self._early.where(lists.holds("ids", entities.c.id))
        self._insert = insert(entities)
        self._set = (
            update(entities).where(this).values(changed(entities, *_SET) | {"authored": True})
        )
        self._name = update(entities).where(this).values(changed(entities, "kind", "aliases"))
        self._count = (
            update(entities)
            .where(this)
            .values(
                first_chapter=first,
                last_chapter=last.scalar_subquery(),
                mentions=entities.c.mentions + bindparam("more"),
            )
        )
        held = exists().where(of_entity) | exists().where(
            same(states, entities), states.c.entity_id == entities.c.id
        )
        listed = mine & lists.holds("ids", entities.c.id)
        self._drop_idle = delete(entities).where(listed, entities.c.authored.is_(False), ~held)
        self._drop = delete(entities).where(this)
        self._prepare_sightings(sightings, dialect)

    def _prepare_sightings(self, sightings: Table, dialect: str) -> None:
        lists, whole = self._lists, self._whole
        number = sightings.c.number
        seen = owned(sightings)
        self._seen = (
            select(number)
            .where(seen, sightings.c.entity_id == bindparam("at"), sightings.c.times > 0)
            .where(number < bindparam("before"))
            .order_by(number)
        )
        self._in_chapters = (
            select(number, sightings.c.entity_id, sightings.c.times)
            .where(seen, whole.holds("numbers", number), sightings.c.times > 0)
            .order_by(number, sightings.c.times.desc(), sightings.c.entity_id)
        )
        in_chapter = seen & (number == bindparam("at"))
        self._of_chapter = select(sightings.c.entity_id, sightings.c.times, sightings.c.kind).where(
            in_chapter
        )
        self._drop_sightings = delete(sightings).where(in_chapter)
        self._add_sightings = BulkInsert(sightings, dialect)
        adds = sightings.c.kind.is_not(None)
        self._added = (
            select(sightings.c.entity_id, sightings.c.kind, sightings.c.aliases)
            .where(seen, lists.holds("ids", sightings.c.entity_id), adds)
            .order_by(sightings.c.entity_id, number)
        )
        self._forget_added = (
            update(sightings)
            .where(seen, sightings.c.entity_id == bindparam("at"), adds)
            .values(kind=None, aliases=[])
        )

    def load(
        self,
        connection: Connection,
        scope: DocumentScope,
        ids: Sequence[str] | None,
        upto: int | None,
    ) -> list[Entity]:
        """Entities without their states, as they stand after a chapter; None = all, now."""
        given = {**owner(scope), **self._given(ids)}
        rows = connection.execute(self._all if ids is None else self._some, given).all()
        then: dict[str, tuple[Any, ...]] = {}
        if upto is not None:
            query = self._early if ids is None else self._early_some
            found = connection.execute(query, {**given, "upto": upto})
            then = {row[0]: tuple(row[1:]) for row in found}
        return [_to_entity(row, then.get(row.id)) for row in rows]

    def names(self, connection: Connection, scope: DocumentScope) -> list[EntityName]:
        """All entities, as they are found in texts."""
        rows = connection.execute(self._names, owner(scope)).all()
        aliases = _read_lists([row[2] for row in rows])
        return [
            EntityName(
                id=row[0],
                name=row[1],
                aliases=tuple(others),
                case_sensitive=bool(row[3]),
                authored=bool(row[4]),
                hidden=bool(row[5]),
            )
            for row, others in zip(rows, aliases, strict=True)
        ]

    def named(self, connection: Connection, scope: DocumentScope, name: str) -> Entity | None:
        """The entity with a name."""
        given = {**owner(scope), "hash": hash_name(name)}
        row = connection.execute(self._named, given).first()
        return None if row is None else _to_entity(row, None)

    def seen(
        self, connection: Connection, scope: DocumentScope, entity_id: str, before: int
    ) -> list[int]:
        """Chapters below a number that an entity occurs in."""
        given = {**owner(scope), "at": entity_id, "before": before}
        return list(connection.scalars(self._seen, given))

    def sightings(
        self, connection: Connection, scope: DocumentScope, numbers: Sequence[int]
    ) -> dict[int, dict[str, int]]:
        """Which entities occur in chapters, those that occur most often first."""
        found: dict[int, dict[str, int]] = {}
        if numbers:
            given = {**owner(scope), "numbers": self._whole.given(numbers)}
            for number, entity_id, times in connection.execute(self._in_chapters, given):
                found.setdefault(number, {})[entity_id] = times
        return found

    def withdraw(
        self, connection: Connection, scope: DocumentScope, number: int
    ) -> dict[str, tuple[int, bool]]:
        """Remove what a chapter said of entities.

        Returns:
            By entity id, how often it occurred and whether the chapter added to its names.
        """
        given = {**owner(scope), "at": number}
        rows = connection.execute(self._of_chapter, given).all()
        if rows:
            connection.execute(self._drop_sightings, given)
        return {row.entity_id: (row.times, row.kind is not None) for row in rows}

    def write(
        self,
        connection: Connection,
        scope: DocumentScope,
        place: tuple[int, str],
        plan: ChapterPlan,
        known: Mapping[str, Entity],
        told: Iterable[str],
        seq: int,
    ) -> None:
        """Write the entities and sightings of a plan.

        Args:
            connection: Of the transaction.
            scope: The document.
            place: Number and revision of the chapter.
            plan: What is derived from it.
            known: The entities that are there, by id.
            told: Ids of entities that the chapter gives states of.
            seq: The first running number of new entities.
        """
        added: dict[str, tuple[EntityKind, list[str]]] = {}
        for entity in plan.entities:
            old = known.get(entity.id)
            if old is None:
                self._make(connection, scope, replace(entity, authored=False), seq)
                seq += 1
            has = set() if old is None else {old.name, *old.aliases}
            more = [name for name in entity.aliases if name not in has]
            if old is None or more or entity.kind is not old.kind:
                added[entity.id] = (entity.kind, more)
        for entity_id, names in plan.named.items():
            kind, more = added.get(entity_id, (EntityKind.OTHER, []))
            added[entity_id] = (kind, [*more, *names])
        occurring = [*plan.sightings, *added, *told]
        number, revision = place
        rows = [
            {
                **key(scope),
                "number": number,
                "entity_id": entity_id,
                "revision": revision,
                "times": plan.sightings.get(entity_id, 0),
                "kind": str(added[entity_id][0]) if entity_id in added else None,
                "aliases": added[entity_id][1] if entity_id in added else [],
            }
            for entity_id in dict.fromkeys(occurring)
        ]
        if rows:
            self._add_sightings.run(connection, rows)

    def fold(
        self,
        connection: Connection,
        scope: DocumentScope,
        more: Mapping[str, int],
        renamed: Sequence[str],
    ) -> bool:
        """Make the folded columns anew.

        Args:
            connection: Of the transaction.
            scope: The document.
            more: In how many more chapters each entity occurs now; negative = fewer.
            renamed: Those whose kind or aliases may have changed.

        Returns:
            Whether one of these has changed.
        """
        if more:
            rows = [{**owner(scope), "at": name, "more": count} for name, count in more.items()]
            connection.execute(self._count, rows)
        if not renamed:
            return False
        given = {**owner(scope), **self._given(renamed)}
        added: dict[str, list[AnyRow]] = {}
        for row in connection.execute(self._added, given):
            added.setdefault(row.entity_id, []).append(row)
        changes = []
        for row in connection.execute(self._some, given).all():
            kind, aliases = _named(row, added.get(row.id, ()))
            if (kind, aliases) != (row.kind, row.aliases):
                change = {"at": row.id, "new_kind": kind, "new_aliases": aliases}
                changes.append({**owner(scope), **change})
        if changes:
            connection.execute(self._name, changes)
        return bool(changes)

    def drop_idle(self, connection: Connection, scope: DocumentScope, ids: Sequence[str]) -> int:
        """Remove those that nothing tells of any more; how many."""
        if not ids:
            return 0
        given = {**owner(scope), **self._given(ids)}
        return connection.execute(self._drop_idle, given).rowcount

    def put(self, connection: Connection, scope: DocumentScope, entity: Entity, seq: int) -> bool:
        """Store what the author says of an entity: it holds, whatever chapters added before.

        Returns:
            Whether it has all names still that the author gave it, with capitals as before.

        Raises:
            ConflictError: Another entity has the name.
        """
        self._check_name(connection, scope, entity)
        given = {**owner(scope), **self._given([entity.id])}
        old = connection.execute(self._some, given).first()
        if old is not None:
            this = {**owner(scope), "at": entity.id}
            connection.execute(self._forget_added, this)
            connection.execute(self._set, {**this, **_changes(entity)})
        else:
            self._make(connection, scope, replace(entity, authored=True), seq)
        return old is None or _has_all(entity, old)

    def drop(self, connection: Connection, scope: DocumentScope, entity_id: str) -> bool:
        """Remove an entity with its states and sightings."""
        given = {**owner(scope), "at": entity_id}
        return connection.execute(self._drop, given).rowcount > 0

    def _make(self, connection: Connection, scope: DocumentScope, entity: Entity, seq: int) -> None:
        self._check_name(connection, scope, entity)
        values = _values(entity)
        if not entity.authored:
            # those that a chapter gives are folded from it
            values |= {"own_aliases": [], "aliases": []}
        fresh = {"first_chapter": None, "last_chapter": None, "mentions": 0, "seq": seq}
        connection.execute(self._insert, {**key(scope), "id": entity.id, **values, **fresh})

    def _check_name(self, connection: Connection, scope: DocumentScope, entity: Entity) -> None:
        other = self.named(connection, scope, entity.name)
        if other is not None and other.id != entity.id:
            raise ConflictError(f"another entity is called {entity.name[:80]!r}")

    def _given(self, ids: Sequence[str] | None) -> dict[str, Any]:
        return {} if ids is None else {"ids": self._lists.given(ids)}


def _has_all(entity: Entity, old: AnyRow) -> bool:
    names = {old.name, *old.own_aliases}
    same_case = entity.case_sensitive == old.case_sensitive
    return same_case and names.issubset({entity.name, *entity.aliases})


def _read_lists(stored: Sequence[Any]) -> list[list[str]]:
    """Lists as the driver gives them; on SQLite as JSON, of which many are read as one."""
    if stored and isinstance(stored[0], str):
        found: list[list[str]] = json.loads(f"[{','.join(stored)}]")
        return found
    return list(stored)


def _values(entity: Entity) -> dict[str, Any]:
    aliases = list(entity.aliases)
    return {
        "name": entity.name,
        "name_hash": hash_name(entity.name),
        "kind": str(entity.kind),
        "aliases": aliases,
        "own_aliases": aliases,
        "case_sensitive": entity.case_sensitive,
        "authored": entity.authored,
        "hidden": entity.hidden,
    }


def _changes(entity: Entity) -> dict[str, Any]:
    values = _values(entity)
    return {f"new_{name}": values[name] for name in _SET}


def _named(row: AnyRow, added: Iterable[AnyRow]) -> tuple[str, list[str]]:
    """Kind and aliases: the author's, and what chapters add to them, in their order."""
    other = str(EntityKind.OTHER)
    parts = list(added)
    kinds = [part.kind for part in parts if part.kind != other]
    kind = row.kind if row.authored else next(iter(kinds), other)
    names = dict.fromkeys([*row.own_aliases, *(name for part in parts for name in part.aliases)])
    return kind, [name for name in names if name != row.name]


def _to_entity(row: AnyRow, then: tuple[Any, ...] | None) -> Entity:
    first, last, mentions = then or (row.first_chapter, row.last_chapter, row.mentions)
    return Entity(
        id=row.id,
        name=row.name,
        kind=_KINDS[row.kind],
        aliases=tuple(row.aliases),
        case_sensitive=row.case_sensitive,
        first_chapter=first,
        last_chapter=last,
        mentions=mentions,
        authored=row.authored,
        hidden=row.hidden,
    )
