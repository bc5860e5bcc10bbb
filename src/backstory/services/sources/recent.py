"""The current session's last turns: what was just said, whatever the query."""

from backstory.ports.store import Store
from backstory.services.requests import Question
from backstory.services.sources.base import Offer, SourceItem, rendered

LAST_TURNS = 20


class RecentTurns:
    """The last turns of the current session; the newest win, shown in order."""

    name = "recent"
    heading = "This conversation"
    share = 0.3
    priority = 0

    def __init__(self, store: Store) -> None:
        self._store = store

    async def gather(self, question: Question) -> Offer:
        """Offer the newest turn first."""
        if question.session_id is None:
            return Offer()
        turns = await self._store.sessions.tail(question.scope, question.session_id, LAST_TURNS)
        items = [
            SourceItem(
                text=rendered(message, question),
                order=(float(place),),
                message_ids=(message.id,),
            )
            for place, message in enumerate(turns)
        ]
        return Offer(items=tuple(reversed(items)))
