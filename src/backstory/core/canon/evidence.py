"""Whether a quote says enough to be the evidence of a state."""

from collections.abc import Collection
from typing import Final

from backstory.core.scripts.letters import LETTERS_PER_WORD, words

# Of one letter nearly every text has an example, and of two mostly function words: "he", "le".
_LEAST: Final = 3
# A syllable or a sign says as much as some letters, but one alone is mostly a particle.
_LEAST_SIGNS: Final = 2
_SYLLABLES: Final = frozenset({*LETTERS_PER_WORD, "Hangul"})


def is_evidence(quote: str, value: str, stop_words: Collection[str]) -> bool:
    """Whether a quote has a word with content, or says the value itself.

    Args:
        quote: Words of the chapter.
        value: What they shall show; short ones are said by short quotes ("47", one Han sign).
        stop_words: Words without content, in small letters.
    """
    said, wanted = _flat(quote), _flat(value)
    if wanted and wanted in said and _is_more_than_a_letter(wanted):
        return True
    for word in words(said):
        least = _LEAST_SIGNS if word.script in _SYLLABLES else _LEAST
        if len(word.folded) >= least and word.folded not in stop_words:
            return True
    return False


def _is_more_than_a_letter(value: str) -> bool:
    if sum(map(str.isalnum, value)) > 1:
        return True
    return value.isdecimal() or any(word.script in _SYLLABLES for word in words(value))


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
