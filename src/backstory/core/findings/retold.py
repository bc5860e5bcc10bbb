"""A summary that goes on from an earlier one: what it lost of that is kept. Pure."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from backstory.core.continuity.prose import sentences

Condense = Callable[[str, int], str]
"""Makes a text of a few of its sentences, at most so many characters."""
_WORD: Final = re.compile(r"\w+(?:[-'.:/\u2019]\w+)*")


def gone_on(earlier: str, text: str, *, shown: bool, most_chars: int, condense: Condense) -> str:
    """The summary of what was said before and since.

    Rewritten again and again, a summary loses what it began with. So a sentence of the earlier one
    stays where a number or a name in it is in no sentence of the new one.

    Args:
        earlier: The summary so far; empty = there is none.
        text: The new one.
        shown: Whether its writer saw the earlier one, and told it again; else all of that stays.
        most_chars: The longest summary.
        condense: Shortens what is longer.
    """
    told = {one.text.casefold() for one in sentences(text)}
    found = {word.casefold() for word in _WORD.findall(text)}
    before = [one.text for one in sentences(earlier) if one.text.casefold() not in told]
    kept = [one for one in before if not shown or any(w not in found for w in _exact(one))]
    whole = " ".join((*kept, text))
    return whole if len(whole) <= most_chars else condense("\n".join((*kept, text)), most_chars)


def _exact(sentence: str) -> Iterator[str]:
    """Words that stand for one thing: with a digit, or a capital that no beginning asks for."""
    for number, word in enumerate(_WORD.findall(sentence)):
        if any(map(str.isdigit, word)) or (number and word[0].isupper()):
            yield word.casefold()
