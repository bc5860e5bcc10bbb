"""The one gate in front of the fact writer: what may not become a fact, and why. Pure.

Readers, imports and the API pass the same guards, in the same order.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from backstory.core.guards import (
    is_ephemeral_fact_key,
    is_meta_commentary_fact,
    is_speaker_fact,
)
from backstory.core.model.fact import USER, Evidence, FactKind, Trust
from backstory.core.model.reading import Claim, ClaimRejection
from backstory.core.scripts import same_writing
from backstory.core.secrets import redact
from backstory.core.text import clean
from backstory.core.values import normal_key
from backstory.errors import InvalidInputError

EPHEMERAL: Final = timedelta(hours=12)
MAX_VALUE_CHARS: Final = 10_000
MAX_QUOTE_CHARS: Final = 1_000
_OWN_WORDS: Final = frozenset({Trust.ASSISTANT, Trust.TOOL})
_MASK: Final = "[redacted"
# A reader may have lost its brackets.
_IS_MASK: Final = re.compile(r"\W*redacted [a-z ]+\W*")
# Whole words of a key. A "pin" may be a badge, a "token" of a game: the value decides there.
_SECRET_KEY: Final = re.compile(
    r"(?<![a-z])(?:passwords?|passwd|passphrase|passcode|api_?keys?|secret_?keys?|private_?keys?"
    r"|access_?tokens?|pin_?codes?|cvv|cvc|seed_?phrase)(?![a-z])"
)


@dataclass(frozen=True)
class Admitted:
    """What passed the gate, as it may be written, and what did not."""

    claims: tuple[Claim, ...]
    rejections: tuple[ClaimRejection, ...]


def admit(
    claims: Sequence[Claim], sources: Mapping[str, str], *, redaction: bool = True
) -> Admitted:
    """Pass claims through every guard.

    Args:
        claims: From a reader, an import or the API.
        sources: The text of each message that claims may quote, as the reader saw it.
        redaction: Whether secrets in values and quotes are masked.
    """
    passed: list[Claim] = []
    refused: list[ClaimRejection] = []
    for claim in claims:
        try:
            passed.append(_guarded(claim, sources, redaction=redaction))
        except _RefusedError as refusal:
            refused.append(_rejection(claim, refusal.guard, refusal.reason))
    return Admitted(tuple(passed), tuple(refused))


class _RefusedError(Exception):
    def __init__(self, guard: str, reason: str) -> None:
        super().__init__(reason)
        self.guard = guard
        self.reason = reason


def _guarded(claim: Claim, sources: Mapping[str, str], *, redaction: bool) -> Claim:
    claim = _well_formed(claim)
    for guard in _OF_THE_CLAIM:
        guard(claim)
    for compare in _OF_ITS_SOURCE:
        compare(claim, sources)
    if claim.key is not None and is_ephemeral_fact_key(claim.key):
        claim = _passing(claim)
    return _redacted(claim) if redaction else claim


def _names_a_secret(key: str | None) -> bool:
    return key is not None and _SECRET_KEY.search(key) is not None


def _well_formed(claim: Claim) -> Claim:
    """The claim with clean texts and normal keys."""
    try:
        key = None if claim.key is None else normal_key(claim.key)
        subject = USER if claim.subject == USER else normal_key(claim.subject)
        value = None if claim.value is None else clean(claim.value).strip()
    except InvalidInputError as error:
        raise _RefusedError("form", str(error)) from error
    if value is not None and not value:
        raise _RefusedError("form", "the value is blank")
    if value is not None and len(value) > MAX_VALUE_CHARS:
        raise _RefusedError(
            "form", f"the value has {len(value)} characters; at most {MAX_VALUE_CHARS}"
        )
    if not 0 <= claim.confidence <= 1:
        raise _RefusedError("form", f"confidence must be from 0 to 1, not {claim.confidence!r}")
    start, end = claim.valid_from, claim.valid_until
    if start is not None and end is not None and end <= start:
        raise _RefusedError("form", "valid_until must be later than valid_from")
    evidence = tuple(
        Evidence(message_id=e.message_id, quote=clean(e.quote)[:MAX_QUOTE_CHARS])
        for e in claim.evidence
    )
    return replace(claim, key=key, subject=subject, value=value, evidence=evidence)


def _not_meta(claim: Claim) -> None:
    if claim.value is not None and is_meta_commentary_fact(claim.value):
        raise _RefusedError("is_meta_commentary_fact", "it is talk about tools or memory itself")


def _not_the_speaker(claim: Claim) -> None:
    if claim.key is not None and is_speaker_fact(claim.key):
        raise _RefusedError(
            "is_speaker_fact", "it says who speaks, which each message says already"
        )


def _not_of_the_assistant(claim: Claim) -> None:
    if claim.evidence and claim.trust in _OWN_WORDS and claim.subject == USER:
        raise _RefusedError(
            "attribution", f"the words of the {claim.trust} are no evidence about the user"
        )


def _in_the_text(claim: Claim, sources: Mapping[str, str]) -> None:
    """Every quote of a message that was read stands in it."""
    for evidence in claim.evidence:
        source = sources.get(evidence.message_id)
        if source is None and _is_read(claim):
            raise _RefusedError("evidence", "the message that it quotes is not among those read")
        if source is not None and _folded(evidence.quote) not in _folded(source):
            raise _RefusedError(
                "evidence", "not in the text: the quote does not occur in the message"
            )
    if _is_read(claim) and not any(evidence.quote.strip() for evidence in claim.evidence):
        raise _RefusedError("evidence", "not in the text: it quotes nothing")


def _in_its_language(claim: Claim, sources: Mapping[str, str]) -> None:
    if claim.value is None or not claim.actor.startswith("model:"):
        return
    said = " ".join(sources.get(evidence.message_id, "") for evidence in claim.evidence)
    if said.strip() and not same_writing(claim.value, said):
        raise _RefusedError("language", "it is written in another script than the message")


_OF_THE_CLAIM: tuple[Callable[[Claim], None], ...] = (
    _not_meta,
    _not_the_speaker,
    _not_of_the_assistant,
)
_OF_ITS_SOURCE: tuple[Callable[[Claim, Mapping[str, str]], None], ...] = (
    _in_the_text,
    _in_its_language,
)


def _is_read(claim: Claim) -> bool:
    return claim.actor == "rules" or claim.actor.startswith("model:")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _passing(claim: Claim) -> Claim:
    """A passing state ends 12 hours after it was said, unless it says when."""
    start = claim.valid_from or claim.said_at
    until = claim.valid_until or start + EPHEMERAL
    return replace(claim, kind=FactKind.TEMPORARY, valid_from=start, valid_until=until)


def _redacted(claim: Claim) -> Claim:
    """The claim with its secrets masked; a value that is nothing but a secret is refused."""
    value = claim.value
    if value is not None and _names_a_secret(claim.key):
        raise _RefusedError("secrets", "the key says that the value is a secret")
    if value is not None:
        if _IS_MASK.fullmatch(value.strip()):
            raise _RefusedError("secrets", "the value is a masked secret")
        masked = redact(value)
        if masked.found and _nothing_left(masked.text):
            raise _RefusedError("secrets", f"the value is a secret ({masked.found[0].kind})")
        value = masked.text
    evidence = tuple(replace(e, quote=redact(e.quote).text) for e in claim.evidence)
    return replace(claim, value=value, evidence=evidence)


def _nothing_left(masked: str) -> bool:
    before, _, behind = masked.partition(_MASK)
    after = behind.partition("]")[2]
    return not any(char.isalnum() for char in before + after)


def _rejection(claim: Claim, guard: str, reason: str) -> ClaimRejection:
    where = claim.evidence[0].message_id if claim.evidence else None
    # a refused value may be the very thing that must not be kept
    value = claim.value if guard not in {"secrets", "form"} else None
    return ClaimRejection(reason=reason, guard=guard, message_id=where, key=claim.key, value=value)
