"""How what stands around a word changes it: denials, more and less, whose feeling it is."""

from typing import Final

from backstory.core.wordlists import word_set
from backstory.language.emotion import people
from backstory.language.emotion.feelings import CAUSES, DOINGS, OTHERS_FORMS
from backstory.language.emotion.model import Kind, Piece, Sentence

_DENIAL_REACH: Final = 4
_HEDGE_REACH: Final = 3
_OWNER_REACH: Final = 12
_OF_OTHERS: Final = 0.12
"""What another's feeling says of the writer's."""
_LESS: Final = 0.6
_MORE: Final = 1.25
_MOST_HEDGED: Final = 0.45
_MOST_SOFT: Final = 0.6
_SUPERLATIVE: Final = 0.9
_STATES: Final = frozenset(("joy", "sadness", "despair", "fear", "anger"))
_STATE: Final = 0.4
_STATE_REACH: Final = 3
_AGAIN: Final = 0.1
_EMPHATIC: Final = 0.3
_FELT: Final = (Kind.FEELING, Kind.JUDGEMENT, Kind.IDIOM)
_ARTICLES: Final = word_set("the a an this that these those")
_NO_NOUNS: Final = word_set("and or but because that when in at by about to for of with")
_OWN: Final = word_set("my our i we")
_THEIRS: Final = word_set("his her their your whose")
_JOINS: Final = word_set("and so because then when")
_TURNS: Final = word_set("but however yet although though whereas")


def shaded(sentence: Sentence) -> list[Piece]:
    """The pieces that say something of a feeling, with value and strength as they stand here."""
    pieces = sentence.pieces
    ever = any(piece.kind is Kind.EVER for piece in pieces)
    found = []
    for at, piece in enumerate(pieces):
        if piece.kind not in _FELT or not piece.value:
            continue
        _strengthen(pieces, at, ever=ever)
        _weaken(pieces, at)
        if _tells_of_others(pieces, at):
            piece.value, piece.strength = piece.value * _OF_OTHERS, 0.0
        _deny(pieces, at)
        found.append(piece)
    _correct(found)
    return found


def _strengthen(pieces: list[Piece], at: int, *, ever: bool) -> None:
    piece = pieces[at]
    more = 0.0
    around = [*pieces[max(0, at - 3) : at], *_behind(pieces, at)]
    boosts = [other for other in around if other.kind is Kind.BOOST]
    if boosts:
        more = max(other.strength + _emphasis(other) for other in boosts)
        more += _AGAIN * (len(boosts) - 1)
    if _is_repeated(pieces, at):
        more += _EMPHATIC
    if more:
        piece.value *= _MORE
    if piece.strength >= 0.2:
        piece.strength += more
    piece.strength += _emphasis(piece)
    superlative = piece.superlative or (at > 0 and pieces[at - 1].word == "most")
    if superlative and ever:
        piece.strength = max(piece.strength, _SUPERLATIVE)


def _is_repeated(pieces: list[Piece], at: int) -> bool:
    """As in "terrible, terrible night"."""
    return any(other.word == pieces[at].word for other in pieces[max(0, at - 2) : at])


def _behind(pieces: list[Piece], at: int) -> list[Piece]:
    """What follows a piece and may strengthen it: "hurts so much", not "happy, so I went"."""
    return [other for other in pieces[at + 1 : at + 4] if other.word not in _BEFORE_ONLY]


_BEFORE_ONLY: Final = word_set("so very really too truly super")


def _emphasis(piece: Piece) -> float:
    return _EMPHATIC if piece.caps or piece.stretched else 0.0


def _weaken(pieces: list[Piece], at: int) -> None:
    piece = pieces[at]
    near = pieces[max(0, at - _HEDGE_REACH) : at + _HEDGE_REACH + 1]
    if any(other.kind is Kind.HEDGE for other in near):
        piece.value *= _LESS
        piece.strength = min(piece.strength * 0.5, _MOST_HEDGED)
    elif any(other.kind is Kind.SOFT for other in pieces[max(0, at - 2) : at]):
        piece.strength = min(piece.strength, _MOST_SOFT)


def _tells_of_others(pieces: list[Piece], at: int) -> bool:
    """Whether the feeling is another's: "he is furious", "she can't stop crying"."""
    piece = pieces[at]
    if piece.kind is Kind.JUDGEMENT:
        return _is_time_of_others(pieces, at)
    if piece.kind is Kind.FEELING:
        if piece.value < 0 and _describes_a_thing(pieces, at):
            return True
        caused = piece.word.endswith("ing") and piece.word not in DOINGS
        return not caused and piece.word not in CAUSES and is_of_others(pieces, at)
    if piece.kind is Kind.IDIOM and piece.tag == "grief":
        return _is_loss_of_others(pieces, at)
    if piece.kind is not Kind.IDIOM or piece.tag not in _STATES or piece.strength < _STATE:
        return False
    return not people.SELF.union(("my",)).intersection(piece.word.split()) and is_of_others(
        pieces, at, reach=_STATE_REACH
    )


def _is_time_of_others(pieces: list[Piece], at: int) -> bool:
    """As in "she's having a wonderful time"."""
    before = [piece.word for piece in pieces[max(0, at - 3) : at]]
    return "having" in before and is_of_others(pieces, at)


def _describes_a_thing(pieces: list[Piece], at: int) -> bool:
    """As in "the abandoned cart", "an isolated village"."""
    if at == 0 or at + 1 >= len(pieces) or not pieces[at].word.endswith("ed"):
        return False
    following = pieces[at + 1]
    is_noun = following.kind is Kind.WORD and following.word not in _NO_NOUNS
    return pieces[at - 1].word in _ARTICLES and is_noun


def _is_loss_of_others(pieces: list[Piece], at: int) -> bool:
    """As in "her husband passed away last Sunday"; not "my husband ..."."""
    near = pieces[max(0, at - _STATE_REACH - 1) : at]
    words = {word for piece in near for word in piece.word.split(" ")}
    if words & _OWN:
        return False
    return bool(words & _THEIRS) or is_of_others(pieces, at, reach=_STATE_REACH)


def is_of_others(pieces: list[Piece], at: int, *, reach: int = _OWNER_REACH) -> bool:
    """Whether the nearest person before a feeling is somebody else than the writer."""
    if pieces[at].word in OTHERS_FORMS:
        return True
    for offset in range(at - 1, max(-1, at - 1 - reach), -1):
        piece = pieces[offset]
        word = piece.word.split(" ")[0]
        if word in people.SELF or piece.word.split(" ")[-1] in people.SELF:
            return False
        if piece.word in people.OTHERS or _is_named(pieces, offset):
            return True
    return False


def _is_named(pieces: list[Piece], at: int) -> bool:
    follows = pieces[at + 1].word if at + 1 < len(pieces) else ""
    return (
        pieces[at].title
        and pieces[at].kind is Kind.WORD
        and follows in people.COPULAS
        and (pieces[at].word not in _NO_NAMES)
    )


_NO_NAMES: Final = word_set(
    "it this that these those there everything nothing something today what the all life work "
    "school"
)


def _deny(pieces: list[Piece], at: int) -> None:
    """Turn what is denied into its opposite, and less so ("not great" is not "awful")."""
    piece = pieces[at]
    if piece.kind is Kind.IDIOM:
        denials = _denials(pieces, at, reach=1)
    else:
        denials = _denials(pieces, at, reach=_DENIAL_REACH)
    if not denials:
        return
    if denials[0].word in ("neither", "nor") or (
        denials[0].word == "no" and "strong" in piece.word
    ):
        piece.value = piece.strength = 0.0
        return
    piece.denied = True
    if _is_more_than_ever(pieces, at, denials):
        piece.denied = False
        piece.strength += 0.4
    elif piece.value > 0:
        piece.value, piece.strength = -max(0.9, 0.5 * piece.value), min(0.4, piece.strength)
        piece.tag = "disappointment"
    else:
        piece.value, piece.strength = max(0.8, -0.45 * piece.value), min(0.3, piece.strength)
        piece.tag = "relief" if piece.tag in ("fear", "worry", "stress") else ""


def _denials(pieces: list[Piece], at: int, *, reach: int) -> list[Piece]:
    """Denials before a piece in its clause, the nearest first."""
    found = []
    for offset in range(at - 1, max(-1, at - 1 - reach), -1):
        piece = pieces[offset]
        if piece.kind is Kind.PAUSE or piece.word in _TURNS:
            break
        if piece.word in _JOINS and pieces[offset + 1].word in people.SELF | people.OTHERS:
            break  # another clause begins here: "he said no and I'm sad"
        if piece.kind is Kind.DENIAL or (
            piece.kind is Kind.HEDGE and piece.word.startswith("not ")
        ):
            found.append(piece)
    return found


def _is_more_than_ever(pieces: list[Piece], at: int, denials: list[Piece]) -> bool:
    """As in "never been so happy" or "couldn't be happier"."""
    clause = pieces[max(0, at - 8) : at + 4]
    words = {piece.word for piece in clause}
    comparative = pieces[at].word.endswith("er") and pieces[at].value != 0
    if denials[-1].word in ("never", "couldn't", "haven't", "can't"):
        return comparative or bool(words & {"so", "more", "such", "this", "this much"})
    return "ever" in words and bool(words & {"this much", "so much", "so", "as much as"})


def _correct(found: list[Piece]) -> None:
    """As in "not sad, devastated": what is denied in favour of more of the same says nothing."""
    for at, piece in enumerate(found):
        if piece.denied and any(
            later.value * piece.value < 0 and not later.denied and later.strength > piece.strength
            for later in found[at + 1 : at + 4]
        ):
            piece.value = piece.strength = 0.0
