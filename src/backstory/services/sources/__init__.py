"""The sources of a context, one file each; the order in ``bootstrap`` is the order in the text."""

from backstory.services.sources.base import Offer, Source, SourceItem
from backstory.services.sources.contradictions import OpenContradictions
from backstory.services.sources.facts import KnownFacts
from backstory.services.sources.recalled import RecalledMessages
from backstory.services.sources.recent import RecentTurns

__all__ = [
    "KnownFacts",
    "Offer",
    "OpenContradictions",
    "RecalledMessages",
    "RecentTurns",
    "Source",
    "SourceItem",
]
