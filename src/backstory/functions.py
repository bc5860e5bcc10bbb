"""Pure functions and values for users: no store, no I/O."""

from backstory.core.guards import (
    is_ephemeral_fact_key,
    is_meta_commentary_fact,
    is_speaker_fact,
    is_volatile_fact_key,
)
from backstory.core.inline import detect_inline
from backstory.core.judging import decide_compatible
from backstory.core.routing import classify_retrieval
from backstory.core.tokens import token_upper_bound
from backstory.core.vector_index import RejectedVector, VectorHit, VectorIndex
from backstory.language.dates import resolve_date

__all__ = [
    "RejectedVector",
    "VectorHit",
    "VectorIndex",
    "classify_retrieval",
    "decide_compatible",
    "detect_inline",
    "is_ephemeral_fact_key",
    "is_meta_commentary_fact",
    "is_speaker_fact",
    "is_volatile_fact_key",
    "resolve_date",
    "token_upper_bound",
]
