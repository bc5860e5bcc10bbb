"""The base of the parts of ``memory.facts``."""

from __future__ import annotations

from backstory.api.aio_opened import _Opened


class _OfMemory:
    """A sub-service of a memory."""

    def __init__(self, memory: _Opened) -> None:
        self._memory = memory
