"""What was said elsewhere becomes messages, session by session."""

from collections.abc import Sequence

from backstory.core.content import is_blank
from backstory.core.foreign.model import ForeignTurn
from backstory.core.model.scope import Scope
from backstory.core.model.session import SessionLabel
from backstory.core.recording import content_hash
from backstory.errors import ConflictError
from backstory.ports.store import Store
from backstory.services.ingest import BLANK, Ingest, spoken
from backstory.services.moving.import_tally import Tally

_CONFLICT = "its id is stored with other content"


class ForeignTurns:
    """Adds messages of an import.

    Args:
        store: Says what is there already, and ends sessions.
        ingest: Adds messages.
        scope: Whose they become.
        tally: Counts them.
        infer: Whether facts are read in them.
    """

    def __init__(
        self, store: Store, ingest: Ingest, scope: Scope, tally: Tally, *, infer: bool
    ) -> None:
        self._store = store
        self._ingest = ingest
        self._scope = scope
        self._tally = tally
        self._infer = infer
        self._open: str | None = None

    async def add(self, turns: Sequence[ForeignTurn]) -> None:
        """Add some messages in their order; the last session may go on."""
        by_session: dict[str, list[ForeignTurn]] = {}
        for turn in turns:
            by_session.setdefault(turn.session, []).append(turn)
        for session, some in by_session.items():
            if self._open != session:
                await self.end()
            self._open = session
            good = [turn for turn in some if not is_blank(turn.draft.text)]
            for turn in some:
                if is_blank(turn.draft.text):
                    self._refuse(turn, BLANK)
            await (self._compare(good) if self._tally.dry_run else self._add(good))

    async def end(self) -> None:
        """End the session that the last message belongs to."""
        if self._open is not None and not self._tally.dry_run:
            await self._store.sessions.end(self._scope, self._open)
        self._open = None

    async def _add(self, turns: Sequence[ForeignTurn]) -> None:
        """Add messages of one session; one that is at fault costs no other."""
        if not turns:
            return
        first = turns[0]
        try:
            added = await self._ingest.add(
                self._scope,
                first.session,
                _label(first),
                [turn.draft for turn in turns],
                infer=self._infer,
            )
        except ConflictError as error:
            if len(turns) == 1:
                self._refuse(first, str(error))
                return
            middle = len(turns) // 2
            await self._add(turns[:middle])
            await self._add(turns[middle:])
            return
        for turn, message in zip(turns, added.messages, strict=True):
            self._count(turn, is_new=message.created)
        self._tally.pending += added.pending

    async def _compare(self, turns: Sequence[ForeignTurn]) -> None:
        """Count what would become of messages of one session."""
        if not turns:
            return
        label = _label(turns[0])
        names = [(turn.session, turn.draft.message_id or "") for turn in turns]
        known = await self._store.messages.known(self._scope, names)
        for turn, name in zip(turns, names, strict=True):
            content = content_hash(spoken(turn.draft, label))
            is_new = name not in known
            if known.setdefault(name, content) != content:
                self._refuse(turn, _CONFLICT)
            else:
                self._count(turn, is_new=is_new)

    def _count(self, turn: ForeignTurn, *, is_new: bool) -> None:
        place = (turn.position, turn.draft.message_id, turn.session)
        if is_new:
            self._tally.stored("message", *place)
            self._tally.undated += not turn.is_dated
        else:
            self._tally.present("message", *place)

    def _refuse(self, turn: ForeignTurn, reason: str) -> None:
        self._tally.note(
            turn.position,
            reason,
            kind="message",
            name=turn.draft.message_id,
            session=turn.session,
        )


def _label(first: ForeignTurn) -> SessionLabel:
    """What the session is stored with, from the first of some turns."""
    return SessionLabel(bulk=True, speaker=first.user_name, metadata=dict(first.about))
