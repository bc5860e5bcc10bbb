"""Occupations in a phrase.

For: "primary school teacher", "ER nurse". Not for: "terrible cook", "huge nerd".
"""

from typing import Final

from backstory.reading.rules.employers import Words
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import HOME_JOBS, JOBS
from backstory.reading.rules.values import phrase_at

_JUDGING: Final = word_set(
    """
    terrible good bad great lousy decent horrible hopeless keen amateur slow fast big huge quick
    awful better worse nervous careful hobby home hard heavy light team proud wannabe aspiring
    would-be future failed natural born real true perfect model lone
    """
)

PARENTS: Final = word_set("mum dad mom father mother")

_NO_ROLE: Final = word_set(
    """
    family team couple group result hobby unit whole kid child man woman beginner side adult
    favour favor charm
    """
)


def role_at(words: Words, at: int = 0, *, told: bool = False) -> int:
    """The end of the occupation that begins at ``at``, or ``at``.

    Args:
        words: The words of a clause.
        at: Where it begins, after the determiner.
        told: The words before say that an occupation follows ("work as a").
    """
    end = phrase_at(words, at, most=7)
    lows = [word.low for word in words[at:end]]
    heads = [i for i, low in enumerate(lows) if _is_job(low)]
    if not heads:
        return end if told and end > at and len(lows) <= 4 and not {*lows} & _NO_ROLE else at
    head = heads[-1]
    if lows[head] in PARENTS and not " ".join(lows[:head]).startswith(HOME_JOBS):
        return at
    if not told and {*lows[:head]} & _JUDGING:
        return at
    return at + head + 1


def _is_job(low: str) -> bool:
    if low in JOBS:
        return True
    tail = low.rpartition("-")[2]
    return tail in JOBS or (low.endswith("s") and False)
