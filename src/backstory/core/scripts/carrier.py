"""The script that carries a text: that of most letters, among all scripts."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from backstory.core.scripts.han import HanEvidence, han_evidence
from backstory.core.scripts.letters import count_chars, script_of

KANA: Final = "Kana"
_SYLLABARIES: Final = ("Hiragana", "Katakana")
_VOWELS_AND_FINALS: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
# Bold, script and other letters of mathematics, which social media use as type faces.
_STYLED: Final = ("\U0001d400", "\U0001d7ff")
# Hiragana behind Han or katakana: particles and endings.
_ENDING: Final = re.compile(
    "(?:[\u3005\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]|[\u30a1-\u30fc])([\u3041-\u3096]+)"
)
_LATIN_ENDING: Final = re.compile("[A-Za-z\uff21-\uff5a] ?[\u3041-\u3096]")
_MIN_HIRAGANA: Final = 3
_SAMPLE_CHARS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Carrier:
    """The script of most letters of a text.

    Attributes:
        script: The Unicode long name; ``Kana`` for Hiragana, Katakana and the Han characters among
            them.
        share: Of the letters, how many are in that script, in (0, 1].
        counts: Letters by script, as Unicode names them, syllables of Korean counted once.
        han: What the Han characters tell, in a sample of a long text; None where there are none.
    """

    script: str
    share: float
    counts: Mapping[str, int]
    han: HanEvidence | None


def carrier_of(text: str) -> Carrier | None:
    """The script that most letters of a text are in; None when it has no letters.

    Han characters count for Kana where kana are the grammar: endings and particles stand
    behind them, and more of those than of characters that only Chinese has. The same holds
    among Latin words as long as they have no more than twice the letters. Of
    two scripts with as many letters the first in the text wins.
    """
    chars = count_chars(text)
    counts = _letters(chars)
    if not counts:
        return None
    total = sum(counts.values())
    sample = sampled(text)
    han = None
    if "Han" in counts:
        han = han_evidence(chars if sample is text else Counter(sample), sample)
    groups = _groups(sample, counts, han)
    most = max(groups.values())
    best = [name for name, count in groups.items() if count == most]
    script = best[0] if len(best) == 1 else _first(text, best)
    return Carrier(script, min(1.0, groups[script] / total), counts, han)


def sampled(text: str, chars: int = _SAMPLE_CHARS) -> str:
    """A text of at most three times so many characters: the first, the middle and the last."""
    if len(text) <= 3 * chars:
        return text
    middle = (len(text) - chars) // 2
    return "\n".join((text[:chars], text[middle : middle + chars], text[-chars:]))


def _letters(chars: Mapping[str, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    jamo = 0
    for char, count in chars.items():
        name = script_of(char)
        if name is None and _STYLED[0] <= char <= _STYLED[1]:
            name = script_of(normalize("NFKC", char))
        if name is None:
            continue
        if name == "Hangul" and _VOWELS_AND_FINALS.match(char):
            jamo += count
            continue
        counts[name] += count
    if jamo and not counts["Hangul"]:
        counts["Hangul"] = jamo
    return {name: count for name, count in counts.items() if count}


def _first(text: str, names: Sequence[str]) -> str:
    """Which of these scripts the text has first."""
    for char in text:
        found = script_of(char)
        if (name := KANA if found in _SYLLABARIES else found) in names and name is not None:
            return name
    return names[0]


def _groups(text: str, counts: Mapping[str, int], han: HanEvidence | None) -> dict[str, int]:
    """Letters by script, with the kana as one."""
    groups: Counter[str] = Counter()
    for name, count in counts.items():
        groups[KANA if name in _SYLLABARIES else name] += count
    kana = groups.get(KANA, 0)
    if not kana:
        return groups
    if "Han" in groups and (kana >= groups["Han"] or _is_grammar(text, counts, han)):
        groups[KANA] += groups.pop("Han")
    if _carries_latin(text, counts, groups):
        del groups["Latin"]
    return groups


def _is_grammar(text: str, counts: Mapping[str, int], han: HanEvidence | None) -> bool:
    """Whether the kana among more Han characters are those of Japanese sentences."""
    if han is None or not counts.get("Hiragana"):
        return False
    endings = sum(0.5 if found == "\u306e" else 1.0 for found in _ENDING.findall(text))
    return endings > 0 and endings + han.japanese > han.chinese


def _carries_latin(text: str, counts: Mapping[str, int], groups: Mapping[str, int]) -> bool:
    latin = groups.get("Latin", 0)
    if not groups[KANA] < latin <= 2 * groups[KANA] or counts.get("Hiragana", 0) < _MIN_HIRAGANA:
        return False
    return bool(_LATIN_ENDING.search(text))
