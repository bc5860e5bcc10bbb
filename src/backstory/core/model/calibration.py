"""What a cosine means under one embedding model."""

import json
from dataclasses import dataclass
from typing import Any

from backstory.core.model.record import Record
from backstory.errors import ConfigurationError


@dataclass(frozen=True, kw_only=True)
class Calibration(Record):
    """What cosines of one embedding model mean.

    Attributes:
        low: The 99th percentile of unrelated pairs: below it a text is hardly about the query.
        high: The precision point: if one in a hundred pairs is related, nine of ten are from here
            on. Never below ``low``.
        pairs: How many unrelated pairs it was measured on.
        related: How many related pairs.
        measured: True if it was measured on the store's own messages; False if it came with the
            embedder.
    """

    low: float
    high: float
    pairs: int
    related: int
    measured: bool = True

    def to_text(self) -> str:
        """As it is stored."""
        return json.dumps(self.to_dict(), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> "Calibration":
        """Read what ``to_text`` wrote; members that a later version added are passed over.

        Raises:
            ConfigurationError: It is something else.
        """
        try:
            given: dict[str, Any] = json.loads(text)
            low, high = float(given["low"]), float(given["high"])
            pairs, related = int(given["pairs"]), int(given["related"])
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigurationError(f"a stored calibration cannot be read: {error}") from error
        return cls(low=low, high=high, pairs=pairs, related=related)
