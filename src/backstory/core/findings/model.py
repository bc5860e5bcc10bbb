"""What was found in a batch of messages, with what is needed to judge and to store it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backstory.core.derived.book import DerivedBook
from backstory.core.model.derived import Summary, SummaryKind
from backstory.core.model.reading import Reading, Turn
from backstory.core.model.scope import Scope
from backstory.core.summaries.choosing import MODEL, summary_slot


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What was found in a batch, and what it was found in.

    Attributes:
        reading: What was found; its claims are written apart.
        turns: All turns that were read, in order.
        made_by: "model:NAME".
        earlier: The summaries that the reader was shown, by session.
        begun: The sessions of which no turn came before these.
        user_name: The user's own name, if it is known.
        bulk: They were imported.
    """

    scope: Scope
    reading: Reading
    turns: tuple[Turn, ...]
    made_by: str
    earlier: Mapping[str, str] = field(default_factory=dict)
    begun: frozenset[str] = frozenset()
    user_name: str | None = None
    bulk: bool = False

    def said_in(self, session_id: str) -> str:
        """All that is known to have been said in a session."""
        own = (turn.text for turn in self.turns if (turn.session_id or "") == session_id)
        return "\n".join((self.earlier.get(session_id, ""), *own))


def model_summary(book: DerivedBook, session_id: str) -> Summary | None:
    """The summary that a model made of what was read of a session before."""
    known = book.in_slot(Summary, summary_slot(SummaryKind.SESSION, session_id))
    return known if known is not None and known.made_by.startswith(MODEL) else None
