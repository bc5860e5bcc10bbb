"""A bare "yes" to one clear question of the assistant.

For: "Do you live in Ghent?" – "yes". Not for: questions with "or", several questions, guesses
("You probably run, right?"), questions that name no value.
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.core.model.message import Role
from backstory.core.model.reading import Turn

_YES: Final = re.compile(
    r"\W*(?:yes|yep|yeah|yup|correct|exactly|indeed|right|that's right|that is right|sure do|i do|i am|yes i (?:do|am))(?: (?:i do|i am|it is|exactly|indeed|correct))?[\s.!,]*",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"(?:^|[.!?]\s+)(?:so,? |and |just to be sure:? |ah,? )?(?P<q>do you|are you|is your|have you got|did you) (?P<rest>[^.!?]{3,80})\?\s*$",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"\b(?:or|any|some|something|someone|still|want|like to|need|mean|sure|ok|okay|ready|looking|interested|prefer|think|planning)\b",
    re.IGNORECASE,
)
_OPENED: Final = {"do you": "I", "are you": "I am", "is your": "My", "have you got": "I have"}


_AFFIRMED: Final = re.compile(
    r"(?:^|[,.!?;]\s*)(?:yes|yeah|yep|yup|indeed|correct|exactly|right),? "
    r"(?P<v>i(?:'m|'ve| am| live| work| have| do| was| speak| drive| play| study)\b[^,.!?;]*)"
    r"(?=[,.!;]|$)",
    re.IGNORECASE,
)


def affirmed(text: str) -> str | None:
    """What a yes in a message says in whole words: "how did you know, yes I live in …"."""
    said = _AFFIRMED.search(text)
    return said["v"].strip() if said else None


def confirmed(turn: Turn, earlier: Sequence[Turn]) -> str | None:
    """The plain statement that a bare yes confirms, or None."""
    if not earlier or not _YES.fullmatch(turn.text) or earlier[-1].role is not Role.ASSISTANT:
        return None
    asked = earlier[-1].text.strip()
    question = _QUESTION.search(asked)
    if question is None or asked.count("?") != 1 or _VAGUE.search(question["rest"]):
        return None
    opened = _OPENED.get(question["q"].lower())
    if opened is None:
        return None
    rest = question["rest"].replace("your", "my")
    if opened == "My":
        name, _, value = rest.rpartition(" ")
        return f"My {name} is {value}." if name else None
    return f"{opened} {rest}."
