"""What stands before a statement and says nothing: "so", "btw", "hi", "just so you know"."""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.text import Word

_FILLERS: Final = word_set(
    """
    oh so ok okay well hi hey hello hiya heya btw fyi and but plus anyway honestly actually yes
    yeah yep lol haha hah tbh irl right thanks ugh remember please also thx cheers pls guess
    what um uh hm hmm look listen sorry first basically yo cool great morning evening afternoon
    good all sup new finally again reminder that say though note sure nice there everyone no
    nope fine ps
    """
)
_PHRASES: Final = tuple(
    tuple(phrase.split())
    for phrase in (
        "by the way", "just so you know", "just so you have it", "in reality", "fun fact",
        "as you know", "as i said", "like i said", "as i told you", "don't forget",
        "do not forget", "for the record", "these days", "at the moment", "to be honest",
        "turns out", "it turns out", "the thing is", "in fact", "for what it's worth",
        "as for my job", "about me", "for context", "some context", "a bit about me",
        "small announcement", "long story short", "keep in mind", "bear in mind",
    )
)  # fmt: skip
_OPENINGS: Final = {
    first: tuple(phrase for phrase in _PHRASES if phrase[0] == first)
    for first in {phrase[0] for phrase in _PHRASES}
}


def skip_fillers(words: Sequence[Word]) -> int:
    """How many words at the beginning say nothing."""
    at = 0
    while at < len(words):
        if words[at].is_sign or (words[at].low in _FILLERS and at + 1 < len(words)):
            at += 1
            continue
        size = _opening_at(words, at)
        if not size or at + size >= len(words):
            break
        at += size
    return at


def _opening_at(words: Sequence[Word], at: int) -> int:
    for phrase in _OPENINGS.get(words[at].low, ()):
        if all(w.low == low for w, low in zip(words[at : at + len(phrase)], phrase, strict=False)):
            return len(phrase) if at + len(phrase) <= len(words) else 0
    return 0
