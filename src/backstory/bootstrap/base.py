"""What all services of an open memory stand on."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

from backstory.ports.clock import Clock
from backstory.ports.ids import Ids
from backstory.ports.store import Store
from backstory.services.embedding.vectors import VectorMaker
from backstory.services.held import HeldSessions
from backstory.settings import Settings

if TYPE_CHECKING:
    from backstory.ports.chat_model import ChatModel


class Base:
    """The open store, the adapters, and the settings they were chosen by.

    Attributes:
        store: The open store.
        vectors: Makes vectors.
        held: Sessions that live handles keep open.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        vectors: VectorMaker,
        clock: Clock,
        ids: Ids,
        model: "ChatModel | None",
        *,
        owns_model: bool = True,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._model = model
        self._owns_model = owns_model
        self._tenant = settings.tenant
        self._timeout = timedelta(seconds=settings.inactivity_timeout_s)
        self._wakeup = asyncio.Event()
        self.store = store
        self.vectors = vectors
        self.held = HeldSessions()

    @property
    def model(self) -> "ChatModel | None":
        """The language model, where one is set."""
        return self._model
