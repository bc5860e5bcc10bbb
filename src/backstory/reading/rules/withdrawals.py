"""What the writer says to have been wrong without a better value.

For: "forget what I said about Ghent", "sorry, not milk, I mixed that up", "the cat isn't mine".
Not for: "forget about it", "not today".
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.corrections import STRONG, Fix, bare_words
from backstory.reading.rules.held import Held
from backstory.reading.rules.patterns import Pattern

_FORGET: Final = Pattern(
    r"\b(?:forget|ignore|disregard|scratch|strike) (?:what i (?:said|wrote|told "
    "you) about|that (?:thing )?about|the (?:thing|part|bit) about|the) (?:my |"
    r"the )?(?P<o>[^,;:.!?()\u00b7]+)"
    r"|\b(?:was|am) (?:just |only )?(?:joking|kidding|lying) about (?:my |the "
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


def taken_back(text: str, held: Sequence[Held]) -> list[Fix]:
    """What a message says to have been wrong without a better value."""
    found: list[Fix] = []
    forget = _FORGET.search(text)
    if _LAST.search(text):
        found += [Fix(h, None) for h in held if h.ago == 1]
    wrong = _WRONG.match(text)
    if wrong:
        found += [Fix(h, None) for h in _naming(wrong["o"], held)]
    if forget:
        found += [Fix(h, None) for h in _naming(forget["o"] or forget["p"] or forget["q"], held)]
    elif STRONG.search(text):
        for match in _NOT.finditer(text):
            found += [Fix(h, None) for h in _naming(match["o"], held)]
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
