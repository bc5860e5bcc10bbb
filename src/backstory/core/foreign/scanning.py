"""Cuts a JSON array into its elements while it arrives, so that no large file is held whole."""

import json
from collections.abc import Iterator
from typing import Any, Final

from backstory.errors import InvalidInputError

_BLANKS: Final = " \t\r\n"
_BEHIND: Final = frozenset(_BLANKS + ",]")
# The longest token but a string that may be cut: a number. What fails further from the end is
# no matter of waiting.
_LONGEST_TOKEN: Final = 5_000


class ArrayScanner:
    """The elements of a JSON array, from its text in pieces.

    An element is read as soon as it is whole. Where it is not, the next try waits until twice as
    much text is there, so that all tries together take linear time.

    Args:
        most: Characters that one element may have.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._decoder = json.JSONDecoder(strict=False)
        self._text = ""
        self._place = 0
        self._passed = 0
        self._needed = 0
        self._waiting: list[str] = []
        self._size = 0
        self._expects = "["
        self.is_over = False

    def feed(self, piece: str, *, last: bool) -> Iterator[Any]:
        """Take the next piece, and give the elements that are whole now.

        Args:
            piece: Text.
            last: Whether none follows.

        Raises:
            InvalidInputError: The text is no array, is damaged or was cut off, or an element is
                too large. What was given before is whole.
        """
        self._waiting.append(piece)
        self._size += len(piece)
        if self._size < self._needed and not last:
            return
        self._passed += self._place
        self._text = "".join((self._text[self._place :], *self._waiting))
        self._place = self._size = 0
        self._waiting.clear()
        while self._step_over(last=last):
            found, element = self._element(last=last)
            if not found:
                return
            yield element

    def _step_over(self, *, last: bool) -> bool:
        """Go to the next element; False if there is none yet."""
        while self._skip_blanks():
            char = self._text[self._place]
            if self.is_over:
                raise self._damaged("text stands behind the end of the list")
            if self._expects == "value":
                if char != "]":
                    return True
                self.is_over = True
            elif char == "]" and self._expects == ",":
                self.is_over = True
            elif char != self._expects:
                raise self._damaged(f"{self._expects!r} is missing")
            self._expects = "value"
            self._place += 1
        if last and not self.is_over:
            raise self._damaged("the file ends within the list")
        return False

    def _skip_blanks(self) -> bool:
        text, place = self._text, self._place
        while place < len(text) and text[place] in _BLANKS:
            place += 1
        self._place = place
        return place < len(text)

    def _element(self, *, last: bool) -> tuple[bool, Any]:
        length = len(self._text) - self._place
        try:
            element, end = self._decoder.raw_decode(self._text, self._place)
        except RecursionError as error:
            raise self._damaged("it is nested too deeply") from error
        except ValueError as error:
            if last or not self._may_be_cut(error):
                raise self._damaged(str(error)) from error
            return self._wait(length)
        # a number may go on: "1" in one piece, and ".5" or nothing but "." in the next
        is_scalar = not isinstance(element, (dict, list, str))
        if is_scalar and not last and self._text[end : end + 1] not in _BEHIND:
            return self._wait(length)
        if end - self._place > self._most:
            raise self._too_large()
        self._place = end
        self._needed = 0
        self._expects = ","
        return True, element

    def _may_be_cut(self, error: ValueError) -> bool:
        if not isinstance(error, json.JSONDecodeError):
            return False
        near_end = error.pos >= len(self._text) - _LONGEST_TOKEN
        return near_end or error.msg.startswith("Unterminated string")

    def _wait(self, length: int) -> tuple[bool, Any]:
        if length > self._most:
            raise self._too_large()
        self._needed = length
        return False, None

    def _too_large(self) -> InvalidInputError:
        return self._damaged(f"an element has more than {self._most:,} characters")

    def _damaged(self, reason: str) -> InvalidInputError:
        place = self._passed + self._place
        return InvalidInputError(f"the file is damaged at character {place:,}: {reason}")
