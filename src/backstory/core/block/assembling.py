"""Puts a block together: sections with shares, packed into the budget.

The text begins with what changes least from chapter to chapter, and the number of the chapter
stands in its last section only: a provider's prompt cache then holds most of it. Shares of the
first four sections are those that the package longform-memory publishes; threads stand beside
them. Spare tokens go to continuity first.

Recent chapters are chosen first, the newest before all others; then the skeleton is that of all
before them, so that no chapter is missing between the two.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from backstory.core.block.arc import Arc, Told
from backstory.core.block.lines import CLOSING, BlockLabels, chapter_line, clipped, plain, preamble
from backstory.core.model.block import Block, BlockPart, BlockSection, LeftOut
from backstory.core.rendering import heading
from backstory.packing.packer import pack
from backstory.packing.sections import DropReason, Frame, Item, Packed, PackedSection, Section

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
# The newest chapters come unbroken, and the most urgent threads; of the others one that is too long
# costs no other.
_PREFIX: Final = frozenset({BlockPart.RECENT, BlockPart.THREADS})
_MOST_PRESSING: Final = 2.0
"""Threads that press may have so many times the share of their section."""
_MOST_UNIT: Final = 60
_MOST_SUMMARY: Final = 4000
# A skeleton whose last chapter does not fit is told in fewer characters of each.
_SHORTER: Final = (_MOST_SUMMARY, 1000, 250, 60)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One item of a section.

    Attributes:
        key: As in ``BlockSection.kept``.
        order: Items are shown in ascending order of it.
        shorter: The same line in fewer characters, ever shorter.
        presses: Whether it is to be shown shorter rather than not at all.
    """

    key: str
    text: str
    order: tuple[Any, ...]
    shorter: tuple[str, ...] = ()
    presses: bool = False


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """What a block may hold.

    Attributes:
        arc: Its chapters.
        lines: The other sections, of each the most important first.
        missing: What could not be had, each with the reason.
    """

    arc: Arc = field(default_factory=Arc)
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
    return _Assembling(gathered, frame, cache(count)).run()


class _Assembling:
    """One call of assemble: packs again while the chapters that fit are not yet found.

    Each time there are fewer recent chapters, or the skeleton is shorter: it ends.
    """

    def __init__(self, gathered: Gathered, frame: BlockFrame, count: Callable[[str], int]) -> None:
        self._gathered = gathered
        self._frame = frame
        self._count = count
        self._newest = len(gathered.arc.recent)
        self._most_chars = 0
        self._has_skeleton = True
        self._limit: int | None = None
        self._pressing: list[Line] | None = None
        self._minimum = 0

    def run(self) -> Block:
        packed = first = self._packed()
        while not self._is_settled(packed):
            packed = self._packed()
        reports = {part: _report(part, packed.section(part)) for part in BlockPart}
        recent = _report(BlockPart.RECENT, first.section(BlockPart.RECENT))
        kept = set(reports[BlockPart.RECENT].kept)
        reports[BlockPart.RECENT] = replace(
            reports[BlockPart.RECENT],
            left_out=tuple(one for one in self._offered(first, recent) if one.key not in kept),
        )
        return Block(
            chapter=self._frame.chapter,
            text=packed.text,
            tokens=packed.tokens,
            budget=self._frame.budget,
            sections=tuple(reports.values()),
            missing=self._gathered.missing,
        )

    def _offered(self, first: Packed[str], recent: BlockSection) -> list[LeftOut]:
        """All recent chapters, the newest first, as if each were left out."""
        full = str(DropReason.SECTION_FULL)
        kept = reversed(first.section(BlockPart.RECENT).kept)
        return [
            *(LeftOut(key=item.key, tokens=item.cost, reason=full) for item in kept),
            *recent.left_out,
        ]

    def _is_settled(self, packed: Packed[str]) -> bool:
        if self._pressing is None and self._drops_what_presses(packed):
            self._shorten(packed.section(BlockPart.THREADS).share)
            return False
        kept = len(packed.section(BlockPart.RECENT).kept)
        if kept < self._newest:
            self._newest = self._gathered.arc.fewer(kept)
            return False
        told = self._skeleton()
        skeleton = packed.section(BlockPart.SKELETON)
        if told and str(told[-1].number) not in {item.key for item in skeleton.kept}:
            if self._most_chars + 1 < len(_SHORTER):
                self._most_chars += 1
            else:
                self._has_skeleton = False
            return False
        competes = skeleton.dropped and packed.section(BlockPart.RETRIEVAL).dropped
        if competes and self._limit is None:
            # else passages, which change with each chapter, would say how much of it is left
            self._limit = skeleton.share
            return False
        return True

    def _drops_what_presses(self, packed: Packed[str]) -> bool:
        pressing = {one.key for one in self._threads() if one.presses}
        return any(item.key in pressing for item in packed.section(BlockPart.THREADS).dropped)

    def _threads(self) -> Sequence[Line]:
        if self._pressing is not None:
            return self._pressing
        return self._gathered.lines.get(BlockPart.THREADS, ())

    def _shorten(self, share: int) -> None:
        """Take the longest form of threads in which all that press fit, else the shortest."""
        most = int(share * _MOST_PRESSING)
        lines = self._threads()
        opening = self._count(f"\n\n{self._heading(BlockPart.THREADS)}")
        for level in range(max(len(line.shorter) for line in lines) + 1):
            self._pressing = [_at_level(line, level) for line in lines]
            needed = opening
            for line in self._pressing:
                if line.presses and needed <= most:
                    needed += self._count(f"\n{line.text}")
            if needed <= most:
                break
        self._minimum = min(needed, most)

    def _skeleton(self) -> list[Told]:
        return self._gathered.arc.before(self._newest) if self._has_skeleton else []

    def _packed(self) -> Packed[str]:
        recent = self._gathered.arc.recent
        lines = {
            **self._gathered.lines,
            BlockPart.THREADS: self._threads(),
            BlockPart.RECENT: _chapters(recent[len(recent) - self._newest :][::-1], _MOST_SUMMARY),
            BlockPart.SKELETON: _chapters(_spread(self._skeleton()), _SHORTER[self._most_chars]),
        }
        frame = self._frame
        around = Frame(preamble=preamble(frame.labels), closing=CLOSING)
        sections = [self._section(part, lines.get(part, ())) for part in BlockPart]
        return pack(sections, frame.budget, self._count, around)

    def _heading(self, part: BlockPart) -> str:
        frame = self._frame
        unit = clipped(plain(frame.unit), _MOST_UNIT)
        return heading(frame.labels.filled(getattr(frame.labels, part), unit, frame.chapter))

    def _section(self, part: BlockPart, lines: Sequence[Line]) -> Section[str]:
        orders = {line.key: line.order for line in lines}
        return Section(
            name=part,
            heading=self._heading(part),
            items=[Item(key=line.key, text=line.text) for line in lines],
            share=SHARES[part],
            priority=_PRIORITY.index(part),
            minimum=self._minimum if part is BlockPart.THREADS else 0,
            maximum=self._limit if part is BlockPart.SKELETON else None,
            mode="prefix" if part in _PREFIX else "skip",
            order=orders.__getitem__,
        )


def _at_level(line: Line, level: int) -> Line:
    if not level or not line.shorter:
        return line
    return replace(line, text=line.shorter[min(level, len(line.shorter)) - 1])


def _chapters(some: Sequence[Told], most_chars: int) -> list[Line]:
    return [
        Line(
            key=str(one.number),
            text=chapter_line(one.number, one.title, one.summary, most_chars),
            order=(one.number,),
        )
        for one in some
    ]


def _spread(some: Sequence[Told]) -> list[Told]:
    """The last, the first, then those in the middle of the gaps between them: the arc, coarsely."""
    count = len(some)
    order = [count - 1, 0] if count > 1 else list(range(count))
    gaps = [(0, count - 1)]
    while gaps:
        first, last = gaps.pop(0)
        middle = (first + last) // 2
        if first < middle < last:
            order.append(middle)
            gaps += [(first, middle), (middle, last)]
    return [some[place] for place in order]


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
