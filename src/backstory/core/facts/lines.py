"""Facts and contradictions as lines of a context: our words around the user's, which are quoted.

Dates are shown, never ages: the same facts give the same text all day.
"""

import json
import re
from datetime import datetime, tzinfo

from backstory.core.facts.asof import holds_at
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import USER, Fact, FactStatus
from backstory.core.rendering import quote, render_name, render_time
from backstory.core.text import one_line
from backstory.core.times import date_in

_NOT_SETTLED = "not settled"
# What stands around values in these lines: dates in brackets, marks between slots and values.
_LIKE_OURS = re.compile(r"[():;]|'s\b.*:|\b(?:not settled|ask which holds)\b")


def render_fact(fact: Fact, *, zone: tzinfo, now: datetime) -> str:
    """One fact as one item: ``- work employer: Volvo (since 2023-05-01)``.

    Args:
        fact: Any fact.
        zone: Dates are shown in it.
        now: What is past or planned is measured by it.
    """
    return f"- {slot_words(fact.subject, fact.key)}: {quoted(fact.value)}{_times(fact, zone, now)}"


def render_contradiction(contradiction: Contradiction, *, zone: tzinfo) -> str:
    """One contradiction as one item: both answers, and when the second was first heard."""
    words = slot_words(contradiction.subject, contradiction.key)
    when = render_time(date_in(contradiction.opened_at, zone))
    stored, stated = quoted(contradiction.stored_value), quoted(contradiction.stated_value)
    return f"- {words}: was {stored}, but on {when} {stated}; ask which holds"


def slot_words(subject: str, key: str) -> str:
    """A slot in words: ``work employer``, and of another person ``friend sam: job``."""
    words = key.replace(".", " ").replace("_", " ")
    if subject == USER:
        return quoted(words)
    whose = subject.replace(".", " ").replace("_", " ")
    return f"{render_name(whose)}'s {quoted(words)}"


def quoted(text: str) -> str:
    """A value as data on one line; in JSON's quotes where it could pass for our own words."""
    line = one_line(text)
    if _LIKE_OURS.search(line):
        line = json.dumps(line, ensure_ascii=False)
    return quote(line)


def _times(fact: Fact, zone: tzinfo, now: datetime) -> str:
    notes = []
    if fact.status is FactStatus.DISPUTED:
        notes.append(_NOT_SETTLED)
    if fact.valid_from is not None:
        word = "from" if fact.valid_from > now else "since"
        notes.append(f"{word} {render_time(date_in(fact.valid_from, zone))}")
    if fact.valid_until is not None:
        notes.append(f"until {render_time(date_in(fact.valid_until, zone))}")
    if not holds_at(fact, now) and fact.status is not FactStatus.ACTIVE:
        notes.append(str(fact.status))
    return f" ({', '.join(notes)})" if notes else ""
