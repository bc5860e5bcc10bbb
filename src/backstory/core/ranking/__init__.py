"""Ranks a user's messages for a query."""

from backstory.core.ranking.fusion import Ranking, rank
from backstory.core.ranking.options import RankOptions

__all__ = ["RankOptions", "Ranking", "rank"]
