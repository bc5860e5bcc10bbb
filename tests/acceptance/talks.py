"""A conversation on one database, and what every surface says of the facts in it."""

import json
import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.core.model.fact import Fact
from backstory.core.model.results import AddResult
from backstory.testing import FakeClock
from tests.acceptance.places import Place, everything

ANYTHING = "what is known of this person"
MANY = 10_000
VERA = "vera"
Said = str | Mapping[str, Any]
Held = set[tuple[str, str]]


class Talk:
    """What one user says, a minute apart, and what is held of them."""

    def __init__(self, place: Place, user: str = VERA, **options: Any) -> None:
        self.clock = FakeClock(datetime(2026, 1, 5, 9, tzinfo=UTC))
        self.memory: Memory = place.open(clock=self.clock, **options)
        self.user = user

    def say(self, *said: Said, **options: Any) -> AddResult:
        """Add messages one by one, a minute apart; gives what the last call gave."""
        for message in said:
            self.clock.advance(timedelta(minutes=1))
            result = self.memory.add(message, user_id=self.user, **options)
        return result

    def recount(self, text: str, at: datetime, session_id: str = "old") -> None:
        """Import a past message of the user."""
        self.clock.advance(timedelta(minutes=1))
        with self.memory.session(
            user_id=self.user, session_id=session_id, bulk_import=True
        ) as session:
            session.add("user", text, timestamp=at)

    def state(self, key: str, value: str, **options: Any) -> Fact:
        """Store a fact by hand."""
        self.clock.advance(timedelta(minutes=1))
        return self.memory.facts.store(user_id=self.user, key=key, value=value, **options)

    def rows(self, status: str = "all", **options: Any) -> list[Fact]:
        """The rows of the facts."""
        return self.memory.facts.get(self.user, status=status, limit=MANY, **options)

    def held(self, subject: str = "user") -> Held:
        """The current facts of a subject as (key, value); every surface gives the same ones."""
        current = self.memory.facts.get(self.user, limit=MANY)
        wanted = _named(current)
        for surface, found in self._current_by_surface().items():
            assert _named(found) == wanted, surface
        every = self.rows()
        assert {fact.id for fact in current} <= {fact.id for fact in every}
        assert _paged(self.memory, self.user) == every
        for fact in current:
            assert self.memory.get(fact.id, user_id=self.user) == fact
            assert fact in self.memory.facts.history(fact.id).facts
        return {(fact.key, fact.value) for fact in current if fact.subject == subject}

    def subjects(self) -> set[str]:
        """Of whom anything is held."""
        return {fact.subject for fact in self.memory.facts.get(self.user, limit=MANY)}

    def past(self) -> set[tuple[str, str, str]]:
        """Rows that are not current: key, value and what became of them."""
        current = {fact.id for fact in self.memory.facts.get(self.user, limit=MANY)}
        return {(f.key, f.value, str(f.status)) for f in self.rows() if f.id not in current}

    def shown(self, query: str = ANYTHING) -> str:
        """What every surface shows, as one text; facts with all their history, an export too."""
        memory, user = self.memory, self.user
        facts = self.rows()
        parts: list[object] = [everything(memory, user, query)]
        parts += [fact.to_dict() for fact in facts]
        parts += [memory.facts.history(fact.id).to_dict() for fact in facts]
        parts += [memory.facts.search(query, user_id=user, include_history=True, top_k=MANY)]
        parts += [memory.context(user, query, include_history=True, max_tokens=20_000).text]
        parts += [memory.contradictions.list(user), memory.profile(user)]
        parts += [memory.collisions.list(user, include_closed=True)]
        parts += [self.exported()]
        return "\n".join(str(part) for part in parts)

    def exported(self) -> str:
        """An export, as text."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "export.jsonl")
            self.memory.export_user(self.user, path)
            lines = path.read_text(encoding="utf-8").splitlines()
        return "\n".join(json.dumps(json.loads(line), ensure_ascii=False) for line in lines)

    def answers(self, query: str) -> list[str]:
        """What a question brings, best first: facts alone, as values."""
        hits = self.memory.facts.search(query, user_id=self.user, top_k=MANY)
        kind = self.memory.search(query, user_id=self.user, kind="facts", top_k=MANY)
        assert [hit.id for hit in hits] == [hit.id for hit in kind]
        return [hit.fact.value for hit in hits if hit.fact is not None]

    def fact_lines(self, query: str = ANYTHING, **options: Any) -> list[str]:
        """The lines of a context that are facts."""
        context = self.memory.context(self.user, query, sources=["facts"], **options)
        return [line for line in context.text.splitlines() if line.startswith("- ")]

    def _current_by_surface(self) -> dict[str, list[Fact]]:
        memory, user, now = self.memory, self.user, self.clock.now()
        found = memory.facts.search(ANYTHING, user_id=user, top_k=MANY)
        kind = memory.search(ANYTHING, user_id=user, kind="facts", top_k=MANY)
        every = memory.search(ANYTHING, user_id=user, kind="all", top_k=MANY, threshold=0)
        context = memory.context(user, ANYTHING, max_tokens=100_000, max_facts=MANY)
        surfaces = {
            "as_of": memory.facts.as_of(user, valid_at=now),
            "as_of, known now": memory.facts.as_of(user, valid_at=now, known_at=now),
            "facts.search": [hit.fact for hit in found if hit.fact is not None],
            "search of facts": [hit.fact for hit in kind if hit.fact is not None],
            "search of all": [hit.fact for hit in every if hit.fact is not None],
            "context": list(context.facts),
        }
        for fact in context.facts:
            assert not {*re.findall(r"\w+", fact.value)} - {*re.findall(r"\w+", context.text)}
        profile = [fact for facts in memory.profile(user).values() for fact in facts]
        others = [fact for fact in memory.facts.get(user, limit=MANY) if fact.subject != "user"]
        surfaces["profile"] = [*profile, *others]
        assert all(fact.subject == "user" for fact in profile)
        return surfaces


def _named(facts: list[Fact]) -> list[tuple[str, str, str, str]]:
    return sorted((fact.id, fact.subject, fact.key, fact.value) for fact in facts)


def _paged(memory: Memory, user: str) -> list[Fact]:
    found: list[Fact] = []
    cursor = None
    while True:
        page = memory.get_all(user_id=user, kind="facts", limit=50, cursor=cursor)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            assert page.total == len(found)
            return found
