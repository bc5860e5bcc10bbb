"""The intention that is brought up today. Asking for it has an effect: the day is used."""

from functools import partial

from backstory.core.intentions.lines import render_intention
from backstory.services.intentions import Intentions
from backstory.services.recalling.requests import Question
from backstory.services.recalling.sources.base import Offer, SourceItem


class IntentionOfToday:
    """The oldest open intention, at most one on a local day. Only where it was asked for."""

    name = "intention"
    heading = "Meant to be done: bring it up once, if it fits"
    share = 0.04
    priority = 0

    def __init__(self, intentions: Intentions) -> None:
        self._intentions = intentions

    async def gather(self, question: Question) -> Offer:
        """Bring one up; a context of the past shows that of its day and counts nothing."""
        scope, now, zone = question.scope, question.now, question.timezone
        if question.known_at is not None:
            prompt = await self._intentions.past_prompt(scope, now, zone, question.known_at)
        else:
            prompt = await self._intentions.prompt(scope, now, zone)
        if prompt is None:
            return Offer()
        take_back = partial(self._intentions.take_back, scope, prompt)
        item = SourceItem(
            text=render_intention(prompt.intention, zone),
            order=(),
            message_ids=tuple(one.message_id for one in prompt.intention.evidence),
            intention=prompt,
            if_left_out=take_back if question.known_at is None else None,
        )
        return Offer(items=(item,))
