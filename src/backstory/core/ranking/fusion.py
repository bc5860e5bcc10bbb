"""Fuses the arms into one score for each message and takes the best."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.core.ranking.dense import cosines, window_means
from backstory.core.ranking.features import bonuses, length_factor
from backstory.core.ranking.keyword import keyword_scores
from backstory.core.ranking.options import RankOptions
from backstory.core.terms import QueryTerms


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """The best messages, best first; every array has one entry for each.

    Attributes:
        rows: Rows of the partition.
        scores: In [0, 1], falling.
        cosines: To the query's vector; nan where there is no vector. None without a dense arm.
        keyword: BM25 of the message alone.
        keyword_ranks: Place in the keyword arm from 1; 0 where no term occurs.
        dense_ranks: Place in the dense arm from 1; 0 where there is no vector.
        parts: What makes up the score before scaling: "keyword", "dense", "session", "speaker",
            "time", "question", "word for word"; and the "answer factor" on the first three.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    cosines: NDArray[np.float64] | None
    keyword: NDArray[np.float64]
    keyword_ranks: NDArray[np.int64]
    dense_ranks: NDArray[np.int64]
    parts: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)


def rank(
    partition: Partition,
    *,
    terms: QueryTerms,
    vector: NDArray[np.float32] | None,
    mask: NDArray[np.bool_] | None = None,
    limit: int,
    options: RankOptions | None = None,
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

    Raises:
        EmbeddingDimensionError: The query's vector has another size than the partition's.
    """
    options = options or RankOptions()
    allowed = np.ones(len(partition), dtype=np.bool_) if mask is None else mask
    keyword = keyword_scores(partition, terms, options) * allowed
    raw = None if vector is None else cosines(partition, vector) * allowed
    parts = _parts(partition, keyword, raw, allowed, options)
    factor = length_factor(partition, options)
    added = bonuses(partition, terms, options)
    total = factor * sum(parts.values()) + sum(added.values())
    parts |= {**added, "answer factor": factor}
    rows = _best(total, allowed, limit)
    embedded = partition.has_vector & allowed
    return Ranking(
        rows=rows,
        scores=np.clip(total[rows] / options.most, 0.0, 1.0),
        cosines=None if raw is None else np.where(embedded[rows], raw[rows], np.nan),
        keyword=keyword[rows],
        keyword_ranks=_ranks(keyword, keyword > 0, rows),
        dense_ranks=_ranks(raw, embedded, rows) if raw is not None else np.zeros_like(rows),
        parts={name: values[rows] for name, values in parts.items()},
    )


def _parts(
    partition: Partition,
    keyword: NDArray[np.float64],
    raw: NDArray[np.float64] | None,
    allowed: NDArray[np.bool_],
    options: RankOptions,
) -> dict[str, NDArray[np.float64]]:
    """The scaled and weighted scores of the arms and of the session."""
    padded = np.append(keyword, 0.0)
    spread = (
        keyword
        + options.keyword_before * padded[partition.previous]
        + options.keyword_after * padded[partition.following]
    ) * allowed
    words = spread / max(float(spread.max(initial=0.0)), 1e-9)
    embedded = partition.has_vector & allowed
    if raw is None or not embedded.any():
        parts = {"keyword": words}
    else:
        window = window_means(partition, raw, embedded)
        near = (1 - options.window_weight) * raw + options.window_weight * window
        low = min(float(near[embedded].min()), 0.0)
        high = float(near[embedded].max())
        scaled = (near - low) / max(high - low, 1e-9)
        # A message that is not embedded yet is judged by its words alone.
        scaled = np.where(embedded, scaled, words)
        weight = options.keyword_weight
        parts = {"keyword": weight * words, "dense": (1 - weight) * scaled * allowed}
    base = sum(parts.values(), np.zeros(len(partition)))
    parts["session"] = options.session_weight * _session_best(partition, base)
    return parts


def _session_best(partition: Partition, base: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the three best different scores in each message's session."""
    codes = partition.sessions.codes
    left = base.copy()
    total = np.zeros(len(partition.sessions.values))
    for _ in range(3):
        best = np.zeros(len(total))
        np.maximum.at(best, codes, left)
        total += best
        left[left == best[codes]] = 0.0
    return total[codes] / 3


def _best(total: NDArray[np.float64], allowed: NDArray[np.bool_], limit: int) -> NDArray[np.int64]:
    """The rows with the highest scores, equal ones from the last row down."""
    rows = np.flatnonzero(allowed)
    limit = min(limit, len(rows))
    if limit <= 0:
        return rows[:0]
    scores = total[rows]
    least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    rows = rows[scores >= least]
    order = np.lexsort((-rows, -total[rows]))[:limit]
    return np.asarray(rows[order])


def _ranks(
    scores: NDArray[np.float64], counted: NDArray[np.bool_], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The place from 1 of each row among the counted ones; 0 for a row that is not."""
    ordered = np.sort(scores[counted])
    above = len(ordered) - np.searchsorted(ordered, scores[rows], side="right")
    return np.where(counted[rows], above + 1, 0)
