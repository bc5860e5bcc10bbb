"""Everything that ``import backstory`` offers, loaded when the first of it is used."""

from backstory.api.aio import AsyncMemory, AsyncSession
from backstory.api.blocking import Memory, Session
from backstory.core.model.collision import Collision, CollisionReport, Residue
from backstory.core.model.context import Context, ContextItem, ContextSection
from backstory.core.model.contradiction import Contradiction
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.fact import Fact, FactCorrection, FactHistory
from backstory.core.model.message import Message, MessageRevision, Role
from backstory.core.model.moving import ExportResult, ForgetReceipt, ImportResult
from backstory.core.model.recall import Hit, Hits, Recall, Why
from backstory.core.model.results import AddResult, DeleteResult, DoctorReport, FlushResult, Page
from backstory.core.model.session import SessionInfo, UserInfo
from backstory.errors import BackstoryError
from backstory.ports.embedder import Embedder
from backstory.settings import Settings

__all__ = [
    "AddResult",
    "AsyncMemory",
    "AsyncSession",
    "BackstoryError",
    "Collision",
    "CollisionReport",
    "Context",
    "ContextItem",
    "ContextSection",
    "Contradiction",
    "DeleteResult",
    "DoctorReport",
    "Embedder",
    "EmbedderIdentity",
    "ExportResult",
    "Fact",
    "FactCorrection",
    "FactHistory",
    "FlushResult",
    "ForgetReceipt",
    "Hit",
    "Hits",
    "ImportResult",
    "Memory",
    "Message",
    "MessageRevision",
    "Page",
    "Recall",
    "Residue",
    "Role",
    "Session",
    "SessionInfo",
    "Settings",
    "UserInfo",
    "Why",
]
