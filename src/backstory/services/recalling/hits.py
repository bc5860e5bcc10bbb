"""From places in a ranking to hits: their neighbouring turns, and why they are there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.model.message import Message
from backstory.core.model.recall import ArmScore, Hit, Why, shown
from backstory.core.partition import Partition
from backstory.core.ranking import Ranking
from backstory.core.shape import Shape
from backstory.language.terms import shared_words
from backstory.services.recalling.requests import Request

# Of a session that is given whole: turns on each side of the hit.
_WHOLE_SESSION: Final = 250


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Which of the ranked messages are hits.

    Attributes:
        places: Places in the ranking, in the order of the hits.
        ranks: The rank of each by its score alone, from 1.
        around: Which rows may be shown as neighbours; None = all.
    """

    partition: Partition
    ranking: Ranking
    places: Sequence[int]
    ranks: Sequence[int]
    shape: Shape
    around: NDArray[np.bool_] | None = None

    @cached_property
    def rows(self) -> list[int]:
        """The rows of the hits, in their order."""
        rows: list[int] = self.ranking.rows[self.places].tolist()
        return rows

    @cached_property
    def scores(self) -> list[float]:
        """The score of each hit."""
        scores: list[float] = self.ranking.scores[self.places].tolist()
        return scores

    @cached_property
    def windows(self) -> Sequence[tuple[list[int], list[int]]]:
        """For each hit the rows of the turns before and after it."""
        if not self._brings_others:
            return [([], [])] * len(self.rows)
        whole: set[int] = set()
        found = []
        for row in self.rows:
            session = int(self.partition.sessions.codes[row])
            is_whole = session not in whole and len(whole) < self.shape.whole_sessions
            if is_whole:
                whole.add(session)
            width = _WHOLE_SESSION if is_whole else self.shape.window
            before, after = _neighbours(self.partition, row, width)
            found.append((self._shown(before), self._shown(after)))
        return found

    @property
    def _brings_others(self) -> bool:
        """Whether a hit may bring other turns along."""
        return bool(self.shape.window or self.shape.whole_sessions)

    def _shown(self, rows: list[int]) -> list[int]:
        return rows if self.around is None else [row for row in rows if self.around[row]]

    @property
    def wanted(self) -> list[int]:
        """The rows of the hits and of their neighbours, each once."""
        if not self._brings_others:
            return self.rows
        wanted: dict[int, None] = {}
        for row, (before, after) in zip(self.rows, self.windows, strict=True):
            wanted.update(dict.fromkeys((row, *before, *after)))
        return list(wanted)

    @property
    def moved(self) -> int:
        """How many hits stand elsewhere than by their score."""
        return sum(rank != at for at, rank in enumerate(self.ranks, start=1))


def _neighbours(partition: Partition, row: int, width: int) -> tuple[list[int], list[int]]:
    """The rows before and after a row in its session, in order."""
    if not width:
        return [], []
    before: list[int] = []
    after: list[int] = []
    for column, rows in ((partition.previous, before), (partition.following, after)):
        at = row
        for _ in range(width):
            at = int(column[at])
            if at >= len(partition):
                break
            rows.append(at)
    return before[::-1], after


def hits_of(chosen: Chosen, found: Mapping[str, Message], request: Request) -> list[Hit]:
    """Make hits of what was fetched; what was deleted since the ranking is left out.

    Args:
        chosen: Which messages.
        found: Messages by id.
        request: What was asked.
    """
    hits = []
    for at, row in enumerate(chosen.rows):
        message = found.get(chosen.partition.message_ids[row])
        if message is not None:
            hits.append(_hit(chosen, at, message, found, request))
    return hits


def _hit(
    chosen: Chosen, at: int, message: Message, found: Mapping[str, Message], request: Request
) -> Hit:
    before, after = chosen.windows[at]
    around = [found.get(chosen.partition.message_ids[row]) for row in (*before, *after)]
    return Hit(
        kind="message",
        id=message.id,
        text=message.text,
        score=chosen.scores[at],
        created_at=message.timestamp,
        message=message,
        window=tuple(turn for turn in around if turn is not None),
        why=_why(chosen, at, message, request) if request.explain else None,
    )


def _why(chosen: Chosen, at: int, message: Message, request: Request) -> Why:
    ranking, place, rank = chosen.ranking, chosen.places[at], chosen.ranks[at]
    arms = [
        ArmScore(
            arm="keyword",
            rank=int(ranking.keyword_ranks[place]) or None,
            score=float(ranking.keyword[place]),
        )
    ]
    cosine = None
    if ranking.cosines is not None and not np.isnan(ranking.cosines[place]):
        cosine = float(ranking.cosines[place])
        dense_rank = int(ranking.dense_ranks[place]) or None
        arms.append(ArmScore(arm="dense", rank=dense_rank, score=cosine))
    return Why(
        arms=tuple(arms),
        bonuses=shown({name: float(v[place]) for name, v in ranking.parts.items()}),
        out_of=ranking.reach,
        terms=shared_words(message.text, request.query),
        cosine=cosine,
        moved=(rank, at + 1) if rank != at + 1 else None,
    )
