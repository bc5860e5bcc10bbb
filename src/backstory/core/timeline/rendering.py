"""Events as text. A date is shown as it is stored, as exactly as it is known, in every zone."""

from backstory.core.facts.lines import quoted
from backstory.core.model.derived import Event, Precision
from backstory.core.model.fact import USER
from backstory.core.rendering import render_name


def shown_date(event: Event) -> str:
    """``2024-05-12``, ``2024-05`` or ``2024``, by what is known."""
    size = {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4}[event.precision]
    return event.occurred_on.isoformat()[:size]


def event_text(event: Event) -> str:
    """An event in a line: ``2024-05-12: adopted a cat``, ``2024-06: Anna: got married``."""
    return f"{shown_date(event)}: {event.indexed_text}"


def render_event(event: Event) -> str:
    """One event as one item: ``- 2024-05-12: adopted a cat``, ``- 2024-06 Anna: got married``."""
    whose = "" if event.subject == USER else f" {render_name(event.subject)}"
    return f"- {shown_date(event)}{whose}: {quoted(event.predicate)}"
