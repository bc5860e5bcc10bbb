"""Makes the summary of a session that ended."""

from functools import partial
from typing import Final

from backstory.core.model.derived import Summary
from backstory.ports.derived import DerivedPlanner
from backstory.services.consolidating.digest import Digest
from backstory.services.summaries.planning import plan_session, session_summary
from backstory.services.summaries.talks import Talk
from backstory.threads import run_in_thread

INLINE_CHARS: Final = 5_000
"""Above this much text, choosing sentences would hold up the event loop."""


class SessionSummaries:
    """Digests a session into one summary; without a model, of its own sentences.

    Attributes:
        name: The part that it belongs to.
    """

    name = "summaries"

    async def digest(self, digest: Digest) -> DerivedPlanner:
        """Choose the sentences, and give what plans the summary."""
        talk = Talk(session_id=digest.session.id, messages=digest.messages, bulk=digest.bulk)

        def summary() -> Summary | None:
            return session_summary(digest.scope, talk, digest.now)

        is_long = sum(len(message.text) for message in digest.messages) > INLINE_CHARS
        made = await run_in_thread(summary) if is_long else summary()
        return partial(plan_session, talk=talk, made=made)
