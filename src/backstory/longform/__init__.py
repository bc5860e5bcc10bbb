"""The functions of the package ``longform-memory``, under its names and with its results.

A program that did ``from longform_memory import X`` runs with ``from backstory.longform import X``.
Importing it loads the standard library only. Where the results differ on purpose, and where the
functions beside them are better, is told in ``docs/explanation/longform-compatibility.md``.
"""

from backstory._version import __version__
from backstory.longform.budget import (
    DEFAULT_MEMORY_BUDGET,
    MAX_SKELETON_ENTRIES,
    SECTION_SHARE,
    BudgetResult,
    Fitted,
    SectionInput,
    allocate,
    estimate_tokens,
    fit_items,
    fit_sections,
    skeleton_chapters,
)
from backstory.longform.language import (
    LanguageHint,
    dominates,
    is_char_counted_language,
    language_mismatch,
    resolve_language,
)
from backstory.longform.threads import (
    DEFAULT_THREAD_LABELS,
    MAX_THREAD_OPS_PER_CHAPTER,
    UNRESOLVED_THREAD_STATUSES,
    KnownThread,
    OwedThread,
    RawThreadItem,
    ThreadLabels,
    ThreadOp,
    ThreadUrgency,
    compare_thread_urgency,
    plan_owed_payoff,
    plan_thread_ops,
    render_known_threads,
    resolve_thread_deadline,
)
from backstory.longform.vector import (
    DEFAULT_MIN_SCORE,
    RELATIVE_FLOOR,
    ScoredRow,
    decode_vector,
    encode_vector,
    search_top_k,
)

__all__ = [
    "DEFAULT_MEMORY_BUDGET",
    "DEFAULT_MIN_SCORE",
    "DEFAULT_THREAD_LABELS",
    "MAX_SKELETON_ENTRIES",
    "MAX_THREAD_OPS_PER_CHAPTER",
    "RELATIVE_FLOOR",
    "SECTION_SHARE",
    "UNRESOLVED_THREAD_STATUSES",
    "BudgetResult",
    "Fitted",
    "KnownThread",
    "LanguageHint",
    "OwedThread",
    "RawThreadItem",
    "ScoredRow",
    "SectionInput",
    "ThreadLabels",
    "ThreadOp",
    "ThreadUrgency",
    "__version__",
    "allocate",
    "compare_thread_urgency",
    "decode_vector",
    "dominates",
    "encode_vector",
    "estimate_tokens",
    "fit_items",
    "fit_sections",
    "is_char_counted_language",
    "language_mismatch",
    "plan_owed_payoff",
    "plan_thread_ops",
    "render_known_threads",
    "resolve_language",
    "resolve_thread_deadline",
    "search_top_k",
    "skeleton_chapters",
]
