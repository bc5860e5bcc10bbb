"""Values in what follows a lead-in such as "my wife is called": names, numbers, phrases."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from backstory.core.inline.places import COUNTRIES, DEMONYMS
from backstory.core.wordlists import word_set

Taker: TypeAlias = Callable[[str], str | None]
"""Takes the value from the start of a text; None when there is none."""

_TOKEN: Final = re.compile(r"[^\W_]+(?:['.&-][^\W_]+)*|&")
_LINKS: Final = word_set("& of de da do dos del di du la le van von der den zu und y und the")
_NO_NAMES: Final = DEMONYMS | word_set(
    "i i'm i've i'll i'd monday tuesday wednesday thursday friday saturday sunday january february "
    "march "
    "april may june july august september october november december christmas easter god ok okay "
    "tv "
    "is was has had are were will can and but or so the a an who which that this it he she they we "
    "you "
    "also just really always never still now today tomorrow yesterday here there mr mrs ms no yes "
    "not "
    "aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces team "
    "catholic christian protestant muslim jewish buddhist hindu atheist democrat republican english"
)
_TITLES: Final = word_set("dr prof mr mrs ms miss sir doctor professor")
_ARTICLE: Final = re.compile(
    r"\s*(?:(?:definitely|probably|still|now|actually|really|always|currently|officially|again"
    r"|just) )*"
    r"(?:(?:a|an|the(?= [a-z]))\s)?",
)
_PHRASE_END: Final = re.compile(
    r"[,:;.!?()\n]|\s-|\s(?:now|and|or|but|in|at|for|with|by|on|these|this|since|because|so|who"
    r"|which|that"
    r"|not|right|too|again|actually|nowadays|anymore|though|lol|haha|today|to|from|of (?:course"
    r"|all))\b"
)
_NO_VALUE: Final = word_set(
    "not no none the that this it what always never hard something anything nothing different "
    "changed "
    "changing gone broken ill sick late new old great good bad nice fine best worst full empty "
    "used "
    "getting going coming being very too so my your his her their our there here where when why "
    "how "
    "secret unknown private same important terrible awful okay ok dead down up done over off on "
    "about "
    "in from with to by of near under at into for "
    "also more less one two still just like unlike because driving killing making ruined running"
)
_NUMBER: Final = re.compile(r"\s*(\+?\d[\d ().-]*\d|\d+(?:\.\d+)?)(?![\w%])")
_MAX_TOKENS: Final = 4
_MAX_WORDS: Final = 3


def take_name(rest: str) -> str | None:
    """A person's or an animal's name: up to four capitalised words."""
    name = _capitalised(rest, titles=True)
    return None if name is None or name.casefold() in COUNTRIES else name


def take_whole_name(rest: str) -> str | None:
    """A name that ends where the clause, or an aside, goes on."""
    name = take_name(rest)
    if name is None:
        return None
    behind = rest[rest.index(name) + len(name) :]
    return name if _ENDS.match(behind) else None


_ENDS: Final = re.compile(
    r"\s*(?:$|[,.!;:)]|-|(?:btw|by the way|and|actually|now|though|lol|here|haha)\b)"
)


def take_city(rest: str) -> str | None:
    """The name of a place that is no country."""
    place = _capitalised(rest, titles=False)
    return None if place is None or place.casefold() in COUNTRIES else place


def take_country(rest: str) -> str | None:
    """The name of a country."""
    place = _capitalised(re.sub(r"^\s*the ", "", rest), titles=False)
    return place if place and place.casefold() in COUNTRIES else None


def take_proper(rest: str) -> str | None:
    """Any proper name, with an article taken off: a firm, a school, a make of car."""
    return _capitalised(re.sub(r"^\s*(?:an?|the) ", "", rest), titles=False)


def take_phrase(rest: str) -> str | None:
    """One to three words, or a proper name of any length up to four."""
    article = _ARTICLE.match(rest)
    body = rest[article.end() :] if article else rest
    title = "The " if re.match(r"The [A-Z]", body) else ""
    proper = _capitalised(body[len(title) :], titles=False)
    if proper:
        return title + proper
    end = _PHRASE_END.search(body)
    words = body[: end.start() if end else len(body)].split()
    if not words or len(words) > _MAX_WORDS or words[0].casefold() in _NO_VALUE:
        return None
    return " ".join(words)


def take_number(rest: str) -> str | None:
    """A number, or digits in groups."""
    match = _NUMBER.match(rest)
    return match.group(1).strip() if match else None


def take_age(rest: str) -> str | None:
    """A number of years from 1 to 120, not of anything else."""
    match = re.match(
        r"\s*(?:now |already )?(\d{1,3})(?= ?(?:$|[,.!;)]|years? old|yrs?\b|y/?o\b|now\b|today\b"
        r"|yesterday\b|and\b))",
        rest,
    )
    return match.group(1) if match and 0 < int(match.group(1)) <= 120 else None


def take_word_of(words: frozenset[str]) -> Taker:
    """A taker of one word of a closed list, behind an adverb at most."""

    def take(rest: str) -> str | None:
        article = _ARTICLE.match(rest)
        body = rest[article.end() :] if article else rest
        match = re.match(r"(?:(?:strictly|fully|completely|officially|newly) )?([\w-]+)", body)
        if match is None or match.group(1).casefold() not in words:
            return None
        behind = body[match.end() :]
        return (
            match.group(1)
            if re.match(r"\s*(?:$|[,.!;)]|\w+ly\b|now|and|these|since|again|btw|by )", behind)
            else None
        )

    return take


def _capitalised(rest: str, *, titles: bool) -> str | None:
    """The capitalised words at the start of a text, with small words between them."""
    start, end, seen, count = None, 0, 0, 0
    for token in _TOKEN.finditer(rest):
        word = token.group()
        between = rest[seen : token.start()]
        seen = token.end()
        if between.strip(" ") and not (titles and between.strip(" ") == "." and count):
            break
        if not _counts(word, first=start is None, titles=titles):
            if start is None or word.casefold() not in _LINKS:
                break
            continue
        start = token.start() if start is None else start
        end, count = token.end(), count + 1
        if count == _MAX_TOKENS:
            break
    if start is None:
        return None
    name = re.sub(r"'s$", "", rest[start:end])
    return None if name.casefold() in _TITLES or len(name) < 2 else name


def _counts(word: str, *, first: bool, titles: bool) -> bool:
    if not word[0].isupper():
        return not first and word[0].isdigit()
    plain = word.casefold()
    if plain.endswith(("'d", "'ll", "'ve", "'re")):
        return False
    return plain not in _NO_NAMES or (titles and plain in _TITLES)
