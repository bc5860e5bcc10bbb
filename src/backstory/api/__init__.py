"""Everything that ``import backstory`` offers, loaded when the first of it is used."""

from backstory.api.aio import AsyncMemory, AsyncSession
from backstory.api.blocking import Memory, Session
from backstory.core.model.context import Context, ContextItem, ContextSection
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.message import Message, MessageRevision, Role
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
    "Context",
    "ContextItem",
    "ContextSection",
    "DeleteResult",
    "DoctorReport",
    "Embedder",
    "EmbedderIdentity",
    "FlushResult",
    "Hit",
    "Hits",
    "Memory",
    "Message",
    "MessageRevision",
    "Page",
    "Recall",
    "Role",
    "Session",
    "SessionInfo",
    "Settings",
    "UserInfo",
    "Why",
]
