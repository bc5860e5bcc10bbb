"""Where a conversation was left off."""

from dataclasses import dataclass

from backstory.core.model.derived.base import Derived


@dataclass(frozen=True, kw_only=True)
class Texture(Derived):
    """How the last session of a mode, speaker and channel ended; ``at`` is when.

    There is one for each mode, speaker and channel: the plan of a capture withdraws the one before.
    They share no slot, and so no id, because what was said in the session before may go by itself.

    Attributes:
        throughline: What it was about: words of its turns, one sentence of them at most.
        register: The emotional register of its last part, in a few words; empty where nothing of it
            was read.
    """

    mode: str | None = None
    speaker: str | None = None
    channel: str | None = None
    throughline: str
    register: str

    WHOLE = True

    @property
    def covers(self) -> frozenset[str]:
        """Its session."""
        return frozenset() if self.session_id is None else frozenset({self.session_id})
