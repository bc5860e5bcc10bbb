"""Everything that ``import backstory`` offers, loaded when the first of it is used."""

from backstory.api.aio import AsyncDocument, AsyncMemory, AsyncSession
from backstory.api.blocking import Document, Memory, Session
from backstory.api.books import BookFile, BookPart, LeftOutPart, read_book
from backstory.core.block.lines import BlockLabels
from backstory.core.model.block import (
    Block,
    BlockPart,
    BlockSection,
    Conflict,
    ConflictKind,
    DocumentStatus,
    LeftOut,
)
from backstory.core.model.calibration import Calibration
from backstory.core.model.collision import Collision, CollisionReport, Residue
from backstory.core.model.context import Context, ContextItem, ContextSection
from backstory.core.model.contradiction import Contradiction, ContradictionCounts
from backstory.core.model.derived import (
    EmotionalMoment,
    Event,
    GraphEntity,
    Intention,
    IntentionStatus,
    Observation,
    ObservationStatus,
    Precision,
    Quality,
    Relation,
    RelationStatus,
    Sentiment,
    Summary,
    SummaryKind,
    Texture,
)
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.derived.quality import (
    ModeStats,
    QualityStats,
    SelfCheckReport,
    Spread,
)
from backstory.core.model.document import (
    Chapter,
    ChapterResult,
    DocumentInfo,
    Draft,
    SummarySource,
)
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.fact import (
    Category,
    Evidence,
    Fact,
    FactCorrection,
    FactHistory,
    FactRevision,
    SimilarFact,
)
from backstory.core.model.feelings import FeelingDay
from backstory.core.model.graph_view import GraphView
from backstory.core.model.message import Message, MessageRevision, Role
from backstory.core.model.moving import ExportResult, ForgetReceipt, ImportItem, ImportResult
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadStatus
from backstory.core.model.reading import ClaimRejection
from backstory.core.model.recall import Hit, Hits, Recall, Why
from backstory.core.model.reindex import ReindexResult, ReindexStatus
from backstory.core.model.results import AddResult, DeleteResult, DoctorReport, FlushResult, Page
from backstory.core.model.run import (
    ConsolidationReport,
    ConsolidationRun,
    ConsolidationStatus,
    RunCounts,
    UserReport,
)
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.core.timeline.ordering import Elapsed
from backstory.errors import BackstoryError
from backstory.ports.chat_model import ChatModel, Completion, Prompt, assert_complete
from backstory.ports.embedder import Embedder
from backstory.settings import Settings

__all__ = [
    "AddResult",
    "AsyncDocument",
    "AsyncMemory",
    "AsyncSession",
    "BackstoryError",
    "Block",
    "BlockLabels",
    "BlockPart",
    "BlockSection",
    "BookFile",
    "BookPart",
    "Calibration",
    "Category",
    "Chapter",
    "ChapterResult",
    "ChatModel",
    "ClaimRejection",
    "Collision",
    "CollisionReport",
    "Completion",
    "Conflict",
    "ConflictKind",
    "ConsolidationReport",
    "ConsolidationRun",
    "ConsolidationStatus",
    "Context",
    "ContextItem",
    "ContextSection",
    "Contradiction",
    "ContradictionCounts",
    "DeleteResult",
    "DoctorReport",
    "Document",
    "DocumentInfo",
    "DocumentStatus",
    "Draft",
    "Elapsed",
    "Embedder",
    "EmbedderIdentity",
    "EmotionalMoment",
    "Entity",
    "EntityKind",
    "EntityState",
    "Event",
    "Evidence",
    "ExportResult",
    "Fact",
    "FactCorrection",
    "FactHistory",
    "FactRevision",
    "FeelingDay",
    "FlushResult",
    "ForgetReceipt",
    "GraphEntity",
    "GraphView",
    "Hit",
    "Hits",
    "ImportItem",
    "ImportResult",
    "Intention",
    "IntentionPrompt",
    "IntentionStatus",
    "Knower",
    "LeftOut",
    "LeftOutPart",
    "Memory",
    "Message",
    "MessageRevision",
    "ModeStats",
    "Observation",
    "ObservationStatus",
    "Page",
    "PlotThread",
    "Precision",
    "Prompt",
    "Quality",
    "QualityStats",
    "Recall",
    "ReindexResult",
    "ReindexStatus",
    "Relation",
    "RelationStatus",
    "Residue",
    "Role",
    "RunCounts",
    "SelfCheckReport",
    "Sentiment",
    "Session",
    "SessionInfo",
    "Settings",
    "SimilarFact",
    "Spread",
    "Summary",
    "SummaryKind",
    "SummarySource",
    "Texture",
    "ThreadEvent",
    "ThreadStatus",
    "UserInfo",
    "UserReport",
    "Why",
    "assert_complete",
    "read_book",
]
