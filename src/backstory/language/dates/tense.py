"""Whether a clause tells of the past or of what is to come."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from backstory.language.dates.words import listed


class Tense(StrEnum):
    """What the verb nearest to an expression says."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"
    NONE = "none"


_REACH: Final = 40
"""Words on each side that are looked at."""
_PAST: Final = frozenset(
    listed(
        "was were did didn't wasn't weren't had hadn't couldn't wouldn't went got came saw met "
        "made took "
        "told said gave began begun broke bought brought built caught chose drove drank ate fell "
        "felt "
        "flew forgot found froze gone grew heard held kept knew known left lent lost meant paid "
        "quit ran "
        "rang rode rose sang sank sat sold sent shook shot slept spent spoke stole stood struck "
        "stuck "
        "swam swore taught thought threw understood woke won wore wrote became been bit blew drew "
        "fought "
        "hid hung laid led lay learnt burnt dreamt spilt swept swung tore wept wound bled fed "
        "fled dug "
        "spun used born hurt hit hasn't haven't done seen eaten written taken given fallen broken"
    )
)
_FUTURE: Final = frozenset(
    listed(
        "will 'll won't shall gonna must should might can can't need needs want wants plan plans "
        "planning hope hopes hoping intend expect expects let tonight due deadline upcoming soon "
        "see wait forward supposed remind remember gotta finna imma ima tbc"
    )
)
_PRESENT: Final = frozenset(
    listed(
        "get gets start starts begin begins fly leave leaves arrive arrives open opens close "
        "closes go goes do does come comes take takes drive move run runs ends expires returns "
        "launches happens happening opening starting leaving coming flying works"
    )
)
_BE: Final = frozenset(listed("is are am 'm 're 's be isn't aren't im being"))
_HAVE: Final = frozenset(listed("have has 've"))
_NOT_VERBS: Final = frozenset(
    listed(
        "need feed seed bed red speed indeed hundred wed shed embed breed exceed proceed succeed "
        "greed "
        "weed naked wicked sacred kindred sled shred thread bread spread dead ahead instead head "
        "old "
        "excited tired bored worried scared interested supposed delighted unemployed retired "
        "beloved "
        "thrilled stressed exhausted used-to"
    )
)
_BOOKED: Final = frozenset(
    listed(
        "booked scheduled planned arranged reserved invited postponed rescheduled moved delayed "
        "pushed "
        "set expected extended signed valid"
    )
)
_NAMELESS: Final = frozenset(
    listed("it that this there here he she what who where when how everything everyone which")
)
_BEHIND_BE: Final = frozenset(
    listed(
        "on in at next this tomorrow today tonight not been due here over off back a an the my our "
        "now still only already just supposed scheduled"
    )
)
_GETTING: Final = frozenset(listed("get gets getting"))
_UNTIL: Final = frozenset(listed("for to from until by through"))
_MOVERS: Final = frozenset(listed("i we he she they"))
_OWN_PREPOSITIONS: Final = frozenset(listed("in on during last this at"))
_BREAKS: Final = frozenset(
    listed(", ( ) : and but so because although though while whereas then -")
)
_INFINITIVE: Final = frozenset(
    listed(
        "to will 'll won't can can't must should could would might may don't doesn't didn't did "
        "gonna let"
    )
)


def tense_at(words: Sequence[str], begin: int, end: int) -> Tense:
    """The tense of the clause around an expression.

    Args:
        words: The canonical words of the sentence.
        begin: The first word of the expression.
        end: The first word after it.
    """
    first_near, last_near = max(0, begin - _REACH), min(len(words), end + _REACH)
    low = max((i + 1 for i in range(first_near, begin) if words[i] in _BREAKS), default=first_near)
    high = next((i for i in range(end, last_near) if words[i] in _BREAKS), last_near)
    for first, last in ((low, high), (first_near, last_near)):
        around = [*range(begin - 1, first - 1, -1), *range(end, last)]
        marked = [
            (begin - i if i < begin else i - end + 1, tense)
            for i in around
            if (tense := _marked(words, i, begin)) is not None
        ]
        if marked:
            return min(marked, key=lambda pair: pair[0])[1]
    return Tense.NONE


def _marked(words: Sequence[str], i: int, begin: int) -> Tense | None:
    word = words[i]
    before = words[i - 1] if i else ""
    if word in _BOOKED and i < begin and _leads_on(words, i, begin):
        return Tense.PAST if _is_relocation(words, i, begin) else Tense.FUTURE
    if before in _INFINITIVE and word not in _FUTURE:
        return Tense.PAST if before in ("did", "didn't") else None
    if is_past_verb(word, before) or word in _FUTURE:
        return Tense.FUTURE if word in _FUTURE else Tense.PAST
    if word == "'s" and _is_possessive(before, words[i + 1 : i + 2]):
        return None
    if word in _BE or word in _HAVE:
        return _be(words[i + 1 : i + 4], have=word in _HAVE)
    return Tense.PRESENT if word in _PRESENT else None


def _leads_on(words: Sequence[str], i: int, begin: int) -> bool:
    """Whether "for", "to" or "until" stands between the verb and the expression."""
    return any(word in _UNTIL for word in words[max(i + 1, begin - 3) : begin + 1])


def _is_relocation(words: Sequence[str], i: int, begin: int) -> bool:
    """Whether people moved somewhere: "I moved to Lund in May"; not "we moved it to May"."""
    who = [word for word in words[max(0, i - 3) : i] if word not in _HAVE]
    moved_on = words[i] == "moved" and words[i + 1 : i + 2] in (["to"], ["into"])
    return (
        moved_on
        and not _MOVERS.isdisjoint(who)
        and not _OWN_PREPOSITIONS.isdisjoint(words[begin - 1 : begin + 1])
    )


def is_past_verb(word: str, before: str) -> bool:
    """Whether a word is a past tense or a participle, by its form and the word before it.

    Args:
        word: A canonical word, in lower case.
        before: The word before it, "" if there is none.
    """
    if word in _PAST:
        return not (word == "got" and before in _HAVE) and not (before in _BE and word != "been")
    regular = len(word) > 3 and word.endswith("ed") and word not in _NOT_VERBS
    return regular and before not in _BE and before not in _GETTING


def _is_possessive(before: str, after: Sequence[str]) -> bool:
    """Whether "'s" makes the word before it an owner: "mum's birthday", not "the exam's on"."""
    if before in _NAMELESS or not after:
        return False
    return after[0] not in _BEHIND_BE and not after[0].endswith(("ing", "ed"))


def _be(after: Sequence[str], *, have: bool) -> Tense:
    if have:
        told = any(is_past_verb(word, "") for word in after[:2] if word != "got")
        return Tense.PAST if told else Tense.PRESENT
    coming = any(len(word) > 4 and word.endswith("ing") for word in after)
    return Tense.FUTURE if coming else Tense.PRESENT
