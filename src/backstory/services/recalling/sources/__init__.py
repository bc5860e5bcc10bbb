"""The sources of a context, one file each; the order in ``bootstrap`` is the order in the text."""

from backstory.services.recalling.sources.base import Offer, Source, SourceItem
from backstory.services.recalling.sources.contradictions import OpenContradictions
from backstory.services.recalling.sources.emotions import EmotionalMoments
from backstory.services.recalling.sources.facts import KnownFacts
from backstory.services.recalling.sources.graph import RelatedEntities
from backstory.services.recalling.sources.intention import IntentionOfToday
from backstory.services.recalling.sources.observations import ActiveObservations
from backstory.services.recalling.sources.recalled import RecalledMessages
from backstory.services.recalling.sources.recent import RecentTurns
from backstory.services.recalling.sources.summaries import SessionSummaries
from backstory.services.recalling.sources.texture import LeftOff
from backstory.services.recalling.sources.timeline import DatedEvents

__all__ = [
    "ActiveObservations",
    "DatedEvents",
    "EmotionalMoments",
    "IntentionOfToday",
    "KnownFacts",
    "LeftOff",
    "Offer",
    "OpenContradictions",
    "RecalledMessages",
    "RecentTurns",
    "RelatedEntities",
    "SessionSummaries",
    "Source",
    "SourceItem",
]
