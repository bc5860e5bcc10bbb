"""The JSON answer in what a language model wrote. Pure.

Models put JSON into code fences, behind reasoning in tags, between polite sentences. What is
unambiguous is taken; everything else is a reason in words, which can be told to the model. A
piece of a broken or unfinished object is never taken for the answer.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from backstory.core.text import clean_json
from backstory.errors import InvalidInputError

_TAG: Final = (
    r"<(/?)\s*(?:think|thinking|thoughts?|reason|reasoning|reflection|analysis|scratchpad)\s*>"
)
_ANY_TAG: Final = re.compile(_TAG, re.IGNORECASE)
_MARK: Final = re.compile(rf"{_TAG}|[\[{{]", re.IGNORECASE)
_FENCE: Final = re.compile(r"(?:```|~~~)[ \t]*[\w-]*\s*\Z")
_FENCE_CHARS: Final = 40
_TRAILING: Final = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)
_OPENS_JSON: Final = re.compile(r'[\[{]\s*(?:"|[\[{]\s*["\[{]|\Z)')
_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
_MAX_MISSES: Final = 40
_TOO_DEEP: Final = "the JSON is nested too deeply"
_UNFINISHED: Final = "the JSON is not finished: a bracket or a text is not closed"


@dataclass(frozen=True, slots=True)
class Answer:
    """The one JSON object or list in a text."""

    value: dict[str, Any] | list[Any]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is none, in words that name what was wrong."""

    reason: str


Result: TypeAlias = Answer | NoAnswer


@dataclass(frozen=True, slots=True)
class _Piece:
    value: Any
    fenced: bool


@dataclass(slots=True)
class _Found:
    """What a search has met so far; ``broken`` says why a piece is no JSON."""

    pieces: list[_Piece] = field(default_factory=list)
    broken: str | None = None
    misses: int = 0


class _UnusableError(Exception):
    """There is no answer, whatever else is in the text."""


def find_answer(text: str, *, names: Collection[str] = ()) -> Result:
    """Find the JSON object or list that a model answered with.

    The whole text is tried first. Else reasoning in tags is left out (what stands before a closing
    tag without an opening one is reasoning, too), and the rest is searched. A fenced piece beats
    others. Commas before a closing bracket are dropped.

    Args:
        text: What the model wrote.
        names: Fields of the object that is wanted: one that has such a field beats others.

    Returns:
        ``NoAnswer`` for a text that is empty or holds no JSON or several different pieces, for JSON
        that is not finished, reasoning that is not closed, a scalar, or a field given twice.
    """
    bare = text.strip().lstrip("\ufeff").strip()
    if not bare:
        return NoAnswer("the answer is empty")
    try:
        value, end, problem = _decode(bare, 0)
        if problem is not None or end != len(bare):
            value = _chosen(_search(bare), names)
        return _checked(value)
    except _UnusableError as unusable:
        return NoAnswer(str(unusable))


def _checked(value: Any) -> Result:
    if not isinstance(value, dict | list):
        shown = "null" if value is None else f"a bare {type(value).__name__}"
        return NoAnswer(f"the answer is {shown}, not a JSON object")
    try:
        tidy: Any = clean_json(value, "the answer")
    except InvalidInputError as error:
        return NoAnswer(str(error))
    return Answer(tidy)


def _search(text: str) -> _Found:
    """All pieces of JSON outside of reasoning."""
    found = _Found()
    place = 0
    while (mark := _MARK.search(text, place)) is not None:
        if mark.group() in "[{":
            place = _take(text, mark.start(), found)
        elif mark.group(1):
            found = _Found()
            place = mark.end()
        else:
            place = _behind_reasoning(text, mark)
    return found


def _behind_reasoning(text: str, opening: re.Match[str]) -> int:
    depth = 1
    for tag in _ANY_TAG.finditer(text, opening.end()):
        depth += -1 if tag.group(1) else 1
        if depth == 0:
            return tag.end()
    raise _UnusableError(f"the reasoning after {opening.group()} is not closed")


def _take(text: str, start: int, found: _Found) -> int:
    """Add the piece that starts here, if it is one; where to go on."""
    value, end, problem = _decode(text, start)
    if problem is not None:
        closing = _closing(text, start)
        if closing is None:
            return _behind_miss(text, start, found, problem)
        end = closing
        if _OPENS_JSON.match(text, start):
            found.broken = problem
        value, _, problem = _decode(_TRAILING.sub(_kept, text[start:end]), 0)
        if problem is not None:
            return _counted(end, found, problem)
    before = text[max(0, start - _FENCE_CHARS) : start]
    found.pieces.append(_Piece(value, bool(_FENCE.search(before))))
    return end


def _behind_miss(text: str, start: int, found: _Found, problem: str) -> int:
    if _OPENS_JSON.match(text, start):
        raise _UnusableError(_UNFINISHED)
    return _counted(start + 1, found, problem)


def _counted(place: int, found: _Found, problem: str) -> int:
    """The place, unless so many pieces were no JSON that a search would take too long."""
    found.misses += 1
    if found.misses > _MAX_MISSES:
        raise _UnusableError(f"there is no JSON in the answer ({problem})")
    return place


def _kept(match: re.Match[str]) -> str:
    return match.group(1) or ""


def _closing(text: str, start: int) -> int | None:
    """Behind the bracket that closes the one at ``start``; None if none does."""
    depth = 0
    for mark in _BRACKET.finditer(text, start):
        if mark.group() in "[{":
            depth += 1
        elif mark.group() in "]}":
            depth -= 1
            if depth == 0:
                return mark.end()
    return None


def _chosen(found: _Found, names: Collection[str]) -> Any:
    """The piece that is meant."""
    pieces = [piece for piece in found.pieces if piece.fenced] or found.pieces
    named = [p for p in pieces if isinstance(p.value, dict) and any(n in p.value for n in names)]
    pieces = named or [p for p in pieces if _holds_objects(p.value)] or pieces
    if not pieces:
        raise _UnusableError(found.broken or "there is no JSON in the answer")
    if any(piece.value != pieces[0].value for piece in pieces):
        raise _UnusableError(f"there are {len(pieces)} different pieces of JSON in the answer")
    if found.broken and not named:
        raise _UnusableError(found.broken)
    return pieces[0].value


def _holds_objects(value: Any) -> bool:
    """Whether it is more than a bracket in prose, such as "[1]"."""
    return bool(value) and (
        isinstance(value, dict) or any(isinstance(item, dict) for item in value)
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _UnusableError(f"the field {twice[:_FENCE_CHARS]!r} is there twice in one object")
    return result


def _not_json(name: str) -> NoReturn:
    raise _UnusableError(f"{name} is not JSON")


# Line breaks within texts are let pass: models forget to escape them, and they mean themselves.
_DECODER: Final = json.JSONDecoder(
    strict=False, object_pairs_hook=_unique, parse_constant=_not_json
)


def _decode(text: str, start: int) -> tuple[Any, int, str | None]:
    """The JSON value at a place, where it ends, and why there is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return None, start, f"the JSON is broken at character {error.pos}: {error.msg}"
    except RecursionError:
        raise _UnusableError(_TOO_DEEP) from None
    except ValueError as error:
        raise _UnusableError(f"a number cannot be read: {error}") from None
    return value, end, None
