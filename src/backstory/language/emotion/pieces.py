"""Finds in a sentence what the lists know, and what is only a name or a topic."""

from typing import Final

from backstory.language.emotion import people
from backstory.language.emotion.feelings import MILD, NEED_SELF
from backstory.language.emotion.lexicon import Lexicon, is_superlative
from backstory.language.emotion.model import Entry, Kind, Piece, Sentence

_MEANT: Final = (Kind.FEELING, Kind.NOUN, Kind.JUDGEMENT)
_NOTHING: Final = Entry(Kind.WORD)


def understood(sentence: Sentence, lexicon: Lexicon) -> Sentence:
    """The sentence with its known words and phrases marked, each phrase as one piece."""
    found: list[Piece] = []
    pieces, at = sentence.pieces, 0
    while at < len(pieces):
        length, entry = _phrase(pieces, at, lexicon)
        if length:
            found.append(_joined(pieces[at : at + length], entry))
        else:
            found.append(_marked(pieces[at], lexicon))
        at += max(1, length)
    found = [piece for piece in found if piece.kind is not Kind.QUOTE] if len(found) > 1 else found
    _drop_names(found)
    _see_feelings(found)
    return Sentence(found, sentence.end)


def _phrase(pieces: list[Piece], at: int, lexicon: Lexicon) -> tuple[int, Entry]:
    """How many pieces the longest phrase takes that begins here (0 = none), and what it says."""
    level, length, entry = lexicon.phrases, 0, _NOTHING
    for offset in range(at, len(pieces)):
        node = level.get(pieces[offset].word)
        if node is None:
            break
        if node.entry:
            length, entry = offset - at + 1, node.entry[0]
        level = node.then
    return length, entry


def _joined(pieces: list[Piece], entry: Entry) -> Piece:
    return Piece(
        " ".join(piece.word for piece in pieces),
        entry.kind,
        entry.value,
        entry.strength,
        entry.tag,
        caps=any(piece.caps and len(piece.word) > 2 for piece in pieces),
        stretched=any(piece.stretched for piece in pieces),
    )


def _marked(piece: Piece, lexicon: Lexicon) -> Piece:
    if piece.kind is not Kind.WORD:
        return piece
    entry = lexicon.words.get(piece.word)
    if entry is not None:
        piece.kind, piece.value = entry.kind, entry.value
        piece.strength, piece.tag = entry.strength, entry.tag
        piece.superlative = is_superlative(piece.word)
    return piece


def _drop_names(pieces: list[Piece]) -> None:
    """Words with a capital within a sentence, or beside "called", are names."""
    naming = any(piece.word in people.NAMING for piece in pieces)
    for at, piece in enumerate(pieces):
        if piece.kind not in _MEANT or not piece.title:
            continue
        if at > 0 or naming or (piece.word in people.NAMES and _is_subject(pieces)):
            piece.kind, piece.value, piece.strength = Kind.WORD, 0.0, 0.0


def _is_subject(pieces: list[Piece]) -> bool:
    """Whether the first word may be a person who does or is something."""
    if len(pieces) < 2:
        return False
    return pieces[1].word in people.COPULAS or (
        pieces[1].word == "and" and len(pieces) > 2 and pieces[2].title
    )


def _see_feelings(pieces: list[Piece]) -> None:
    """Take nouns for feelings only where they are felt, and some words only behind "I am"."""
    for at, piece in enumerate(pieces):
        if piece.word in NEED_SELF and piece.kind is not Kind.IDIOM:
            if any(before.word in people.FEEL for before in pieces[max(0, at - 4) : at]):
                value, strength = MILD
                sign = 1 if piece.word == "content" else -1
                piece.kind, piece.value = Kind.FEELING, sign * value
                piece.strength, piece.tag = strength, NEED_SELF[piece.word]
        elif piece.kind is Kind.NOUN:
            piece.kind = Kind.FEELING if _is_felt(pieces, at) else Kind.WORD
            piece.value = piece.value if piece.kind is Kind.FEELING else 0.0


def _is_felt(pieces: list[Piece], at: int) -> bool:
    before = pieces[max(0, at - 2) : at]
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    felt = not before or any(piece.word.split(" ")[-1] in people.FELT_BEFORE for piece in before)
    free = after is None or after.kind is not Kind.WORD or after.word in people.FELT_AFTER
    return felt and free
