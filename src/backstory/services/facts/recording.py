"""What a model found beside statements, on its way into the transaction that writes facts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.facts.book import FactPlan
from backstory.core.findings.gate import admit_found
from backstory.core.findings.model import Findings
from backstory.core.findings.planning import graph_records, plan_found
from backstory.core.model.reading import ClaimRejection
from backstory.language.extracts import Said, extract


@dataclass(frozen=True)
class Recorded:
    """What passed the gate, and what did not."""

    found: tuple[Findings, ...]
    rejections: tuple[ClaimRejection, ...]

    def added(self, plan: FactPlan, unread: frozenset[str], now: datetime) -> FactPlan:
        """The plan with the records of it; see ``plan_found``."""
        if not unread:
            return plan  # others have read it, or the user was forgotten: nothing is made of it
        graph = graph_records(self.found, unread, now)

        def derived(book: DerivedBook) -> DerivedPlan:
            return plan_found(book, self.found, graph.records, unread, now, condensed)

        return replace(plan, derived=derived, rejections=(*plan.rejections, *graph.rejections))


class FoundRecorder:
    """Passes what was found through the gate, and makes records of it."""

    def admit(self, found: Sequence[Findings], *, redaction: bool) -> Recorded | None:
        """Pass what was found in some batches, in order; None if nothing was."""
        if not found:
            return None
        passed = [admit_found(one, redaction=redaction) for one in found]
        refused = tuple(refusal for _, some in passed for refusal in some)
        return Recorded(tuple(one for one, _ in passed), refused)


def condensed(text: str, most_chars: int) -> str:
    """The sentences of a text that say most of it, in their order.

    Args:
        text: Lines.
        most_chars: The longest text, 50 or more.
    """
    lines = [Said(who="", text=line, message_id="") for line in text.splitlines() if line.strip()]
    found = extract(lines, most_chars=most_chars)
    return found.text if found is not None else text[:most_chars]
