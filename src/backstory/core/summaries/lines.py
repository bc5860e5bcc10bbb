"""Summaries and observations as lines of a context. Pure."""

from datetime import date, tzinfo

from backstory.core.model.derived import Observation, Summary
from backstory.core.rendering import quote
from backstory.core.times import date_in


def render_summary(summary: Summary, text: str | None = None) -> str:
    """``- 2024-05-12: Vera: I moved to Oslo.``: each further speaker on a line of their own.

    The days are those that are stored, whatever the zone.

    Args:
        summary: The summary.
        text: A part of its text, shown in its place.
    """
    shown = summary.text if text is None else text
    return f"- {period(summary.starts_on, summary.ends_on)}: {quote(shown)}"


def render_observation(observation: Observation, *, zone: tzinfo) -> str:
    """``- Comes back to "running" (5 conversations, 2024-03-01 to 2024-05-12)``."""
    days = period(date_in(observation.first_seen, zone), date_in(observation.last_seen, zone))
    count = len(observation.sessions)
    return f"- {quote(observation.text)} ({count} conversations, {days})"


def period(first: date, last: date) -> str:
    """A day, or the first and the last of several."""
    return str(first) if first == last else f"{first} to {last}"
