"""Whether a derived text keeps to the scripts of its source.

What a model derives from a message must be written as the message is. This check looks at the
two texts and nothing else: it knows no languages, and shares neither a verdict nor a sample
with whatever chose the language of the prompt.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Sequence
from operator import add
from typing import Final

from backstory.core.scripts.carrier import KANA, carrier_of, sampled
from backstory.core.scripts.letters import LETTERS_PER_WORD, Word, count_scripts, words

_MAX_FOREIGN: Final = 0.25
_SECOND_SHARE: Final = 0.4
_SECOND_UNITS: Final = 6.0
_NAME_WEIGHT: Final = 0.25
_SAMPLE_CHARS: Final = 8_000
_JAPANESE: Final = frozenset({"Hiragana", "Katakana", "Han"})
# Scripts that one language writes together: who writes the first may write the others.
_COMPANIONS: Final = {
    "Hiragana": _JAPANESE,
    "Katakana": _JAPANESE,
    "Bopomofo": frozenset({"Bopomofo", "Han"}),
}
_MIN_HAN: Final = 12
_MIN_CHINESE: Final = 3.0
_QUOTED: Final = re.compile(
    "\u00ab[^\u00ab\u00bb]{1,300}\u00bb|\u201c[^\u201c\u201d]{1,300}\u201d"
    "|\u201e[^\u201e\u201c\u201d]{1,300}[\u201c\u201d]|\u300c[^\u300c\u300d]{1,300}\u300d"
    "|\u300e[^\u300e\u300f]{1,300}\u300f|\u300a[^\u300a\u300b]{1,300}\u300b"
    '|"[^"\\n]{1,300}"'
)


def same_writing(derived: str, source: str) -> bool:
    """Whether a derived text is written in the script or scripts of its own source.

    A word may always be repeated as the source writes it, such as a name. Other words must be in a
    script that carries the source: the one with most words, or a second one with at least 40 %
    of them. Japanese carries kana and Han together, once the source has kana as its grammar;
    Chinese does not pass for Japanese there, nor Japanese for Chinese elsewhere. Up to a quarter of
    the derived text may be in other scripts, where a word in quotation marks or with a capital
    (a name) counts a quarter, and abbreviations in capitals do not count, as long as there
    is a word in a carrying script.

    Args:
        derived: What a model made of the source: a fact, a name, a summary, a chapter.
        source: The text that it was made from. Of more than 24,000 characters the beginning,
            the middle and the end tell which scripts carry it.

    Returns:
        True when there are no letters to compare.
    """
    carrying = _carrying(source)
    scripts = count_scripts(derived).keys()
    if not carrying or not scripts:
        return True
    if not scripts <= carrying and not _keeps_to(carrying, derived, source):
        return False
    return "Han" not in carrying or _is_as_japanese(derived, source, carrying)


def _keeps_to(carrying: frozenset[str], derived: str, source: str) -> bool:
    own = 0.0
    foreign = []
    for word in words(derived):
        if word.script in carrying:
            own += word.units
        else:
            foreign.append(word)
    repeated = _Repeated(source) if foreign else ()
    quoted = [(one.start(), one.end()) for one in _QUOTED.finditer(derived)] if foreign else []
    other = 0.0
    for word in foreign:
        if word in repeated:
            continue
        other += _weight(word, quoted)
        # it only grows: a long text in another script is known after a few words
        if not own or other > _MAX_FOREIGN * (own + other):
            return False
    return True


def _weight(word: Word, quoted: Sequence[tuple[int, int]]) -> float:
    if word.is_abbreviation:
        return 0.0
    return word.units * (_NAME_WEIGHT if word.is_name or _within(word, quoted) else 1.0)


def _within(word: Word, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a word is inside one of the spans, which are in order and do not overlap."""
    place = bisect_left(spans, (word.start, 0)) - 1
    return place >= 0 and word.start < spans[place][1]


class _Repeated:
    """Words of a source, and of scripts without blanks each part of its runs of letters."""

    def __init__(self, source: str) -> None:
        self._words: set[str] = set()
        runs: defaultdict[str, list[str]] = defaultdict(list)
        for word in words(source):
            if word.script in LETTERS_PER_WORD:
                runs[word.script].append(word.folded)
            else:
                self._words.add(word.folded)
        self._runs = {script: "\n".join(dict.fromkeys(each)) for script, each in runs.items()}
        self._pairs = {script: set(map(add, each, each[1:])) for script, each in self._runs.items()}
        self._met: dict[str, bool] = {}

    def __contains__(self, word: Word) -> bool:
        if word.script not in LETTERS_PER_WORD:
            return word.folded in self._words
        runs = self._runs.get(word.script)
        return runs is not None and self._is_part(word.folded, runs, self._pairs[word.script])

    def _is_part(self, folded: str, runs: str, pairs: Collection[str]) -> bool:
        if folded not in self._met:
            # looking through the runs takes time by their length; most strange words fail here
            may_be = all(map(pairs.__contains__, map(add, folded, folded[1:])))
            self._met[folded] = may_be and folded in runs
        return self._met[folded]


def _is_as_japanese(derived: str, source: str, carrying: frozenset[str]) -> bool:
    """Whether two texts with Han characters are both Japanese or both not, as far as forms tell."""
    made = carrier_of(derived)
    if made is None or made.han is None:
        return True
    if "Hiragana" in carrying:
        chinese = made.script == "Han" and made.counts["Han"] >= _MIN_HAN
        sure = made.han.chinese >= _MIN_CHINESE and made.han.chinese > 2 * made.han.japanese
        return not (chinese and sure) or derived in source
    origin = carrier_of(source)
    if made.script != KANA or origin is None or origin.script == KANA:
        return True
    return derived in source


def _carrying(source: str) -> frozenset[str]:
    """The scripts that a text derived from this source, or a sample of it, may be written in."""
    units: defaultdict[str, float] = defaultdict(float)
    for word in words(sampled(source, _SAMPLE_CHARS)):
        units[word.script] += word.units * (_NAME_WEIGHT if word.is_name else 1.0)
    if not units:
        return frozenset()
    total = sum(units.values())
    first = max(units, key=lambda name: (units[name], name))
    carrying = {first} | {
        name for name, share in units.items() if share >= max(_SECOND_SHARE * total, _SECOND_UNITS)
    }
    if "Han" in carrying and "Hiragana" in units:
        carrier = carrier_of(source)
        if carrier is not None and carrier.script == KANA:
            carrying |= _JAPANESE
    return frozenset(carrying.union(*(_COMPANIONS.get(name, ()) for name in carrying)))
