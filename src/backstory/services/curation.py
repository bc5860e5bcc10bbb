"""Reading and correcting what is stored: get, list, update, delete, history."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from backstory.core.content import is_blank, read_metadata
from backstory.core.filters import Filter, parse_filter
from backstory.core.model.message import Message, MessageRevision
from backstory.core.model.results import DeleteResult, Page
from backstory.core.model.scope import Scope
from backstory.core.text import clean
from backstory.errors import InvalidInputError, NotFoundError
from backstory.language.terms import TERMS_VERSION
from backstory.ports.clock import Clock
from backstory.ports.store import MessageEdit, Pending, Store
from backstory.services.cursors import missing, read_cursor, write_cursor
from backstory.services.embedding.indexing import terms_of
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.feeling.said import UNREAD, Read, Said
from backstory.services.filtering import filtered
from backstory.services.reading import ReadingService

if TYPE_CHECKING:
    from backstory.services.feeling.sentiments import Sentiments


class Curation:
    """Works on single records and on lists of them."""

    def __init__(
        self,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        tenant_id: str,
        wake: Callable[[], None],
        reading: ReadingService,
        sentiments: "Sentiments | None" = None,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._tenant_id = tenant_id
        self._wake = wake
        self._reading = reading
        self._sentiments = sentiments

    async def get(self, record_id: str, user_id: str | None) -> Message:
        """One record.

        Raises:
            NotFoundError: There is none of this id in this scope.
        """
        found = await self.find(record_id, user_id)
        if found is None:
            raise NotFoundError(missing(record_id, user_id))
        return found

    async def find(self, record_id: str, user_id: str | None) -> Message | None:
        """One message, or None."""
        return await self._store.messages.find(self._tenant_id, record_id, user_id)

    async def page(
        self,
        scope: Scope,
        *,
        session_id: str | None,
        filters: Mapping[str, Any] | None,
        limit: int,
        cursor: str | None,
    ) -> Page[Message]:
        """The messages that pass, in order of recording, a page at a time."""
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InvalidInputError(f"limit must be 1 or more, not {limit!r}")
        after = read_cursor(cursor)
        conditions = parse_filter(filters)
        if session_id is not None:
            own = parse_filter({"session_id": session_id})
            conditions = Filter(own.columns + conditions.columns, conditions.metadata)
        partition = await self._store.partitions.get(scope, await self._vectors.generation())
        rows = np.flatnonzero(await filtered(self._store, scope, partition, conditions))
        rest = rows[partition.seqs[rows] > after]
        chosen = rest[:limit]
        ids = [partition.message_ids[row] for row in chosen.tolist()]
        found = await self._store.messages.many(scope, ids)
        more = len(rest) > limit
        return Page(
            items=tuple(found[record_id] for record_id in ids if record_id in found),
            next_cursor=write_cursor(int(partition.seqs[chosen[-1]])) if more else None,
            total=len(rows),
        )

    async def update(
        self,
        record_id: str,
        user_id: str | None,
        text: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> Message:
        """Change a message's text, merge into its metadata, or both.

        Raises:
            NotFoundError: There is no such record in this scope.
            InvalidInputError: The text is blank, or there is nothing to change.
        """
        if text is None and metadata is None:
            raise InvalidInputError("give a new text, metadata, or both")
        if text is not None and is_blank(clean(text)):
            raise InvalidInputError("the new text is blank; use delete() to remove the message")
        added = read_metadata(metadata)
        old = await self.get(record_id, user_id)
        scope = Scope(self._tenant_id, old.user_id)
        new_text = old.text if text is None else clean(text)
        now = self._clock.now()
        felt = await self._felt(old, new_text, now) if new_text != old.text else UNREAD
        edit = MessageEdit(
            text=new_text,
            metadata={**old.metadata, **added},
            terms=terms_of(new_text, old.speaker, old.timestamp, old.role),
            terms_version=TERMS_VERSION,
            needs_reading=self._reading.wants(old.role, new_text),
            sentiment=felt.sentiment,
            derived=felt.derived,
        )
        edited = await self._store.messages.edit(scope, record_id, edit, now)
        if edited is None:
            raise NotFoundError(f"there is no record {record_id!r}: it was deleted meanwhile")
        if edited.pending is not None:
            await self._follow(scope, edited.message, edited.pending)
        return edited.message

    async def _felt(self, old: Message, text: str, now: datetime) -> Read:
        """The feeling of a message's new text; nothing is read in what was imported."""
        if self._sentiments is None:
            return UNREAD
        said = Said(
            id=old.id,
            user_id=old.user_id,
            role=old.role,
            text=text,
            timestamp=old.timestamp,
            bulk=old.known_from is not None,
            session_id=old.session_id,
            speaker=old.speaker,
        )
        (felt,) = await self._sentiments.read(Scope(self._tenant_id, old.user_id), [said], now)
        return felt

    async def _follow(self, scope: Scope, message: Message, pending: Pending) -> None:
        """Make anew what is derived from a text; what costs a call is left to the background."""
        if self._reading.reads_at_once:
            await self._reading.read_session(scope, self._tenant_id, message.session_id)
        if self._vectors.embeds_at_once:
            await self._vectors.make([pending])
        if not (self._reading.reads_at_once and self._vectors.embeds_at_once):
            self._wake()

    async def history(self, record_id: str, user_id: str | None) -> list[MessageRevision]:
        """All versions of a message, oldest first; the current one has no ``replaced_at``."""
        message = await self.get(record_id, user_id)
        return await self._store.messages.history(
            Scope(self._tenant_id, message.user_id), record_id
        )

    async def delete(self, record_id: str, user_id: str | None) -> None:
        """Remove a message from every table, index and cache.

        Raises:
            NotFoundError: There is no such record in this scope, or not any more.
        """
        message = await self.get(record_id, user_id)
        gone = await self._store.messages.delete(Scope(self._tenant_id, message.user_id), record_id)
        if not gone:
            raise NotFoundError(f"there is no record {record_id!r}: it was deleted meanwhile")

    async def delete_all(self, scope: Scope, session_id: str | None) -> DeleteResult:
        """Remove all messages and sessions of a user, or one session with its messages."""
        return await self._store.messages.delete_all(scope, session_id)
