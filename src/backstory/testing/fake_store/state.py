"""What the store in memory holds: rows that are never changed, in dicts of one user each."""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from backstory.core.model.collision import Collision
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.derived import Derived
from backstory.core.model.embedding import EmbedderIdentity, Generation
from backstory.core.model.fact import Fact, FactCorrection, FactRevision
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.run import ConsolidationRun
from backstory.core.model.schedule import RunKind
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionInfo
from backstory.ports.reindexing import GenerationState

_SECRET_BYTES = 32
_EPOCH_BITS = 32


@dataclass(frozen=True, kw_only=True)
class MessageRow:
    """A message.

    Attributes:
        external: Names the caller's id within its session.
        content: Names role, speaker and text as first added.
        versions: Earlier ones.
        vectors: By generation.
    """

    message: Message
    seq: int
    change_no: int
    external: str | None
    content: str
    terms: bytes
    revision: int = 1
    versions: tuple[MessageRevision, ...] = ()
    vectors: Mapping[int, bytes] = field(default_factory=dict)
    needs_vector: bool = True
    needs_reading: bool = True
    failures: int = 0
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class SessionRow:
    """A session; ``key`` is what a partition calls it.

    Attributes:
        touched: Raised by every change of its messages; ``episode_seq`` is what it was when the
            session was digested last.
    """

    info: SessionInfo
    key: str
    last_message_at: datetime
    bulk: bool = False
    touched: int = 1
    episode_seq: int = 0


@dataclass(frozen=True, kw_only=True)
class FactRow:
    """A fact; ``vectors`` by generation."""

    fact: Fact
    seq: int
    change_no: int
    terms: bytes
    vectors: Mapping[int, bytes] = field(default_factory=dict)
    needs_vector: bool = True


@dataclass(frozen=True, kw_only=True)
class DerivedRow:
    """A version of a derived record; ``vectors`` by generation."""

    record: Derived
    vectors: Mapping[int, bytes] = field(default_factory=dict)
    needs_vector: bool = False


@dataclass
class UserState:
    """All that is stored of one user.

    Attributes:
        next_seq: The next running number; it numbers every write.
        epoch: How often something was removed.
        sessions: By the caller's id.
        revisions: By fact id and number.
        collisions: By subject, name and family.
        erased: Keyed hashes of what must not come back.
        derived: Versions of derived records by number, in order of recording.
        runs: By kind and period.
    """

    next_seq: int = 1
    epoch: int = 0
    messages: dict[str, MessageRow] = field(default_factory=dict)
    sessions: dict[str, SessionRow] = field(default_factory=dict)
    facts: dict[str, FactRow] = field(default_factory=dict)
    revisions: dict[tuple[str, int], FactRevision] = field(default_factory=dict)
    corrections: dict[str, FactCorrection] = field(default_factory=dict)
    contradictions: dict[str, Contradiction] = field(default_factory=dict)
    collisions: dict[tuple[str, str, str], Collision] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    derived: dict[int, DerivedRow] = field(default_factory=dict)
    runs: dict[tuple[RunKind, str], ConsolidationRun] = field(default_factory=dict)

    def copy(self) -> "UserState":
        """The same rows in dicts of their own."""
        return replace(
            self,
            messages=dict(self.messages),
            sessions=dict(self.sessions),
            facts=dict(self.facts),
            revisions=dict(self.revisions),
            corrections=dict(self.corrections),
            contradictions=dict(self.contradictions),
            collisions=dict(self.collisions),
            erased=set(self.erased),
            derived=dict(self.derived),
            runs=dict(self.runs),
        )

    def take(self, count: int = 1) -> int:
        """Take running numbers; gives the first."""
        first = self.next_seq
        self.next_seq += count
        return first


class MemoryDatabase:
    """What stores share that are made for the same database.

    A write works on a copy of the user's rows, which takes their place when it is done: an error
    leaves everything as it was. It must not await in between; then no other write can cross it.
    """

    def __init__(self) -> None:
        self.states: dict[int, GenerationState] = {}
        # by DocumentScope; what is in them: see document_state.py
        self.documents: dict[Any, Any] = {}
        self._users: dict[Scope, UserState] = {}
        self._secrets: dict[str, bytes] = {}
        self._forgotten = 0

    def user(self, scope: Scope) -> UserState:
        """What is stored of a user, to be read only."""
        # a cache may hold what it knew of a user of this name that was forgotten
        return self._users.get(scope, UserState(epoch=self._forgotten << _EPOCH_BITS))

    def is_known(self, scope: Scope) -> bool:
        """Whether there is such a user."""
        return scope in self._users

    def forget(self, scope: Scope) -> None:
        """Drop all rows of a user."""
        self._users.pop(scope, None)
        self._forgotten += 1

    def active(self) -> Generation | None:
        """The generation that search uses."""
        return next((s.generation for s in self.states.values() if s.active), None)

    def is_active(self, generation: Generation) -> bool:
        """Whether search uses a generation."""
        active = self.active()
        return active is not None and active.id == generation.id

    def make(self, identity: EmbedderIdentity) -> Generation:
        """A new generation that is not active."""
        number = max(self.states, default=0) + 1
        made = Generation(id=number, identity=identity)
        self.states[number] = GenerationState(generation=made)
        return made

    def all_users(self) -> dict[Scope, UserState]:
        """The users of all tenants, in order, to be read only."""
        order = sorted(self._users, key=lambda scope: (scope.tenant_id, scope.user_id))
        return {scope: self._users[scope] for scope in order}

    def secret(self, tenant_id: str) -> bytes | None:
        """The secret behind the hashes of a tenant, if there is one."""
        return self._secrets.get(tenant_id)

    def users(self, tenant_id: str, user_id: str | None = None) -> dict[Scope, UserState]:
        """The users of a tenant by id, or the one with this id, to be read only."""
        return {
            scope: self._users[scope]
            for scope in sorted(self._users, key=lambda scope: scope.user_id)
            if scope.tenant_id == tenant_id and user_id in (None, scope.user_id)
        }

    @contextmanager
    def change(self, scope: Scope) -> Iterator[UserState]:
        """Change what is stored of a user, all of it or nothing."""
        state = self.user(scope).copy()
        yield state
        self._users[scope] = state

    def hash_claim(self, scope: Scope, claim: tuple[str, str, str]) -> str:
        """Name a (subject, key, normal value) of a user without telling it."""
        secret = self._secrets.setdefault(scope.tenant_id, secrets.token_bytes(_SECRET_BYTES))
        words = repr((scope.user_id, *claim))
        return hmac.new(secret, words.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()
