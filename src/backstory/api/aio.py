"""The face of the library, asynchronous. ``blocking.py`` is generated from this and its parts."""

from __future__ import annotations

from backstory.api.aio_consolidating import _Consolidating
from backstory.api.aio_contradictions import AsyncCollisions, AsyncContradictions
from backstory.api.aio_document import AsyncDocument
from backstory.api.aio_documents import _Documents
from backstory.api.aio_emotions import AsyncEmotions
from backstory.api.aio_facts import AsyncFacts
from backstory.api.aio_graph import AsyncGraph
from backstory.api.aio_intentions import AsyncIntentions
from backstory.api.aio_moving import _Moving
from backstory.api.aio_parts import _Parts
from backstory.api.aio_quality import AsyncQualityScores
from backstory.api.aio_recalling import _Recalling
from backstory.api.aio_records import _Records
from backstory.api.aio_reindexing import _Reindexing
from backstory.api.aio_session import AsyncSession
from backstory.api.aio_summaries import AsyncObservations, AsyncSummaries
from backstory.api.aio_textures import AsyncTextures
from backstory.api.aio_timeline import AsyncTimeline
from backstory.api.aio_writing import _Writing

__all__ = [
    "AsyncCollisions",
    "AsyncContradictions",
    "AsyncDocument",
    "AsyncEmotions",
    "AsyncFacts",
    "AsyncGraph",
    "AsyncIntentions",
    "AsyncMemory",
    "AsyncObservations",
    "AsyncQualityScores",
    "AsyncSession",
    "AsyncSummaries",
    "AsyncTextures",
    "AsyncTimeline",
]


class AsyncMemory(
    _Writing, _Recalling, _Records, _Moving, _Reindexing, _Consolidating, _Documents, _Parts
):
    """A memory: it remembers what is said, and recalls what matters.

    Made in one event loop, it is used in that loop. It opens at the first call, or with
    ``async with``, which also closes it.

    Args:
        url: A path, ``":memory:"`` or ``"postgresql://…"``; None = ``memory.db`` in the user's
            data folder (the setting ``home``).
        embedder: "local" (carried by the package), "provider:model", None for keywords only, or
            an object of the Embedder port.
        llm: The model that reads messages: "provider:model", a model of pydantic-ai, an object of
            the ChatModel port, or None for rules without a model. A name with the setting
            ``llm_url`` is asked of any OpenAI-compatible server.
        tenant: The tenant that every call belongs to; None = the setting.
        settings: All other settings; None = from the environment (``BACKSTORY_<NAME>``).
        clock: Another source of the time, for tests.
        ids: Another source of record ids, for tests.

    Raises:
        ConfigurationError: A setting cannot be used.
    """
