"""What one answer gave, as it is collected."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from backstory.core.model.found import (
    FoundEntity,
    FoundEvent,
    FoundIntention,
    FoundMoment,
    FoundRelation,
    FoundSummary,
)
from backstory.core.model.reading import Behaviour, Claim, ClaimRejection, Reading


@dataclass
class Findings:
    """Lists as those of ``Reading``."""

    claims: list[Claim] = field(default_factory=list)
    rejections: list[ClaimRejection] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)
    events: list[FoundEvent] = field(default_factory=list)
    moments: list[FoundMoment] = field(default_factory=list)
    intentions: list[FoundIntention] = field(default_factory=list)
    entities: list[FoundEntity] = field(default_factory=list)
    relations: list[FoundRelation] = field(default_factory=list)
    summaries: list[FoundSummary] = field(default_factory=list)

    def add(self, other: "Findings") -> None:
        """Take what another answer gave behind what is there."""
        for one in fields(self):
            getattr(self, one.name).extend(getattr(other, one.name))

    def reading(self, usage: Mapping[str, int]) -> Reading:
        """All of it, each thing once; of a session's summaries the last, which holds the others."""
        found = {one.name: tuple(dict.fromkeys(getattr(self, one.name))) for one in fields(self)}
        last = {summary.session_id: summary for summary in self.summaries}
        return Reading(**{**found, "summaries": tuple(last.values())}, usage=dict(usage))
