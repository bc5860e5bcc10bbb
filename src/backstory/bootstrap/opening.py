"""Settings choose the adapters, the adapters make the services."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from backstory.bootstrap.services import Services
from backstory.errors import EmbeddingDimensionError
from backstory.models.factory import LOCAL, make_embedder
from backstory.models.system import SystemClock, TimeOrderedIds
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.embedding.embedders import Embedders
from backstory.services.embedding.vectors import VectorMaker
from backstory.settings import Settings
from backstory.storage.factory import make_store
from backstory.threads import run_in_thread

if TYPE_CHECKING:
    from backstory.models.counters import TokenCounter
    from backstory.ports.chat_model import ChatModel


def system_clock() -> Clock:
    """The clock of this computer."""
    return SystemClock()


def system_ids() -> Ids:
    """Time-ordered ids."""
    return TimeOrderedIds()


def token_counter(spec: str | Callable[[str], int]) -> "TokenCounter":
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
        pool_timeout_s=settings.limits.pool,
        statement_timeout_s=settings.limits.statement,
    )
    try:
        await store.open(may_upgrade=may_upgrade)
        await _check_size(store, wanted)
        embedders = Embedders(wanted, partial(_named, settings=settings), owned=embedder is None)
        vectors = VectorMaker(store, embedders, clock)
        await vectors.generation()
    except BaseException:
        await store.close()
        raise
    return Services(settings, store, vectors, clock, ids, model, owns_model=model is not llm)


async def _configured(settings: Settings) -> Embedder | None:
    if settings.embedder in {"none", ""}:
        return None
    return await _made(settings.embedder, settings)


async def _model(given: object, settings: Settings) -> "ChatModel | None":
    wanted = settings.llm if given is None else given
    if wanted is None or (isinstance(wanted, str) and wanted in {"", "none"}):
        return None
    return await run_in_thread(_made_model, wanted, settings)


def _made_model(wanted: Any, settings: Settings) -> "ChatModel":
    from backstory.models.chat.factory import make_chat_model

    return make_chat_model(
        wanted,
        base_url=settings.llm_url if isinstance(wanted, str) else None,
        thinking=settings.llm_thinking,
        timeout_s=settings.limits.llm,
    )


async def _named(spec: str, settings: Settings) -> Embedder:
    """An embedder that a store or a call names; an address is for services only."""
    if spec == LOCAL:
        settings = settings.with_values({"embedder_url": None})
    return await _made(spec, settings)


async def _made(spec: str, settings: Settings) -> Embedder:
    # in a thread: a provider's library takes seconds to import
    return await run_in_thread(
        make_embedder, spec, base_url=settings.embedder_url, threads=settings.threads
    )


async def _check_size(store: Store, wanted: Embedder | None) -> None:
    """Refuse an embedder of the store's model that gives vectors of another size."""
    active = await store.generations.active()
    if wanted is None or active is None or not wanted.identity.same_model(active.identity):
        return
    size = wanted.identity.dimensions
    if size is not None and size != active.identity.dimensions:
        raise EmbeddingDimensionError(
            f"the store holds vectors of {active.identity.dimensions} dimensions from "
            f"{active.identity}, the embedder yields {size}; use the embedder that the store was "
            "made with, give this one another version, or use another store"
        )
