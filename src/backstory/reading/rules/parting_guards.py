"""What keeps words of ending from counting: other people, doubts, and other things of that name."""

import re
from typing import Final

from backstory.reading.rules.endings import AFTER_ALL, NOT_OVER, PAUSED
from backstory.reading.rules.held import FOLLOWING, Held
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lines import TOKEN

_LEAD: Final = word_set(
    """
    well ok okay so just also then oh hey anyway update news btw and but because since sadly
    finally recently officially actually honestly apparently today yesterday now meanwhile i we am
    are have had has was were will be been decided to need needed must did do really both all
    turns out that which as already never-mind good bad yes no yep lol haha sorry of course
    eventually probably long ago last night week month year in had's going gonna got get getting
    totally completely definitely unfortunately luckily thankfully guess what with heavy heart a
    big life huge small quick by way the time it is was me us my our let having after weeks months
    years even though anymore
    """
)
"""Words that may stand before a verb whose subject is the writer, said or left out."""
_WRITER: Final = re.compile(r"\b(?:i|we)\b(?P<r>[^,;:.!?]*)$", re.IGNORECASE)
_OTHERS: Final = re.compile(
    r"\b(?:he|she|they|you|who|somebody|someone|everybody|everyone|people|colleagues?|friends?"
    r"|(?:my|our) \w+|\w+'s)\b",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(
    r"(?:'s|s')\s+(?:(?:old|new|\w+) )?$|\b(?:his|her|their|your)\s+(?:\w+ )?$"
)


def is_narrower(text: str, held: Held) -> bool:
    """Whether other words make a common noun another thing: "lap dogs", "a vegan burger"."""
    if held.value[:1].isupper():
        return False
    behind = _BEHIND.search(text)
    return _MODIFIED.search(text) is not None or (
        behind is not None and behind["w"].casefold() not in FOLLOWING
    )


_BEHIND: Final = re.compile(r"@(?:'s)? (?P<w>[^\W\d_]+)")


def _is_in_doubt(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start("c")], text[match.end("c") :]
    return bool(
        NOT_OVER.search(_clause(before))
        or PAUSED.search(_AFTER.split(after, maxsplit=1)[0][:30])
        or _HEDGED.search(text[: match.end("c")])
        or AFTER_ALL.search(after)
    )


def is_meant(text: str, match: re.Match[str], who: str) -> bool:
    """Whether what matches is said as a fact, and of the writer or of what is theirs."""
    if _is_in_doubt(text, match) or _OWNED.search(text[: text.index("@")]):
        return False
    clause = _clause(text[: match.start()])
    if who != "me":
        return who == "any" or not _OTHERS.search(clause)
    said = _WRITER.search(clause)
    if said:
        return _OTHERS.search(said["r"]) is None
    return all(w.casefold() in _LEAD for w in TOKEN.findall(clause))


_MODIFIED: Final = re.compile(
    r"\b(?!(?:the|my|our|a|an|this|that|any|all|of|in|at|on|as|for|to|with|from|been|be|am"
    r"|are|is|was|no|more|not|longer"
    r"|than|and|or|off|up|out|about|into|over|being|ex|former|retired|eat|drink|play|like"
    r"|love|own|have|take|do|touch"
    r"|touched|played|used|use|smoke|sing|study|learn|teach|collect|enjoy|practi[sc]e"
    r"|practi[sc]ed|drive|ride|wear|need|stand|"
    r"quit|sold|stop|stopped|dropped|ditched|cancelled|scrapped|lost|left|bye|goodbye|our"
    r"|poor|old|dear|trusty|beloved|"
    r"lapsed|recovering|reformed|every|so|but|then|because|well|ok|also|now|sadly|finally|done)\b)"
    r"(?!\w+ing\b)(?!\w+ed\b)[a-z]+ @",
    re.IGNORECASE,
)
"""Another word that makes a common noun a narrower one: "lap dogs" are not all dogs."""


_HEDGED: Final = re.compile(
    r"@[^,;]*\b(?:almost|nearly|not yet|half|might|could|would|may)\b", re.IGNORECASE
)
_AFTER: Final = re.compile(r"[,;.!?]")


def _clause(text: str) -> str:
    """The end of a text behind its last sign or conjunction of clauses."""
    return re.split(r"[,;:.!?()\u00b7]|\b(?:and|but|so|because|since|that)\b", text)[-1]
