"""Values: names, places, noun phrases and enumerations within the words of a clause."""

from collections.abc import Iterator, Sequence
from typing import Final

from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.text import Word

Words = Sequence[Word]

DETERMINERS: Final = word_set("a an the my our some this that these those your his her their")
_STOPS: Final = word_set(
    """
    like and or but so because since for with at in on from to by of as if when while where which
    who
    that than then though although unless until after before during without about into over
    under near is are was were am be been has have had do does did will would can could should i
    you he she it we they me us him them now lately nowadays today tomorrow yesterday tonight
    currently anymore again too also already btw lol haha lmao tbh honestly actually rn imo ffs
    pls please thanks sorry ago just still yet not never right always really very here there
    anyway these originally basically yes no ok well hi oh
    """
)
_NAME_PARTICLES: Final = word_set(
    """
    de da do dos das di du del della der den van von la le los las el al bin ibn y e zu upon ap
    mac of the
    """
)
_TITLES: Final = word_set("mr mrs miss ms dr sir lady lord prof professor captain st saint")
_PLACE_TAILS: Final = word_set("of upon on de la le du da do el al am an der den by in sur les st")
_AND: Final = word_set("and plus or &")


def is_stop(word: Word) -> bool:
    """Whether a word ends a noun phrase."""
    return word.low in _STOPS


def name_at(words: Words, at: int = 0, *, told: bool = False) -> int:
    """The end of the name that begins at ``at``, or ``at`` if none does.

    Args:
        words: The words of a clause.
        at: Where it should begin.
        told: The words before say that a name follows ("called", "name is"): then it may be
            in lower case, one word long.
    """
    end = at
    while end < len(words) and end - at < 5:
        word = words[end]
        if word.is_sign and not (word.low == "." and end > at and words[end - 1].low in _TITLES):
            break
        low_ok = end > at and word.low in _NAME_PARTICLES and _capital(words, end + 1)
        title = end == at and word.low in _TITLES and _capital(words, end + 1)
        the = end == at and told and word.low == "the" and _capital(words, end + 1)
        if not (_is_name(word) or low_ok or title or the):
            break
        end += 1
    if end == at and told and at < len(words) and _plain_name(words[at]):
        end = at + 1
    return end


def _capital(words: Words, at: int) -> bool:
    return at < len(words) and _is_name(words[at])


def _is_name(word: Word) -> bool:
    return word.is_capital and word.low not in _STOPS and word.low != "i" and len(word.low) > 1


def _plain_name(word: Word) -> bool:
    return (
        not word.is_sign
        and word.low.isalpha()
        and word.low not in _STOPS | DETERMINERS
        and len(word.low) > 1
    )


def place_at(words: Words, at: int = 0) -> int:
    """The end of the place that begins at ``at``: a name, or up to three words in lower case."""
    start = at
    while at < len(words) and words[at].low in {"the", "a", "an"}:
        at += 1
    end = at
    if _capital(words, at):
        while end < len(words) and end - at < 6:
            word = words[end]
            comma = (
                word.low == ","
                and (_capital(words, end + 1) or end == at)
                and end + 2 >= len(words)
            )
            inner = word.low in _PLACE_TAILS and end > at and _capital(words, end + 1)
            if not (_is_name(word) or inner or comma):
                break
            end += 1
        return end
    while end < len(words) and end - at < 3 and _in_phrase(words[end]):
        end += 1
    return end if end > at else start


def _in_phrase(word: Word) -> bool:
    return not word.is_sign and word.low not in _STOPS


def phrase_at(
    words: Words, at: int = 0, *, inner: frozenset[str] = frozenset(), most: int = 8
) -> int:
    """The end of the noun phrase that begins at ``at``.

    Args:
        words: The words of a clause.
        at: Where it begins; determiners are part of it.
        inner: Words that else end a phrase but belong to this one, such as "of".
        most: Most words.
    """
    end = at
    while end < len(words) and words[end].low in DETERMINERS:
        end += 1
    head = end
    while end < len(words) and end - head < most:
        word = words[end]
        if word.is_sign:
            break
        if word.low in _STOPS and not (end > head and word.low in inner and end + 1 < len(words)):
            break
        end += 1
    while end > head and words[end - 1].low in inner:
        end -= 1
    return end if end > head else at


def bare(words: Words) -> Words:
    """A phrase without the determiners in front."""
    at = 0
    while at < len(words) - 1 and words[at].low in DETERMINERS:
        at += 1
    return words[at:]


def items(words: Words, *, inner: frozenset[str] = frozenset({"of", "in"})) -> Iterator[Words]:
    """The noun phrases of an enumeration: "a, b and c", "(a & b)", "a plus b"."""
    at = 0
    while at < len(words):
        while at < len(words) and (
            words[at].low in _AND or words[at].low in {",", "(", ":", "also"}
        ):
            at += 1
        end = phrase_at(words, at, inner=inner)
        if end == at:
            return
        yield bare(words[at:end])
        at = end
        if at < len(words) and words[at].low not in _AND | {",", "("}:
            return


def names(words: Words, *, told: bool = False) -> Iterator[Words]:
    """The names of an enumeration: "A, B and C", "(A and B)"."""
    at = 0
    while at < len(words):
        while at < len(words) and (words[at].low in _AND or words[at].low in {",", "(", ":"}):
            at += 1
        end = name_at(words, at, told=told)
        if end == at:
            return
        yield words[at:end]
        at = end
        at = _past_brackets(words, at)
        if at < len(words) and words[at].low not in _AND | {",", "("}:
            return


def _past_brackets(words: Words, at: int) -> int:
    """Past an age in brackets: "Ada (9) and Bo (6)"."""
    if (
        words[at : at + 1]
        and words[at].low == "("
        and at + 1 < len(words)
        and words[at + 1].low.isdigit()
    ):
        end = at + 1
        while end < len(words) and words[end].low != ")":
            end += 1
        return min(end + 1, len(words))
    return at
