"""The current session's last turns: what was just said, whatever the query."""

from backstory.services.requests import Question
from backstory.services.sources.base import Offer, SourceItem, rendered


class RecentTurns:
    """The last turns of the current session; the newest win, shown in order."""

    name = "recent"
    heading = "This conversation"
    share = 0.3
    priority = 0

    async def gather(self, question: Question) -> Offer:
        """Offer the newest turn first."""
        if question.turns is None:
            return Offer()
        items = [
            SourceItem(
                text=rendered(message, question),
                order=(float(place),),
                message_ids=(message.id,),
            )
            for place, message in enumerate(await question.turns.get())
        ]
        return Offer(items=tuple(reversed(items)))
