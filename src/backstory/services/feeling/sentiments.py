"""Reads the feeling of a live message as it comes in, without a model."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from backstory.core.continuity.prose import sentences
from backstory.core.feelings.moments import QUOTE_CHARS, moment_of, passes
from backstory.core.fence import strip_memory
from backstory.core.model.derived import EmotionalMoment, Sentiment
from backstory.core.model.message import Role
from backstory.core.model.scope import Scope
from backstory.core.secrets import redact
from backstory.language.emotion import Emotion, score_emotion
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.feeling.said import UNREAD, Read, Said
from backstory.threads import run_in_thread

_INLINE_CHARS: Final = 2_000
_READ_CHARS: Final = 20_000
"""Of a long message the strongest sentence is looked for in its beginning."""
_QUOTED: Final = re.compile(
    r"\"[^\"\n]+\"|\u201c[^\u201c\u201d\n]+\u201d|\u201e[^\u201c\u201d\u201e\n]+[\u201c\u201d]"
    r"|\u00ab[^\u00ab\u00bb\n]+\u00bb|\u300c[^\u300c\u300d\n]+\u300d"
)


class Sentiments:
    """Scores messages with the lexicon. It stores nothing.

    Args:
        store: Says who the user is where several people talk.
        vectors: Names the generation of the partition that says it.
        ids: New record ids.
        moments: Whether strong feelings become moments here; else a model finds them.
        redaction: Whether secrets in quotes are masked.
    """

    def __init__(
        self, store: Store, vectors: VectorMaker, ids: Ids, *, moments: bool, redaction: bool
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._ids = ids
        self._moments = moments
        self._redaction = redaction
        self._loaded = False

    async def read(self, scope: Scope, said: Sequence[Said], now: datetime) -> list[Read]:
        """The feelings of messages of one session."""

        def each() -> list[Read]:
            return [self._read(one, now) for one in said]

        # the first one loads the lexicon from its file
        if self._loaded and sum(len(one.text) for one in said) < _INLINE_CHARS:
            found = each()
        else:
            found = await run_in_thread(each)
            self._loaded = True
        return await self._own(scope, said, found)

    def _read(self, said: Said, now: datetime) -> Read:
        """The feeling of a message, as if everybody without another's name were the user."""
        if said.role is not Role.USER or said.bulk:
            return UNREAD
        text = strip_memory(said.text)
        emotion = score_emotion(text)
        if not (emotion.covered or emotion.valence):
            return UNREAD
        sentiment = Sentiment(
            valence=emotion.valence, arousal=emotion.arousal, dominance=emotion.dominance
        )
        is_user = said.speaker is None or said.user_name in (None, said.speaker)
        if not (self._moments and is_user and passes(emotion.strength) and _is_own(text)):
            return Read(sentiment=sentiment)
        return Read(sentiment=sentiment, moment=self._moment(said, text, emotion, sentiment, now))

    async def _own(self, scope: Scope, said: Sequence[Said], read: Sequence[Read]) -> list[Read]:
        """What was read, without the moments of people who are not the user.

        A call that gives names and not the user's makes it look up: the name of the session, else
        the first that ever spoke as the user.
        """
        pairs = list(zip(said, read, strict=True))
        if not any(one.is_doubtful and felt.moment is not None for one, felt in pairs):
            return list(read)
        name = await self._user_name(scope, said[0].session_id)
        if name is None:
            named = (one.speaker for one in said if one.role is Role.USER and one.speaker)
            name = next(named, None)
        return [
            replace(felt, moment=None) if one.is_doubtful and one.speaker != name else felt
            for one, felt in pairs
        ]

    async def _user_name(self, scope: Scope, session_id: str | None) -> str | None:
        sessions = self._store.sessions
        if session_id is None:
            session = await sessions.newest_open(scope, None)
        else:
            session = await sessions.find(scope, session_id)
        if session is not None and session.speaker is not None:
            return session.speaker
        partition = await self._store.partitions.get(scope, await self._vectors.generation())
        roles, speakers = partition.roles, partition.speakers
        return next(
            (
                speakers.values[speaker]
                for role, speaker in zip(roles.codes.tolist(), speakers.codes.tolist(), strict=True)
                if roles.values[role] == Role.USER and speakers.values[speaker]
            ),
            None,
        )

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


def _is_own(text: str) -> bool:
    """Whether a strong feeling is still strong without what stands in quotation marks.

    A line to translate or to judge is no moment of who asks for that.
    """
    own = _QUOTED.sub(" ", text)
    return own == text or passes(score_emotion(own).strength)


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
