"""The judge port: are two statements the same claim?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from backstory.core.judging import Judgement


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A stored and a new statement, each as "key: value", and the cosine of the two, or None."""

    stored: str
    stated: str
    similarity: float | None = None


class Judge(Protocol):
    """Decides by what the assistant would do or say, not by how alike two statements look."""

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement for each pair.

        Raises:
            ModelError: There is no judgement; the write goes on without it (it fails open).
        """
        ...
