"""A context: the text for the model, and where each line of it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backstory.core.model.derived import Texture
from backstory.core.model.derived.intention import IntentionPrompt
from backstory.core.model.fact import Fact
from backstory.core.model.record import Record


@dataclass(frozen=True, kw_only=True, init=False)
class ContextItem(Record):
    """One item that a source offered.

    Attributes:
        source: The name of the source.
        text: As it is rendered.
        tokens: Its cost by the counter of this context.
        score: The source's own score, or None.
        message_ids: The messages behind it.
        kept: Whether it is in the text.
        reason: Why it was left out, else None.
        profile: The kind of recall that found it; None for what was not recalled.
        neighbour_of: The id of the hit beside which it was said, if it is shown because of that.
    """

    source: str
    text: str
    tokens: int
    score: float | None = None
    message_ids: tuple[str, ...] = ()
    kept: bool = True
    reason: str | None = None
    profile: str | None = None
    neighbour_of: str | None = None

    def __init__(
        self,
        *,
        source: str,
        text: str,
        tokens: int,
        score: float | None = None,
        message_ids: tuple[str, ...] = (),
        kept: bool = True,
        reason: str | None = None,
        profile: str | None = None,
        neighbour_of: str | None = None,
    ) -> None:
        # a call makes hundreds: all at once takes half the time of one field after the other
        self.__dict__.update(
            source=source,
            text=text,
            tokens=tokens,
            score=score,
            message_ids=message_ids,
            kept=kept,
            reason=reason,
            profile=profile,
            neighbour_of=neighbour_of,
        )


@dataclass(frozen=True, kw_only=True)
class ContextSection(Record):
    """What one source got of the budget.

    Attributes:
        share: Tokens it could use before spare tokens were handed out.
        tokens: Tokens it used.
        kept, dropped: Numbers of items.
        problem: Why the source gave nothing (time limit, error), else None.
    """

    name: str
    share: int
    tokens: int
    kept: int
    dropped: int
    problem: str | None = None


@dataclass(frozen=True, kw_only=True)
class Context(Record):
    """A context that keeps its budget: ``tokens <= max_tokens`` by the counter that was used.

    Attributes:
        text: Ready for a system prompt.
        tokens: ``count(text)``.
        max_tokens: The budget.
        items: The items in the text, in order of their sections.
        dropped: The items that were left out, with the reason.
        sections: One for each source asked.
        facts: The facts in the text, in its order.
        texture: Where the last conversation was left off, if the text says it.
        intention: What the text brings up of the user's intentions, if it was asked for.
        sources_responded: "2/2": how many of the sources asked gave an answer in time.
        degraded: What was missing, in words; empty when all is well.
        recall: How messages were recalled: "profile" and "route" (why), "floor", "top_k",
            "candidates", "per_session", "window"; None when that source was not asked, or failed.
    """

    text: str
    tokens: int
    max_tokens: int
    items: tuple[ContextItem, ...] = ()
    dropped: tuple[ContextItem, ...] = ()
    sections: tuple[ContextSection, ...] = ()
    facts: tuple[Fact, ...] = ()
    texture: Texture | None = None
    intention: IntentionPrompt | None = None
    sources_responded: str = "0/0"
    degraded: tuple[str, ...] = ()
    recall: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return self.text

    def explain(self) -> list[dict[str, Any]]:
        """For each item, kept or left out: source, score, tokens, messages, profile, and why."""
        return [item.to_dict() for item in (*self.items, *self.dropped)]
