"""The port of the self-check: a model looks at responses that were given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class Given:
    """A response, with what it answers."""

    prompt: str
    response: str


class SelfChecker(Protocol):
    """Judges responses."""

    async def check(self, given: Sequence[Given]) -> Mapping[int, tuple[float, str]]:
        """Judge responses, all at once.

        Returns:
            For each place in ``given``: a score from 0 to 1, and why. What the model left out is
            left out.

        Raises:
            ModelError: The model did not answer, or its answer was cut off or could not be read.
        """
        ...
