"""What the calls on documents are asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field

from backstory.core.block.lines import BlockLabels

DEFAULT_UNIT = "chapter"


@dataclass(frozen=True, kw_only=True)
class DocumentPlan:
    """What the caller says of a document; None = as it is stored."""

    unit: str | None = None
    planned_chapters: int | None = None


@dataclass(frozen=True, kw_only=True)
class GivenChapter:
    """A chapter as it was given: clean text, a number that can be."""

    number: int
    text: str
    title: str = ""
    summary: str | None = None


@dataclass(frozen=True, kw_only=True)
class BlockRequest:
    """A block as it was asked for.

    Attributes:
        query: None = of what came last; "" = nothing is retrieved.
        as_of: The last chapter that counts, 0 or more.
    """

    chapter: int
    budget: int
    as_of: int
    count: Callable[[str], int]
    query: str | None = None
    knower: str | None = None
    labels: BlockLabels = field(default_factory=BlockLabels)
