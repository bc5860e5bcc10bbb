"""What the writer says to have been wrong without a better value.

For: "forget what I said about Ghent", "sorry, not milk, I mixed that up", "the cat isn't mine".
Not for: "forget about it", "not today".
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.corrections import Fix, bare_words
from backstory.reading.rules.held import Held, mentioned
from backstory.reading.rules.patterns import Pattern
from backstory.reading.rules.slips import STRONG, is_weak

_FORGET: Final = Pattern(
    r"\b(?:forget|ignore|disregard|scratch|strike) (?:what i (?:said|wrote|told "
    "you) about|that (?:thing )?about|the (?:thing|part|bit) about|the) (?:my |"
    r"the )?(?P<o>[^,;:.!?()\u00b7]+)"
    r"|\b(?:(?:was|am|i'm|just|only) )*(?:joking|kidding|lying) about (?:my |the "
    r")?(?P<p>[^,;:.!?()\u00b7]+)"
    r"|\b(?:there is|there was|i have|i had) (?:really |actually )?no "
    r"(?P<q>[^,;:.!?()\u00b7]+), (?:i (?:was|made)|that was|just) "
)
_NOT: Final = Pattern(
    r"(?:^|[,;.]\s*)(?:sorry\W+|oops\W+|no\W+)*not (?:an? |the |in |at |to "
    r")?(?P<o>[^,;:.!?()\u00b7]+)"
)
_COUNT: Final = re.compile(r"^(?:\d+|two|three|four|five|six) ")
_LAST: Final = Pattern(
    r"\b(?:ignore|disregard|forget|scratch|strike) (?:that|my|the) (?:last|previous) (?:message"
    r"|one|bit"
    r"|thing|part|line|text)\b|^\W{0,9}(?:oops|sorry|argh|ugh)?\W{0,9}wrong (?:chat|window)\b"
)
_WRONG: Final = Pattern(
    r"^\W{0,9}(?:sorry|oops|no|wait|ah|oh)?\W{0,9}(?:the |my )?(?P<o>[\w' -]{2,30}?) (?:was|were|is"
    r"|are) (?:just )?"
    r"(?:wrong|a (?:typo|mistake|lie|joke|slip))\b"
)
_NOT_MINE: Final = Pattern(
    r"\bthe (?P<o>\w+) (?:is not|isn['\u2019]t|was not|wasn['\u2019]t) (?:actually |really "
    r"|even )?mine\b"
)
_NONE: Final = Pattern(
    r"\b(?:i|we) (?:do not|don['\u2019]t|haven['\u2019]t|have not) (?:really |actually "
    r"|even )*(?:have|own|got)"
    r" (?:an?|any) (?P<o>\w+?)s?\b"
)
_LIE: Final = Pattern(
    r"^\W*(?:(?:ok|okay|sorry|haha|hm+|lol|well|alright|right|so|oops|no|nah"
    r"|actually)\W+)*(?:i (?:lied|fibbed|made (?:that|it) up"
    r"|was (?:just |only )?(?:lying|joking|kidding|messing with you|pulling your leg))"
    r"|(?:that|this|it|the last (?:one|bit|part)) (?:was|is) (?:just |only |all |totally "
    r"|not )*(?:a lie|a joke|nonsense|a fib|true|lies|made up|bs|rubbish"
    r"|a prank)|(?:just|only) (?:kidding|joking))\b(?! about)"
)
"""All of what was said right before is taken back."""


_WHO: Final = Pattern(
    r"\bit(?:['\u2019]s| is| was) (?:actually |really )?(?:my|our|his|her"
    r"|the) [\w' ]{2,25}? (?:who|that)(?:['\u2019]s| is| has| was)?\b(?P<o>[^,;.!?]+)"
)


def taken_back(text: str, held: Sequence[Held]) -> list[Fix]:
    """What a message says to have been wrong without a better value."""
    found: list[Fix] = []
    forget = _FORGET.search(text)
    who = _WHO.search(text) if STRONG.search(text) or is_weak(text) else None
    if who:
        found += [Fix(h, None) for h in mentioned(who["o"], held)]
    if _LAST.search(text):
        found += [Fix(h, None) for h in held if h.ago == 1]
    lie = _LIE.match(text)
    if lie and "not true" not in lie.group().replace("was not true", "") and not forget:
        found += [Fix(h, None) for h in held if h.ago == 1]
    wrong = _WRONG.match(text)
    if wrong:
        found += [Fix(h, None) for h in _naming(wrong["o"], held)]
    if forget:
        found += [Fix(h, None) for h in _naming(forget["o"] or forget["p"] or forget["q"], held)]
    elif STRONG.search(text):
        for match in _NOT.finditer(text):
            found += [Fix(h, None) for h in _naming(match["o"], held)]
        none = _NONE.search(text)
        if none:
            found += [Fix(h, None) for h in held if h.key.rpartition(".")[2] == none["o"].lower()]
        for match in _NOT_MINE.finditer(text):
            found += [Fix(h, None) for h in held if h.key == f"pet.{match['o'].lower()}"]
    return found


def _naming(text: str, held: Sequence[Held]) -> list[Held]:
    words = " ".join(bare_words(text))
    return [
        h
        for h in held
        if (want := _COUNT.sub("", " ".join(bare_words(h.value))))
        and (want == words or f" {words} ".startswith(f" {want} "))
    ]
