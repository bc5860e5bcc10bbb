"""The sources of a context, one file each; the order here is the order in the text."""

from backstory.services.sources.base import Offer, Source, SourceItem
from backstory.services.sources.recalled import RecalledMessages
from backstory.services.sources.recent import RecentTurns

__all__ = ["Offer", "RecalledMessages", "RecentTurns", "Source", "SourceItem"]
