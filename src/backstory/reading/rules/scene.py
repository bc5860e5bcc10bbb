"""What a rule sees: the message, the clause at hand, and how to make a claim of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from backstory.core.model.fact import USER, Evidence, FactKind
from backstory.core.model.reading import Act, Batch, Claim, ClaimRejection, Turn
from backstory.reading.rules.clauses import Clause
from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.text import Word

MAX_VALUE_CHARS: Final = 120
ACTOR: Final = "rules"


@dataclass(slots=True)
class Scene:
    """A message that is being read.

    Attributes:
        turn: The message.
        batch: All that was handed over.
        clauses: Its clauses, in order.
        moods: How each of them is meant.
        at: The number of the clause at hand.
        subject: Whose facts "I" states: "user", or another speaker.
        topic: The person or animal that "he", "she" or "it" may stand for: (key, kind), or None.
        is_answer: The message before it was looked at to understand it.
        claims: What was understood so far.
        rejections: What was refused.
    """

    turn: Turn
    batch: Batch
    clauses: Sequence[Clause]
    moods: list[Mood]
    at: int = 0
    subject: str = USER
    topic: tuple[str, str] | None = None
    is_answer: bool = False
    claims: list[Claim] = field(default_factory=list)
    rejections: list[ClaimRejection] = field(default_factory=list)

    @property
    def clause(self) -> Clause:
        """The clause at hand."""
        return self.clauses[self.at]

    @property
    def mood(self) -> Mood:
        """How the clause at hand is meant."""
        return self.moods[self.at]

    @property
    def next_clause(self) -> Clause | None:
        """The clause after it, or None."""
        return self.clauses[self.at + 1] if self.at + 1 < len(self.clauses) else None

    @property
    def asked(self) -> str:
        """The message before it in lower case, "" if there is none."""
        self.is_answer = True
        return self.batch.before[-1].text.lower() if self.batch.before else ""

    def span(self, words: Sequence[Word]) -> str:
        """The words as they stand in the message, on one line."""
        return " ".join(self.turn.text[words[0].start : words[-1].end].split()) if words else ""

    def quote(self) -> str:
        """The clause at hand as it stands in the message."""
        return self.turn.text[self.clause.start : self.clause.end]

    def claim(
        self,
        key: str,
        value: str,
        *,
        act: Act = Act.STATE,
        subject: str | None = None,
        changed: bool = False,
        confidence: float = 0.9,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        kind: FactKind = FactKind.PERMANENT,
        reason: str = "",
        replaces: str | None = None,
    ) -> Claim | None:
        """Note a statement; the clause at hand is its evidence. None if the value says nothing."""
        value = tidy(value)
        if act is Act.STATE and (not value or len(value) > MAX_VALUE_CHARS):
            return None
        made = Claim(
            act=act, key=key, value=value or None, replaces=replaces, said_at=self.turn.timestamp,
            subject=subject or self.subject, changed=changed, confidence=confidence,
            valid_from=valid_from, valid_until=valid_until, kind=kind, reason=reason, actor=ACTOR,
            session_id=self.turn.session_id,
            evidence=(Evidence(message_id=self.turn.message_id, quote=self.quote()),),
        )  # fmt: skip
        if not any(_same(made, other) for other in self.claims):
            self.claims.append(made)
        return made

    def reject(self, reason: str, guard: str) -> None:
        """Note why a clause or a message was not read."""
        self.rejections.append(
            ClaimRejection(reason=reason, guard=guard, message_id=self.turn.message_id)
        )


Rule = Callable[[Scene, Predicate], None]
"""A rule for clauses whose subject is the writer."""

ClauseRule = Callable[[Scene], None]
"""A rule for a clause of any form."""


def tidy(value: str) -> str:
    """A value without blanks and signs around it."""
    return " ".join(value.split()).lstrip("-").strip(" ,;:.!?\u00b7\"()\u2013\u2014'*")


def _same(one: Claim, other: Claim) -> bool:
    return (one.subject, one.key, one.act, one.value) == (
        other.subject, other.key, other.act, other.value
    )  # fmt: skip
