"""Stores full of facts: many slots with their history, through the one writer of facts."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from backstory import AsyncMemory
from backstory.core.model.fact import Evidence
from backstory.core.model.reading import Claim
from backstory.core.model.scope import Scope
from backstory.settings import Settings
from bench.children import must
from bench.filled import Conversations, RandomVectors, settle

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, 9, tzinfo=UTC)
_BATCH = 400


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A user's facts: how many slots, and how many values each had one after the other.

    Attributes:
        user: Whose they are.
        slots: How many slots; each has one current value.
        versions: Values of each slot, a day apart.
    """

    user: str
    slots: int
    versions: int

    @property
    def rows(self) -> int:
        """How many facts there are, history included."""
        return self.slots * self.versions

    @property
    def middle(self) -> datetime:
        """A time at which every slot holds the value of the middle."""
        return START + (self.versions // 2) * DAY + DAY / 2

    def key(self, slot: int) -> str:
        """The name of a slot. Nothing is known of it, so it holds one value that can change."""
        return f"thing{slot % 40}.part{slot}"

    def claims(self, seed: int) -> Iterator[Claim]:
        """What is said, slot by slot, as if imported: known since it was said."""
        texts = Conversations(seed=seed)
        for slot in range(self.slots):
            for version in range(self.versions):
                at = START + version * DAY
                value = f"{texts.text(4)[:-1].lower()} {version}"
                said = Evidence(message_id=f"{slot}.{version}", quote=f"It is {value}")
                yield Claim(
                    key=self.key(slot),
                    value=value,
                    evidence=(said,),
                    said_at=at,
                    valid_from=at,
                    known_from=at,
                    changed=True,
                )


def fill_facts(url: str, shapes: Sequence[Shape]) -> None:
    """Write the facts of users, with random vectors."""
    asyncio.run(_fill(url, shapes))
    settle(url)


async def _fill(url: str, shapes: Sequence[Shape]) -> None:
    settings = Settings(background=False)
    async with AsyncMemory(url, embedder=RandomVectors(), settings=settings) as memory:
        services = await memory._open()
        for seed, shape in enumerate(shapes):
            claims = list(shape.claims(seed))
            for start in range(0, len(claims), _BATCH):
                part = claims[start : start + _BATCH]
                texts = {e.message_id: e.quote for claim in part for e in claim.evidence}
                written = await services.fact_writer.write(
                    Scope("default", shape.user), part, sources=texts
                )
                must(not written.rejections, f"a fact was refused: {written.rejections[:1]}")
