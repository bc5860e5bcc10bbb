"""Erases a fact: no value of it is left, and a keyed hash keeps it from coming back."""

from datetime import datetime

from sqlalchemy import Connection

from backstory.core.facts.book import FactBook, FactPlan, FactsWanted
from backstory.core.facts.draft import By, Draft
from backstory.core.facts.restoring import mend
from backstory.core.model.scope import Scope
from backstory.core.values import normal_value
from backstory.storage.facts.erased import ErasedClaims
from backstory.storage.facts.loading import BookLoader
from backstory.storage.facts.removal import FactRemover
from backstory.storage.facts.withdrawal import Withdrawal, id_of_write
from backstory.storage.facts.writing import PlanWriter, no_texts
from backstory.storage.rows import UserRows
from backstory.storage.statements import Prepared
from backstory.storage.tables import Tables


class FactEraser(metaclass=Prepared):
    """Erases facts, in the transaction of the given connection.

    Args:
        tables: The store's tables.
        dialect: The name of the database.
    """

    def __init__(self, tables: Tables, dialect: str) -> None:
        self._users = UserRows(tables)
        self._loader = BookLoader(tables, dialect)
        self._writer = PlanWriter(tables, dialect)
        self._remover = FactRemover(tables, dialect)
        self._erased = ErasedClaims(tables, dialect)
        self._withdrawal = Withdrawal(tables, dialect)

    def run(
        self,
        connection: Connection,
        scope: Scope,
        fact_id: str,
        now: datetime,
        *,
        erase_source: bool,
    ) -> bool:
        """Erase one fact, and the messages it came from if asked. False if there is none."""
        if not self._users.lock(connection, scope):
            return False
        wanted = FactsWanted(fact_ids=frozenset({fact_id}))
        book = self._loader.load(connection, scope, wanted)
        fact = book.facts.get(fact_id)
        if fact is None:
            return False
        # it must not come back under a value either that it had before it was corrected
        states = [state.value for state in book.revisions if state.fact_id == fact_id]
        normal = frozenset(normal_value(value) for value in (fact.value, *states))
        claims = [(fact.subject, fact.key, value) for value in sorted(normal)]
        self._erased.remember(connection, scope, claims, now)
        number = self._users.take(connection, scope, 1, now)
        plan = _without(book, fact_id, now, id_of_write(scope, number))
        self._writer.run(connection, scope, book, plan, no_texts, now)
        self._remover.remove_claims(connection, scope, (fact.subject, fact.key), normal)
        if erase_source:
            sources = {evidence.message_id for evidence in fact.evidence}
            self._withdrawal.delete(connection, scope, sources, now)
        return True


def _without(book: FactBook, fact_id: str, now: datetime, new_id: str) -> FactPlan:
    """A slot without one of its rows: what pointed at it or was disputed by it is settled."""
    fact = book.facts[fact_id]
    draft = Draft(book, user_id=fact.user_id, now=now, new_ids=[new_id])
    draft.start(By(actor="api", reason="another fact was erased", at=now))
    draft.removed.add(fact_id)
    for known in book.contradictions.values():
        if fact_id in (known.stored_fact_id, known.stated_fact_id):
            draft.removed.add(known.id)
            del draft.contradictions[known.id]
    mend(draft, fact.subject, fact.key)
    return draft.plan()
