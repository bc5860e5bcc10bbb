"""The sentences of a message that state something, as clauses."""

import re
from collections.abc import Iterator
from typing import Final

MAX_CHARS: Final = 10_000
_STRAIGHT: Final = str.maketrans("\u2018\u2019\u02bc\u201c\u201d\u201e\u00ab\u00bb", '\'\'\'"""""')
_QUOTED: Final = re.compile(r'"[^"\n]{0,400}"|^>.*$', re.MULTILINE)
_END: Final = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bProf)[.!\u2026]+(?=\s|$)|\?+|\n+"
)
# What follows is not said to be so: conditions, wishes, fiction, doubt, the past, hearsay.
_UNREAL: Final = re.compile(
    r"\b(?:if|unless|whether|wish(?:es|ed)?|imagin\w+|suppos\w+|pretend\w*|dream\w*|dreamt|would"
    r"|might"
    r"|may be|maybe|perhaps|possibly|hop(?:e|es|ing)|want(?:s|ed)?|wanna|should|could|almost|nearly"
    r"|let's say|what about|joke|joking|kidding|novel|story|character|movie|film|game|roleplay"
    r"|used to"
    r"|back (?:then|when)|as a (?:child|kid|teenager|student)|never|not|plan(?:s|ning)? to"
    r"|consider\w*"
    r"|think(?:ing)? (?:of|about)|(?:he|she|they|who|everyone|people|somebody"
    r"|someone) (?:\w+ )?(?:says?|said"
    r"|thinks?|thought|claims?|claimed|believes?|told|asked|jokes?|joked)|when i was|years? ago"
    r"|once)\b"
    r"|n't\b",
    re.IGNORECASE,
)
# These name a slot ("my favourite film") and make nothing unreal there.
_SLOT: Final = re.compile(
    r"\bfav(?:ou?rite)?\s+(?:\w+\s+)?(?:novel|story|character|movie|film|game)\b", re.IGNORECASE
)
_JEST: Final = re.compile(r"\b(?:just kidding|jk|only joking|hypothetically)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"\s*;\s*|\s+[-\u2013\u2014]\s+"
    r"|,?\s+\b(?:and|but|so|because|while|whereas|although|though)\b(?=\s+(?:i|we|my|our|the|he|she"
    r"|it|they)\b)"
    r"|,\s+(?=(?:i|we|my|our)\b(?! (?:\w+ )?(?:wife|husband|girlfriend|boyfriend|partner)\b,))",
    re.IGNORECASE,
)


def clauses(message: str) -> Iterator[str]:
    """The clauses of a message that are stated as true of now, with straight quotes.

    Left out are questions, quoted text and what stands behind a word of condition, wish,
    doubt, denial or reported speech. Each character keeps its place within a clause. Only the
    first 10,000 characters are read.
    """
    text = message[:MAX_CHARS].translate(_STRAIGHT)
    if _JEST.search(text):
        return
    text = _QUOTED.sub(lambda match: "\n" * len(match.group()), text)
    for sentence in _sentences(text):
        real = sentence[: _first_unreal(sentence)]
        begin = 0
        for cut in _CLAUSE.finditer(real):
            yield real[begin : cut.start()]
            begin = cut.end()
        yield real[begin:]


def _sentences(text: str) -> Iterator[str]:
    """Sentences that do not end with a question mark."""
    begin = 0
    for end in _END.finditer(text):
        if not end.group().startswith("?"):
            yield text[begin : end.start()]
        begin = end.end()
    yield text[begin:]


def _first_unreal(sentence: str) -> int:
    hidden = _SLOT.sub(lambda match: "_" * len(match.group()), sentence)
    found = _UNREAL.search(hidden)
    return found.start() if found else len(sentence)
