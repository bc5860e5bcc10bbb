"""The sub-service ``memory.facts``."""

from __future__ import annotations

from backstory.api.aio_facts_reading import _FactReading
from backstory.api.aio_facts_writing import _FactWriting


class AsyncFacts(_FactReading, _FactWriting):
    """What is true of a user and of those around them: since when, until when, and who said so.

    From ``memory.facts``.
    """
