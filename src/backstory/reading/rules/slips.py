"""Marks of a slip: how plainly a message takes back what was said before it.

For: "typo", "I meant", "no wait", "that was a lie", "why did I say Ghent"; weaker: "no, …",
"sorry, …", "actually". Not for: "sorry I'm late" without anything that was said shortly before.
"""

import re
from typing import Final

from backstory.reading.rules.patterns import Pattern

DATE: Final = re.compile(
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|"
    r"aug|sep|oct|nov|dec)[a-z]*\b(?: \d{4})?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
STRONG: Final = Pattern(
    r"^\W*(?:(?:sorry|oops|no|oh|ah|ugh)\W+)*i mean\b|\btypo\b|\bcorrection\b|\bi meant\b"
    r"|\bmy (?:bad|mistake)\b|"
    r"\bwh?oops\b|\boops\b|\b(?:scratch|strike|forget|ignore) that\b"
    r"|^\W*(?:no[, ]+|sorry[, ]+|ah[, ]+|oh[, ]+)*wrong\b|\b(?:that|which|it) "
    r"(?:was|is) (?:wrong|not right|incorrect|a lie)\b"
    r"|\bi (?:was|am) (?:wrong|mistaken|confused|mixed up)\b|\bmis(?:spoke|"
    r"typed|spelle?[dt]|read|remembered|wrote)\b|\bautocorrect\b"
    r"|\bi (?:lied|exaggerated|fibbed)\b|\b(?:was|am) (?:just |only )?(?:joking|"
    r"kidding|exaggerating|pulling your leg)\b"
    r"|\b(?:was|is) (?:just |only )?a joke\b|\b(?:just|only) (?:kidding|"
    r"joking)\b|\bi was (?:just )?testing you\b"
    r"|\bmade (?:that|it) up\b|\bnot\b.{1,60}\bafter all\b"
    r"|\bforget (?:what|that) i said\b|\bignore what i said\b|\bfat fingers\b|\bmixed .{1,20}\bup\b"
    r"|\bi (?:always |often |keep |constantly )?(?:confuse|confused|confusing|mix|mixed"
    r"|mixing) (?:up )?(?:the|those|these|them|that|both|two)\b"
    r"|\bi tell a lie\b|\bi stand corrected\b|\bbrain (?:fart|fog|freeze)\b"
    r"|\bslip of the (?:tongue|pen|thumb|finger|keyboard)\b|\bwhat am i saying\b"
    r"|\bwhy did i (?:say|write|type|put)\b|\bhalf asleep\b|\bnot (?:really|actually|exactly"
    r"|technically) an?\b|\bgot (?:that|it|this) wrong\b"
    r"|\b(?:that|which|it)['\u2019]s (?:wrong|not right|not true|incorrect|a lie)\b"
    r"|\bwrong way round\b"
    r"|\b(?:switched|swapped|mixed up|transposed|reversed) (?:the |those |two |my )*"
    r"(?:digits|numbers|letters|figures)\b"
    r"|\bno,? wait\b|\bwait,? no\b|\b(?:wrote|said|typed|spelle?[dt]|got|gave "
    r"you|told you) .{0,40}\bwrong\b|\bmake that\b"
    r"|\bi made a (?:typo|mistake|slip)\b|\bthe wrong (?:one|name|date|year|"
    r"number|age|city|town)\b|\bnot what i said\b"
)
"""The writer takes something back."""
_WEAK: Final = Pattern(
    r"^\W{0,9}(?:(?:ah|oh|hm+|er+m?|um+|well|but|ok|okay|nah|hey|wait|haha|lol|"
    r"u?h)\W+)*(?:no|nope|sorry|actually|not quite|hang on|hold on)\b"
    r"|\bactually\W*$|^\W*[\w'.-]+(?: [\w'.-]+){0,2}\W+(?:sorry|oops|my bad|actually)\b"
)
_STARRED: Final = re.compile(r"\W*[\w'.-]+(?: [\w'.-]+){0,2}\s?\*\W*$")
_STAR_FIRST: Final = re.compile(r"\W*\*")
_OTHER_DATE: Final = Pattern(rf"^\W*(?:wait|no|sorry|actually|hang on)[, ]+(?:{DATE.pattern})\W*$")


def marked(text: str) -> str:
    """How plainly a message takes something back: "strong", "weak" or ""."""
    if is_strong(text):
        return "strong"
    return "weak" if is_weak(text) or ("*" in text and _STAR_FIRST.match(text)) else ""


def is_strong(text: str) -> bool:
    """Whether the writer of a message takes something back."""
    return bool(STRONG.search(text) or _OTHER_DATE.match(text))


def is_weak(text: str) -> bool:
    """Whether the writer of a message may take back what was just said."""
    return bool(_WEAK.search(text) or ("*" in text and _STARRED.match(text)))
