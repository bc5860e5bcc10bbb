"""Messages that are read in the transaction that stores them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backstory.core.facts.book import FactPlan, FactsWanted
    from backstory.core.model.fact import Fact
    from backstory.ports.facts import FactText, NewTexts, Planner, Unread

Stamp = tuple[int, int]
"""(next number, epoch of the facts) of a user, as ``FactStore.stamp`` gives them."""


@dataclass(frozen=True, kw_only=True)
class FactChange:
    """What a reading asks for and plans; see ``FactStore.change``."""

    wanted: FactsWanted
    announced: frozenset[tuple[str, str, str]]
    plan: Planner
    texts: Callable[[Sequence[Fact]], NewTexts]


@dataclass(frozen=True, kw_only=True)
class ReadNow:
    """What a reader made of messages.

    Attributes:
        change: What it writes; None if nothing was said.
        made: For who reads; the store gives it back.
    """

    change: FactChange | None
    made: object


@dataclass(frozen=True, kw_only=True)
class NewerFacts:
    """Facts that changed since a caller looked.

    Attributes:
        stamp: What they are current for.
        texts: Those that changed, or all.
        is_whole: Whether they are all there are: what was known before counts no more.
    """

    stamp: Stamp
    texts: Sequence[FactText]
    is_whole: bool


@dataclass(frozen=True, kw_only=True)
class AtOnce:
    """Reads messages while they are stored. It may be called more than once, and in any thread.

    Attributes:
        stamp: What the caller knows of the user's facts is current for it.
        seen: The highest ``change_no`` of them, -1 if there are none.
        read: Is given the messages, and the facts that changed since; None = none did. A pure
            function, but for the ids and the time that it takes.
    """

    stamp: Stamp
    seen: int
    read: Callable[[Unread, NewerFacts | None], ReadNow]


@dataclass(frozen=True, kw_only=True)
class ReadDone:
    """A reading that was stored with its messages.

    Attributes:
        made: Of ``ReadNow``.
        plan: What was written.
        newer: The facts that the reading was given.
        stamp: What the facts known to the reading are current for now; None if it wrote some.
    """

    made: object
    plan: FactPlan
    newer: NewerFacts | None
    stamp: Stamp | None
