"""The gate in front of what a reader found beside statements: what is refused, and why. Pure.

The guards are those of facts. The sources are looked at anew here: a reader that was wrong about
its own quotes does not get past.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from backstory.core.continuity.prose import sentences
from backstory.core.facts.gate import MAX_QUOTE_CHARS
from backstory.core.findings.model import Findings
from backstory.core.guards import is_meta_commentary_fact
from backstory.core.model.found import Found, FoundSummary
from backstory.core.model.message import Role
from backstory.core.model.reading import ClaimRejection, Turn
from backstory.core.scripts import same_writing
from backstory.core.secrets import redact
from backstory.core.summaries.guarding import checked_text
from backstory.core.text import clean

MAX_CHARS: Final = 500
"""Of what happened or is meant to be done; what is longer is no short statement of it."""
_MASK: Final = "[redacted"
# The field of each list that is shown later, and whether only the user's own words count.
_LISTS: Final[Mapping[str, tuple[str, str | None, bool]]] = {
    "events": ("event", "predicate", False),
    "moments": ("moment", None, True),
    "intentions": ("intention", "what", True),
    "entities": ("entity", "label", False),
    "relations": ("relation", None, False),
}


class _RefusedError(Exception):
    def __init__(self, guard: str, reason: str) -> None:
        super().__init__(reason)
        self.guard = guard
        self.reason = reason


def admit_found(
    found: Findings, *, redaction: bool = True
) -> tuple[Findings, tuple[ClaimRejection, ...]]:
    """What may be kept of it, and what may not, with the reasons.

    Args:
        found: The claims of its reading have a gate of their own and are not looked at.
        redaction: Whether secrets are masked.
    """
    reading = found.reading
    refused: list[ClaimRejection] = []
    turns = {turn.message_id: turn for turn in found.turns}
    lists: dict[str, Any] = {
        name: _passed(
            what,
            getattr(reading, name),
            partial(_guarded, turns=turns, shown=shown, own=own, redaction=redaction),
            refused,
        )
        for name, (what, shown, own) in _LISTS.items()
    }
    guard = partial(_summary, found=found, redaction=redaction)
    lists["summaries"] = _passed("summary", reading.summaries, guard, refused)
    return replace(found, reading=replace(reading, **lists)), tuple(refused)


def _passed(
    what: str,
    found: Iterable[Any],
    guarded: Callable[[Any], Any],
    refused: list[ClaimRejection],
) -> tuple[Any, ...]:
    passed = []
    for one in found:
        try:
            passed.append(guarded(one))
        except _RefusedError as refusal:
            refused.append(
                ClaimRejection(
                    reason=f"{what}: {refusal.reason}",
                    guard=refusal.guard,
                    message_id=getattr(one, "message_id", None),
                )
            )
    return tuple(passed)


def _guarded(
    found: Found, *, turns: Mapping[str, Turn], shown: str | None, own: bool, redaction: bool
) -> Found:
    turn = _source(found, turns, own=own)
    quote = clean(found.quote)[:MAX_QUOTE_CHARS]
    changes = {"quote": redact(quote).text if redaction else quote}
    if shown is not None:
        changes[shown] = _worded(getattr(found, shown), turn.text, redaction=redaction)
    return replace(found, **changes)  # type: ignore[arg-type]


def _source(found: Found, turns: Mapping[str, Turn], *, own: bool) -> Turn:
    """The turn that was quoted, if the quote stands in it and a person said it."""
    turn = turns.get(found.message_id)
    if turn is None:
        raise _RefusedError("evidence", "the message that it quotes is not among those read")
    quote = _folded(found.quote)
    if not quote or quote not in _folded(turn.text):
        raise _RefusedError("evidence", "not in the text: the quote does not occur in the message")
    if turn.role is not Role.USER:
        raise _RefusedError("attribution", f"the words of the {turn.role} are no evidence")
    if own and not turn.is_user:
        raise _RefusedError("attribution", "another person said it, not the user")
    return turn


def _worded(text: str, source: str, *, redaction: bool) -> str:
    """A derived text as it may be stored."""
    text = " ".join(clean(text).split())
    if not any(map(str.isalnum, text)):
        raise _RefusedError("form", "it says nothing")
    if len(text) > MAX_CHARS:
        raise _RefusedError("form", f"it has {len(text)} characters; at most {MAX_CHARS}")
    if is_meta_commentary_fact(text):
        raise _RefusedError("is_meta_commentary_fact", "it is talk about tools or memory itself")
    if not same_writing(text, source):
        raise _RefusedError("language", "it is written in another script than the message")
    return _masked(text) if redaction else text


def _masked(text: str) -> str:
    masked = redact(text)
    left = masked.text.partition(_MASK)
    rest = left[0] + left[2].partition("]")[2]
    if masked.found and not any(map(str.isalnum, rest)):
        raise _RefusedError("secrets", f"it is a secret ({masked.found[0].kind})")
    return masked.text


def _summary(summary: FoundSummary, *, found: Findings, redaction: bool) -> FoundSummary:
    source = found.said_in(summary.session_id)
    kept = (one.text for one in sentences(clean(summary.text)))
    told = " ".join(one for one in kept if not is_meta_commentary_fact(one))
    if not told:
        raise _RefusedError("is_meta_commentary_fact", "it is talk about tools or memory itself")
    text = checked_text(redact(told).text if redaction else told, source)
    if text is None:
        raise _RefusedError("language", "it is written in another script than the session")
    return replace(summary, text=text)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
