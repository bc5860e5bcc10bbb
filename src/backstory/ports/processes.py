"""The processes port: who is at a long piece of work, and whether that one still lives."""

from typing import Protocol


class Processes(Protocol):
    """Names pieces of work of this process, and tells which of others are over."""

    def begin(self) -> str:
        """A new name for a piece of work of this process: host, process and number."""
        ...

    def end(self, name: str) -> None:
        """The work of this name is over."""
        ...

    def is_over(self, name: str) -> bool:
        """Whether the work of this name has certainly ended. False where it cannot be known."""
        ...
