"""Fuses the arms into one score for each message and takes the best."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.core.ranking.dense import cosines, window_means
from backstory.core.ranking.distant import Compared
from backstory.core.ranking.features import bonuses, length_factor, standing
from backstory.core.ranking.keyword import keyword_scores
from backstory.core.ranking.options import RankOptions
from backstory.core.ranking.telling import told
from backstory.core.terms import QueryTerms

_BEST_OF_SESSION: Final = 3
_TINY: Final = 1e-9
_FEW: Final = 10
_DEFAULT: Final = RankOptions()


@dataclass(frozen=True, kw_only=True, eq=False)
class Arms:
    """The scores of all messages in each arm.

    Attributes:
        keyword: BM25; 0 where no term occurs.
        cosines: To the query's vector; None without a dense arm.
        known: Whose cosine counts.
    """

    keyword: NDArray[np.float32]
    cosines: NDArray[np.float32] | None
    known: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """The best messages, best first; every array has one entry for each.

    Attributes:
        rows: Rows of the partition.
        scores: In [0, 1], falling.
        cosines: To the query's vector; nan where there is no vector. None without a dense arm.
        keyword: BM25 of the message alone.
        arms: What both arms say of all messages, by which ``rows`` are placed in each.
        parts: What makes up the score before scaling: "keyword", "dense", "session", "speaker",
            "time", "told", "told beside", "told date", "date", "wish", "question", "word for
            word"; and the "answer factor" on the first three.
        reach: What they are divided by.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    cosines: NDArray[np.float32] | None
    keyword: NDArray[np.float32]
    arms: Arms
    parts: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    reach: float = 1.0

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def keyword_ranks(self) -> NDArray[np.int64]:
        """Place in the keyword arm from 1; 0 where no term occurs."""
        words = self.arms.keyword
        return _ranks(words, words > 0, self.rows)

    @cached_property
    def dense_ranks(self) -> NDArray[np.int64]:
        """Place in the dense arm from 1; 0 where there is no vector."""
        arms = self.arms
        if arms.cosines is None:
            return np.zeros_like(self.rows)
        return _ranks(arms.cosines, arms.known, self.rows)


def rank(
    partition: Partition,
    *,
    terms: QueryTerms,
    vector: NDArray[np.float32] | None,
    mask: NDArray[np.bool_] | None = None,
    limit: int,
    options: RankOptions | None = None,
    compared: Compared | None = None,
    raw: NDArray[np.float32] | None = None,
) -> Ranking:
    """Rank one user's messages for a query.

    Messages that the mask leaves out give nothing to the others: neither to their neighbours nor
    to their session nor to the scaling. They only count as the user's language, in the document
    frequencies and the mean length of the keyword arm.

    Equal scores are ordered by ``seq``, the newest first.

    Args:
        partition: The messages.
        terms: What the query asks of the keyword arm.
        vector: The query's embedding, of length 1; None for the keyword arm alone.
        mask: Which messages may be returned; None for all.
        limit: The most messages to return; so many are returned if as many pass the mask.
        options: The constants.
        compared: The cosines, where they were found elsewhere; then the vector is not used.
        raw: ``cosines(partition, vector)``, if that was done before.

    Raises:
        EmbeddingDimensionError: The query's vector has another size than the partition's.
    """
    options = options or _DEFAULT
    allowed = np.ones(len(partition), dtype=np.bool_) if mask is None else mask
    embedded = partition.has_vector & allowed
    keyword = keyword_scores(partition, terms, options) * allowed
    known = embedded
    if compared is not None:
        raw, known = compared.cosines * allowed, embedded & compared.known
    elif vector is not None:
        raw = (cosines(partition, vector) if raw is None else raw) * allowed
    parts = {"keyword": _scaled_keyword(partition, keyword, allowed, options)}
    if raw is not None and embedded.any():
        parts = _fused(
            parts["keyword"], _scaled_dense(partition, raw, embedded, options), embedded, options
        )
    base = sum(parts.values(), np.zeros(len(partition), dtype=np.float32))
    parts["session"] = options.session_weight * _session_best(partition, base)
    factor = length_factor(partition, terms, options)
    added = bonuses(partition, terms, options) | told(partition, terms, base, options)
    total = sum(added.values(), (base + parts["session"]) * factor)
    parts |= {**added, "answer factor": factor}
    rows = _best(total, allowed, limit)
    reach = options.reach(terms)
    return Ranking(
        rows=rows,
        scores=np.clip(total[rows].astype(np.float64) / reach, 0.0, 1.0),
        cosines=None if raw is None else np.where(known[rows], raw[rows], np.float32(np.nan)),
        keyword=keyword[rows],
        arms=Arms(keyword=keyword, cosines=raw, known=known),
        parts={name: values[rows] for name, values in parts.items()},
        reach=reach,
    )


def _scaled_keyword(
    partition: Partition,
    keyword: NDArray[np.float32],
    allowed: NDArray[np.bool_],
    options: RankOptions,
) -> NDArray[np.float32]:
    """Each turn's words and a share of its neighbours', the best turn at 1."""
    padded = np.append(keyword, np.float32(0))
    spread = padded.take(partition.previous) * np.float32(options.keyword_before)
    spread += padded.take(partition.following) * np.float32(options.keyword_after)
    spread *= standing(partition, options).shortness
    spread += keyword
    spread *= allowed
    highest = float(spread.max(initial=0.0))
    return spread / np.float32(highest) if highest > 0 else spread


def _scaled_dense(
    partition: Partition,
    raw: NDArray[np.float32],
    embedded: NDArray[np.bool_],
    options: RankOptions,
) -> NDArray[np.float32]:
    """The cosine to the turn and to its passage, from 0 for the farthest turn to 1."""
    weight = standing(partition, options).shortness * np.float32(options.window_weight)
    near = raw + weight * (window_means(partition, raw, embedded) - raw)
    low = float(near.min(where=embedded, initial=np.inf))
    high = float(near.max(where=embedded, initial=-np.inf))
    if low > 0:
        # Of a few messages all may be near; the farthest of many is certainly far.
        count = np.count_nonzero(embedded)
        low *= count / (count + _FEW)
    return (near - np.float32(low)) / np.float32(max(high - low, _TINY))


def _fused(
    words: NDArray[np.float32],
    meaning: NDArray[np.float32],
    embedded: NDArray[np.bool_],
    options: RankOptions,
) -> dict[str, NDArray[np.float32]]:
    # A message that is not embedded yet is judged by its words alone.
    meaning = np.where(embedded, meaning, words)
    weight = np.float32(options.keyword_weight)
    return {"keyword": weight * words, "dense": (1 - weight) * meaning}


def _session_best(partition: Partition, base: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of the three best different scores in each message's session."""
    grouped = partition.sessions.grouped
    if not len(grouped.starts):
        return base.copy()
    left = base.take(grouped.rows)
    total = np.zeros(len(grouped.starts), dtype=np.float32)
    for _ in range(_BEST_OF_SESSION):
        best = np.maximum(np.maximum.reduceat(left, grouped.starts), np.float32(0))
        total += best
        np.putmask(left, left == best.repeat(grouped.sizes), np.float32(0))
    total /= np.float32(_BEST_OF_SESSION)
    return total.take(grouped.group_of_row)


def _best(total: NDArray[np.float32], allowed: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
    """The rows with the highest scores, equal ones from the last row down."""
    limit = min(limit, int(np.count_nonzero(allowed)))
    if limit <= 0:
        return np.zeros(0, dtype=np.int64)
    scores = np.where(allowed, total, np.float32(-np.inf))
    least = np.sort(scores)[-limit]  # a partition of many equal ones takes longer
    above = np.flatnonzero(scores > least)
    # of many equal ones, as where no word occurs, only those that are wanted are sorted
    equal = np.flatnonzero(scores == least)[len(above) - limit :]
    return np.concatenate([above[np.lexsort((-above, -total[above]))], equal[::-1]])


def _ranks(
    scores: NDArray[np.float32], counted: NDArray[np.bool_], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The place from 1 of each row among the counted ones; 0 for a row that is not."""
    ordered = np.sort(scores[counted])
    above = len(ordered) - np.searchsorted(ordered, scores[rows], side="right")
    return np.where(counted[rows], above + 1, 0)
