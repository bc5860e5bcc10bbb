"""Slips that are put right within the same message.

For: "I work at A, no wait, at B", "my favourite colour is grey, er, green", "I'm 42, I mean 43".
Not for: "no, I work from home" as an answer, "wait" for somebody.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from backstory.core.model.reading import Claim
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.needs import words_in

Stated = Callable[[str], Sequence[Claim]]
"""The plain reading of a text."""

_REPAIR: Final = re.compile(
    r"(?P<sep>[\s,.;\u2026\u00b7-]{1,6})(?:(?:oh|er+m?|uh+m?|um+|hm+|ah|argh|ugh)\W+)?"
    "(?:(?:no,? )?(?:hang|hold) on(?:,? no)?(?=[\\s,.:]*(?:[\\w-]+ ){0,2}[\\w-]+\\W*$)"
    "|no,? wait|wait,? no|wait|no,? sorry|sorry,? no|sorry,? i mean|i mean|"
    "scratch that|strike that|make that|or rather|er+m?|uhm?|no no|no, "
    r"actually|correction|no(?=,)|sorry(?=,? (?:(?-i:[A-Z\d])|at |in |i |my ))|"
    r"well,? actually|i should say)\b[\s,.:;\u2026-]*"
    r"(?:(?:sorry|wait|no|i mean|actually|i meant)\b[\s,.:]*)*",
    re.IGNORECASE,
)


def repaired(text: str, state: Stated) -> str | None:
    """The message as its writer left it after a slip: "at A, no wait, at B" → "at B"."""
    if not _may_slip(text):
        return None
    cut = next((m for m in _REPAIR.finditer(text) if m.start() > 0), None)
    if cut is None:
        return None
    before, after = text[: cut.start()], text[cut.end() :]
    first = list(state(before))
    if not first:
        return None
    second = list(state(after))
    keys = {claim.key for claim in second}
    again = next((c for c in reversed(first) if c.key in keys and c.value), None)
    if again is not None:
        kept = _without(before, again, first)
        return f"{kept} {after}".strip()
    last = first[-1].value or ""
    at = before.rfind(last)
    if at < 0 or before[at + len(last) :].strip(" ,.\u2026-*"):
        return None
    lead = before[:at]
    bare = re.match(r"(?:in|at|on|as|to|an?|the|for)\s+(?:an?\s+|the\s+)?", after, re.IGNORECASE)
    return lead + (after[bare.end() :] if bare else after)


_SLIP_WORDS: Final = word_set(
    "actually correction hang hold make mean no rather say scratch sorry strike wait"
)


def _may_slip(text: str) -> bool:
    """Whether a text has a word of a slip; "er" and "uh" may be drawn out."""
    words = words_in(text)
    return not words.isdisjoint(_SLIP_WORDS) or any(w[:2] in {"er", "uh"} for w in words)


def _without(text: str, claim: Claim, claims: Sequence[Claim]) -> str:
    """The text up to where a statement that is taken back begins."""
    quotes = [e.quote for e in claim.evidence]
    at = text.rfind(quotes[0]) if quotes else -1
    return text[:at].rstrip(" ,;") if at >= 0 and len(claims) > 1 else ""
