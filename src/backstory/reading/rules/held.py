"""What is held of a person when a message is read, and which of it a few words name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from backstory.core.facts.slots import cardinality_of
from backstory.core.model.fact import Cardinality, FactKind
from backstory.core.model.reading import Act, Batch, Claim
from backstory.core.values import normal_value
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import KIN, PETS
from backstory.reading.rules.lines import TOKEN

_OWN: Final = frozenset(
    ["a", "an", "the", "my", "our", "this", "that", "these", "those", "his", "her", "their", "your"]
)
_LEADING: Final = _OWN | frozenset(
    [
        "old",
        "poor",
        "dear",
        "beloved",
        "little",
        "sweet",
        "whole",
        "entire",
        "last",
        "ex",
        "at",
        "with",
        "for",
        "to",
        "from",
        "of",
        "both",
        "all",
        "dog",
        "cat",
        "hamster",
        "rabbit",
        "hen",
        "horse",
        "bird",
        "fish",
        "parrot",
        "tortoise",
        "puppy",
        "kitten",
        "pet",
        "friend",
        "wife",
        "husband",
        "girlfriend",
        "boyfriend",
        "partner",
        "fiance",
        "fiancee",
        "sister",
        "brother",
        "son",
        "daughter",
        "car",
        "bike",
        "phone",
        "trip",
        "holiday",
        "subscription",
        "job",
        "membership",
        "company",
        "dearest",
        "grandma",
        "grandpa",
        "gran",
        "granny",
        "nan",
        "uncle",
        "aunt",
        "auntie",
        "cousin",
        "mum",
        "mom",
        "dad",
        "mother",
        "father",
        "flatmate",
        "roommate",
        "housemate",
        "boss",
        "lovely",
        "good",
        "learning",
        "playing",
        "doing",
        "studying",
        "working",
        "being",
        "eating",
        "drinking",
        "collecting",
        "taking",
    ]
)
_NAMED_BY: Final = _LEADING | KIN.keys() | PETS.keys()
_CUT: Final = re.compile(
    r"[,;:!?()\u00b7\u2026]|\.(?:\s|$)| (?:and|but|so|because|since|for|with|when|while|after"
    r"|before|in|on|at|over|last|this|yesterday|today|tonight|now|which|who|instead|then|as"
    r"|until|again|too"
    r"|years?|months?|weeks?|to|by|it|he|she|they|we|i|is|are|was|were|has|have|completely"
    r"|altogether"
    r"|entirely|ages|recently|around|about|back|early|late|next|from|out|any|anymore)\b",
    re.IGNORECASE,
)
FOLLOWING: Final = word_set(
    """
    is are was were has have had got gets been be will would did does do can could not no
    never and but or so because since when while until as if then that which who it he she
    they i we you my our the a an this these in on at for with from to of by after before
    last next yesterday today tonight tomorrow now again any anymore anyway though too
    either altogether completely finally just also really sadly officially recently earlier
    back over off up out down instead ended fell died gone lasted expired lapsed ran went
    closed folded didn years months weeks ages ever forever tbh lol haha one two three four
    five six seven plan plans trip idea thing job gig holiday membership subscription course
    classes lessons class lesson project contract training tickets ticket flights flight
    practice diet adventure phase days era dream visit engagement wedding post position
    relationship collection appointment career business move things season retired moved
    left quit sold got turned burned burnt sank collapsed fizzled came disbanded dissolved
    around about due thanks here there
    """
)
"""Words that may stand behind a common noun without making another one of it."""
_FAR: Final = 4


@dataclass(frozen=True, slots=True)
class Held:
    """One value that is held.

    Attributes:
        ago: How many of the user's turns ago it was said; None = longer ago than is handed over.
        said_at: When it was last said to hold, if known.
    """

    key: str
    value: str
    ago: int | None = None
    said_at: datetime | None = None

    @property
    def is_one(self) -> bool:
        """Whether its slot holds one value at a time."""
        return cardinality_of(self.key, None) is Cardinality.ONE


def held_of(batch: Batch, recent: Sequence[Sequence[Claim]], subject: str) -> list[Held]:
    """What is held of a subject, the latest said first.

    Args:
        batch: Its known facts are held.
        recent: What the turns before this one said, the latest turn last.
        subject: Whose facts.
    """
    found: dict[tuple[str, str], Held] = {}
    gone: set[tuple[str, str]] = set()
    for ago, claims in enumerate(reversed(recent), start=1):
        for claim in claims:
            if claim.subject != subject or claim.key is None or not claim.value:
                continue
            place = (claim.key, normal_value(claim.value))
            if claim.act in (Act.STATE, Act.CORRECT):
                if place not in gone and claim.kind is FactKind.PERMANENT:
                    found.setdefault(place, Held(claim.key, claim.value, ago, claim.said_at))
            else:
                gone.add(place)
            if claim.replaces:
                gone.add((claim.key, normal_value(claim.replaces)))
    for fact in batch.known:
        place = (fact.key, normal_value(fact.value))
        if fact.subject == subject and fact.kind is FactKind.PERMANENT and place not in gone:
            said_at = fact.last_mention_at or fact.valid_from
            found.setdefault(place, Held(fact.key, fact.value, None, said_at))
    return list(found.values())


def tokens(text: str) -> list[str]:
    """The words of a value without case, accents and a plural or possessive ending."""
    return [stem(word) for word in TOKEN.findall(normal_value(text))]


def stem(word: str) -> str:
    """A word without a plural or possessive ending."""
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def phrase(text: str) -> str:
    """The words at the beginning of a text up to where another part of the sentence begins."""
    cut = _CUT.search(text)
    return text[: cut.start()] if cut else text


def named(text: str, among: Iterable[Held], prefixes: tuple[str, ...] = ("",)) -> list[Held]:
    """What is held of these slots and named at the very beginning of a text.

    "the Fiesta last week" names the car "red Fiesta" and the car "Fiesta"; "my seat at the final"
    does not name "the final".
    """
    words = tokens(text)
    noun = [word for word in tokens(phrase(text)) if word not in _LEADING]
    return [
        held
        for held in among
        if held.key.startswith(prefixes) and _begins_with(words, noun, tokens(held.value))
    ]


def _begins_with(words: Sequence[str], noun: Sequence[str], value: Sequence[str]) -> bool:
    want = [word for word in value if word not in _OWN]
    if not want:
        return False
    for at in range(min(_FAR, len(words))):
        if list(words[at : at + len(want)]) == want:
            return True
        if words[at] not in _NAMED_BY:
            break
    return bool(noun) and set(noun) <= set(want) and any(len(word) > 2 for word in noun)


def mentioned(text: str, among: Iterable[Held], prefixes: tuple[str, ...] = ("",)) -> list[Held]:
    """What is held of these slots and stands anywhere in a text, word by word."""
    line = f" {' '.join(tokens(text))} "
    return [
        held
        for held in among
        if held.key.startswith(prefixes)
        and (want := " ".join(t for t in tokens(held.value) if t not in _OWN))
        and len(want) > 2
        and f" {want} " in line
    ]


def same(held: str, other: str) -> bool:
    """Whether two values are one, or one is the other with more words: "vegan", "a vegan"."""
    if held.isalpha() and other.isalpha() and held[:1].isupper() and other[:1].isupper():
        return normal_value(held) == normal_value(other)
    one = [t for t in tokens(held) if t not in _OWN]
    two = [t for t in tokens(other) if t not in _OWN]
    return bool(one) and bool(two) and (set(one) <= set(two) or set(two) <= set(one))
