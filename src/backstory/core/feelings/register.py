"""The emotional register of the last part of a conversation, in a few words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NEUTRAL: Final = 0.15
"""Of valence: within this of 0 it is neither pleasant nor unpleasant."""
STRONG: Final = 0.75
LAST: Final = 6
"""Messages of the user that are the last part: some minutes of a chat."""
_MOST_TAGS: Final = 3
_NO_FEELINGS: Final = frozenset({"mixed", "sarcasm"})


@dataclass(frozen=True, kw_only=True)
class Felt:
    """What one message shows.

    Attributes:
        valence: From -1 to 1.
        strength: From 0 to 1.
        tags: Names of feelings.
    """

    valence: float
    strength: float = 0.0
    tags: tuple[str, ...] = ()


def register_of(felt: Sequence[Felt]) -> str:
    """Such as "even", "pleasant: gratitude", "unpleasant, then pleasant: worry, relief".

    Args:
        felt: Of the last messages of the user that could be read, oldest first; empty = "".
    """
    if not felt:
        return ""
    signs = [_word(one) for one in felt if abs(one.valence) > NEUTRAL]
    turns = [word for at, word in enumerate(signs) if at == 0 or word != signs[at - 1]]
    if not turns:
        return "even"
    strong = "strongly " if any(one.strength >= STRONG for one in felt) else ""
    tone = f"{strong}{turns[0]}"
    if len(turns) > 1:
        tone = f"{turns[0]}, then {turns[-1]}" if turns[0] != turns[-1] else f"mixed, {turns[-1]}"
    tags = dict.fromkeys(tag for one in felt for tag in one.tags if tag not in _NO_FEELINGS)
    shown = ", ".join(list(tags)[-_MOST_TAGS:])
    return f"{tone}: {shown}" if shown else tone


def _word(felt: Felt) -> str:
    return "pleasant" if felt.valence > 0 else "unpleasant"
