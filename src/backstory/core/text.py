"""Text and JSON values as a store can hold them.

PostgreSQL refuses NUL in text and no encoder writes a lone surrogate, so both become
U+FFFD before anything is stored; everything else stays as it was typed.
"""

import math
import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from backstory.errors import InvalidInputError

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

REPLACEMENT: Final = "\ufffd"
MAX_JSON_DEPTH: Final = 64
MAX_INTEGER_BITS: Final = 1024

_UNSTORABLE = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]|\x00")
_LINE_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_BREAK_RUN = re.compile(
    # begins where a run of blanks begins: else many blanks without a break take quadratic time
    rf"(?<![\t {_LINE_BREAKS}])[\t ]*+[{_LINE_BREAKS}][\t {_LINE_BREAKS}]*"
)
_BLANK = re.compile(r"\s")
_ANY_BREAK = re.compile(rf"\r\n|[{_LINE_BREAKS}]")


IGNORABLE: Final = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
)
"""Letters and marks that show nothing (default-ignorable), for a class in a pattern."""


def _storable(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 1:
        return REPLACEMENT
    high, low = (ord(unit) for unit in found)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def clean(text: str, where: str = "text") -> str:
    """Text that every database and encoder takes.

    NUL and lone surrogates become U+FFFD; a surrogate pair held as two code points
    becomes the character that it means. Nothing else changes.

    Args:
        text: Any string.
        where: What the text is, for the error message.

    Raises:
        InvalidInputError: ``text`` is not a string.
    """
    if not isinstance(text, str):
        message = f"{where} must be text, not {type(text).__name__}"
        raise InvalidInputError(message)
    if type(text) is str and text.isascii() and "\0" not in text:
        return text  # most are such, and every text of every record comes by here
    return _UNSTORABLE.sub(_storable, str.__str__(text))


def clean_json(value: object, where: str = "metadata") -> JsonValue:
    """A JSON value with clean text, keys included; tuples become lists.

    Args:
        value: None, bool, int, float, str, or lists, tuples and mappings of these.
        where: The path of ``value``, for the error message.

    Raises:
        InvalidInputError: A number is not finite or has more than 1,024 bits, a type is
            not JSON's, a key is not text, two keys become the same, or containers are
            nested deeper than 64. The message names the path.
    """
    return _clean_value(value, where, MAX_JSON_DEPTH)


def _clean_value(value: object, where: str, depth: int) -> JsonValue:
    if isinstance(value, str):
        return clean(value, where)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _clean_number(value, where)
    if not isinstance(value, (dict, list, tuple, Mapping)):
        message = f"{where} is a {type(value).__name__}, which JSON does not have"
        raise InvalidInputError(message)
    if depth == 0:
        message = f"{where[:200]} is nested deeper than {MAX_JSON_DEPTH} levels"
        raise InvalidInputError(message)
    if isinstance(value, (dict, Mapping)):
        return _clean_mapping(value, where, depth - 1)
    return [_clean_value(item, f"{where}[{index}]", depth - 1) for index, item in enumerate(value)]


def _clean_number(value: float, where: str) -> int | float:
    if isinstance(value, int):
        # int.__int__: a member of an IntEnum must become a plain number.
        if value.bit_length() > MAX_INTEGER_BITS:
            message = f"{where} is an integer of more than {MAX_INTEGER_BITS} bits"
            raise InvalidInputError(message)
        return int.__int__(value)
    if not math.isfinite(value):
        message = f"{where} is {float(value)!r}, which JSON does not have"
        raise InvalidInputError(message)
    return float.__float__(value)


def _clean_mapping(
    mapping: Mapping[object, object], where: str, depth: int
) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {}
    for key, item in mapping.items():
        if not isinstance(key, str):
            message = f"{where} has the key {key!r}; keys must be text"
            raise InvalidInputError(message)
        name = clean(key)
        if name in result:
            message = f"{where} has two keys that are stored as {name!r}"
            raise InvalidInputError(message)
        result[name] = _clean_value(item, f"{where}.{name}", depth)
    return result


def unify_breaks(text: str) -> str:
    r"""The text with every kind of line break as one ``\n``.

    A break is what ``str.splitlines`` takes for one: CR LF, CR, VT, FF, the separators
    U+001C to U+001E, NEL, U+2028 and U+2029.
    """
    return _ANY_BREAK.sub("\n", text)


def abridge(text: str, head: int, tail: int) -> str:
    """The beginning and the end of a long text, cut at word borders; a shorter one as it is.

    Args:
        text: Any text.
        head: Most characters of the beginning.
        tail: Most characters of the end.

    Returns:
        At most ``head + tail + 1`` characters. A word that is longer than half of its part is cut.
    """
    if len(text) <= head + tail + 1:
        return text
    end = _last_blank(text[: head + 1])
    rest = text[len(text) - tail - 1 :]
    start = len(rest) - 1 - _last_blank(rest[::-1])
    first = text[: end if end > head // 2 else head]
    last = rest[start if start < tail // 2 else 1 :].lstrip()
    return f"{first} {last}"


def _last_blank(text: str) -> int:
    return max((found.start() for found in _BLANK.finditer(text)), default=-1)


def one_line(text: str) -> str:
    """The text on one line: each run of line breaks, with the blanks around it, is one space."""
    return _BREAK_RUN.sub(" ", text).strip()
