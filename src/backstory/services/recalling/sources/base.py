"""What a source of the context is."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from backstory.core.model.derived import Texture
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.fact import Fact
from backstory.services.recalling.requests import Question


class SourceItem(NamedTuple):
    """Something a source offers for the context. There are hundreds of them in a call.

    Attributes:
        text: As it will be rendered.
        order: Items are shown in ascending order of it.
        score: The source's own score, or None.
        message_ids: The messages behind it.
        profile: The kind of recall that found it, or None.
        neighbour_of: The message beside which it was said, if it is shown because of that one.
        fact: The fact that it shows, or None.
        contradiction_id: The contradiction that it shows, or None.
        texture: Where a conversation was left off, if it shows that.
        intention: What it brings up, or None.
        if_left_out: What undoes the effect that finding it had, if it is not shown.
        restates: The ids of facts that it says again, and nothing else: where these are shown by
            another source it is left out. Empty = it says something of its own.
    """

    text: str
    order: tuple[Any, ...]
    score: float | None = None
    message_ids: tuple[str, ...] = ()
    profile: str | None = None
    neighbour_of: str | None = None
    fact: Fact | None = None
    contradiction_id: str | None = None
    texture: Texture | None = None
    intention: IntentionPrompt | None = None
    if_left_out: Callable[[], Awaitable[None]] | None = None
    restates: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What a source found, the most important first.

    Attributes:
        report: How it recalled, if it did: the profile and why, the floor, and numbers.
    """

    items: tuple[SourceItem, ...] = ()
    degraded: str | None = None
    report: Mapping[str, Any] | None = None


class Source(Protocol):
    """One source: a name, a heading, a share of the budget, and how to gather items.

    A new source is one file that implements this and one line in ``bootstrap``.

    Attributes:
        name: As in ``context(sources=[…])`` and in ``explain()``.
        heading: Over its section in the text.
        share: Part of the budget, relative to the other sources.
        priority: Who gets spare tokens first; lowest first.
    """

    name: str
    heading: str
    share: float
    priority: int

    async def gather(self, question: Question) -> Offer:
        """Find items, the most important first. It is cancelled at its time limit."""
        ...
