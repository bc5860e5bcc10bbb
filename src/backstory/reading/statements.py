"""From what a model answered to claims: only what the turns support. Pure."""

from collections.abc import Sequence
from typing import Final

from backstory.core.model.fact import USER, Evidence
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
from backstory.reading.findings import Findings
from backstory.reading.placing import Places, RefusedError
from backstory.reading.prompting import MAX_KNOWN
from backstory.reading.quoting import said_words, unsupported
from backstory.reading.rules.speakers import of_another
from backstory.reading.shapes import Stated, StatedContradiction, StatedFact
from backstory.reading.subjects import subject_of

_PEOPLE: Final = word_set(
    "friend colleague coworker neighbour neighbor roommate flatmate sister brother mother father "
    "partner wife husband girlfriend boyfriend son daughter boss cousin aunt uncle"
)
_EMPTY_WORDS: Final = word_set("none null n/a unknown unspecified undefined - ?")


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
        self._places = Places(call)
        turns = self._places.turns
        self._actor = actor
        self._known = batch.known[:MAX_KNOWN]
        known = [text for fact in self._known for text in (fact.value, fact.subject)]
        self._said = said_words(
            [
                *(turn.text for turn in (*before, *turns)),
                *(turn.speaker or "" for turn in (*before, *turns)),
                *known,
                batch.user_name or "",
            ]
        )

    def read(self, stated: Stated) -> Findings:
        """The claims that the turns support, the others with the reason."""
        findings = Findings()
        seen: set[tuple[object, ...]] = set()
        for fact in stated.facts:
            try:
                claim = self._claim(fact)
            except RefusedError as refusal:
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
            except RefusedError as refusal:
                reason, guard = refusal.reason, refusal.guard
                findings.rejections.append(
                    ClaimRejection(reason=reason, guard=guard, value=contradiction.quote[:200])
                )
        return findings

    def _claim(self, stated: StatedFact) -> Claim:
        turn, quote = self._places.of(stated.message, stated.quote)
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

    def _slot(self, stated: StatedFact) -> tuple[str, str | None]:
        subject = subject_of(stated.subject, self._batch.user_name)
        try:
            key = normal_key(stated.key) if stated.key else None
        except InvalidInputError as error:
            raise RefusedError("form", str(error)) from error
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
            raise RefusedError("form", "it has no value")
        people = subject.rpartition(".")[2].replace("_", " ") if subject != USER else ""
        named = " ".join(part.title() for part in people.split() if part not in _PEOPLE)
        for text in (value or "", stated.replaces, named):
            word = unsupported(text, quote, self._said)
            if word is not None:
                raise RefusedError("evidence", f"not in the text: nobody said {word[:60]!r}")

    def _behaviour(self, stated: StatedContradiction) -> Behaviour:
        turn, quote = self._places.of(stated.message, stated.quote)
        if stated.known is None or not 1 <= stated.known <= len(self._known):
            raise RefusedError("known", f"there is no known fact {stated.known}")
        fact = self._known[stated.known - 1]
        if not turn.is_user or fact.subject != USER:
            raise RefusedError("attribution", "it is not about the user")
        return Behaviour(
            fact_id=fact.id,
            doing=quote,
            reason=stated.why[:300],
            said_at=turn.timestamp,
            evidence=(Evidence(message_id=turn.message_id, quote=quote),),
        )

    def _rejection(self, stated: StatedFact, refusal: RefusedError) -> ClaimRejection:
        return ClaimRejection(
            reason=refusal.reason,
            guard=refusal.guard,
            message_id=self._places.id_of(stated.message),
            key=stated.key[:200] or None,
            value=stated.value[:200] or None,
        )
