"""Makes columns for partitions from a few words per message."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from backstory.core.columns import PartitionColumns
from backstory.language.terms import message_terms

DIMENSIONS = 4
NOON = datetime(2024, 3, 9, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Said:
    """One message; the vector is derived from ``meaning``, None for none."""

    seq: int
    text: str
    session: str = "s"
    role: str = "user"
    speaker: str | None = None
    meaning: int | None = None


@lru_cache
def unit(meaning: int) -> NDArray[np.float32]:
    """A vector of length 1, the same for the same number."""
    vector = np.random.default_rng(meaning).standard_normal(DIMENSIONS)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


@lru_cache
def _terms(text: str, speaker: str | None) -> bytes:
    return message_terms(text, speaker=speaker, timestamp=NOON).astype("<u4").tobytes()


def columns(messages: Sequence[Said]) -> PartitionColumns:
    """The messages as a database would give them."""
    return PartitionColumns(
        seqs=[m.seq for m in messages],
        message_ids=[f"m{m.seq}" for m in messages],
        sessions=[m.session for m in messages],
        timestamps=[m.seq * 1_000_000 for m in messages],
        recorded=[m.seq * 1_000_000 + 5 for m in messages],
        known=[m.seq * 1_000_000 + 5 for m in messages],
        roles=[m.role for m in messages],
        speakers=[m.speaker for m in messages],
        agents=[None] * len(messages),
        lengths=[len(m.text) for m in messages],
        terms=[_terms(m.text, m.speaker) for m in messages],
        vectors=[None if m.meaning is None else unit(m.meaning).tobytes() for m in messages],
    )
