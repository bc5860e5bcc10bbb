"""Short answers to one clear question of the assistant.

For: "Do you live in Ghent?", "yes"; "Where do you live?", "Ghent"; "Do you still work at Quell?",
"no, not any more". Not for: questions with "or", several questions, guesses ("You probably run,
right?"), a yes to a question that names no value.
"""

import re
from typing import Final

from backstory.reading.rules.patterns import Pattern

_YES: Final = Pattern(
    r"\W*(?:yes|yep|yeah|yup|correct|exactly|indeed|right|that's right|that is "
    "right|sure do|i do|i am|yes,? i (?:do|am))(?: (?:i do|i am|it is|exactly|"
    r"indeed|correct))?[\s.!,]*"
)
_QUESTION: Final = Pattern(
    r"(?:^|[.!?]\s+)(?:so,? |and |just to be sure:? |ah,? )?(?P<q>do you|are "
    r"you|is your|have you got|did you) (?P<rest>[^.!?]{3,80})\?\s*$"
)
_VAGUE: Final = Pattern(
    r"\b(?:or|any|some|something|someone|still|want|like to|need|mean|sure|ok|"
    r"okay|ready|looking|interested|prefer|think|planning)\b"
)
_OPENED: Final = {"do you": "I", "are you": "I am", "is your": "My", "have you got": "I have"}


_ANSWERED: Final = tuple(
    (Pattern(question), template)
    for question, template in (
        (r"\bwhere do you live\b|\bwhich (?:city|town) do you live in\b", "I live in {v}."),
        (r"\bwhere (?:are you|do you come) (?:originally )?from\b", "I am from {v}."),
        (r"\b(?:where|who) do you work(?: for| at)?\b", "I work at {v}."),
        (
            (
                r"\bwhat do you do(?: for (?:a living|work))?\?|\bwhat(?:'s| is) your "
                r"(?:job|profession)\b"
            ),
            "I work as a {v}.",
        ),
        (r"\bwhat(?:'s| is) your name\b|\bwhat should i call you\b", "My name is {v}."),
        (r"\bhow old are you\b|\bwhat(?:'s| is) your age\b", "I am {v} years old."),
        (r"\bwhen(?:'s| is) your birthday\b", "My birthday is on {v}."),
        (r"\bwhat(?:'s| is) your (?P<n>fav(?:ou)?rite [a-z]+)\b", "My {n} is {v}."),
        (r"\bwhat(?:'s| is) your (?P<n>[a-z]+)(?:'s)? (?:name|called)\b", "My {n} is called {v}."),
        (r"\bwhat(?:'s| is) (?:his|her|its|their) name\b", ""),
    )
)
_SHORT: Final = 5
_HAVE: Final = Pattern(r"\bdo you have (?:(?:a|an|any) )?[^.!?]{2,40}\?\s*$")
_YES_WITH: Final = Pattern(
    r"^\W*(?:yes|yeah|yep|yup)[,!. ]+(?P<v>(?:an?|one|two|three) [^!?]{2,80})$"
)
_STILL: Final = Pattern(r"\b(?P<q>do you|are you) still (?P<rest>[^.!?]{3,80})\?\s*$")
_NO: Final = Pattern(r"^\W*(?:no|nope|nah|not any ?more|not really|no longer)\b")


def answered(text: str, asked: str) -> str | None:
    """The plain statement that a few words make as the answer to a question, or None."""
    text = text.strip()
    with_it = _YES_WITH.match(text)
    if with_it and _HAVE.search(asked):
        return f"I have {with_it['v']}"
    words = text.strip(" .!").split()
    if asked.count("?") != 1 or len(words) > _SHORT or not words or re.search(r"[?:;\n]", text):
        return None
    if words[0].casefold().strip(",.") in _NO_ANSWER:
        return None
    for question, template in _ANSWERED:
        found = question.search(asked)
        if found:
            return template.format(v=" ".join(words), **found.groupdict()) or None
    return None


_NO_ANSWER: Final = frozenset(
    [
        "no",
        "none",
        "nothing",
        "nowhere",
        "why",
        "what",
        "i",
        "i'm",
        "im",
        "it",
        "it's",
        "its",
        "idk",
        "dunno",
        "guess",
        "secret",
        "sorry",
        "not",
        "nope",
        "never",
        "pass",
        "hmm",
        "who",
        "where",
        "when",
        "how",
        "you",
        "my",
        "yes",
        "ok",
        "okay",
        "skip",
        "rather",
        "that",
        "that's",
        "thanks",
        "later",
        "hi",
        "hello",
    ]
)


def ceased(text: str, asked: str) -> str | None:
    """The plain statement that a no to "do you still …?" ends, or None."""
    still = _STILL.search(asked) if _NO.match(text) else None
    if still is None:
        return None
    return f"{_OPENED[still['q'].lower()]} {still['rest']}."


_AFFIRMED: Final = Pattern(
    r"(?:^|[,.!?;]\s*)(?:yes|yeah|yep|yup|indeed|correct|exactly|right),? "
    r"(?P<v>i(?:'m|'ve| am| live| work| have| do| was| speak| drive| play| study)\b[^,.!?;]*)"
    r"(?=[,.!;]|$)"
)


def affirmed(text: str) -> str | None:
    """What a yes in a message says in whole words: "how did you know, yes I live in …"."""
    said = _AFFIRMED.search(text)
    return said["v"].strip() if said else None


def confirmed(text: str, asked: str) -> str | None:
    """The plain statement that a bare yes confirms, or None."""
    if not _YES.fullmatch(text):
        return None
    question = _QUESTION.search(asked)
    if question is None or asked.count("?") != 1 or _VAGUE.search(question["rest"]):
        return None
    opened = _OPENED.get(question["q"].lower())
    if opened is None:
        return None
    rest = question["rest"].replace("your", "my")
    if opened == "My":
        told, said, value = rest.partition(" called ")
        if said:
            return f"My {told} is called {value}."
        name, _, value = rest.rpartition(" ")
        return f"My {name} is {value}." if name else None
    return f"{opened} {rest}."
