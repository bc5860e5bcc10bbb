"""Long-term memory for chatbots and long documents.

>>> from backstory import Memory
>>> memory = Memory(":memory:")
>>> _ = memory.add("I work at a bakery in Gothenburg.", user_id="vera")
>>> memory.search("where does she work?", user_id="vera")[0].text
'I work at a bakery in Gothenburg.'
"""

from typing import TYPE_CHECKING, Any

from backstory._version import __version__

if TYPE_CHECKING:
    from backstory.api import (
        AddResult,
        AsyncMemory,
        AsyncSession,
        BackstoryError,
        Calibration,
        Category,
        ChatModel,
        ClaimRejection,
        Collision,
        CollisionReport,
        Completion,
        Context,
        ContextItem,
        ContextSection,
        Contradiction,
        ContradictionCounts,
        DeleteResult,
        DoctorReport,
        Embedder,
        EmbedderIdentity,
        Evidence,
        ExportResult,
        Fact,
        FactCorrection,
        FactHistory,
        FactRevision,
        FlushResult,
        ForgetReceipt,
        Hit,
        Hits,
        ImportItem,
        ImportResult,
        Memory,
        Message,
        MessageRevision,
        Page,
        Prompt,
        Recall,
        ReindexResult,
        ReindexStatus,
        Residue,
        Role,
        Session,
        SessionInfo,
        Settings,
        SimilarFact,
        UserInfo,
        Why,
        assert_complete,
    )

__all__ = [
    "AddResult",
    "AsyncMemory",
    "AsyncSession",
    "BackstoryError",
    "Calibration",
    "Category",
    "ChatModel",
    "ClaimRejection",
    "Collision",
    "CollisionReport",
    "Completion",
    "Context",
    "ContextItem",
    "ContextSection",
    "Contradiction",
    "ContradictionCounts",
    "DeleteResult",
    "DoctorReport",
    "Embedder",
    "EmbedderIdentity",
    "Evidence",
    "ExportResult",
    "Fact",
    "FactCorrection",
    "FactHistory",
    "FactRevision",
    "FlushResult",
    "ForgetReceipt",
    "Hit",
    "Hits",
    "ImportItem",
    "ImportResult",
    "Memory",
    "Message",
    "MessageRevision",
    "Page",
    "Prompt",
    "Recall",
    "ReindexResult",
    "ReindexStatus",
    "Residue",
    "Role",
    "Session",
    "SessionInfo",
    "Settings",
    "SimilarFact",
    "UserInfo",
    "Why",
    "__version__",
    "assert_complete",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'backstory' has no attribute {name!r}")
    from backstory import api  # here: importing backstory alone costs nothing

    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
