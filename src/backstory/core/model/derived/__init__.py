"""What is derived from messages, one file for each kind; ``KINDS`` names them all."""

from backstory.core.model.derived.base import Derived
from backstory.core.model.derived.event import Event, Precision
from backstory.core.model.derived.feeling import EmotionalMoment, Sentiment
from backstory.core.model.derived.graph import GraphEntity, Relation, RelationStatus
from backstory.core.model.derived.intention import Intention, IntentionStatus
from backstory.core.model.derived.kinds import KINDS
from backstory.core.model.derived.observation import Observation, ObservationStatus
from backstory.core.model.derived.quality import Quality
from backstory.core.model.derived.summary import Summary, SummaryKind
from backstory.core.model.derived.texture import Texture

__all__ = [
    "KINDS",
    "Derived",
    "EmotionalMoment",
    "Event",
    "GraphEntity",
    "Intention",
    "IntentionStatus",
    "Observation",
    "ObservationStatus",
    "Precision",
    "Quality",
    "Relation",
    "RelationStatus",
    "Sentiment",
    "Summary",
    "SummaryKind",
    "Texture",
]
