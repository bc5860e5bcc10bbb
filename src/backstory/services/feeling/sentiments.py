"""Reads the feeling of a live message as it comes in, without a model."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.feelings.moments import QUOTE_CHARS, moment_of, passes
from backstory.core.fence import strip_memory
from backstory.core.model.derived import EmotionalMoment, Sentiment
from backstory.core.model.message import Role
from backstory.core.secrets import redact
from backstory.language.emotion import Emotion, score_emotion
from backstory.ports.ids import Ids

_NOTHING_READ: Final = 0.0
_READ_CHARS: Final = 20_000
"""Of a long message the strongest sentence is looked for in its beginning."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message whose feeling is read.

    Attributes:
        id: Of its record.
        bulk: It is imported: nothing is read in it.
        session_id: Its conversation, if it is known yet.
    """

    id: str
    user_id: str
    role: Role
    text: str
    timestamp: datetime
    bulk: bool
    session_id: str | None


@dataclass(frozen=True, kw_only=True)
class Read:
    """What was read.

    Attributes:
        sentiment: None where nothing is read: in what the assistant or a tool says, in imports,
            and in languages without a list of words.
        moment: A strong feeling.
    """

    sentiment: Sentiment | None = None
    moment: EmotionalMoment | None = None


UNREAD: Final = Read()


class Sentiments:
    """Scores messages with the lexicon. It stores nothing.

    Args:
        ids: New record ids.
        moments: Whether strong feelings become moments here; else a model finds them.
        redaction: Whether secrets in quotes are masked.
    """

    def __init__(self, ids: Ids, *, moments: bool, redaction: bool) -> None:
        self._ids = ids
        self._moments = moments
        self._redaction = redaction

    def read(self, said: Said, now: datetime, *, is_user: bool = True) -> Read:
        """The feeling of a message.

        Args:
            said: The message.
            now: The time of recording.
            is_user: False for somebody else in the role of the user: a moment is the user's own.
        """
        if said.role is not Role.USER or said.bulk:
            return UNREAD
        text = strip_memory(said.text)
        emotion = score_emotion(text)
        if not emotion.covered and emotion.valence == _NOTHING_READ:
            return UNREAD
        sentiment = Sentiment(
            valence=emotion.valence, arousal=emotion.arousal, dominance=emotion.dominance
        )
        if not (self._moments and is_user and passes(emotion.strength)):
            return Read(sentiment=sentiment)
        return Read(sentiment=sentiment, moment=self._moment(said, text, emotion, sentiment, now))

    def _moment(
        self, said: Said, text: str, emotion: Emotion, sentiment: Sentiment, now: datetime
    ) -> EmotionalMoment | None:
        words = strongest(redact(text).text if self._redaction else text)
        return moment_of(
            record_id=self._ids.new(),
            user_id=said.user_id,
            message_id=said.id,
            session_id=said.session_id,
            quote=words,
            said_at=said.timestamp,
            recorded_at=now,
            sentiment=sentiment,
            intensity=emotion.strength,
            tags=emotion.tags,
        )


def strongest(text: str) -> str:
    """The part of a text that shows its feeling most, with what stands around it while it fits."""
    if len(text) <= QUOTE_CHARS:
        return text
    spans = sentences(text[:_READ_CHARS])
    if not spans:
        return text
    scored = [score_emotion(span.text).strength for span in spans]
    first = last = scored.index(max(scored))
    while True:
        if last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= QUOTE_CHARS:
            last += 1
        elif first and spans[last].end - spans[first - 1].start <= QUOTE_CHARS:
            first -= 1
        else:
            return text[spans[first].start : spans[last].end]
