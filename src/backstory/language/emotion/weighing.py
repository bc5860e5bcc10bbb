# ruff: noqa: RUF001
"""What a sentence does to the feelings in it: but, if, questions, exclamation marks."""

from typing import Final

from backstory.core.wordlists import word_set
from backstory.language.emotion import people
from backstory.language.emotion.model import Kind, Piece, Sentence
from backstory.language.emotion.shading import shaded

_BEFORE_BUT: Final = 0.4
_AFTER_BUT: Final = 1.5
_UNREAL: Final = 0.5
_ASKED: Final = 0.1
_PER_MARK: Final = 0.1
_MOST_MARKS: Final = 3
_SHOUTED: Final = 0.25
_CONDITIONS: Final = word_set("if would unless")
_BUTS: Final = word_set("but however yet")
_CONCESSIONS: Final = word_set("although though despite while")
_WH: Final = word_set("what when where which who how whose what's who's where's")
_LEADING: Final = 6
_POLITE: Final = word_set(
    "please ok okay so now hey hi can could would will you kindly just and then"
)
_TASKS: Final = word_set(
    "write rewrite draft translate summarise summarize describe explain compose generate create "
    "list imagine continue paraphrase proofread shorten outline invent suggest name give tell find "
    "make show define classify compare"
)
_AUXILIARIES: Final = word_set(
    "is are was were do does did can could will would should have has am many long often far time i"
    " 's"
)
_ASKED_OF: Final = word_set(
    "you he she they it i we there this that the my your his her their anyone anybody people"
)
_SHOUTS: Final = word_set(
    "ever so never always yes finally really very best worst love hate why too all everything omg "
    "all never again done"
)


def felt_pieces(parts: list[Sentence]) -> list[Piece]:
    """What says something of a feeling in the sentences, as it counts in them."""
    found = []
    for part in parts:
        pieces = shaded(part)
        _turn(part, pieces)
        if _is_question(part) or _is_task(part):
            _ask(part, pieces)
        found += pieces
    if any(abs(piece.value) >= 1 for piece in found):
        return found
    return found + _cries(parts)


def _cries(parts: list[Sentence]) -> list[Piece]:
    """What else only strengthens a feeling, where it is all that is said of one."""
    return [
        Piece(piece.word, Kind.IDIOM, -2.8, 0.8, "despair")
        for part in parts
        for piece in part.pieces
        if piece.kind is Kind.BOOST and piece.word in _CRIES
    ]


_CRIES: Final = frozenset(
    ("i want to die", "i want to scream", "i want to cry", "i could die", "i could scream")
)


def _turn(part: Sentence, pieces: list[Piece]) -> None:
    """What follows "but" counts more than what precedes it; concessions and conditions less."""
    words = [piece.word for piece in part.pieces]
    last_but = max((at for at, word in enumerate(words) if word in _BUTS), default=-1)
    felt = {id(piece) for piece in pieces}
    unreal = conceded = False
    for at, piece in enumerate(part.pieces):
        unreal = unreal or piece.word in _CONDITIONS
        conceded = piece.word in _CONCESSIONS or (conceded and piece.kind is not Kind.PAUSE)
        if id(piece) not in felt:
            continue
        before = at < last_but
        factor = _BEFORE_BUT if before or conceded else _AFTER_BUT if last_but >= 0 else 1.0
        if unreal and piece.kind is not Kind.IDIOM:
            factor *= _UNREAL
            piece.strength = min(piece.strength, _UNREAL)
        piece.value *= factor
        if before:
            piece.strength *= _BEFORE_BUT


def _is_question(part: Sentence) -> bool:
    if "?" in part.end:
        return part.end.count("?") == 1 and "!" not in part.end
    words = [piece.word for piece in part.pieces[:2]]
    if len(words) < 2:
        return False
    first, second = words
    return (first in _WH and second in _AUXILIARIES) or (
        first in _AUXILIARIES and second in _ASKED_OF and first != "i"
    )


def _is_task(part: Sentence) -> bool:
    """As in "please write a scene in which she is horrified": the feeling is part of the task."""
    words = [piece.word for piece in part.pieces[:_LEADING]]
    while words and words[0] in _POLITE:
        words.pop(0)
    return bool(words) and words[0] in _TASKS


def _ask(part: Sentence, pieces: list[Piece]) -> None:
    """A question shows a feeling only where the writer speaks of an own one."""
    own = any(piece.word in people.SELF for piece in part.pieces)
    for piece in pieces:
        if piece.kind is Kind.IDIOM and piece.strength >= _UNREAL:
            continue
        if not (own and piece.kind is Kind.FEELING):
            piece.value *= _ASKED
            piece.strength = min(piece.strength, _ASKED)


def emphasise(parts: list[Sentence], felt: list[Piece]) -> None:
    """Exclamation marks and capitals strengthen what is felt in the text."""
    marks = max((part.end.count("!") + part.end.count("！") for part in parts), default=0)
    more = _PER_MARK * min(_MOST_MARKS, marks) + (_SHOUTED if _is_shouted(parts) else 0.0)
    for piece in felt:
        if piece.strength >= _HEARD and not piece.denied:
            piece.strength += more
            piece.value *= 1 + more


_HEARD: Final = 0.2


def _is_shouted(parts: list[Sentence]) -> bool:
    words = [piece for part in parts for piece in part.pieces if piece.kind is not Kind.PAUSE]
    caps = [piece for piece in words if piece.caps]
    if len(caps) >= 3 and len(caps) * 2 > len(words):
        return True
    return any(piece.word in _SHOUTS or piece.stretched for piece in caps)


def fresh_loss(parts: list[Sentence]) -> list[Piece]:
    """The death of somebody near, if it has just happened."""
    for part in parts:
        words = {piece.word for piece in part.pieces}
        fresh = words & {"today", "yesterday", "tonight", "just"} or (
            {"this", "morning"} <= words or {"last", "night"} <= words
        )
        if fresh and words & {"my", "our"} and words & people.NEAR and words & people.DYING:
            return [Piece("", Kind.EVENT, -2.4, 0.8, "grief")]
    return []
