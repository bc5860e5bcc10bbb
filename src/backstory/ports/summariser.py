"""The port of what writes a summary in words of its own."""

from typing import Protocol


class Summariser(Protocol):
    """Writes summaries of days and weeks.

    Attributes:
        model: The name of what writes them.
    """

    @property
    def model(self) -> str:
        """Names it in ``Summary.made_by``."""
        ...

    async def summarise(self, source: str, most_chars: int) -> str:
        """Write a summary. What it says is checked against the source by who asks.

        Args:
            source: What was said, a line for each who speaks in turn; bounded by the caller.
            most_chars: The longest summary.

        Raises:
            ModelError: It did not answer, or not in a way that can be read.
        """
        ...
