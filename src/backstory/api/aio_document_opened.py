"""What every part of ``AsyncDocument`` stands on: the memory that it is in, and its scope."""

from __future__ import annotations

from pathlib import PurePath
from types import TracebackType
from typing import Any, Self

from backstory.api.aio_opened import _Opened
from backstory.api.document_inputs import document_id, optional_number, unit_of
from backstory.api.portal import Blocking
from backstory.bootstrap import Services
from backstory.core.model.document import DocumentInfo
from backstory.core.model.scope import DocumentScope
from backstory.core.unset import UNSET, Unset
from backstory.errors import ConfigurationError
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.ports.ids import Ids
from backstory.services.documents.requests import DocumentPlan
from backstory.settings import Settings


class _OwnMemory(_Opened):
    """The memory that a document opened for itself."""


class _DocumentOpened:
    """A document of a memory, opened at the first call."""

    def __init__(
        self,
        store: Any,
        id: str,
        planned_chapters: int | None = None,
        *,
        unit: str | None = None,
        embedder: str | Embedder | Unset | None = UNSET,
        llm: Any = UNSET,
        tenant: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        shared = store._twin if isinstance(store, Blocking) else store
        self._owns = not isinstance(shared, _Opened)
        options = (embedder, llm, tenant, settings, clock, ids)
        if self._owns:
            if shared is not None and not isinstance(shared, (str, PurePath)):
                raise ConfigurationError(
                    f"store must be a path, a URL or a memory, not a {type(shared).__name__}"
                )
            shared = _OwnMemory(
                shared,
                embedder=embedder,
                llm=llm,
                tenant=tenant,
                settings=settings,
                clock=clock,
                ids=ids,
            )
        elif options != (UNSET, UNSET, None, None, None, None):
            raise ConfigurationError(
                "the document is in an open memory: give embedder, llm and settings to the memory"
            )
        self._memory: _Opened = shared
        tenant_id = self._memory._settings.tenant
        self._scope = DocumentScope(tenant_id, document_id(tenant_id, id))
        self._plan = DocumentPlan(
            unit=unit_of(unit),
            planned_chapters=optional_number(planned_chapters, "planned_chapters"),
        )

    @property
    def id(self) -> str:
        """The document's id."""
        return self._scope.document_id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._scope.document_id}>"

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

    async def _open(self) -> Services:
        return await self._memory._open()

    async def close(self) -> None:
        """Close the memory that the document opened; one that it was given stays open."""
        if self._owns:
            await self._memory.close()

    async def _info(self, services: Services) -> DocumentInfo:
        """The document as it is stored, with what the handle says of it."""
        return await services.documents.info(self._scope, self._plan)


class _OfDocument:
    """A sub-service of a document."""

    def __init__(self, document: _DocumentOpened) -> None:
        self._document = document
