"""The reader port: from turns to statements."""

from typing import Protocol

from backstory.core.model.reading import Batch, Reading


class Reader(Protocol):
    """Understands turns. It stores nothing, and decides nothing about what is stored."""

    @property
    def name(self) -> str:
        """For the log: "rules", or "model:NAME"."""
        ...

    @property
    def reads_at_once(self) -> bool:
        """Whether it costs no call: such a reader runs within ``add``."""
        ...

    async def read(self, batch: Batch) -> Reading:
        """Read a batch.

        Raises:
            ReadingError: It could not be understood; the messages stay unread.
            ModelError: The model did not answer; the messages stay unread.
        """
        ...
