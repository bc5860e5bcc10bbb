"""The name of each kind: it stands in the database, in exports and in calls."""

from collections.abc import Mapping

from backstory.core.model.derived.base import Derived
from backstory.core.model.derived.event import Event
from backstory.core.model.derived.feeling import EmotionalMoment
from backstory.core.model.derived.graph import GraphEntity, Relation
from backstory.core.model.derived.intention import Intention
from backstory.core.model.derived.observation import Observation
from backstory.core.model.derived.quality import Quality
from backstory.core.model.derived.summary import Summary
from backstory.core.model.derived.texture import Texture

KINDS: Mapping[str, type[Derived]] = {
    "event": Event,
    "summary": Summary,
    "moment": EmotionalMoment,
    "observation": Observation,
    "texture": Texture,
    "intention": Intention,
    "quality": Quality,
    "entity": GraphEntity,
    "relation": Relation,
}
"""Every kind, in the order in which an archive holds them."""
