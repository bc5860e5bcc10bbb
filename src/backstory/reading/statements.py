"""From what a model answered to claims: only what the turns support. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from backstory.core.model.fact import USER, Evidence
from backstory.core.model.message import Role
from backstory.core.model.reading import (
    Act,
    Batch,
    Behaviour,
    Claim,
    ClaimRejection,
    Turn,
)
from backstory.core.values import normal_key, normal_value
from backstory.core.wordlists import word_set
from backstory.errors import InvalidInputError
from backstory.reading.calls import Piece
from backstory.reading.dating import period_of
from backstory.reading.prompting import MAX_KNOWN
from backstory.reading.quoting import find_quote, unsupported
from backstory.reading.rules.speakers import of_another
from backstory.reading.shapes import Stated, StatedContradiction, StatedFact

_THE_USER: Final = word_set("user me i myself self the_user human the_human speaker")
_THE_MODEL: Final = word_set(
    "assistant ai bot chatbot model llm you the_assistant language_model system tool memory"
)
_PEOPLE: Final = word_set(
    "friend colleague coworker neighbour neighbor roommate flatmate sister brother mother father "
    "partner wife husband girlfriend boyfriend son daughter boss cousin aunt uncle"
)
_EMPTY_WORDS: Final = word_set("none null n/a unknown unspecified undefined - ?")


@dataclass
class Findings:
    """What one answer gave."""

    claims: list[Claim] = field(default_factory=list)
    rejections: list[ClaimRejection] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)


class _RefusedError(Exception):
    def __init__(self, guard: str, reason: str) -> None:
        super().__init__(reason)
        self.guard = guard
        self.reason = reason


class Statements:
    """Turns the items of one answer into claims."""

    def __init__(
        self, batch: Batch, call: Sequence[Piece], before: Sequence[Turn], actor: str
    ) -> None:
        """Say what the answer is about.

        Args:
            batch: For the known facts and the user's name.
            call: The turns that were read, as they were numbered.
            before: Turns that were shown before them.
            actor: For the log, "model:NAME".
        """
        self._batch = batch
        self._turns = [piece.turn for piece in call]
        self._actor = actor
        self._known = batch.known[:MAX_KNOWN]
        known = [text for fact in self._known for text in (fact.value, fact.subject)]
        self._sources = [
            *(turn.text for turn in (*before, *self._turns)),
            *(turn.speaker or "" for turn in (*before, *self._turns)),
            *known,
            batch.user_name or "",
        ]

    def read(self, stated: Stated) -> Findings:
        """The claims that the turns support, the others with the reason."""
        findings = Findings()
        seen: set[tuple[object, ...]] = set()
        for fact in stated.facts:
            try:
                claim = self._claim(fact)
            except _RefusedError as refusal:
                findings.rejections.append(self._rejection(fact, refusal))
                continue
            value = normal_value(claim.value or "")
            mark = (claim.subject, claim.key, value, claim.act, claim.valid_from, claim.valid_until)
            if mark not in seen:
                seen.add(mark)
                findings.claims.append(claim)
        for contradiction in stated.contradictions:
            try:
                findings.behaviours.append(self._behaviour(contradiction))
            except _RefusedError as refusal:
                reason, guard = refusal.reason, refusal.guard
                findings.rejections.append(
                    ClaimRejection(reason=reason, guard=guard, value=contradiction.quote[:200])
                )
        return findings

    def _claim(self, stated: StatedFact) -> Claim:
        turn, quote = self._place(stated.message, stated.quote)
        if _slug(stated.subject) in _THE_MODEL:
            raise _RefusedError("attribution", "it is about the assistant, not a person")
        subject, key = self._slot(stated)
        value = None if normal_value(stated.value) in _EMPTY_WORDS else stated.value or None
        self._check(stated, subject, value, quote)
        period = period_of(stated, turn)
        claim = Claim(
            act=stated.act,
            subject=subject,
            key=key,
            value=value,
            replaces=stated.replaces or None,
            said_at=turn.timestamp,
            changed=stated.changed,
            category=stated.category,
            cardinality=stated.cardinality,
            kind=stated.kind,
            confidence=stated.confidence,
            valid_from=period.starts,
            valid_until=period.ends,
            actor=self._actor,
            reason="; ".join(period.notes),
            session_id=turn.session_id,
            evidence=(Evidence(message_id=turn.message_id, quote=quote),),
        )
        return claim if turn.is_user else of_another([claim], turn.speaker)[0]

    def _place(self, number: int | None, quote: str) -> tuple[Turn, str]:
        """The turn that was quoted, and the words in it."""
        if number is not None and not 1 <= number <= len(self._turns):
            raise _RefusedError("message", f"there is no message {number} among those read")
        named = [] if number is None else [self._turns[number - 1]]
        for turn in named:
            words = find_quote(quote, turn.text)
            if words is not None:
                return _said_by_a_user(turn), words
        found = [
            (turn, words)
            for turn in {turn.message_id: turn for turn in self._turns}.values()
            if (words := find_quote(quote, turn.text)) is not None
        ]
        if len(found) != 1:
            several = "it occurs in several messages" if found else "the quote does not occur in it"
            raise _RefusedError("evidence", f"not in the text: {several}")
        return _said_by_a_user(found[0][0]), found[0][1]

    def _slot(self, stated: StatedFact) -> tuple[str, str | None]:
        try:
            subject = normal_key(stated.subject)
            key = normal_key(stated.key) if stated.key else None
        except InvalidInputError as error:
            raise _RefusedError("form", str(error)) from error
        subject = subject.removeprefix("user.")
        name = _slug(self._batch.user_name) if self._batch.user_name else None
        if subject in _THE_USER or subject == name:
            subject = USER
        if key is None:
            return subject, None
        key = key.removeprefix("user.")
        if subject != USER:
            return subject, key.removeprefix(f"{subject}.")
        person, _, rest = key.partition(".")
        called, _, slot = rest.partition(".")
        if person in _PEOPLE and slot:
            return f"{person}.{called}", slot
        return subject, key

    def _check(self, stated: StatedFact, subject: str, value: str | None, quote: str) -> None:
        if value is None and stated.act not in {Act.END, Act.RETRACT}:
            raise _RefusedError("form", "it has no value")
        people = subject.rpartition(".")[2].replace("_", " ") if subject != USER else ""
        named = " ".join(part.title() for part in people.split() if part not in _PEOPLE)
        for text in (value or "", stated.replaces, named):
            word = unsupported(text, quote, self._sources)
            if word is not None:
                raise _RefusedError("evidence", f"not in the text: nobody said {word[:60]!r}")

    def _behaviour(self, stated: StatedContradiction) -> Behaviour:
        turn, quote = self._place(stated.message, stated.quote)
        if stated.known is None or not 1 <= stated.known <= len(self._known):
            raise _RefusedError("known", f"there is no known fact {stated.known}")
        fact = self._known[stated.known - 1]
        if not turn.is_user or fact.subject != USER:
            raise _RefusedError("attribution", "it is not about the user")
        return Behaviour(
            fact_id=fact.id,
            doing=quote,
            reason=stated.why[:300],
            said_at=turn.timestamp,
            evidence=(Evidence(message_id=turn.message_id, quote=quote),),
        )

    def _rejection(self, stated: StatedFact, refusal: _RefusedError) -> ClaimRejection:
        number = stated.message
        known = number is not None and 1 <= number <= len(self._turns)
        return ClaimRejection(
            reason=refusal.reason,
            guard=refusal.guard,
            message_id=self._turns[(number or 1) - 1].message_id if known else None,
            key=stated.key[:200] or None,
            value=stated.value[:200] or None,
        )


def _said_by_a_user(turn: Turn) -> Turn:
    if turn.role is not Role.USER:
        raise _RefusedError("speaker", f"the {turn.role.value} said it, not a person")
    return turn


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.casefold()).strip("_")
