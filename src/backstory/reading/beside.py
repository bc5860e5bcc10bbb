"""From what a model answered beside facts to findings: only what the turns support. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, TypeVar

from backstory.core.continuity.prose import sentences
from backstory.core.model.derived import Precision
from backstory.core.model.fact import USER
from backstory.core.model.found import (
    FoundEntity,
    FoundEvent,
    FoundIntention,
    FoundMoment,
    FoundRelation,
    FoundSummary,
)
from backstory.core.model.reading import Batch, ClaimRejection, Turn
from backstory.core.scripts import carrier_of
from backstory.core.values import normal_value
from backstory.language.identify import language_of
from backstory.reading.calls import Piece
from backstory.reading.dating import interval_of
from backstory.reading.findings import Findings
from backstory.reading.placing import Places, RefusedError
from backstory.reading.quoting import find_quote, said_words, unsaid_name, unsupported
from backstory.reading.rules.speakers import subject_of_another
from backstory.reading.shapes_beside import (
    StatedBeside,
    StatedEntity,
    StatedEvent,
    StatedIntention,
    StatedItem,
    StatedMoment,
    StatedRelation,
    StatedSummary,
)
from backstory.reading.subjects import is_the_user, subject_of

_TAG_CHARS: Final = 30
_DAY: Final = timedelta(days=1)
_MONTH: Final = timedelta(days=31)
_FIRST_WORD: Final = re.compile(r"\A\W*\w+(?:['\u2019]\w+)*")
# Where every noun has a capital, one says nothing about a name.
_NOUNS_WITH_CAPITALS: Final = frozenset({"de", "lb"})

_Stated = TypeVar("_Stated", bound=StatedItem)


class Beside:
    """Turns the items of one answer into findings.

    Args:
        batch: For the user's name and what earlier turns came to.
        call: The turns that were read, as they were numbered.
        before: Turns that were shown before them.
        summaries: The summaries of sessions that were shown.
    """

    def __init__(
        self,
        batch: Batch,
        call: Sequence[Piece],
        before: Sequence[Turn],
        summaries: Mapping[str, str],
    ) -> None:
        self._places = Places(call)
        self._user_name = batch.user_name
        self._shown = summaries
        self._earlier = batch.summaries
        turns = (*before, *self._places.turns)
        known = [text for fact in batch.known for text in (fact.value, fact.subject)]
        names = [turn.speaker or "" for turn in turns]
        self._sources = [*(turn.text for turn in turns), *names, *known, batch.user_name or ""]
        self._said = said_words(self._sources)

    def read(self, stated: StatedBeside) -> Findings:
        """What the turns support, the rest with the reason."""
        found = Findings()
        kept = self._kept
        found.events = kept("event", stated.events, self._event, found)
        found.moments = kept("moment", stated.moments, self._moment, found)
        found.intentions = kept("intention", stated.intentions, self._intention, found)
        found.entities = kept("entity", stated.entities, self._entity, found)
        kinds = {normal_value(one.label): one.kind for one in found.entities}
        found.relations = kept(
            "relation", stated.relations, lambda one: self._relation(one, kinds), found
        )
        found.summaries = self._summaries(stated.summaries, found)
        return found

    def _kept(
        self,
        what: str,
        stated: Iterable[_Stated],
        read: Callable[[_Stated], Any],
        found: Findings,
    ) -> list[Any]:
        kept: dict[Any, None] = {}
        for one in stated:
            try:
                kept.setdefault(read(one))
            except RefusedError as refusal:
                found.rejections.append(
                    ClaimRejection(
                        reason=f"{what}: {refusal.reason}",
                        guard=refusal.guard,
                        message_id=self._places.id_of(one.message),
                        value=one.quote[:200],
                    )
                )
        return list(kept)

    def _event(self, stated: StatedEvent) -> FoundEvent:
        turn, place = self._placed(stated)
        subject = subject_of(stated.subject, self._user_name)
        self._check(stated.what, place["quote"])
        notes: list[str] = []
        there = replace(turn, timestamp=turn.local or turn.timestamp)
        span = interval_of(stated.when, there, notes)
        if span is None:
            raise RefusedError("date", notes[0] if notes else "it has no date")
        length = span[1] - span[0]
        precision = Precision.DAY if length <= _DAY else Precision.MONTH
        said = find_quote(stated.when, turn.text)
        return FoundEvent(
            subject=subject if turn.is_user else subject_of_another(subject, turn.speaker),
            predicate=stated.what,
            occurred_on=span[0].date(),
            precision=precision if length <= _MONTH else Precision.YEAR,
            expression=said or "",
            place=turn.text.find(said or place["quote"]),
            **place,
        )

    def _moment(self, stated: StatedMoment) -> FoundMoment:
        return FoundMoment(
            valence=stated.valence,
            arousal=stated.arousal,
            dominance=stated.dominance,
            tags=tuple(tag.casefold() for tag in stated.tags if len(tag) <= _TAG_CHARS),
            **self._own(stated),
        )

    def _intention(self, stated: StatedIntention) -> FoundIntention:
        own = self._own(stated)
        self._check(stated.what, own["quote"])
        turn = next(t for t in self._places.turns if t.message_id == own["message_id"])
        hint = find_quote(stated.when, turn.text) if stated.when else None
        return FoundIntention(what=stated.what, when_hint=hint, **own)

    def _entity(self, stated: StatedEntity) -> FoundEntity:
        _, place = self._placed(stated)
        return FoundEntity(
            kind=stated.kind.casefold(),
            label=self._named(stated.name),
            aliases=tuple(self._named(one) for one in stated.aliases),
            **place,
        )

    def _relation(self, stated: StatedRelation, kinds: Mapping[str, str]) -> FoundRelation:
        turn, place = self._placed(stated)
        notes: list[str] = []
        since = interval_of(stated.since, turn, notes)
        until = interval_of(stated.until, turn, notes)
        start, end = since[0] if since else None, until[1] if until else None
        ends = [self._end(turn, name, kinds) for name in (stated.subject, stated.object)]
        return FoundRelation(
            type=stated.type.casefold().replace(" ", "_"),
            subject=ends[0][0],
            subject_kind=ends[0][1],
            object=ends[1][0],
            object_kind=ends[1][1],
            valid_from=start,
            valid_until=end if start is None or end is None or end > start else None,
            **place,
        )

    def _end(self, turn: Turn, name: str, kinds: Mapping[str, str]) -> tuple[str, str]:
        """An end of a relation and its kind; "I" of another speaker is that speaker."""
        if is_the_user(name, self._user_name):
            if turn.is_user:
                return USER, "person"
            if not turn.speaker:
                raise RefusedError("attribution", "it is not known who said it")
            return turn.speaker, "person"
        label = self._named(name)
        return label, kinds.get(normal_value(label), "")

    def _own(self, stated: StatedItem) -> dict[str, Any]:
        """Where the user said it; of nobody else feelings and intentions are kept."""
        turn, place = self._placed(stated)
        if not turn.is_user:
            raise RefusedError("attribution", "another person said it, not the user")
        return place

    def _placed(self, stated: StatedItem) -> tuple[Turn, dict[str, Any]]:
        turn, quote = self._places.of(stated.message, stated.quote)
        return turn, {
            "message_id": turn.message_id,
            "quote": quote,
            "said_at": turn.timestamp,
            "session_id": turn.session_id,
        }

    def _named(self, name: str) -> str:
        """A name as it was said."""
        for source in self._sources:
            said = find_quote(name, source)
            if said is not None:
                return said
        raise RefusedError("evidence", f"not in the text: nobody said {name[:60]!r}")

    def _check(self, text: str, quote: str) -> None:
        word = unsupported(text, quote, self._said)
        if word is not None:
            raise RefusedError("evidence", f"not in the text: nobody said {word[:60]!r}")

    def _summaries(self, stated: Iterable[StatedSummary], found: Findings) -> list[FoundSummary]:
        sessions = sessions_of(self._places.turns)
        made: dict[str, FoundSummary] = {}
        for one in stated:
            number = one.session if one.session is not None or len(sessions) > 1 else 1
            reason = None
            if number is None or not 1 <= number <= len(sessions):
                reason = f"there is no session {number} among those read"
            else:
                name = sessions[number - 1]
                text, dropped = self._supported(one.text, name)
                reason = f"not in the text: nobody said {dropped[:60]!r}" if dropped else None
                if text and name not in made:
                    earlier = self._earlier.get(name, "") if name in self._shown else ""
                    made[name] = FoundSummary(session_id=name, text=text, earlier=earlier)
            if reason is not None:
                found.rejections.append(
                    ClaimRejection(
                        reason=f"summary: {reason}", guard="evidence", value=one.text[:200]
                    )
                )
        return list(made.values())

    def _supported(self, text: str, session: str) -> tuple[str, str]:
        """The sentences of a summary that name nothing unsaid, and a word that was not said."""
        own = [turn for turn in self._places.turns if turn.session_id == session]
        said = " ".join(turn.text for turn in own)
        carrier = carrier_of(said)
        language = language_of(said, carrier) if carrier is not None else None
        lower = language is not None and language.code in _NOUNS_WITH_CAPITALS
        words = self._said | said_words([self._shown.get(session, "")])
        kept, dropped = [], ""
        for span in sentences(text):
            checked = _FIRST_WORD.sub("", span.text)
            word = unsaid_name(checked.lower() if lower else checked, words)
            if word is None:
                kept.append(span.text.strip())
            else:
                dropped = dropped or word
        return " ".join(kept), dropped


def sessions_of(turns: Iterable[Turn]) -> list[str]:
    """The sessions of turns, as they are numbered in the prompt."""
    return list(dict.fromkeys(turn.session_id or "" for turn in turns))
