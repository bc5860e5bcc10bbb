"""The reader port: from turns to statements."""

from typing import Protocol, runtime_checkable

from backstory.core.model.message import Role
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

    def wants(self, role: Role, text: str) -> bool:
        """Whether a message can hold anything for this reader.

        A quick look, before the message is stored: what it refuses is never given to ``read``,
        except as a turn before others. In doubt it says yes.
        """
        ...

    async def read(self, batch: Batch) -> Reading:
        """Read a batch.

        Raises:
            ReadingError: It could not be understood; the messages stay unread.
            ModelError: The model did not answer; the messages stay unread.
        """
        ...


@runtime_checkable
class ReaderWithin(Reader, Protocol):
    """A reader that can be asked inside a transaction: it waits for nothing and never fails."""

    def read_now(self, batch: Batch) -> Reading:
        """Read a batch; may be called in any thread."""
        ...
