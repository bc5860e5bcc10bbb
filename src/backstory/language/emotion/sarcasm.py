"""Praise that means its opposite, where words or signs give it away."""

from itertools import pairwise
from typing import Final

from backstory.core.wordlists import word_set
from backstory.language.emotion import people
from backstory.language.emotion.model import Kind, Piece, Sentence
from backstory.language.emotion.signs import WRY

_BEFORE_OPENER: Final = word_set("oh wow well just yeah ah how another yay aw and but")
_SOFT: Final = word_set(
    "again another meeting meetings monday mondays wait waiting hold hours late dishes "
    "laundry chores "
    "tax taxes bill bills update updates exam exams cold rain raining homework"
)
"""What may be told of without a sigh: sarcasm needs a second sign beside it."""
_ALWAYS: Final = (
    "thanks for nothing", "thank you for nothing", "yeah right", "lucky me", "only took them",
    "only took you", "only took him", "only took her", "worked so well last time", "slow clap",
    "big surprise", "perfect timing", "great timing", "what could possibly go wrong",
    "as if i needed", "as if that would",
    "sure that will work", "way to ruin", "story of my life", "so helpful not",
)  # fmt: skip
_WITH_NUISANCE: Final = (
    "just what i needed",
    "exactly what i needed",
    "what a surprise",
    "love that for me",
    "just perfect",
    "just great",
    "just wonderful",
    "just lovely",
    "just brilliant",
    "good job",
    "great job",
    "nice job",
    "nice work",
    "great work",
    "way to go",
    "my favourite",
    "my favorite",
    "made my day",
    "can't wait",
)
_SPOILING: Final = word_set(
    "leaving breaking ruining forgetting waking ignoring telling losing spoiling cancelling "
    "canceling "
    "wasting nothing charging hanging dumping sharing blaming eating parking"
)
_SPOILS: Final = word_set(
    "ate broke smashed spilled spilt stole lost deleted dropped chewed scratched flooded towed "
    "dented ruined tore cracked burnt burned shrank misplaced soaked"
)
_MINE: Final = word_set("my our")
_THANKS: Final = frozenset(("thanks", "thank you", "thanks a lot", "thanks so much", "many thanks"))
_PRAISE: Final = (Kind.FEELING, Kind.JUDGEMENT, Kind.IDIOM)
_PAID: Final = word_set("paid bought ordered waited booked came stayed queued")
_FAILS: Final = word_set("doesn't didn't isn't wasn't won't can't couldn't not never nothing")


def is_sarcastic(parts: list[Sentence]) -> bool:
    """Whether praise in a text is not meant."""
    pieces = [piece for part in parts for piece in part.pieces]
    starts = _starts(parts)
    hard = any(
        piece.kind in (Kind.NUISANCE, Kind.EVENT) and piece.word not in _SOFT for piece in pieces
    )
    words = {piece.word for piece in pieces}
    hard = hard or (not words.isdisjoint(_SPOILS) and _tells_a_mishap(pieces))
    soft = hard or any(piece.word in _SOFT for piece in pieces)
    if _has_phrase(pieces, _ALWAYS) or (soft and _has_phrase(pieces, _WITH_NUISANCE)):
        return True
    return (
        _is_wry(pieces, nuisance=soft)
        or _opens_with_praise(pieces, starts, hard=hard, soft=soft)
        or (soft and _loves_a_nuisance(pieces, hard=hard))
        or _thanks_for_harm(pieces)
        or _praises_a_purchase(pieces)
    )


def _tells_a_mishap(pieces: list[Piece]) -> bool:
    """As in "the dog ate my passport"."""
    return any(
        piece.word in _SPOILS and after.word in _MINE
        for piece, after in pairwise(piece for piece in pieces if piece.kind is not Kind.PAUSE)
    )


def _starts(parts: list[Sentence]) -> set[int]:
    """Where sentences begin in the row of all pieces."""
    found, at = set(), 0
    for part in parts:
        found.add(at)
        at += len(part.pieces)
    return found


def _has_phrase(pieces: list[Piece], phrases: tuple[str, ...]) -> bool:
    row = " " + " ".join(piece.word for piece in pieces if piece.kind is not Kind.PAUSE) + " "
    return any(f" {phrase} " in row for phrase in phrases)


def _praises(piece: Piece) -> bool:
    return piece.kind in _PRAISE and piece.value > 0


def _is_wry(pieces: list[Piece], *, nuisance: bool) -> bool:
    wry = {piece.word for piece in pieces if piece.word in WRY}
    if not wry or not any(_praises(piece) for piece in pieces):
        return False
    return nuisance or wry != {"👏"} or any(piece.word == "idea" for piece in pieces)


def _opens_with_praise(pieces: list[Piece], starts: set[int], *, hard: bool, soft: bool) -> bool:
    """As in "oh great, another ...", "fantastic, now my phone is dead"."""
    last_praise = max((at for at, piece in enumerate(pieces) if _praises(piece)), default=-1)
    for at, piece in enumerate(pieces):
        if piece.word not in people.SARCASTIC_OPENERS:
            continue
        led = soft and at > 0 and pieces[at - 1].word in _BEFORE_OPENER and (at - 1) in starts
        alone = at in starts and (hard or _goes_on_with_now(pieces, at))
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        breaks = (
            after is None or after.kind is Kind.PAUSE or at + 1 in starts or after.word in _GOES_ON
        )
        if (led or alone) and breaks and last_praise <= at:
            return True
    return False


def _goes_on_with_now(pieces: list[Piece], at: int) -> bool:
    """As in "great, now it snows"."""
    rest = pieces[at + 1 : at + 3]
    return len(rest) == 2 and rest[0].kind is Kind.PAUSE and rest[1].word == "now"


_GOES_ON: Final = word_set("another now idea the my")


def _loves_a_nuisance(pieces: list[Piece], *, hard: bool) -> bool:
    """As in "I just love waiting on hold", "love it when the wifi dies"."""
    for at, piece in enumerate(pieces):
        if piece.word in people.LOVING and pieces[at + 1 : at + 3]:
            jest = any(after.word in people.LOVED_IN_JEST for after in pieces[at + 1 : at + 3])
            stressed = at > 0 and pieces[at - 1].word in ("just", "really", "so", "absolutely")
            if jest and (hard or stressed):
                return True
    return False


def _thanks_for_harm(pieces: list[Piece]) -> bool:
    for at, piece in enumerate(pieces[:-2]):
        if piece.word in _THANKS and pieces[at + 1].word == "for":
            return any(after.word in _SPOILING for after in pieces[at + 2 : at + 4])
    return False


def _praises_a_purchase(pieces: list[Piece]) -> bool:
    """As in "so glad I paid extra for a seat that doesn't recline"."""
    words = [piece.word for piece in pieces]
    glad = next((at for at, word in enumerate(words) if word in ("glad", "happy", "worth")), None)
    if glad is None or glad > 3:
        return False
    rest = words[glad + 1 :]
    return bool(_PAID.intersection(rest[:3])) and bool(_FAILS.intersection(rest[3:]))
