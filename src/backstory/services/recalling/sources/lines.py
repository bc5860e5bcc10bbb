"""Messages as lines of a context, rendered once for as long as the message is kept in memory."""

from datetime import tzinfo
from typing import NamedTuple
from weakref import ref

from backstory.core.model.message import Message
from backstory.core.rendering import render_message
from backstory.core.times import date_in, to_micros


class Line(NamedTuple):
    """A message as one item.

    Attributes:
        text: As it will be rendered.
        said: When it was said, in µs since 1970 UTC.
    """

    text: str
    said: float


class _Known(NamedTuple):
    """A line, and what it was made of."""

    message: "_Of"
    zone: tzinfo
    clip: int
    line: Line


class _Of(ref[Message]):
    """The message of a line; it does not keep the message alive."""

    __slots__ = ("place",)
    place: int


class Lines:
    """Renders messages.

    A message never changes. Those that searches find are kept by the store, so the same object
    comes again; when it goes, because it was edited, deleted, or not used for long, its line goes
    with it.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def of(self, message: Message, zone: tzinfo, clip: int = 0) -> Line:
        """Render a message.

        Args:
            message: What was said.
            zone: Its date is shown in it.
            clip: The text is cut to this many characters; 0 = never.
        """
        place = id(message)
        known = self._known.get(place)
        if known is not None and known.zone is zone and known.clip == clip:
            return known.line
        line = Line(rendered(message, zone, clip), float(to_micros(message.timestamp)))
        of = _Of(message, self._forget)
        of.place = place
        self._known[place] = _Known(of, zone, clip, line)
        return line

    def _forget(self, message: ref[Message]) -> None:
        if isinstance(message, _Of):
            self._known.pop(message.place, None)


def rendered(message: Message, zone: tzinfo, clip: int = 0) -> str:
    """A message as one item, with its date in a zone."""
    return render_message(
        _clipped(message.text, clip),
        role=str(message.role),
        speaker=message.speaker,
        when=date_in(message.timestamp, zone),
    )


def _clipped(text: str, most: int) -> str:
    if not most or len(text) <= most:
        return text
    return text[: most - 1].rstrip() + "…"
