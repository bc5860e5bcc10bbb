"""The current session's last turns: what was just said, whatever the query."""

from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem
from backstory.services.recalling.sources.lines import Lines


class RecentTurns:
    """The last turns of the current session; the newest win, shown in order."""

    name = "recent"
    heading = "This conversation"
    share = 0.3
    priority = 0

    def __init__(self) -> None:
        self._lines = Lines()

    async def gather(self, question: Question) -> Offer:
        """Offer the newest turn first."""
        if question.turns is None:
            return Offer()
        items = [
            SourceItem(
                text=self._lines.of(message, question.timezone).text,
                order=(float(place),),
                message_ids=(message.id,),
            )
            for place, message in enumerate(await question.turns.get())
        ]
        return Offer(items=tuple(reversed(items)))
