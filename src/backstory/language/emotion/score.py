"""Scores the feeling that a text shows."""

import math
from typing import Final

from backstory.core.wordlists import word_set
from backstory.language.emotion.foreign import LANGUAGES, foreign_pieces
from backstory.language.emotion.lexicon import lexicon
from backstory.language.emotion.model import INTENSE, Emotion, Kind, Piece, Sentence
from backstory.language.emotion.pieces import understood
from backstory.language.emotion.sarcasm import is_sarcastic
from backstory.language.emotion.signs import EITHER, EITHER_STRENGTH, EITHER_VALUE
from backstory.language.emotion.tokens import sentences
from backstory.language.emotion.weighing import emphasise, felt_pieces, fresh_loss
from backstory.language.lexicon import STOP_WORDS
from backstory.language.scripts import detect_script

_SAMPLE: Final = 1000
_SOME_ENGLISH: Final = 0.3
_SURELY_ENGLISH: Final = 0.4
"""No text of another language in plain letters has half as many of its words."""
_PLAIN: Final = 0.9
_MOSTLY_ENGLISH: Final = 0.5
_A_LITTLE_ENGLISH: Final = 0.2
_TOO_SHORT: Final = 80
"""Characters: of so few the language is a guess, unless letters of its own stand in them."""
_MARKS: Final = '.!?;:"()'
_APOSTROPHE: Final = str.maketrans({"\u2019": "'"})
_READ: Final = 20_000
"""Characters. More than that is no message; a feeling stands at its beginning or its end."""
_ALPHA: Final = 15.0
"""Of VADER's way to bring a sum of ratings to (-1, 1): s / sqrt(s² + 15)."""
_NEUTRAL: Final = 0.15
_MANY: Final = 3
"""Sentences. A longer text is read as if what it says stood in so many."""
_SARCASM: Final = -1.6
_SARCASM_STRENGTH: Final = 0.4
_MAX_TAGS: Final = 3
_SHAKEN: Final = word_set(
    "cry crying cried tears tearful sobbing sobbed bawling bawled weeping wept freaking freaked "
    "shaking screaming scream trembling breathe"
)
"""What people also do for joy."""
_AGREES: Final = 0.2
_REPEATED: Final = 0.1
"""How much stronger a sign is for each time it is shown again."""
_MOST_SHOWN: Final = 0.74
"""A sign alone, however often, makes no text intense; beside words that feel the same it may."""
_BY_SCRIPT: Final = {"Han": "zh", "Kana": "ja", "Cyrillic": "ru", "Latin": None}
_ENGLISH: Final = "en"
_OTHER: Final = "und"


def score_emotion(text: str) -> Emotion:
    """The feeling that a text shows: pleasant or not, how strong, and which.

    It is read with lists of words and rules, without a model: VADER's ratings of English words, and
    lists and rules of our own for feelings, phrases, emoji, denials, emphasis, sarcasm, others'
    feelings and plain reports of sad matters, which are neutral. For German, French, Spanish,
    Italian, Portuguese, Russian, Chinese and Japanese there are small lists of frequent words; in
    any other language only emoji are read, and `covered` is False. Of a text of more than
    20,000 characters the first and the last 10,000 are read. Never raises.

    Args:
        text: Any text, lone surrogates and control characters included.
    """
    text = _ends(text)
    language = _language(text)
    known = lexicon()
    parts = sentences(text, known.words, known.signs)
    felt: list[Piece] = []
    sarcastic = False
    if language in (_ENGLISH, None):
        parts = [understood(part, known) for part in parts]
        sarcastic = is_sarcastic(parts)
        felt = felt_pieces(parts)
    if language in LANGUAGES or (language is None and not felt):
        felt = foreign_pieces(text, language)
    _add_signs(parts, felt)
    _turn_tears(felt)
    _add_events(parts, felt)
    emphasise(parts, felt)
    _support(felt)
    return _result(felt, len(parts), sarcastic=sarcastic, covered=language != _OTHER)


def _ends(text: str) -> str:
    """The beginning and the end of a very long text."""
    if len(text) <= _READ:
        return text
    return f"{text[: _READ // 2]}\n{text[-_READ // 2 :]}"


def _language(text: str) -> str | None:
    """The language to read by; None where only words of one of them can tell."""
    share = _english_share(text)
    if share >= _SURELY_ENGLISH and _is_plain(text[:_SAMPLE]):
        return _ENGLISH  # what is asked for below takes longer than all the rest
    found = detect_script(text)
    if found is None:
        return None
    language = found.language or _BY_SCRIPT.get(found.script, _OTHER)
    if found.script == "Latin" and language not in (None, _ENGLISH):
        least = _MOSTLY_ENGLISH if language in LANGUAGES else _SOME_ENGLISH
        if share >= least:
            language = _ENGLISH
        elif share >= _A_LITTLE_ENGLISH and text.isascii() and len(text) <= _TOO_SHORT:
            language = None
    return language if language in (None, _ENGLISH, *LANGUAGES) else _OTHER


def _turn_tears(felt: list[Piece]) -> None:
    """Who is "so happy I could cry" does not cry for grief."""
    shaken = [piece for piece in felt if piece.value < 0 and _SHAKEN.intersection(_words(piece))]
    rest = sum(piece.value for piece in felt) - sum(piece.value for piece in shaken)
    if rest > 1:
        for piece in shaken:
            piece.value, piece.tag = -piece.value, "joy"


def _words(piece: Piece) -> list[str]:
    return piece.word.split(" ")


def _is_plain(text: str) -> bool:
    """Whether nearly all of it is ASCII: a name with an accent or an emoji may stand."""
    return len(text.encode("ascii", "ignore")) >= _PLAIN * len(text)


def _english_share(text: str) -> float:
    """The share of English function words: what a very short text is told by."""
    words = text[:_SAMPLE].lower().translate(_APOSTROPHE).replace(",", " ").split()
    return sum(word.strip(_MARKS) in STOP_WORDS for word in words) / max(1, len(words))


def _add_signs(parts: list[Sentence], felt: list[Piece]) -> None:
    """Emoji; tears are of joy where all else is pleasant."""
    signs = [piece for part in parts for piece in part.pieces if piece.kind is Kind.SIGN]
    sure = [piece for piece in signs if piece.value]
    total = sum(piece.value for piece in felt + sure)
    for piece in signs:
        if piece.word in EITHER:
            piece.value = EITHER_VALUE if total > 0 else -EITHER_VALUE
            piece.strength, piece.tag = EITHER_STRENGTH, "joy" if total > 0 else "sadness"
    seen: dict[str, Piece] = {}
    for piece in signs:
        if piece.word in seen:
            seen[piece.word].strength += _REPEATED
        elif piece.value:
            seen[piece.word] = piece
            felt.append(piece)
    for piece in seen.values():
        piece.strength = min(piece.strength, _MOST_SHOWN)


def _add_events(parts: list[Sentence], felt: list[Piece]) -> None:
    """A sad matter counts where it is fresh, or where the text is sad anyhow."""
    felt.extend(fresh_loss(parts))
    if sum(piece.value for piece in felt) < -1:
        events = (piece for part in parts for piece in part.pieces if piece.kind is Kind.EVENT)
        felt.extend(list(events)[:1])


def _support(felt: list[Piece]) -> None:
    """Several feelings of one direction are stronger than each."""
    for sign in (1, -1):
        same = [piece for piece in felt if piece.value * sign >= 1 and piece.strength >= 0.45]
        if len(same) > 1:
            strongest = max(same, key=lambda piece: piece.strength)
            strongest.strength += _AGREES


def _result(felt: list[Piece], size: int, *, sarcastic: bool, covered: bool) -> Emotion:
    total = sum(piece.value for piece in felt) / math.sqrt(max(1.0, size / _MANY))
    if sarcastic:
        total = min(total, _SARCASM)
        for piece in felt:
            piece.strength = min(piece.strength, _SARCASM_STRENGTH)
    valence = round(total / math.sqrt(total * total + _ALPHA), 4)
    strength = max((piece.strength for piece in felt if piece.value), default=0.0)
    strength = round(min(1.0, strength), 4)
    return Emotion(
        valence=valence,
        intense=strength >= INTENSE,
        tags=_tags(felt, valence, sarcastic=sarcastic),
        strength=strength,
        covered=covered,
    )


def _tags(felt: list[Piece], valence: float, *, sarcastic: bool) -> tuple[str, ...]:
    pleasant = sum(piece.value for piece in felt if piece.value > 0)
    unpleasant = sum(piece.value for piece in felt if piece.value < 0)
    mixed = not sarcastic and pleasant > _MIXED and unpleasant < -_MIXED
    if abs(valence) <= _NEUTRAL and not mixed:
        return ()
    if sarcastic:
        felt = [piece for piece in felt if piece.value < 0]
    by_strength = sorted(felt, key=lambda piece: -piece.strength)
    names = [piece.tag for piece in by_strength if piece.tag and abs(piece.value) >= _NAMED]
    names = list(dict.fromkeys(["sarcasm", *names] if sarcastic else names))[:_MAX_TAGS]
    return tuple(dict.fromkeys([*names[: _MAX_TAGS - 1], "mixed"] if mixed else names))


_MIXED: Final = 0.8
_NAMED: Final = 0.4
