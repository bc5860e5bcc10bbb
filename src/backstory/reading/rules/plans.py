"""Plans, trips, appointments and aims.

For: "we're flying to X on 12 May", "I'm planning a trip to X", "gonna run a half marathon", "my
driving
test is on 4 March", "I've got the dentist on Thursday", "my goal is to …", "I'm saving for a boat",
"I'm trying to quit smoking", "this year I want to learn to weld". Not for: "should I …?", "I'd
love to".
"""

import re
from collections.abc import Sequence
from typing import Final

from backstory.language.lexicon import MONTHS
from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import place_at

Words = Sequence[Word]
_TIME: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june"
    r"|july|august|september|october"
    r"|november|december)\b|\b(?:in|next|this|on) (?:may|spring|summer|autumn|fall|winter"
    r"|year|month|week|weekend)\b|\btomorrow\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun"
    r"|jul|aug|sep|sept|oct|nov|dec)\b"
    r"|\btonight\b|\bin (?:a|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?)\b"
    r"|\bfor our\b|\bhoneymoon\b"
)
_APPOINTMENTS: Final = word_set(
    """
    appointment dentist exam exams interview test lesson meeting surgery operation checkup
    check-up scan concert wedding flight viva audition hearing recital match tournament marathon
    race half-marathon triathlon gig conference therapy physio doctor graduation deadline
    presentation mot mri vaccination
    """
)


_PLAN_ENDS: Final = word_set("that which \u00b7 ( because so but who lol remind btw")


_POINTING: Final = word_set("it them there this that these those him her you your")
"""A plan with one of these says nothing by itself."""


def _value(scene: Scene, words: Words, most: int = 12) -> str:
    """The words of a plan, up to a reason or an aside."""
    end = 0
    while end < len(words) and end < most:
        low = words[end].low
        if low in _PLAN_ENDS:
            break
        if low == "," and not (
            end + 1 < len(words) and (words[end + 1].text[0].isdigit() or words[end + 1].is_capital)
        ):
            break
        if low == "instead":
            break
        end += 1
    while end and words[end - 1].is_sign:
        end -= 1
    if any(word.low in _POINTING for word in words[:end]):
        return ""
    return scene.span(words[:end])


_TRAVELLING: Final = word_set("going flying travelling traveling visiting moving")


def _with(verb: str, value: str) -> str:
    return f"{verb} {value}" if value else ""


def go(scene: Scene, said: Predicate) -> None:
    """Read "I'm going to X in January", "we're flying to X", "gonna run X next spring"."""
    words = said.rest
    if said.form not in _TRAVELLING or not words:
        return
    if {"was", "were", "been"} & {*said.auxiliaries}:
        return
    low = " ".join(word.low for word in words)
    if said.form == "moving":
        if words[0].low in {"to", "back"} and _TIME.search(low):
            scene.claim("goal.plan", _with("moving", _value(scene, words)))
        return
    if said.form == "visiting":
        if words[0].is_capital and _TIME.search(low):
            scene.claim("goal.trip", _with(said.form, _value(scene, words)))
        return
    if words[0].low in {"to", "on", "back"} and len(words) > 1:
        _to(scene, said, words, low)


_NO_PLANS: Final = word_set(
    """
    be the bed work school have need a my say ask tell try rain get see do go sleep kill miss
    regret love hate lose
    """
)


def fly(scene: Scene, said: Predicate) -> None:
    """Read "I fly to X on Tuesday"."""
    words = said.rest
    low = " ".join(word.low for word in words)
    ahead = said.form == "fly" and not said.auxiliaries and _TIME.search(low)
    if ahead and len(words) > 1 and words[0].low == "to" and words[1].is_capital:
        scene.claim("goal.trip", _value(scene, words[1:]))


_EVENTS: Final = word_set(
    "concert wedding match gig conference festival musical opera exhibition fair tournament"
)


def _is_event(words: Words) -> bool:
    """Whether the words begin with an event: "Oslo concert in May"."""
    return any(word.low in _EVENTS for word in words[:3])


def _to(scene: Scene, said: Predicate, words: Words, low: str) -> None:
    nxt = words[1]
    if words[0].low == "to" and nxt.is_capital and place_at(words, 1) > 1:
        scene.claim("goal.trip", _value(scene, words[1:]), changed="instead" in low)
    elif words[0].low == "on" and "trip" in low and _TIME.search(low):
        scene.claim("goal.trip", _value(scene, words[1:]))
    elif nxt.low in {"a", "an", "the", "my", "our"} and _is_event(words[2:]) and _TIME.search(low):
        scene.claim("goal.appointment", _value(scene, words[2:]))
    elif (
        words[0].low == "to"
        and said.form == "going"
        and _TIME.search(low)
        and nxt.low not in _NO_PLANS
    ):
        scene.claim("goal.plan", _value(scene, words[1:]))


_AIMING_VERBS: Final = word_set("quit stop lose learn cut eat drink give save become conceive gain")


def plan(scene: Scene, said: Predicate) -> None:
    """Read "I'm planning a trip to X in May", "planning to cycle to X"."""
    words = said.rest
    if said.form not in {"planning", "training", "saving", "trying", "hoping"} or not words:
        return
    if said.form == "hoping" or {"was", "were"} & {*said.auxiliaries}:
        return
    first = words[0].low
    if said.form == "planning":
        _planned(scene, words, first)
    elif said.form == "training" and first == "for" and len(words) > 1:
        scene.claim("goal.aim", _value(scene, words[1:]))
    elif said.form == "saving" and first in {"for", "up"} and len(words) > 1:
        value = words[2:] if first == "up" else words[1:]
        if value:
            scene.claim("goal.aim", _value(scene, value))
    elif (
        said.form == "trying" and first == "to" and len(words) > 2 and words[1].low in _AIMING_VERBS
    ):
        scene.claim("goal.aim", _value(scene, words[1:], 6))


def _planned(scene: Scene, words: Words, first: str) -> None:
    lows = [word.low for word in words]
    if "trip" in lows[:4] or "holiday" in lows[:4] or "honeymoon" in lows[:4]:
        at = lows.index("to") if "to" in lows else -1
        value = words[at + 1 :] if 0 <= at < len(words) - 1 else words
        scene.claim("goal.trip", _value(scene, value))
    elif first == "to" and len(words) > 2:
        if (
            words[1].low in {"go", "travel", "fly"}
            and words[2:3]
            and words[2].low == "to"
            and len(words) > 3
        ):
            scene.claim("goal.trip", _value(scene, words[3:]))
        else:
            scene.claim("goal.plan", _value(scene, words[1:]))
    elif (
        first in {"a", "my", "our", "the"}
        and len(words) > 1
        and {"wedding", "move", "party"} & {*lows[:4]}
    ):
        scene.claim("goal.plan", _value(scene, words))


def have(scene: Scene, said: Predicate) -> None:
    """Read "I've got the dentist on Thursday", "I have an exam on June 5th"."""
    if said.form not in {"have", "got"} or not said.rest:
        return
    words = said.rest
    lows = [word.low for word in words]
    if lows[0] not in {"a", "an", "the", "my", "two"}:
        return
    for at in range(1, min(len(lows), 14)):
        if lows[at] in _APPOINTMENTS and (
            at < 5 or lows[at - 1] in {"a", "the"} or "," in lows[:at]
        ):
            begin = max((i for i in range(at) if lows[i] in {"a", "an", "the", "my"}), default=0)
            value = _value(scene, words[begin + 1 :])
            if _TIME.search(value.lower()):
                scene.claim("goal.appointment", value)
            return


_BEFORE_DATE: Final = word_set("on at in next this tomorrow scheduled")


def dated(scene: Scene) -> None:
    """Read "my driving test is on 4 March", "my flight to X is on the 3rd of June"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    at = scene.clause.body
    while (
        at < len(words)
        and lows[at] in {"the", "that", "it", "'s"}
        and lows[at + 1 : at + 2] == ["my"]
    ):
        at += 1
    if at >= len(words) or lows[at] not in {"my", "our"}:
        return
    verb = next(
        (i for i in range(at + 1, min(at + 7, len(words))) if lows[i] in {"is", "'s", "are"}), None
    )
    if verb is None or verb + 1 >= len(words) or not {*lows[at + 1 : verb]} & _APPOINTMENTS:
        return
    if _TIME.search(" ".join(lows[verb:])) and (
        lows[verb + 1] in _BEFORE_DATE or lows[verb + 1][:1].isdigit() or lows[verb + 1] in MONTHS
    ):
        scene.claim(
            "goal.appointment",
            scene.span(words[at + 1 : verb]) + ", " + _value(scene, words[verb + 1 :]),
        )


_COMING: Final = word_set("baby child twins boy girl triplets")


def expect(scene: Scene, said: Predicate) -> None:
    """Read "we're expecting a baby in October"."""
    lows = [word.low for word in said.rest]
    if lows[:1] == ["expecting"] and _COMING & {*lows[1:6]} and not said.auxiliaries:
        scene.claim("goal.plan", _value(scene, said.rest))


def aim(scene: Scene) -> None:
    """Read "my goal this year is to read 40 books", "my dream is to …"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    at = scene.clause.body
    if lows[at : at + 1] != ["my"] or not {"goal", "aim", "resolution", "plan"} & {
        *lows[at + 1 : at + 4]
    }:
        return
    verb = next((i for i in range(at + 1, len(words)) if lows[i] in {"is", "'s"}), None)
    if verb is not None and lows[verb + 1 : verb + 2] == ["to"] and verb + 2 < len(words):
        scene.claim("goal.aim", _value(scene, words[verb + 2 :]))


def want(scene: Scene, said: Predicate) -> None:
    """Read "this year I want to learn to weld, get my licence and finish the attic"."""
    before = " ".join(word.low for word in said.before)
    after = " ".join(word.low for word in said.rest)
    if said.form != "want" or not said.rest or said.rest[0].low != "to":
        return
    lasting = re.search(
        r"\b(?:this|next|the new) year\b|\bin \d{4}\b|\bby \d{4}\b|\bsomeday\b", f"{before} {after}"
    )
    if lasting is None:
        return
    part: list[Word] = []
    for word in (*said.rest[1:], None):
        if word is None or word.low in {",", "and"}:
            if part:
                scene.claim("goal.aim", scene.span(part))
            part = []
        else:
            part.append(word)


def marry(scene: Scene, said: Predicate) -> None:
    """Read "we're getting married on 14 June"."""
    lows = [word.low for word in said.rest]
    if said.form == "getting" and lows[:1] == ["married"] and _TIME.search(" ".join(lows)):
        scene.claim("goal.plan", _with("getting", _value(scene, said.rest)))


VERBS = {
    "be": (expect,),
    "fly": (go, fly),
    "move": (go,),
    "get": (marry,),
    "go": (go,),
    "travel": (go,),
    "visit": (go,),
    "plan": (plan,),
    "train": (plan,),
    "save": (plan,),
    "try": (plan,),
    "have": (have,),
    "want": (want,),
}
CLAUSES = (
    (word_set("my our"), dated),
    (word_set("goal aim resolution plan"), aim),
)
