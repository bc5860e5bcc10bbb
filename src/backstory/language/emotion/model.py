"""What is read of a feeling, and the pieces that it is read from."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from backstory.core.wordlists import word_set

TAGS: Final = word_set(
    "joy love gratitude relief pride hope calm amusement excitement interest surprise sadness "
    "grief "
    "loneliness longing disappointment regret shame envy anger annoyance disgust fear worry stress "
    "exhaustion despair hurt mixed sarcasm"
)
"""All tags that `score_emotion` gives."""

INTENSE: Final = 0.75
"""The strength from which a feeling is intense."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Emotion:
    """The feeling that a text shows, as far as words tell it.

    Attributes:
        valence: From -1 (unpleasant) to 1 (pleasant). Within 0.15 of 0 it is neutral.
        intense: Whether the feeling is strong: what the gate of emotional moments asks.
        tags: Names of the feelings, the strongest first, at most three, of a closed list; in
            front of them "sarcasm" where praise means its opposite, and behind them "mixed"
            where pleasant and unpleasant stand side by side.
        strength: From 0 to 1: how strongly it is put. From 0.75 on it is `intense`.
        covered: False where the text is in a language without a list of words. Neutral then
            means that nothing was read but emoji.
        arousal: None: no freely licensed list of words gives it. A model may.
        dominance: None, likewise.
    """

    valence: float
    intense: bool
    tags: tuple[str, ...] = ()
    strength: float = 0.0
    covered: bool = True
    arousal: float | None = None
    dominance: float | None = None


class Kind(StrEnum):
    """What a piece of a sentence does."""

    WORD = "word"  # nothing
    PAUSE = "pause"  # a comma, a bracket, a dash
    QUOTE = "quote"
    SIGN = "sign"  # an emoji or emoticon
    FEELING = "feeling"  # names what somebody feels: counts if it is the writer
    NOUN = "noun"  # names a feeling as a thing: counts where it is felt, not where it is talked of
    JUDGEMENT = "judgement"  # good or bad, whoever says it
    IDIOM = "idiom"  # several words that together say what the writer feels
    EVENT = "event"  # a sad matter: alone it says nothing of a feeling
    NUISANCE = "nuisance"  # what is not praised in earnest
    BOOST = "boost"
    HEDGE = "hedge"
    SOFT = "soft"  # "quite", "pretty": no feeling is intense behind it
    DENIAL = "denial"
    EVER = "ever"  # "of my life": makes a superlative intense


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list says of a word or of several.

    Attributes:
        value: Pleasant above 0, unpleasant below, within 4.
        strength: From 0 to 1, without what stands around it.
    """

    kind: Kind
    value: float = 0.0
    strength: float = 0.0
    tag: str = ""


@dataclass(slots=True)
class Piece:
    """A word, several words that belong together, or a sign, in its sentence.

    Attributes:
        word: In lower case, with the plain apostrophe.
        caps: All in capitals, of at least two letters.
        title: Begins with a capital, the rest is small.
        stretched: Written with letters repeated ("sooo").
    """

    word: str
    kind: Kind = Kind.WORD
    value: float = 0.0
    strength: float = 0.0
    tag: str = ""
    caps: bool = False
    title: bool = False
    stretched: bool = False
    superlative: bool = False
    denied: bool = False


@dataclass(slots=True)
class Sentence:
    """The pieces of a sentence and the marks that end it."""

    pieces: list[Piece]
    end: str = ""
