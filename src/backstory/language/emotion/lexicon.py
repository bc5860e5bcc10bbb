"""All that is known of English words: our own lists first, then VADER's lexicon.

VADER: C.J. Hutto and E. Gilbert, "VADER: A Parsimonious Rule-based Model for Sentiment Analysis of
Social Media Text", ICWSM 2014; the package ``vaderSentiment`` (MIT). Only its ratings are used:
means of ten raters from -4 to 4 for words rated alone.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from backstory.core.wordlists import word_set
from backstory.language.emotion import feelings, ordinary
from backstory.language.emotion.model import Entry, Kind
from backstory.language.emotion.phrases import phrases
from backstory.language.emotion.signs import signs

_LEAST: Final = 0.9
"""Ratings nearer to 0 say too little."""
_RATED: Final = 0.6
"""VADER's ratings say how good or bad, not how agitated: none is taken for more than this."""

_MORE: Final = word_set("very really truly genuinely deeply super too real")
_MUCH_MORE: Final = word_set(
    "absolutely completely totally utterly incredibly extremely insanely unbelievably beyond "
    "seriously fucking freaking bloody damn ridiculously immensely overwhelmingly infinitely "
    "terribly hugely literally hella wildly madly absolute total complete utter pure sheer"
)
BOOSTERS: Final = {"so": 0.25} | dict.fromkeys(_MORE, 0.2) | dict.fromkeys(_MUCH_MORE, 0.3)
SOFTENERS: Final = word_set("quite rather fairly pretty reasonably mostly okay")
HEDGES: Final = word_set(
    "slightly somewhat bit kinda sorta mildly moderately vaguely marginally partly sometimes"
)
DENIALS: Final = word_set(
    "not no never nor neither without hardly barely scarcely nothing nobody none don't "
    "doesn't didn't "
    "isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't "
    "hadn't ain't "
    "nowhere"
)
_LONGEST_COMPARED: Final = 8
_SUPERLATIVES: Final = frozenset(("best", "worst", "greatest"))


@dataclass(frozen=True, slots=True)
class Node:
    """Where phrases that begin with the same words go on, and what ends here."""

    then: dict[str, "Node"]
    entry: list[Entry]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words, phrases and signs with what they say."""

    words: dict[str, Entry]
    phrases: dict[str, Node]
    signs: dict[str, Entry]


@cache
def lexicon() -> Lexicon:
    """The English lexicon; it is built when it is first needed (some 30 ms)."""
    return Lexicon(words=_words(), phrases=_trie(phrases()), signs=signs())


def _words() -> dict[str, Entry]:
    rated = _rated()
    found = dict(rated)
    for value, strength, words in feelings.JUDGEMENTS:
        found |= dict.fromkeys(words.split(), Entry(Kind.JUDGEMENT, value, strength))
    found |= dict.fromkeys(ordinary.NUISANCES, Entry(Kind.NUISANCE)) | {
        word: found[word] for word in ordinary.NUISANCES if word in found
    }
    found |= dict.fromkeys(ordinary.EVENTS, Entry(Kind.EVENT, -1.0, 0.2))
    found |= _nouns(feelings.NOUNS_PLEASANT, 1) | _nouns(feelings.NOUNS_UNPLEASANT, -1)
    found |= _feelings(feelings.PLEASANT, 1) | _feelings(feelings.UNPLEASANT, -1)
    found |= _compared({word: entry for word, entry in found.items() if entry != rated.get(word)})
    found |= {word: Entry(Kind.BOOST, 0.0, more) for word, more in BOOSTERS.items()}
    found |= dict.fromkeys(SOFTENERS, Entry(Kind.SOFT))
    found |= dict.fromkeys(HEDGES, Entry(Kind.HEDGE))
    return found | dict.fromkeys(DENIALS, Entry(Kind.DENIAL))


def _compared(known: dict[str, Entry]) -> dict[str, Entry]:
    """Comparatives and superlatives of the adjectives in the lists."""
    found = {}
    for word, entry in known.items():
        if entry.kind in (Kind.FEELING, Kind.JUDGEMENT) and len(word) < _LONGEST_COMPARED:
            base = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
            for form in (
                base + "er",
                base + "est",
                base + base[-1] + "er",
                base + base[-1] + "est",
            ):
                if form not in known:
                    found[form] = entry
    return found


def _rated() -> dict[str, Entry]:
    ratings: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return {
        word: Entry(Kind.JUDGEMENT, value, min(_RATED, abs(value) / 8))
        for word, value in ratings.items()
        if abs(value) >= _LEAST and word not in ordinary.BLAND and word.isalpha() and len(word) > 2
    }


def _feelings(lists: dict[str, tuple[str, str, str]], sign: int) -> dict[str, Entry]:
    levels = (feelings.STRONG, feelings.MEDIUM, feelings.MILD)
    return {
        word: Entry(Kind.FEELING, sign * value, strength, tag)
        for tag, by_level in lists.items()
        for words, (value, strength) in zip(by_level, levels, strict=True)
        for word in words.split()
    }


def _nouns(lists: dict[str, str], sign: int) -> dict[str, Entry]:
    found = {}
    for tag, words in lists.items():
        for word in words.split():
            strong = word in feelings.STRONG_NOUNS
            value, strength = feelings.STRONG if strong else feelings.MEDIUM
            found[word] = Entry(Kind.NOUN, sign * value, strength, tag)
    return found


def _trie(entries: dict[tuple[str, ...], Entry]) -> dict[str, Node]:
    root: dict[str, Node] = {}
    for words, entry in entries.items():
        level = root
        for word in words:
            node = level.setdefault(word, Node({}, []))
            level = node.then
        node.entry[:] = [entry]
    return root


def is_superlative(word: str) -> bool:
    """Whether a word of the lexicon is a superlative ("best", "happiest", "nastiest")."""
    return word in _SUPERLATIVES or (word.endswith("est") and len(word) > 5)
