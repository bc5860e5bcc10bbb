"""What kind of recall a question needs: breadth, one point, or time. Pure rules, no model.

The rules are tried in order and the first that fits decides, so the order is part of them: a
question for a time or an order beats one for a list ("in what order did I visit …"), a list beats
a mere scope in time ("how many books last year"), and what fits nothing is a point.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backstory.core.routing.breadth_rules import BREADTH, DECEPTIVE
from backstory.core.routing.other_languages import OTHERS
from backstory.core.routing.rules import Profile
from backstory.core.routing.time_rules import ASKED, SCOPED
from backstory.core.text import abridge

_READ_CHARS: Final = (200, 400)
_SENTENCE: Final = re.compile(r"[^?\uff1f\u061f.!\n\u3002]+[?\uff1f\u061f.!\n\u3002]*")


@dataclass(frozen=True)
class Routed:
    """A profile and the reason for it, in a few words."""

    profile: Profile
    reason: str


# "When I feel sad, what helps?" asks what helps; "When I lived abroad, what …" of a stated time.
_OCCASION: Final = re.compile(
    r"^when(?:ever)?\b(?! (?:is|are|am|do|does|will)\b|'s)"
    r"(?![^,]*\b(?:was|were|had|did|went|\w+ed)\b)[^,]* (?:am|are|is|'m|'re|feel|get|go|have|need"
    r"|want|come|see|say|make|travel|visit|cook|work|talk|ask)s?\b[^,]*, ?"
    r"(?=(?:what|which|who|where|how|why|do|does|is|are|can|could|should|would)\b)"
)
_RULES: Final = (*DECEPTIVE, *ASKED, *BREADTH, *SCOPED, *OTHERS)
_BY_DEFAULT: Final = Routed(Profile.PINPOINT, "nothing asks for more than a point")
_STATED: Final = Routed(Profile.PINPOINT, "a statement, not a question")

_STATEMENT: Final = re.compile(
    r"^(?:i|we|my|our|he|she|they)\b(?!.*\b(?:remember|recall|forgot|forget|know|need|want|like to"
    r"|wonder|wondering|idea|sure)\b)(?!.*\b(?:how|what|which|when|who|where|list|all)\b)"
    r".*\b(?:am|is|are|was|were|have|had|love|like|went|got|did|made|saw|moved|bought|'m|'ve)\b"
)

_SIGNALS: Final = (
    "when", "which", "what", "where", "many", "often", "list", "everything", "every", "first",
    "last", "latest", "recent", "order", "before", "after", "between", "since", "until", "long",
    "times", "total", "compare", "summary", "changed", "different", "usually",
)  # fmt: skip


def _misspelt() -> Iterator[tuple[str, str]]:
    """Two letters swapped or one typed twice, in the words that the rules look for."""
    for word in _SIGNALS:
        for at in range(len(word) - 1):
            swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            yield swapped, word
        for at in range(len(word)):
            yield word[:at] + word[at] + word[at:], word


_TYPOS: Final = {typo: word for typo, word in _misspelt() if typo not in _SIGNALS}


def classify_retrieval(query: str) -> Profile:
    """Say what kind of recall a question needs, by rules for English.

    Questions in some other languages are told by their question words; what is not understood is
    "pinpoint", whose recall loses least where it is wrong.

    Args:
        query: A question or a message in natural language. Of a long text its beginning and its
            end are read; where it asks questions, only these.

    Returns:
        "gather", "pinpoint" or "temporal", a ``StrEnum``.
    """
    return route(query).profile


def route(query: str) -> Routed:
    """Classify a query and say by which rule."""
    text = _asked(query)
    if _STATEMENT.search(text):
        return _STATED
    for rule in _RULES:
        if rule.pattern.search(text):
            return Routed(rule.profile, rule.reason)
    return _BY_DEFAULT


def _asked(query: str) -> str:
    """The sentences that ask, else all; lower case, one space between words, typos undone."""
    text = unicodedata.normalize("NFKC", abridge(query, *_READ_CHARS)).casefold()
    text = text.replace("\u2019", "'")
    asking = [part for part in _SENTENCE.findall(text) if part.rstrip().endswith(("?", "\u061f"))]
    words = " ".join(asking or [text]).split()
    joined = _OCCASION.sub("", " ".join(_TYPOS.get(word, word) for word in words))
    return joined.rstrip("?!. \u061f\u3002")
