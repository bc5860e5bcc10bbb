"""Which facts a list holds, as conditions with named parameters.

A statement is built once for each set of conditions, and kept.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, bindparam, func, or_

from backstory.ports.facts import FactFilter
from backstory.storage.building import Instant
from backstory.storage.fact_tables import held
from backstory.storage.facts.hashes import hash_of
from backstory.storage.statements import Lists


class FilterConditions:
    """Turns filters into conditions and parameters.

    Args:
        facts: The table.
        lists: Conditions on lists.
    """

    def __init__(self, facts: Table, lists: Lists) -> None:
        columns = facts.c
        now = bindparam("current_at", type_=Instant)
        self._lists = lists
        self._built: dict[tuple[str, ...], Select[Any]] = {}
        self._conditions: dict[str, ColumnElement[bool]] = {
            "subject": columns.subject == bindparam("subject"),
            "category": columns.category == bindparam("category"),
            "intent": columns.intent_id == bindparam("intent"),
            "key_hash": columns.key_hash == bindparam("key_hash"),
            "prefix": func.substr(columns.key, 1, func.length(bindparam("prefix")))
            == bindparam("prefix"),
            "statuses": lists.holds("statuses", columns.status),
            "current_at": held()
            & or_(columns.valid_from.is_(None), columns.valid_from <= now)
            & or_(columns.valid_until.is_(None), columns.valid_until > now),
        }

    def given(self, chosen: FactFilter) -> dict[str, Any]:
        """The parameters of a filter; their names are those of its conditions."""
        is_prefix = chosen.key is not None and chosen.key.endswith(".")
        values = {
            "subject": chosen.subject,
            "category": chosen.category and str(chosen.category),
            "intent": chosen.intent_id,
            "key_hash": None if chosen.key is None or is_prefix else hash_of(chosen.key),
            "prefix": chosen.key if is_prefix else None,
            "statuses": self._lists.given(sorted(chosen.statuses)) if chosen.statuses else None,
            "current_at": chosen.current_at,
        }
        return {name: value for name, value in values.items() if value is not None}

    def built(
        self, kind: str, given: dict[str, Any], make: Callable[[], Select[Any]]
    ) -> Select[Any]:
        """A statement with the conditions of these parameters.

        Args:
            kind: Names what is made.
            given: What ``given`` gave.
            make: Makes it without conditions.
        """
        shape = (kind, *given)
        known = self._built.get(shape)
        if known is None:
            known = make().where(*(self._conditions[name] for name in given))
            self._built[shape] = known
        return known
