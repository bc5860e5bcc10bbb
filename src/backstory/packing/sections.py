"""What goes into the packer and what comes out of it: items, sections, the packed text.

Of what there are hundreds in a call, records are named tuples: they are made in a third of the time
of a frozen dataclass.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from backstory.errors import InvalidInputError

K = TypeVar("K")


class DropReason(StrEnum):
    """Why an item is not in the text."""

    LARGER_THAN_BUDGET = "larger than the budget"
    LARGER_THAN_SECTION = "larger than its section"
    SECTION_FULL = "section full"
    AFTER_A_GAP = "after an item that did not fit"
    NO_BUDGET_LEFT = "no budget left"


class Item(NamedTuple, Generic[K]):
    """A text that is kept whole or dropped.

    ``cost_hint`` is its token count, when an earlier count with the same counter is known.
    """

    key: K
    text: str
    cost_hint: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Section(Generic[K]):
    """Items under one heading.

    Args:
        name: Unique among the sections of one call.
        items: The most important first.
        heading: The line above the items; "" for none. A section without items shows none.
        share: Its part of the budget, relative to the sum of all sections' shares; >= 0.
        priority: The order in which sections are given spare tokens, and the reverse of the
            order in which they lose items; lowest first, equal ones as given.
        minimum: Tokens that it is given, if it has items, before shares count.
        maximum: Tokens, heading included, that it never exceeds by the sum of its costs.
        mode: ``skip`` passes over an item that does not fit, ``prefix`` ends there.
        order: Sort key, from an item's key, for the order in the text; None as given. With
            items given newest first and a key of their time, the newest win and are
            rendered in order.
    """

    name: str
    items: Sequence[Item[K]]
    heading: str = ""
    share: float = 1.0
    priority: int = 0
    minimum: int = 0
    maximum: int | None = None
    mode: Literal["skip", "prefix"] = "skip"
    order: Callable[[K], Any] | None = None


class Kept(NamedTuple, Generic[K]):
    """An item in the text, with its cost in tokens."""

    key: K
    cost: int


class Dropped(NamedTuple, Generic[K]):
    """An item that is not in the text, with its cost in tokens and the reason."""

    key: K
    cost: int
    reason: DropReason


@dataclass(frozen=True, kw_only=True, slots=True)
class PackedSection(Generic[K]):
    """What became of one section.

    ``share`` is what it was given, ``limit`` what it had with spare tokens of others,
    ``used`` the sum of its heading and kept items. ``kept`` is in the order of the text,
    ``dropped`` in order of importance.
    """

    name: str
    share: int
    limit: int
    used: int
    kept: tuple[Kept[K], ...]
    dropped: tuple[Dropped[K], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Packed(Generic[K]):
    """A text within its budget: ``tokens == count(text) <= budget``."""

    text: str
    tokens: int
    budget: int
    sections: tuple[PackedSection[K], ...]

    def section(self, name: str) -> PackedSection[K]:
        """The section of this name; KeyError if there is none."""
        for section in self.sections:
            if section.name == name:
                return section
        raise KeyError(name)


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """What stands around and between the items; all of it is counted."""

    preamble: str = ""
    closing: str = ""
    separator: str = "\n"
    section_separator: str = "\n\n"


def check_call(sections: Sequence[Section[K]], budget: int) -> None:
    """Refuse a budget or sections that cannot be meant, with InvalidInputError."""
    if isinstance(budget, bool) or not isinstance(budget, int):
        message = f"the budget must be an int, a number of tokens; it is {budget!r}"
        raise InvalidInputError(message)
    if budget < 0:
        message = f"the budget must be at least 0 tokens; it is {budget}"
        raise InvalidInputError(message)
    names: set[str] = set()
    for section in sections:
        _check_section(section)
        if section.name in names:
            message = f"two sections are called {section.name!r}"
            raise InvalidInputError(message)
        names.add(section.name)


def _check_section(section: Section[K]) -> None:
    problem = ""
    if not (math.isfinite(section.share) and section.share >= 0):
        problem = f"share must be a finite number >= 0; it is {section.share!r}"
    elif section.minimum < 0:
        problem = f"minimum must be >= 0; it is {section.minimum}"
    elif section.maximum is not None and section.maximum < section.minimum:
        problem = f"maximum {section.maximum} is below minimum {section.minimum}"
    elif section.mode not in ("skip", "prefix"):
        problem = f"mode must be 'skip' or 'prefix'; it is {section.mode!r}"
    if problem:
        message = f"section {section.name!r}: {problem}"
        raise InvalidInputError(message)
