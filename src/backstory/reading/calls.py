"""Which turns go into which call. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from backstory.core.model.message import Role
from backstory.core.model.reading import Turn
from backstory.core.text import abridge

MAX_CHARS: Final = 12_000
MAX_TURNS: Final = 12
# Turns that state nothing are there for sense only; their beginning and end give it.
_OTHERS_HEAD: Final = 800
_OTHERS_TAIL: Final = 300
_SENTENCE_END: Final = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\n])\s*")
_BLANK: Final = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """A turn, or a part of a long one.

    Attributes:
        text: What this call reads of it; the whole text is in ``turn``.
        follows: It goes on with the last piece of the call before.
    """

    turn: Turn
    text: str
    follows: bool = False


def split_into_calls(
    turns: Sequence[Turn], *, max_chars: int = MAX_CHARS, max_turns: int = MAX_TURNS
) -> list[list[Piece]]:
    """Divide turns among calls, in order; no character of a user's turn is left out.

    There are at most max(1 for each 12 turns, 1 for each 12,000 characters) calls, rounded up, and
    none holds more than 12,000 characters. Within that a call takes no more than 12 turns, and
    a turn is not divided, if possible; else at the end of a sentence, or a word, if possible.

    Args:
        turns: In order of time. Those that are not a user's are cut short.
        max_chars: Characters of one call.
        max_turns: Turns of one call, where the number of calls allows it.
    """
    read = [Piece(turn, _shown(turn)) for turn in turns]
    split = _Split(
        left=sum(len(piece.text) for piece in read), max_chars=max_chars, max_turns=max_turns
    )
    split.allowed = max(1, ceil(len(read) / max_turns), ceil(split.left / max_chars))
    for piece in read:
        split.add(piece)
    return [call for call in split.calls if call]


def _shown(turn: Turn) -> str:
    if turn.role is Role.USER:
        return turn.text
    return abridge(turn.text, _OTHERS_HEAD, _OTHERS_TAIL)


class _Split:
    """The calls so far. What is left always fits into this call and those that are allowed."""

    def __init__(self, left: int, max_chars: int, max_turns: int) -> None:
        self.calls: list[list[Piece]] = [[]]
        self.allowed = 1
        self.left = left
        self.max_chars = max_chars
        self.max_turns = max_turns
        self.room = max_chars

    def add(self, piece: Piece) -> None:
        rest = piece.text
        self._make_room(len(rest))
        follows = False
        while len(rest) > self.room:
            place = _cut(rest, max(1, self.left - self._spare()), self.room)
            self._put(Piece(piece.turn, rest[:place], follows))
            rest, follows = rest[place:], True
            self._begin()
        self._put(Piece(piece.turn, rest, follows))

    def _make_room(self, size: int) -> None:
        """Begin another call where the turn would be one too many, or be divided."""
        full = len(self.calls[-1]) >= self.max_turns
        divided = self.room < size <= self.max_chars
        if (self.room == 0 and size) or ((full or divided) and self.left <= self._spare()):
            self._begin()

    def _spare(self) -> int:
        return (self.allowed - len(self.calls)) * self.max_chars

    def _begin(self) -> None:
        self.calls.append([])
        self.room = self.max_chars

    def _put(self, piece: Piece) -> None:
        self.calls[-1].append(piece)
        self.room -= len(piece.text)
        self.left -= len(piece.text)


def _cut(text: str, least: int, most: int) -> int:
    """Where to divide a text: the last end of a sentence, or of a word, from least to most."""
    for border in (_SENTENCE_END, _BLANK):
        ends = [found.end() for found in border.finditer(text, least, most)]
        if ends and ends[-1] >= max(least, most // 2):
            return ends[-1]
    return most
