"""Fit sections of items into a token budget that is never exceeded.

The packer knows nothing of conversations or chapters: it takes sections of texts in order
of importance and a function that counts tokens. The method is

1. count each item once, with the separator before it;
2. give each section its share and fill it greedily, in order of importance;
3. give what is left over to the sections that had to drop something, in order of priority;
4. count the whole text. Tokens do not add up (a tokenizer may merge, or split, across a
   seam), so items are cut from the least important end until the count of the *whole*
   text is within the budget, and room that the sum did not show is filled.

A counter is called once per item and heading, and at most about ``2 log2(items) + 8`` times for
a whole text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeAlias

from backstory.errors import BudgetError, ConfigurationError
from backstory.packing.filling import Demand, fill, share_out, spread
from backstory.packing.sections import (
    Dropped,
    DropReason,
    Frame,
    Item,
    K,
    Kept,
    Packed,
    PackedSection,
    Section,
    check_call,
)

__all__ = [
    "CountTokens",
    "DropReason",
    "Dropped",
    "Frame",
    "Item",
    "Kept",
    "Packed",
    "PackedSection",
    "Section",
    "checked_count",
    "pack",
]

CountTokens: TypeAlias = Callable[[str], int]

_GROWTH_TRIALS: Final = 4


@dataclass(slots=True)
class _Slot(Generic[K]):
    """A section while it is being packed.

    ``kept`` are indices of items, ascending; ``used`` is their cost and the heading's. ``places``
    is where each item stands in the text among all of them, once it was asked for.
    """

    section: Section[K]
    rank: int
    heading: int
    costs: list[int]
    share: int = 0
    limit: int = 0
    kept: list[int] = field(default_factory=list)
    used: int = 0
    places: list[int] | None = None

    @property
    def lacks(self) -> bool:
        return len(self.kept) < len(self.costs)

    @property
    def demand(self) -> Demand:
        section = self.section
        minimum = section.minimum if self.costs else 0
        return Demand(share=section.share, minimum=minimum, maximum=section.maximum)

    def capped(self, tokens: int) -> int:
        maximum = self.section.maximum
        return tokens if maximum is None else min(tokens, maximum)

    def clear(self) -> None:
        self.kept, self.used = [], 0

    def take(self, index: int) -> None:
        if not self.kept:
            self.used = self.heading
        self.kept.append(index)
        self.used += self.costs[index]

    def fill(self, limit: int) -> None:
        """Take items greedily, in order of importance, up to ``limit`` tokens."""
        self.limit = self.capped(limit)
        is_prefix = self.section.mode == "prefix"
        self.kept, self.used = fill(
            self.costs, self.limit, opening=self.heading, is_prefix=is_prefix
        )


_Pick: TypeAlias = tuple[int, int]  # (rank of the section, index of the item): sorts by importance


def checked_count(count: CountTokens, text: str) -> int:
    """``count(text)``, refused unless it is an int of at least 0.

    Raises:
        ConfigurationError: The counter returned something else, or failed (``__cause__``).
    """
    try:
        tokens = count(text)
    except ConfigurationError:
        raise
    except Exception as error:
        name = getattr(count, "__name__", type(count).__name__)
        raise ConfigurationError(
            f"the token counter {name} failed: {type(error).__name__}: {error}"
        ) from error
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        message = f"the token counter must return an int >= 0; it returned {tokens!r}"
        raise ConfigurationError(message)
    return tokens


def pack(
    sections: Sequence[Section[K]],
    budget: int,
    count: CountTokens,
    frame: Frame | None = None,
) -> Packed[K]:
    """The most important items as one text of at most ``budget`` tokens.

    When nothing fits the text is empty, without preamble. Same input, same text.

    Args:
        sections: In the order of the text.
        budget: Tokens, >= 0.
        count: Tokens of a text; any function, additive or not.
        frame: Preamble, closing and separators.

    Raises:
        InvalidInputError: A negative or non-int budget, or a section that cannot be meant.
        BudgetError: The counter counts the empty text above the budget.
        ConfigurationError: The counter returned something else than an int >= 0.
    """
    check_call(sections, budget)
    return _Packing(sections, budget, count, frame or Frame()).run()


class _Packing(Generic[K]):
    """One call of pack: measure, share out, spread the spare tokens, verify."""

    def __init__(
        self, sections: Sequence[Section[K]], budget: int, count: CountTokens, frame: Frame
    ) -> None:
        self._budget = budget
        self._frame = frame
        self._counter = count
        self._empty = checked_count(count, "")
        if self._empty > budget:
            message = (
                f"the budget is {budget} tokens, but the token counter counts "
                f"{self._empty} for the empty text; give a larger budget or another counter"
            )
            raise BudgetError(message)
        self._slots = self._measure(sections)
        self._by_rank = sorted(self._slots, key=lambda slot: slot.rank)
        # lists of picks are never changed, so what was done with the last one is not done again
        self._now_set: Sequence[_Pick] | None = None
        self._rendered: tuple[Sequence[_Pick] | None, str] = (None, "")
        # Each section's heading is counted with the separator before it; the first has none.
        self._available = budget - self._empty + self._cost(frame.section_separator)
        if frame.preamble:
            self._available -= self._cost(frame.preamble + frame.separator)
        if frame.closing:
            self._available -= self._cost(frame.separator + frame.closing)

    def run(self) -> Packed[K]:
        self._share_out()
        self._spread_spare()
        picks = [(slot.rank, i) for slot in self._by_rank for i in slot.kept]
        picks, tokens = self._trim(picks)
        picks, tokens = self._grow(picks, tokens)
        text = self._render(picks)
        self._set(picks)
        return Packed(
            text=text,
            tokens=tokens,
            budget=self._budget,
            sections=tuple(self._report(slot) for slot in self._slots),
        )

    def _cost(self, text: str) -> int:
        # Without what the counter adds to every text, such as a start token.
        return max(0, checked_count(self._counter, text) - self._empty)

    def _measure(self, sections: Sequence[Section[K]]) -> list[_Slot[K]]:
        order = sorted(range(len(sections)), key=lambda number: sections[number].priority)
        ranks = {number: rank for rank, number in enumerate(order)}
        seam = self._cost(self._frame.separator)
        return [
            _Slot(
                section,
                ranks[number],
                self._heading_cost(section, seam),
                self._item_costs(section.items, seam),
            )
            for number, section in enumerate(sections)
        ]

    def _heading_cost(self, section: Section[K], seam: int) -> int:
        if not section.items:
            return 0
        opening = self._cost(self._frame.section_separator + section.heading)
        return opening if section.heading else max(0, opening - seam)

    def _item_costs(self, items: Sequence[Item[K]], seam: int) -> list[int]:
        separator, empty, count = self._frame.separator, self._empty, self._counter
        return [
            max(0, checked_count(count, separator + item.text) - empty)
            if item.cost_hint is None
            else max(0, item.cost_hint - empty) + seam
            for item in items
        ]

    def _share_out(self) -> None:
        demands = [slot.demand for slot in self._by_rank]
        tokens = share_out(max(0, self._available), demands)
        for slot, share in zip(self._by_rank, tokens, strict=True):
            slot.share = share
            slot.fill(share)

    def _spread_spare(self) -> None:
        spread(self._by_rank, self._available - sum(slot.used for slot in self._slots))

    def _whole(self, picks: Sequence[_Pick]) -> int:
        return checked_count(self._counter, self._render(picks)) if picks else self._empty

    def _trim(self, picks: list[_Pick]) -> tuple[list[_Pick], int]:
        """Cut the fewest of the least important items after which the text fits."""
        keep = len(picks)
        tokens = self._whole(picks)
        if tokens <= self._budget:
            return picks, tokens
        fits, tokens_fit, step = 0, self._empty, 1
        too_many = keep
        while keep > 0:
            keep = max(0, too_many - step)
            tokens = self._whole(picks[:keep])
            if tokens <= self._budget:
                fits, tokens_fit = keep, tokens
                break
            too_many, step = keep, step * 2
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            tokens = self._whole(picks[:middle])
            if tokens <= self._budget:
                fits, tokens_fit = middle, tokens
            else:
                too_many = middle
        return picks[:fits], tokens_fit

    def _grow(self, picks: list[_Pick], tokens: int) -> tuple[list[_Pick], int]:
        """Add items where the whole text came out below the sum of its parts."""
        refused: set[_Pick] = set()
        most = 1 << 62
        for _ in range(_GROWTH_TRIALS):
            more = self._candidates(picks, refused, self._budget - tokens)[:most]
            if not more:
                break
            trial = sorted({*picks, *more})
            counted = self._whole(trial)
            if counted <= self._budget:
                picks, tokens = trial, counted
            elif len(more) == 1:
                refused.add(more[0])
            else:
                most = len(more) // 2
        return picks, tokens

    def _candidates(self, picks: Sequence[_Pick], refused: set[_Pick], spare: int) -> list[_Pick]:
        if not picks:  # the preamble and the closing come with the first item
            spare = min(spare, self._available)
        self._set(picks)
        found: list[_Pick] = []
        for slot in self._by_rank:
            kept = set(slot.kept)
            room = spare if slot.section.maximum is None else slot.section.maximum - slot.used
            room = min(room, spare)
            opening = 0 if kept else slot.heading
            for index, cost in enumerate(slot.costs):
                if index in kept:
                    continue
                pick = (slot.rank, index)
                if opening + cost <= room and pick not in refused:
                    found.append(pick)
                    room -= opening + cost
                    spare -= opening + cost
                    opening = 0
                elif slot.section.mode == "prefix":
                    break
        return found

    def _set(self, picks: Sequence[_Pick]) -> None:
        if picks is self._now_set:
            return
        self._now_set = picks
        for slot in self._slots:
            slot.clear()
        for rank, index in picks:
            self._by_rank[rank].take(index)

    def _render(self, picks: Sequence[_Pick]) -> str:
        if picks is self._rendered[0]:
            return self._rendered[1]
        text = self._new_text(picks)
        self._rendered = picks, text
        return text

    def _new_text(self, picks: Sequence[_Pick]) -> str:
        if not picks:
            return ""
        self._set(picks)
        frame = self._frame
        blocks = []
        for slot in self._slots:
            if slot.kept:
                lines = [slot.section.heading] if slot.section.heading else []
                lines += (slot.section.items[i].text for i in self._in_order(slot))
                blocks.append(frame.separator.join(lines))
        body = frame.section_separator.join(blocks)
        above = [frame.preamble] if frame.preamble else []
        below = [frame.closing] if frame.closing else []
        return frame.separator.join([*above, body, *below])

    @staticmethod
    def _in_order(slot: _Slot[K]) -> list[int]:
        order, items = slot.section.order, slot.section.items
        if order is None:
            return slot.kept
        if slot.places is None:
            ordered = sorted(range(len(items)), key=lambda index: order(items[index].key))
            slot.places = [0] * len(items)
            for place, index in enumerate(ordered):
                slot.places[index] = place
        return sorted(slot.kept, key=slot.places.__getitem__)

    def _report(self, slot: _Slot[K]) -> PackedSection[K]:
        items, costs = slot.section.items, slot.costs
        kept = set(slot.kept)
        gone = [i for i in range(len(items)) if i not in kept]
        return PackedSection(
            name=slot.section.name,
            share=slot.share,
            limit=max(slot.limit, slot.used),
            used=slot.used,
            kept=tuple([Kept(items[i].key, costs[i]) for i in self._in_order(slot)]),
            dropped=tuple([Dropped(items[i].key, costs[i], self._reason(slot, i)) for i in gone]),
        )

    def _reason(self, slot: _Slot[K], index: int) -> DropReason:
        alone = slot.heading + slot.costs[index]
        if alone > self._available:
            return DropReason.LARGER_THAN_BUDGET
        if alone > slot.limit:
            had_room = slot.share > slot.heading or alone > slot.capped(alone)
            return DropReason.LARGER_THAN_SECTION if had_room else DropReason.NO_BUDGET_LEFT
        if slot.section.mode == "prefix" and index > len(slot.kept):
            return DropReason.AFTER_A_GAP
        if slot.used + slot.costs[index] > slot.limit:
            return DropReason.SECTION_FULL
        return DropReason.NO_BUDGET_LEFT
