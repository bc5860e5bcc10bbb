"""Puts a block together: sections with shares, packed into the budget.

The text begins with what changes least from chapter to chapter, and the number of the chapter
stands in its last section only: a provider's prompt cache then holds most of it. Shares of the
first four sections are those that the package longform-memory publishes; threads stand beside
them. Spare tokens go to continuity first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from backstory.core.block.lines import CLOSING, BlockLabels, clipped, plain, preamble
from backstory.core.model.block import Block, BlockPart, BlockSection, LeftOut
from backstory.core.rendering import heading
from backstory.packing.packer import pack
from backstory.packing.sections import Frame, Item, PackedSection, Section

SHARES: Final[Mapping[BlockPart, float]] = {
    BlockPart.ENTITIES: 0.217,
    BlockPart.RECENT: 0.337,
    BlockPart.SKELETON: 0.145,
    BlockPart.RETRIEVAL: 0.301,
    BlockPart.THREADS: 0.1,
}
_PRIORITY: Final = (
    BlockPart.RECENT,
    BlockPart.ENTITIES,
    BlockPart.RETRIEVAL,
    BlockPart.THREADS,
    BlockPart.SKELETON,
)
# The newest chapters come unbroken; of the others one that is too long costs no other.
_PREFIX: Final = frozenset({BlockPart.RECENT})
_MOST_UNIT: Final = 60


@dataclass(frozen=True, kw_only=True)
class Line:
    """One item of a section.

    Attributes:
        key: As in ``BlockSection.kept``.
        order: Items are shown in ascending order of it.
    """

    key: str
    text: str
    order: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """What a block may hold, of each section the most important first.

    Attributes:
        missing: What could not be had, each with the reason.
    """

    lines: Mapping[BlockPart, Sequence[Line]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BlockFrame:
    """For which chapter a block is, and in which words.

    Attributes:
        budget: Tokens, 0 or more.
    """

    chapter: int
    unit: str
    budget: int
    labels: BlockLabels = field(default_factory=BlockLabels)


def assemble(gathered: Gathered, frame: BlockFrame, count: Callable[[str], int]) -> Block:
    """The block: the most important lines in at most ``budget`` tokens.

    Raises:
        BudgetError: The counter counts the empty text above the budget.
        ConfigurationError: The counter fails, or returns something else than an int >= 0.
    """
    sections = [_section(part, gathered.lines.get(part, ()), frame) for part in BlockPart]
    around = Frame(preamble=preamble(frame.labels), closing=CLOSING)
    packed = pack(sections, frame.budget, count, around)
    return Block(
        chapter=frame.chapter,
        text=packed.text,
        tokens=packed.tokens,
        budget=frame.budget,
        sections=tuple(_report(part, packed.section(part)) for part in BlockPart),
        missing=gathered.missing,
    )


def _section(part: BlockPart, lines: Sequence[Line], frame: BlockFrame) -> Section[str]:
    orders = {line.key: line.order for line in lines}
    unit = clipped(plain(frame.unit), _MOST_UNIT)
    title = frame.labels.filled(getattr(frame.labels, part), unit, frame.chapter)
    return Section(
        name=part,
        heading=heading(title),
        items=[Item(key=line.key, text=line.text) for line in lines],
        share=SHARES[part],
        priority=_PRIORITY.index(part),
        mode="prefix" if part in _PREFIX else "skip",
        order=orders.__getitem__,
    )


def _report(part: BlockPart, packed: PackedSection[str]) -> BlockSection:
    return BlockSection(
        part=part,
        share=packed.share,
        tokens=packed.used,
        kept=tuple(item.key for item in packed.kept),
        left_out=tuple(
            LeftOut(key=item.key, tokens=item.cost, reason=str(item.reason))
            for item in packed.dropped
        ),
    )
