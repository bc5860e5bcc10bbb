"""The part of the demo that asks for an order."""

from typing import Any, Final

from backstory.api import Event, Memory
from backstory.cli import tour
from backstory.cli.events import show_events
from backstory.cli.output import Screen, counted

ITEMS: Final = (
    "moved to Kvillestaden",
    "the first Japanese lesson",
    "the race",
    "Amira's baby was born",
)


def _ordered(memory: Memory, conversation: tour.Conversation) -> list[Event]:
    memory.flush(conversation.user)  # sessions that ended are digested, if they are not yet
    return memory.timeline.order(conversation.user, ITEMS)


def order_data(memory: Memory, conversation: tour.Conversation) -> dict[str, Any]:
    """The same as data."""
    ordered = _ordered(memory, conversation)
    return {"order": [event.to_dict() for event in ordered]}


def show_order(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    """Four things in the order in which they happened, whenever they were told."""
    ordered = _ordered(memory, conversation)
    screen.say("Which came first: ", (", ".join(ITEMS), "bold"), "?\n")
    show_events(screen, ordered)
    if len(ordered) > 1:
        gap = memory.timeline.elapsed(conversation.user, ordered[0], ordered[-1])
        if gap is not None:
            first, last = ordered[0].predicate, ordered[-1].predicate
            screen.say(f'\nFrom "{first}" to "{last}" it was {counted(gap.days, "day")}.')
