"""Decisions about the quality of responses: what belongs together, what is written. Pure."""

from backstory.core.quality.exchanges import Exchange, exchanges_of
from backstory.core.quality.keeping import checked, quality_id, rescored, resolved, score_new
from backstory.core.quality.stats import stats_of

__all__ = [
    "Exchange",
    "checked",
    "exchanges_of",
    "quality_id",
    "rescored",
    "resolved",
    "score_new",
    "stats_of",
]
