"""Whether a message, or a clause of it, is something its writer states of the real world."""

import re
from enum import StrEnum
from typing import Final

from backstory.language.lexicon import MONTHS
from backstory.reading.rules.clauses import Clause
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.patterns import Pattern

FICTION: Final = Pattern(
    r"\b(?:role-?play|pretend|make[- ]believe|let's play|act as|act like|you are now|you're now"
    r"|in character|first[- ]person|from the (?:view|perspective|point of view) of"
    r"|opening line|in the voice of)\b"
    r"|\b(?:write|draft|compose|give|tell|finish|continue|rewrite)\b.{0,40}"
    r"\b(?:story|poem|song|lyrics|scene|novel|dialogue|monologue|script|play|limerick|sonnet"
    r"|haiku|joke)\b"
    r"|\b(?:poem|story|song|limerick|haiku|sonnet)\b.{0,20}\bplease\b"
    r"|^\W*(?:please |pls |can you |could you |now )*(?:write|draft|compose|create"
    r"|generate)\b[^.!?\n]*:"
    r"|^\W*(?:ok(?:ay)?,? |so,? |now,? )*(?:you be|you play|you(?:'| a)re playing|let's be"
    r"|i(?:'| wi)ll (?:be|play))"
    r" (?:a|an|the)\b"
    r"|\b(?:write|draft|compose|make)\b.{0,40}\b(?:bio|profile|cv|letter|e-?mail|speech|post"
    r"|text|ad"
    r"|caption|introduction|description|persona|review|tweet|message)\b[^.!?:]{0,30}:"
    r"|^\W*chapter (?:\d+|one|two|three|[ivx]+)\b"
    r"|\bmy (?:main |d&d |dnd |player )?(?:character|protagonist|heroine|hero|oc|narrator"
    r"|villain)\b"
    r"|\b(?:in|for|of) (?:my|our) (?:(?:new|first|next|own|short|weekly) )*"
    r"(?:novel|story|book|screenplay|script|d&d|dnd|campaign|dream|comic|larp|rpg|pathfinder"
    r"|roleplay|role-play|fanfic|musical|sitcom|sketch)\b(?! club)"
    r"|\b(?:the|a|had|this|weird\w*|strange\w*|last night's) dreams?\b.{0,60}\b(?:i|we)\b",
    dotall=True,
)
"""All of the message is read as fiction."""

HANDED: Final = Pattern(
    r"^\W*(?:please |pls |can you |could you |kindly |now )*(?:translate|proofread"
    r"|summari[sz]e|paraphrase|rephrase|edit"
    r"|correct|rewrite|fix|improve|shorten|repeat|say|reply (?:only )?with|analy[sz]e|search for"
    r"|look up|google|find|type|print|ignore (?:all |the |your )?(?:previous|prior|above)|spell)\b",
)
"""The message hands over a text, or words, to be worked on."""

_FAN_FICTION: Final = re.compile(r"\bfan ?fic", re.IGNORECASE)
_SARCASM: Final = Pattern(
    r"\(sarcasm\)|\byeah,? right\b|\bas if\b|\boh,? (?:yeah|sure|great|brilliant|joy|yay)\b"
    r"|\bjust my luck\b|\blucky me\b|\bobviously\b"
)
_SARCASTIC_SIGNS: Final = ("/s", "ooo", "\U0001f644", "\U0001f643", "#sarcasm")
_SARCASTIC_SIGN: Final = re.compile(
    r"(?:^|\s)/s\b|\bso{3,}\b|\blo{3,}ve\b|\U0001f644|\U0001f643|#sarcasm", re.IGNORECASE
)
_REPORT: Final = Pattern(
    r"(?<!\bi )\b(?:says?|said|saying|goes|texted|wrote|writes|told|tells|reads|asked|claims?"
    r"|claimed|thinks?|replied|reckons?"
    r"|email|quote|like)\b(?: me| us)?\s*(?:[:,]|$)"
)
_UNREAL_LEADS: Final = word_set("if unless until whether whenever when while")
_UNREAL_PHRASES: Final = (
    "suppose", "supposing", "imagine", "say i", "say we", "let us say", "let 's say",
    "lets say", "assume", "assuming", "what if", "if", "pretend", "had i", "were i", "should i",
    "i wish", "wish", "if only", "one day", "some day", "someday", "dreaming", "i dream",
    "hoping", "i hope", "i would", "hopefully", "would", "it is not that", "it 's not that",
    "as if", "in theory", "hypothetically", "maybe", "perhaps", "not that", "act as", "i might",
    "in my dreams", "in another life", "in a past life", "in my next life", "in a parallel", "i"
    " am hoping", "i am dreaming", "even if", "i used to think",
    "sometimes i think", "i dreamt", "i dreamed",
)  # fmt: skip
_UNREAL_STARTS: Final = re.compile(rf"(?:{'|'.join(map(re.escape, _UNREAL_PHRASES))}) ")
_QUESTION_STARTS: Final = word_set(
    """
    how what why who whom whose which where when do does did is are am was were can could should
    would will shall have has may
    """
)
_DENYING: Final = word_set("do does did have has had am was")
"""With "not" behind them they state what their sign does not ask: "haven't been there"."""


class Mood(StrEnum):
    """How a clause is meant."""

    STATED = "stated"
    QUESTION = "question"
    UNREAL = "unreal"
    REPORTED = "reported"
    SARCASM = "sarcasm"


_NOT_SO: Final = Pattern(
    r"(?:\.{2,}|\u2026|[-\u2013\u2014])\s*(?:not|said no ?(?:one|body) ever)\W*$"
)
"""The end turns all of it into its opposite: "I love mondays... not"."""


def is_foreign(masked: str) -> bool:
    """Whether nothing in a message is to be read: fiction, text to be worked on, dummy data."""
    return bool(
        HANDED.match(masked)
        or FICTION.search(masked)
        or _NOT_SO.search(masked)
        or ("fic" in masked.lower() and _FAN_FICTION.search(masked))
    )


def is_sarcastic(sentence: str) -> bool:
    """Whether a sentence bears a mark of sarcasm."""
    if _SARCASM.search(sentence):
        return True
    low = sentence.lower()
    return any(sign in low for sign in _SARCASTIC_SIGNS) and bool(_SARCASTIC_SIGN.search(sentence))


def mood_of(clause: Clause, before: Clause | None, mood_before: Mood) -> Mood:
    """How a clause is meant.

    Args:
        clause: The clause.
        before: The clause before it in the message, if any.
        mood_before: How that one was meant.
    """
    low = clause.low(clause.body)
    if before is not None and before.sentence == clause.sentence:
        if mood_before is Mood.REPORTED and not clause.quoted:
            return Mood.REPORTED
        if mood_before is Mood.UNREAL and not _new_start(clause):
            return Mood.UNREAL
    if clause.lead in _UNREAL_LEADS or _UNREAL_STARTS.match(low) or _is_elsewhere(clause):
        return Mood.UNREAL
    if _REPORT.search(low) or (clause.announces and _is_title(clause)):
        return Mood.REPORTED
    return Mood.QUESTION if _asks(clause, low) else Mood.STATED


_TITLES: Final = word_set(
    """
    motto saying lyric lyrics line quote ad advert sign bio entry caption letter sticker shirt
    t-shirt mug poster tweet post headline title prompt example sentence text message email
    e-mail voicemail slogan song verse chorus joke riddle diary journal review comment card page
    website banner begins starts opens ends
    plaque tattoo inscription description phrase script scenario postcard proverb
    """
)
_SUPPOSING: Final = ("picture this", "imagine this", "take this", "think of this", "say this")


def _is_title(clause: Clause) -> bool:
    """Whether what follows a colon is a text that was written or said by another."""
    low = clause.low(clause.body)
    return clause.lows[-1] in _TITLES or low.startswith(_SUPPOSING)


def _is_elsewhere(clause: Clause) -> bool:
    """Whether it is set in a game or a book: "in NAME I've a farm"."""
    words = clause.words
    at = clause.body
    if at + 2 >= len(words) or words[at].low != "in" or not words[at + 1].is_capital:
        return False
    if words[at + 1].low in MONTHS:
        return False
    return any(word.low in {"i", "we"} for word in words[at + 2 : at + 5])


def _new_start(clause: Clause) -> bool:
    """Whether a clause after an unreal one stands for itself: "…, I grow leeks"."""
    if clause.words[0].low in {"meanwhile", "irl", "really"} or clause.low(0, 2) == "in reality":
        return True
    first = clause.words[0].low
    now = first in {"now", "nowadays", "today"} or clause.low(0, 2) == "these days"
    return not clause.lead and (first in {"i", "my", "our"} or now) and not clause.heir


def _asks(clause: Clause, low: str) -> bool:
    first = low.partition(" ")[0]
    if first in _DENYING and clause.lows[clause.body + 1 : clause.body + 2] == ("not",):
        return clause.sign.startswith("?")
    if first in _QUESTION_STARTS and not clause.heir:
        return True
    return clause.sign.startswith("?") and clause.words[0].low not in {"i", "my", "our", "we"}
