"""Pure functions for users: no store, no I/O."""

from backstory.core.guards import (
    is_ephemeral_fact_key,
    is_meta_commentary_fact,
    is_speaker_fact,
    is_volatile_fact_key,
)
from backstory.core.judging import decide_compatible
from backstory.core.tokens import token_upper_bound

__all__ = [
    "decide_compatible",
    "is_ephemeral_fact_key",
    "is_meta_commentary_fact",
    "is_speaker_fact",
    "is_volatile_fact_key",
    "token_upper_bound",
]
