"""A block of text for the next chapter whose size does not grow with the number of chapters.

Compatible with the module of the same name in the package ``longform-memory``. Tokens are an
estimate here, which is below the real count for most languages; ``token_upper_bound`` in
``backstory.functions`` is a bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from backstory.packing.filling import fill, spread

__all__ = [
    "DEFAULT_MEMORY_BUDGET",
    "MAX_SKELETON_ENTRIES",
    "SECTION_SHARE",
    "BudgetResult",
    "Fitted",
    "SectionInput",
    "allocate",
    "estimate_tokens",
    "fit_items",
    "fit_sections",
    "skeleton_chapters",
]

T = TypeVar("T")
EntityT = TypeVar("EntityT")
RecentT = TypeVar("RecentT")
SkeletonT = TypeVar("SkeletonT")
RetrievalT = TypeVar("RetrievalT")

DEFAULT_MEMORY_BUDGET: Final = 6000
"""Tokens of a block, where the caller says nothing."""

MAX_SKELETON_ENTRIES: Final = 12
"""The most chapters that stand for everything before the recent ones."""

SECTION_SHARE: dict[str, float] = {
    "entity": 0.217,
    "recent": 0.337,
    "skeleton": 0.145,
    "retrieval": 0.301,
}
"""Each section's part of the budget; a change acts on every later call of ``allocate``."""

_SMALLEST_STRIDE: Final = 10
_CHARACTERS_PER_TOKEN: Final = 4
_CHARACTERS_AT_ONCE: Final = 1 << 15  # what is made of them stays in the cache of the processor

# The blocks that count one token a character: kana, Han (with extension A and compatibility
# ideographs) and Hangul syllables; first and last code point.
_WIDE_BLOCKS: Final = (
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
)


@dataclass
class Fitted(Generic[T]):
    """What fitted.

    Attributes:
        kept: The items that fitted, the same objects, in the order given.
        used_tokens: The sum of their estimates.
        dropped: How many did not fit.
    """

    kept: list[T] = field(default_factory=list)
    used_tokens: int = 0
    dropped: int = 0


@dataclass
class SectionInput(Generic[T]):
    """Candidates for a section.

    Attributes:
        items: The most important first: what does not fit is cut from the end.
        to_text: The text of an item, by which it is measured.
    """

    items: Sequence[T]
    to_text: Callable[[T], str]


@dataclass
class BudgetResult(Generic[EntityT, RecentT, SkeletonT, RetrievalT]):
    """The four sections of a block.

    Attributes:
        entity: Who and what there is.
        recent: The chapters just before.
        skeleton: A few chapters from the start on, that stand for the whole.
        retrieval: What was found for the chapter to be written.
        used_tokens: The sum over the sections.
        budget: The total that was asked for, unchanged.
    """

    entity: Fitted[EntityT]
    recent: Fitted[RecentT]
    skeleton: Fitted[SkeletonT]
    retrieval: Fitted[RetrievalT]
    used_tokens: int
    budget: int


def _class_tables() -> tuple[bytes, bytes]:
    """Tables for the two bytes of a UTF-16 unit; their entries share a bit if the unit is wide.

    A high byte that is wide with every low byte has bit 0, as has each low byte; one that is wide
    with some gets a bit of its own, which those low bytes have as well.
    """
    highs, lows = bytearray(256), bytearray([1] * 256)
    spare_bit = 2
    for first, last in _WIDE_BLOCKS:
        for high in range(first >> 8, (last >> 8) + 1):
            low_from = max(first, high << 8) & 0xFF
            low_to = min(last, (high << 8) + 0xFF) & 0xFF
            if (low_from, low_to) == (0, 0xFF):
                highs[high] = 1
                continue
            highs[high] = spare_bit
            for low in range(low_from, low_to + 1):
                lows[low] |= spare_bit
            spare_bit <<= 1
    return bytes(highs), bytes(lows)


_HIGH_CLASSES, _LOW_CLASSES = _class_tables()
_NEVER_WIDE: Final = bytes(high for high in range(256) if not _HIGH_CLASSES[high])


def _count_wide(text: str) -> int:
    """Characters in the wide blocks.

    The bits of all characters are compared at once, as two large integers: a regular expression
    takes four times as long, a loop fifty times.
    """
    if text.isascii():
        return 0
    if len(text) > _CHARACTERS_AT_ONCE:
        starts = range(0, len(text), _CHARACTERS_AT_ONCE)
        return sum(_count_wide(text[start : start + _CHARACTERS_AT_ONCE]) for start in starts)
    units = text.encode("utf-16-le", "surrogatepass")
    high_bytes = units[1::2]
    if not high_bytes.translate(None, _NEVER_WIDE):
        return 0
    highs = int.from_bytes(high_bytes.translate(_HIGH_CLASSES), "little")
    lows = int.from_bytes(units[::2].translate(_LOW_CLASSES), "little")
    return (highs & lows).bit_count()


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has: kana, Han and Hangul one each, others four to a token.

    The count of a real tokenizer is often higher, by half for Arabic and Hindi and several times
    for emoji; see the page on compatibility.
    """
    if not text:
        return 0
    if isinstance(text, str):
        wide = _count_wide(text)
    else:
        wide = sum(any(first <= ord(char) <= last for first, last in _WIDE_BLOCKS) for char in text)
    others = len(text) - wide
    return wide + -(-others // _CHARACTERS_PER_TOKEN)


def allocate(total: int = DEFAULT_MEMORY_BUDGET) -> dict[str, int]:
    """The tokens of each section, rounded towards zero, so that up to three are not handed out."""
    return {name: int(total * share) for name, share in SECTION_SHARE.items()}


def skeleton_chapters(up_to_chapter: int, exclude_from: int) -> list[int]:
    """The chapters that stand for everything before the recent ones: at most twelve.

    Args:
        up_to_chapter: The chapter to be written; chapters before it exist.
        exclude_from: The first of the recent chapters; chapters before it may be taken.

    Returns:
        Chapter 1 and each that is a stride further, ascending. The stride is at least 10 and grows
        with the number of chapters. The last is up to a stride short of the recent ones.
    """
    last = min(up_to_chapter - 1, exclude_from - 1)
    if last < 1:
        return []
    stride = max(_SMALLEST_STRIDE, -(-last // MAX_SKELETON_ENTRIES))
    return list(range(1, last + 1, stride))


def fit_items(items: Sequence[T], to_text: Callable[[T], str], budget: int) -> Fitted[T]:
    """The longest beginning of the items whose estimates together are within the budget.

    The first item that does not fit ends it; nothing after it is looked at. Tokens of what joins
    the items are not counted.
    """
    measured: list[T] = []  # kept are these: going through the items again may give others

    def cost(item: T) -> int:
        measured.append(item)
        return estimate_tokens(to_text(item))

    places, used = fill(map(cost, items), budget, is_prefix=True)
    kept = measured[: len(places)]
    return Fitted(kept=kept, used_tokens=used, dropped=len(items) - len(kept))


class _Section(Generic[T]):
    """A section that is filled up to its part of the budget, and again with what others left."""

    def __init__(self, section: SectionInput[T], share: int) -> None:
        self._section = section
        self.share = share
        self.fill(share)

    @property
    def used(self) -> int:
        return self.fitted.used_tokens

    @property
    def lacks(self) -> bool:
        return self.fitted.dropped > 0

    def fill(self, limit: int) -> None:
        self.fitted = fit_items(self._section.items, self._section.to_text, limit)


def fit_sections(
    entity: SectionInput[EntityT],
    recent: SectionInput[RecentT],
    skeleton: SectionInput[SkeletonT],
    retrieval: SectionInput[RetrievalT],
    total: int = DEFAULT_MEMORY_BUDGET,
) -> BudgetResult[EntityT, RecentT, SkeletonT, RetrievalT]:
    """Fit four sections into one budget.

    Each is filled up to its share. What is left over goes to those that had to drop something:
    recent first, then entity, retrieval, skeleton.

    Args:
        entity: Who and what there is, the most important first.
        recent: The chapters just before. The *first* are kept: give the newest first.
        skeleton: Chapters that stand for the whole.
        retrieval: What was found, the best first.
        total: Tokens, by ``estimate_tokens``; what joins the items is not counted.

    Returns:
        The items of each section. ``used_tokens`` is at most ``total`` if that is not negative.
    """
    shares = allocate(total)
    recents = _Section(recent, shares["recent"])
    entities = _Section(entity, shares["entity"])
    found = _Section(retrieval, shares["retrieval"])
    bones = _Section(skeleton, shares["skeleton"])
    by_rank: list[_Section[Any]] = [recents, entities, found, bones]
    spread(by_rank, sum(section.share - section.used for section in by_rank))
    return BudgetResult(
        entity=entities.fitted,
        recent=recents.fitted,
        skeleton=bones.fitted,
        retrieval=found.fitted,
        used_tokens=sum(section.used for section in by_rank),
        budget=total,
    )
