"""The calls that change the embedder of a store."""

from __future__ import annotations

from backstory.api.aio_opened import _Opened
from backstory.core.model.moving import Progress
from backstory.core.model.reindex import ReindexResult, ReindexStatus
from backstory.errors import InvalidInputError
from backstory.ports.embedder import Embedder
from backstory.ports.reindexing import ReindexRequest


class _Reindexing(_Opened):
    """Another embedder, and back."""

    async def reindex(
        self,
        embedder: str | Embedder | None = None,
        *,
        progress: Progress | None = None,
        keep_old: bool = True,
        skip_failed: bool = False,
    ) -> ReindexResult:
        """Move the whole store, all users of all tenants, to the vectors of another embedder.

        Everything goes on meanwhile: search uses the old vectors until all are made, and then the
        new ones. A call that was interrupted is made again, and goes on where it stopped. Other
        processes notice within a tenth of a second.

        Args:
            embedder: "local", "provider:model", or an object of the Embedder port; None = the one
                that this memory was opened with.
            progress: Called on the event loop with how many messages and facts are done, and how
                many there are.
            keep_old: Whether the old vectors are kept for ``undo_reindex``. Without, also those of
                earlier moves are removed; so with the embedder in use it only removes them.
            skip_failed: Whether to switch although the embedder refused some texts: these are
                then found by their words only, and tried again by the background.

        Returns:
            What was done. If ``switched`` is False, ``reasons`` says why; nothing is lost.

        Raises:
            StoreBusyError: A reindex of this store is running, here or in another process.
            EmbeddingError: The embedder does not work at all.
            EmbeddingDimensionError: It is of the store's model, with vectors of another size.
            ConfigurationError: There is no embedder of this name, or it is not set up.
            InvalidInputError: The memory was opened without an embedder, and none is named;
                or with the old one, and the vectors in use would be removed without an undo.
        """
        request = ReindexRequest(
            embedder=_embedder_of(embedder),
            progress=progress,
            keep_old=keep_old,
            skip_failed=skip_failed,
        )
        services = await self._open()
        return await services.reindexing.run(request)

    async def undo_reindex(
        self, embedder: str | Embedder | None = None, *, progress: Progress | None = None
    ) -> ReindexResult:
        """Go back to the vectors before the last ``reindex``, or give up an unfinished one.

        What was added since gets its vectors of the old embedder before the switch. Where that
        embedder cannot be had, or fails, the switch takes place too: what was added since is then
        found by its words, and its vectors are made when the embedder is there again.

        Args:
            embedder: The old embedder, if it was an object of the caller; None = it is made by
                its name.
            progress: As in ``reindex``.

        Raises:
            NotFoundError: No earlier vectors were kept.
            EmbeddingDimensionError: The given embedder has vectors of another size.
            StoreBusyError: A reindex of this store is running.
        """
        old = _embedder_of(embedder)
        services = await self._open()
        return await services.reindexing.undo(old, progress)

    async def reindex_status(self) -> ReindexStatus:
        """Say which embedder the store uses, and how far an unfinished reindex is."""
        services = await self._open()
        return await services.reindexing.status()


def _embedder_of(given: object) -> str | Embedder | None:
    if given is None or isinstance(given, Embedder):
        return given
    if isinstance(given, str) and given not in {"", "none"}:
        return given
    raise InvalidInputError(f"embedder must be a name or an Embedder, not {given!r}")
