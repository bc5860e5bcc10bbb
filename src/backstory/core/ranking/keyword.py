"""The keyword arm: BM25 with the user's own document frequencies."""

import math

import numpy as np
from numpy.typing import NDArray

from backstory.core.partition import Partition
from backstory.core.ranking.options import RankOptions
from backstory.core.terms import QueryTerms


def keyword_scores(
    partition: Partition, terms: QueryTerms, options: RankOptions
) -> NDArray[np.float32]:
    """Return the BM25 score of every message, 0 where no term of the query occurs.

    Okapi BM25 with Lucene's idf, log(1 + (n - df + 0.5) / (df + 0.5)), which is never negative
    (Robertson & Zaragoza 2009). Only the rarest terms are scored, so that a long query costs no
    more than a short one.
    """
    size = len(partition)
    scores = np.zeros(size, dtype=np.float32)
    found = [partition.find(key) for key in terms.keys]
    found = [(rows, counts) for rows, counts in found if len(rows)]
    if not found:
        return scores
    found.sort(key=lambda posting: len(posting[0]))
    lengths = partition.term_counts
    mean = max(float(lengths.sum(dtype=np.float64)) / size, 1.0)
    shortest = np.float32(options.k1 * (1 - options.b))
    slope = np.float32(options.k1 * options.b / mean)
    for rows, counts in found[: options.most_terms]:
        idf = np.float32(math.log(1 + (size - len(rows) + 0.5) / (len(rows) + 0.5)))
        scores[rows] += idf * counts / (counts + shortest + slope * lengths[rows])
    return scores
