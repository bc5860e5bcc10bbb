"""What must not be stored as a fact of a user, and what is stored for a while only."""

from backstory.core.guards.commentary import is_meta_commentary_fact
from backstory.core.guards.keys import (
    is_ephemeral_fact_key,
    is_speaker_fact,
    is_volatile_fact_key,
)

__all__ = [
    "is_ephemeral_fact_key",
    "is_meta_commentary_fact",
    "is_speaker_fact",
    "is_volatile_fact_key",
]
