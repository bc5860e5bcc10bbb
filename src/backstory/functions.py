"""Pure functions and values for users: no store, no I/O."""

from backstory.core.chapters.skeleton import nested_skeleton
from backstory.core.guards import (
    is_ephemeral_fact_key,
    is_meta_commentary_fact,
    is_speaker_fact,
    is_volatile_fact_key,
)
from backstory.core.inline import detect_inline
from backstory.core.judging import decide_compatible
from backstory.core.plot.deadlines import thread_deadline
from backstory.core.plot.folding import fold_thread, is_unresolved
from backstory.core.plot.listing import ThreadWords, render_threads
from backstory.core.plot.operations import plan_threads
from backstory.core.plot.payoffs import plan_payoffs
from backstory.core.routing import classify_retrieval
from backstory.core.scripts import same_writing
from backstory.core.tokens import token_upper_bound
from backstory.core.vector_index import RejectedVector, VectorHit, VectorIndex
from backstory.language.dates import resolve_date
from backstory.language.emotion import Emotion, score_emotion
from backstory.language.scripts import DetectedScript, detect_script
from backstory.language.writing import Writing, writing_mismatch, writing_of

__all__ = [
    "DetectedScript",
    "Emotion",
    "RejectedVector",
    "ThreadWords",
    "VectorHit",
    "VectorIndex",
    "Writing",
    "classify_retrieval",
    "decide_compatible",
    "detect_inline",
    "detect_script",
    "fold_thread",
    "is_ephemeral_fact_key",
    "is_meta_commentary_fact",
    "is_speaker_fact",
    "is_unresolved",
    "is_volatile_fact_key",
    "nested_skeleton",
    "plan_payoffs",
    "plan_threads",
    "render_threads",
    "resolve_date",
    "same_writing",
    "score_emotion",
    "thread_deadline",
    "token_upper_bound",
    "writing_mismatch",
    "writing_of",
]
