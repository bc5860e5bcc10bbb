"""Puts a memory together: settings choose the adapters, the adapters make the services.

The only module that knows all sides.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from backstory.errors import ConfigurationError, EmbeddingDimensionError
from backstory.jobs.background import Background
from backstory.models.factory import make_embedder
from backstory.models.system import SystemClock, TimeOrderedIds
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.held import HeldSessions
from backstory.services.vectors import VectorMaker
from backstory.settings import Settings
from backstory.storage.factory import make_store
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.ports.chat_model import ChatModel
    from backstory.ports.reader import Reader
    from backstory.services.collisions import Collisions
    from backstory.services.context import ContextService
    from backstory.services.contradictions import Contradictions
    from backstory.services.curation import Curation
    from backstory.services.doctor import Doctor
    from backstory.services.fact_index import FactIndex
    from backstory.services.fact_search import FactSearch
    from backstory.services.fact_vectors import FactVectors
    from backstory.services.fact_writer import FactWriter
    from backstory.services.facts import Facts
    from backstory.services.flushing import Flushing
    from backstory.services.ingest import Ingest
    from backstory.services.near_facts import NearFacts
    from backstory.services.reading import ReadingService
    from backstory.services.recall import RecallService
    from backstory.services.search import SearchService


class Services:
    """An open memory, without a face. A part is loaded when it is used first.

    Attributes:
        store: The open store.
        vectors: Makes vectors.
        held: Sessions that live handles keep open.
        background: What runs beside the calls.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        ids: Ids,
        model: "ChatModel | None",
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._model = model
        self._tenant = settings.tenant
        self._timeout = timedelta(seconds=settings.inactivity_timeout_s)
        self._wakeup = asyncio.Event()
        self.store = store
        self.vectors = vectors
        self.held = HeldSessions()
        self.background = Background(
            store,
            vectors,
            lambda: self.reading,
            self.held,
            clock,
            self._tenant,
            self._timeout,
            self._wakeup,
        )

    @cached_property
    def ingest(self) -> "Ingest":
        """Adds messages."""
        from backstory.services.ingest import Ingest

        wake = self._wakeup.set
        return Ingest(
            self.store,
            self.vectors,
            self._clock,
            self._ids,
            self._timeout,
            wake,
            self.held,
            self.reading,
            self._tenant,
        )

    @cached_property
    def reading(self) -> "ReadingService":
        """Reads messages."""
        from backstory.services.reading import ReadingService

        return ReadingService(
            self.store,
            self._reader(),
            self.fact_writer,
            self.near_facts,
            self._clock,
            redaction=self._settings.redaction,
            inline=self._settings.inline_contradictions,
        )

    def _reader(self) -> "Reader | None":
        if self._settings.reading == "none":
            return None
        if self._model is not None:
            from backstory.reading.llm import LLMReader

            return LLMReader(self._model)
        from backstory.reading.rules.reader import RuleReader

        return RuleReader()

    @cached_property
    def fact_writer(self) -> "FactWriter":
        """Writes facts; nothing else does."""
        from backstory.services.fact_writer import FactWriter

        judge = None
        if self._model is not None and self._settings.key_merge:
            from backstory.reading.judge import LLMJudge

            judge = LLMJudge(self._model)
        return FactWriter(
            self.store,
            self.fact_vectors,
            self.near_facts,
            self._clock,
            self._ids,
            redaction=self._settings.redaction,
            judge=judge,
        )

    @cached_property
    def fact_vectors(self) -> "FactVectors":
        """Makes the vectors of facts."""
        from backstory.services.fact_vectors import FactVectors

        return FactVectors(self.store, self.vectors)

    @cached_property
    def fact_index(self) -> "FactIndex":
        """The searchable form of users' facts."""
        from backstory.services.fact_index import FactIndex

        return FactIndex(self.store)

    @cached_property
    def fact_search(self) -> "FactSearch":
        """Searches facts."""
        from backstory.services.fact_search import FactSearch

        return FactSearch(self.store, self.fact_index, self.vectors)

    @cached_property
    def near_facts(self) -> "NearFacts":
        """Finds facts that are near to a text."""
        from backstory.services.near_facts import NearFacts

        return NearFacts(self.fact_index, self.vectors)

    @cached_property
    def facts(self) -> "Facts":
        """States, reads and corrects facts by hand."""
        from backstory.services.facts import Facts

        return Facts(
            self.store,
            self.fact_writer,
            self.near_facts,
            self._clock,
            self._ids,
            self._tenant,
            redaction=self._settings.redaction,
        )

    @cached_property
    def contradictions(self) -> "Contradictions":
        """Decides contradictions."""
        from backstory.services.contradictions import Contradictions

        return Contradictions(self.store, self.fact_writer, self._clock, self._ids, self._tenant)

    @cached_property
    def collisions(self) -> "Collisions":
        """Finds and settles collisions."""
        from backstory.services.collisions import Collisions

        families = self._settings.exclusive_families
        return Collisions(self.store, self._clock, self._ids, families)

    @cached_property
    def flushing(self) -> "Flushing":
        """Finishes what is pending."""
        from backstory.services.flushing import Flushing

        return Flushing(self.store, self.reading, self.vectors, self.fact_vectors)

    @cached_property
    def recall(self) -> "RecallService":
        """Searches."""
        from backstory.services.recall import RecallService

        return RecallService(self.store, self.vectors)

    @cached_property
    def search(self) -> "SearchService":
        """Searches all kinds of records."""
        from backstory.services.search import SearchService

        return SearchService(self.recall, self.fact_search)

    @cached_property
    def context(self) -> "ContextService":
        """Builds contexts."""
        from backstory.services.context import ContextService
        from backstory.services.sources import (
            KnownFacts,
            OpenContradictions,
            RecalledMessages,
            RecentTurns,
            Source,
        )

        sources: list[Source] = [
            KnownFacts(self.fact_search),
            OpenContradictions(self.contradictions),
            RecalledMessages(self.recall),
            RecentTurns(),
        ]
        return ContextService(self.store, sources)

    @cached_property
    def curation(self) -> "Curation":
        """Reads and corrects single records."""
        from backstory.services.curation import Curation

        wake = self._wakeup.set
        return Curation(self.store, self.vectors, self._clock, self._tenant, wake, self.reading)

    @cached_property
    def doctor(self) -> "Doctor":
        """Says what works."""
        from backstory.services.doctor import Doctor

        return Doctor(self.store, self.vectors, self._tenant)

    async def close(self) -> None:
        """End background work, then give everything back."""
        await self.background.stop()
        await self.vectors.aclose()
        if self._model is not None:
            await self._model.aclose()
        await self.store.close()


def system_clock() -> Clock:
    """The clock of this computer."""
    return SystemClock()


def system_ids() -> Ids:
    """Time-ordered ids."""
    return TimeOrderedIds()


def token_counter(spec: str | Callable[[str], int]) -> Callable[[str], int]:
    """The token counter that a setting or a caller names; see ``make_counter``.

    Raises:
        ConfigurationError: There is none of this name.
    """
    from backstory.models.counters import make_counter

    return make_counter(spec)


async def open_services(
    settings: Settings,
    *,
    embedder: Embedder | None,
    llm: object = None,
    clock: Clock,
    ids: Ids,
    may_upgrade: bool,
) -> Services:
    """Open the store and build everything over it.

    Args:
        settings: The settings.
        embedder: An embedder object that takes the place of ``settings.embedder``.
        llm: A model object that takes the place of ``settings.llm``.
        clock: The clock.
        ids: New record ids.
        may_upgrade: Whether the store's tables are made current.

    Raises:
        StoreError: The store cannot be opened.
        EmbeddingDimensionError: The store holds vectors of another size from the same model.
        ConfigurationError: A setting cannot be used.
    """
    # first: where it fails, no file is left behind
    wanted = embedder or await _configured(settings)
    model = await _model(llm, settings)
    # in a thread: it looks at files
    store = await run_in_thread(
        make_store,
        settings.location,
        prefix=settings.table_prefix,
        schema=settings.schema,
        cache_bytes=int(settings.cache_mb * 2**20),
        pool_size=settings.pool_size,
        pool_timeout_s=settings.pool_timeout_s,
        statement_timeout_s=settings.statement_timeout_s,
    )
    try:
        await store.open(may_upgrade=may_upgrade)
        usable, problem = await _for_store(store, wanted, settings)
    except BaseException:
        await store.close()
        raise
    owned = usable is not embedder
    vectors = VectorMaker(store, usable, clock, problem, owned=owned)
    return Services(settings, store, vectors, clock, ids, model)


async def _configured(settings: Settings) -> Embedder | None:
    if settings.embedder in {"none", ""}:
        return None
    return await _made(settings.embedder, settings)


async def _model(given: object, settings: Settings) -> "ChatModel | None":
    wanted = settings.llm if given is None else given
    if wanted is None or wanted in {"", "none"}:
        return None
    return await run_in_thread(_made_model, wanted, settings)


def _made_model(wanted: Any, settings: Settings) -> "ChatModel":
    from backstory.models.chat.factory import make_chat_model

    return make_chat_model(
        wanted,
        base_url=settings.llm_url if isinstance(wanted, str) else None,
        thinking=settings.llm_thinking,
        timeout_s=settings.llm_timeout_s,
    )


async def _made(spec: str, settings: Settings) -> Embedder:
    # in a thread: a provider's library takes seconds to import
    return await run_in_thread(
        make_embedder, spec, base_url=settings.embedder_url, threads=settings.threads
    )


async def _for_store(
    store: Store, wanted: Embedder | None, settings: Settings
) -> tuple[Embedder | None, str | None]:
    """The embedder of the store's generation: vectors of different models never mix.

    Returns:
        The embedder, or None and the reason if the one that is needed cannot be had.
    """
    active = await store.generations.active()
    if wanted is None or active is None:
        return wanted, None
    if not wanted.identity.same_model(active.identity):
        name = active.identity
        spec = "local" if name.provider == "local" else f"{name.provider}:{name.model}"
        try:
            found = await _made(spec, settings)
        except ConfigurationError as error:
            return None, (
                f"the store's vectors are of {name}, which cannot be used here ({error}); "
                "search uses keywords only and new messages wait for their vectors"
            )
        return found, None
    size = wanted.identity.dimensions
    if size is not None and size != active.identity.dimensions:
        raise EmbeddingDimensionError(
            f"the store holds vectors of {active.identity.dimensions} dimensions from "
            f"{active.identity}, the embedder yields {size}; use the embedder that the store was "
            "made with, or another store"
        )
    return wanted, None
