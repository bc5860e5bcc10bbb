"""What the reading of feelings is given, and what comes of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from backstory.core.model.derived import EmotionalMoment, Sentiment
from backstory.core.model.message import Role


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message whose feeling is read.

    Attributes:
        id: Of its record.
        bulk: It is imported: nothing is read in it.
        session_id: Its conversation; None = the store says.
        speaker: Who said it, if a name was given.
        user_name: The user's name, if the call gives one.
    """

    id: str
    user_id: str
    role: Role
    text: str
    timestamp: datetime
    bulk: bool = False
    session_id: str | None = None
    speaker: str | None = None
    user_name: str | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether it must be looked up whether the user said it."""
        return self.speaker is not None and self.user_name is None


@dataclass(frozen=True, kw_only=True)
class Read:
    """What was read.

    Attributes:
        sentiment: None where nothing is read: in what the assistant or a tool says, in imports,
            and in languages without a list of words.
        moment: A strong feeling of the user's own.
    """

    sentiment: Sentiment | None = None
    moment: EmotionalMoment | None = None

    @property
    def derived(self) -> tuple[EmotionalMoment, ...]:
        """What is stored with the message."""
        return () if self.moment is None else (self.moment,)


UNREAD: Final = Read()
