"""What every part of ``AsyncMemory`` stands on: the open services, and the scope of a call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import TracebackType
from typing import Any, Self

from backstory.api.inputs import open_settings
from backstory.bootstrap import (
    Services,
    open_services,
    system_clock,
    system_ids,
    token_counter,
)
from backstory.core.identity import check_scope
from backstory.core.model.scope import Scope
from backstory.core.unset import UNSET, Unset
from backstory.errors import BackstoryError, ClosedError, WrongThreadError
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.ids import Ids
from backstory.settings import Settings
from backstory.threads import run_in_thread

_CLOSING: set[asyncio.Task[None]] = set()


class _Opened:
    """A memory that opens at the first call."""

    _services: Services | None = None

    def __init__(
        self,
        url: str | PurePath | None = None,
        *,
        embedder: str | Embedder | Unset | None = UNSET,
        llm: Any = UNSET,
        tenant: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        self._settings, self._embedder, self._llm = open_settings(
            url, embedder, llm, tenant, settings
        )
        self._clock = clock or system_clock()
        self._ids = ids or system_ids()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._counters: dict[str, Callable[[], Callable[[str], int]]] = {}
        self._opening = asyncio.Lock()
        self._closed = False
        self._process = 0

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | str | PurePath) -> Self:
        """Make a memory of a dict, or of a TOML file; see the table of settings.

        Raises:
            ConfigurationError: The file cannot be read, a name is unknown or a value is wrong.
        """
        return cls(settings=Settings.from_config(config))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._settings.location.kind}>"

    def __del__(self) -> None:
        services = self._services
        # At the end of the process nothing leaks; what a fork copied belongs to the parent.
        if services is None or sys.is_finalizing() or self._process != os.getpid():
            return
        if self._loop is not None and self._loop.is_running():
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(_close_later, services)
        warnings.warn(f"{self!r} was not closed", ResourceWarning, stacklevel=2, source=self)

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _open(self, *, may_upgrade: bool = False) -> Services:
        if self._closed:
            raise ClosedError
        loop = asyncio.get_running_loop()
        if self._loop not in {None, loop}:
            raise WrongThreadError(
                "this AsyncMemory was opened in another event loop; make one for each loop"
            )
        if self._services is not None:
            return self._services
        self._loop = loop
        self._process = os.getpid()
        async with self._opening:
            if self._closed:
                raise ClosedError
            if self._services is None:
                self._services = await open_services(
                    self._settings,
                    embedder=self._embedder,
                    llm=self._llm,
                    clock=self._clock,
                    ids=self._ids,
                    may_upgrade=may_upgrade or self._settings.auto_migrate,
                )
                if self._settings.background:
                    self._services.background.start()
            return self._services

    def _scope(self, user_id: object) -> Scope:
        return Scope(self._settings.tenant, check_scope(self._settings.tenant, user_id))

    async def close(self) -> None:
        """End background work and give the database back. Calling it twice is allowed."""
        self._closed = True
        # what is being opened is closed too
        async with self._opening:
            services, self._services = self._services, None
        if services is not None:
            await services.close()

    async def upgrade(self) -> str:
        """Bring the store's tables to this version's schema, also where ``auto_migrate`` is off.

        Returns:
            The schema version that the store has now.

        Raises:
            SchemaVersionError: The store is of a newer version; nothing was changed.
        """
        services = await self._open(may_upgrade=True)
        facts = await services.store.check()
        return str(facts["schema"])

    async def _counter(self, spec: str | Callable[[str], int]) -> Callable[[str], int]:
        if not isinstance(spec, str):
            return token_counter(spec)
        if spec not in self._counters:
            # in a thread: it may read a tokenizer's file
            self._counters[spec] = (await run_in_thread(token_counter, spec)).of_one_call
        return self._counters[spec]()

    def _optional_user(self, user_id: str | None) -> str | None:
        return None if user_id is None else self._scope(user_id).user_id


def _close_later(services: Services) -> None:
    """Close what a dropped memory left open. For the thread of its loop."""
    task = asyncio.get_running_loop().create_task(_closed(services))
    _CLOSING.add(task)
    task.add_done_callback(_CLOSING.discard)


async def _closed(services: Services) -> None:
    # nobody is left to be told
    with contextlib.suppress(BackstoryError):
        await services.close()
