"""What is over, or another, without being named: its kind is named instead.

For: "changed my major, I'm doing law now", "upgraded my phone", "I got dumped", "the wedding's
off", "six months smoke free", "we're not moving after all", "I'm job hunting". Not for: "changed my
phone case", "my sister got dumped", "the wedding is off to a good start".
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.model.reading import Act
from backstory.reading.rules.course import Course, event_time, over_of, put, requoted
from backstory.reading.rules.endings import NOT_OVER
from backstory.reading.rules.held import Held, same, tokens
from backstory.reading.rules.lines import Line
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import ME, START, pattern_of

_PLANS: Final = ("goal.", "event.")
_PARTNER: Final = ("relationship.partner", "relationship.status")
_JOB: Final = ("work.role", "work.employer", "work.place", "work.schedule")
_STUDY: Final = ("study.subject", "study.school", "study.degree")

_TRIP: Final = (
    r"trip|holiday|vacation|flights?|getaway|honeymoon|journey|city break|cruise|tour|trek"
)
_OFF: Final = (
    r"(?:(?:'s)? )(?:(?:has|have|had|is|are|was|were|been|got|just|now|all|completely"
    r"|officially|sadly|'s"
    r"|definitely|unfortunately) )*(?:off(?! to| the| for| like| with)|cancelled|canceled"
    r"|called off|scrapped"
    r"|not happening|not going to happen|not going ahead|fell through|fallen through"
    r"|falling through|shelved"
    r"|out of the window|postponed indefinitely|over before it began|a no-?go"
    r"|dead in the water|on ice"
    r"|off the table|not on(?: any ?more)?|history|did not happen)\b"
)
_CALLED_OFF: Final = (
    r"(?:cancel(?:led|ed|ling)?|call(?:ed)? off|scrap(?:ped)?|backed out of|pulled out of|bailed on"
    r"|pulled the plug on|gave up on|ditched|abandoned|shelved|dropped|binned|axed)"
)

_ROWS: Final = Rows(
    (pattern_of(text), what)
    for text, what in (
        (
            rf"{START}(?:the|our|my|that|this) (?:\w+ ){{0,2}}(?P<n>{_TRIP}){_OFF}"
            rf"|{ME}(?:had to |have to |decided to )?{_CALLED_OFF} (?:the|our"
            rf"|my) (?:\w+ ){{0,2}}(?P<m>{_TRIP})\b",
            "trip",
        ),
        (
            rf"{START}(?:the|our|my) (?:whole |big )?(?:wedding|engagement|marriage){_OFF}"
            rf"|{ME}(?:had to |have to |decided to )?(?:{_CALLED_OFF}|break off|broke off"
            rf"|broken off)"
            rf" (?:the|our|my) (?:wedding|engagement)\b|{ME}not getting married\b",
            "wedding",
        ),
        (
            rf"{START}(?:the|our|my) (?:big |whole )?(?:move|moving plans?|relocation){_OFF}"
            rf"|{ME}not (?:moving|relocating|emigrating)\b(?: \w+){{0,4}} (?:after all|any ?more)\b"
            rf"|{ME}(?:not moving|staying (?:here|put|in (?-i:[A-Z])\w+) after all|staying put"
            rf"|staying where (?:i am|we are)|not going to move)\b"
            rf"|{ME}(?:decided|chose|going|want) (?:to stay put|not to move|against moving)\b"
            rf"|{ME}(?:had to |have to |decided to )?{_CALLED_OFF} (?:the|our|my) move\b",
            "move",
        ),
        (
            rf"{ME}not (?:going|doing it|flying|travelling|taking part"
            rf"|running it)\b(?: \w+){{0,3}}? (?:after all"
            r"|any ?more)\b|\bdecided (?:not to go|against (?:it|going))\b|\b(?:my|our|the"
            r"|all|those) plans?"
            rf"{_OFF}|\b(?:that|the) plan is dead\b",
            "plan",
        ),
        (
            rf"{ME}(?:(?:was|were|got|get|been) )?(?:dumped|single again|newly single"
            rf"|back on the market"
            r"|freshly single|on my own again|cheated on and)\b(?! (?:the|my|a|on|him|her|them)\b)"
            rf"|{START}(?:she|he|they) (?:\w+ )?(?:dumped|left|broke up with|walked out on"
            rf"|divorced) me\b(?! a|"
            r" the| some| my| alone| at| in| on)|\b(?:i am|i have been|started) (?:seeing"
            r"|dating) (?:someone|somebody)"
            rf" (?:new|else)\b|{ME}(?:met|found|fell for) (?:someone|somebody) (?:new|else)\b"
            r"|\b(?:signed|got|filed) (?:the|our|my) divorce papers\b|\b(?:our|the"
            r"|my) divorce (?:is|was|came|went|has been|got)\b(?! (?:not|a mess|ongoing))"
            rf"|{START}(?:we|me and my (?:ex|girlfriend|boyfriend|partner|wife|husband)"
            rf"|my (?:girlfriend|boyfriend"
            r"|partner|wife|husband|fianc\w+) and (?:i|me)) (?:are |have |got |just |finally "
            r"|sadly |decided to )*"
            r"(?:broke up|broken up|break up|split up|call(?:ed)? it quits|getting divorced"
            r"|getting a divorce|divorced"
            r"|no longer together|not together any ?more|went our separate ways"
            r"|going our separate ways"
            r"|separated|separating)\b|\bmy (?:marriage|relationship|engagement) (?:is |has "
            r"|just )*(?:over|ended"
            r"|fell apart|broke down|dead|finished|on the rocks and over)\b"
            r"|\bmy (?:girlfriend|boyfriend|partner|wife|husband|fianc\w+) (?:just |has "
            r"|finally )*(?:dumped me|left me(?! a|"
            r" the| some| alone| at| in| to)|moved out|broke up with me|walked out"
            r"|filed for divorce|wants a divorce)\b",
            "partner",
        ),
        (
            rf"{ME}(?:(?:was|were|got|been) )?(?:let go|given the sack|(?:got"
            rf"|given) the (?:boot|sack|chop)|made"
            rf" redundant|unemployed|jobless|job ?hunting|looking for a (?:new )?job"
            rf"|out of a job|out of work|on the"
            rf" dole)\b(?! of| because)|{START}my (?:contract|job|post|position|role) (?:just "
            rf"|has |is |was |got )*(?:ended"
            rf"|ran out|expired|not (?:renewed|extended)|eliminated|cut|axed|terminated|gone"
            rf"|made redundant|no more)\b"
            rf"|{ME}(?:quit|quitting|left|resigned|handed in my (?:notice|resignation)"
            rf"|gave my notice)"
            r"(?=\s*(?:[,;!.]|$)| (?:yesterday|today|last|on \w+day|this)\b)"
            rf"|{START}they (?:just |have )?(?:let me go|fired me|sacked me|laid me off"
            rf"|made me redundant)\b"
            rf"|{ME}retired\b(?! (?:from|to|early to bed|for the night|hurt)\b)|{ME}(?:in"
            rf"|enjoying my) retirement\b",
            "job",
        ),
        (
            rf"{ME}(?:dropped out|flunked out|(?:finished|completed|done with|got"
            rf"|have) my (?:masters?|master's|bachelors?|bachelor's|degree|phd|studies"
            rf"|doctorate|diploma)|left (?:uni|university|college|school)|quit (?:uni"
            rf"|university|college"
            r"|school|my studies|my degree)|done with (?:uni|university|college|school)"
            r"|kicked out of (?:uni|university|college|school)|got my"
            r" (?:degree|diploma)|graduated)(?=\s*(?:[,;!.]|$)| (?:last|in|this|of|after|with"
            r"|yesterday|today|on"
            r" \w+day|because|for good|finally|and)\b)",
            "study",
        ),
        (
            r"\b(?:smoke|cigarette|nicotine)[- ]?free\b(?! (?:zone|area|home|bar|restaurant"
            r"|flat|room|hotel|pub))"
            r"|\b(?:have not|not|never) (?:\w+ )?(?:smoked|had a (?:cigarette|smoke"
            r"|fag))\b.*\b(?:since|in|for)\b"
            rf"|{ME}(?:kicked the habit|non-?smoker now|a non-?smoker|ex-?smoker|an ex-?smoker"
            rf"|quit the (?:fags|cigs|cigarettes|smokes)"
            r"|quit cold turkey|stopped (?:buying )?cigarettes|had my last (?:cigarette|smoke"
            r"|fag))\b",
            "smoke",
        ),
        (
            r"\b(?:eat(?:ing)?|having|ate|back on|back to|had|love|enjoying) (?:\w+ )?(?:meat"
            r"|beef|chicken|pork|bacon|steak|burgers?"
            rf"|fish) (?:again|now|these days)\b|\bback (?:to|on) (?:eating )?meat\b"
            rf"|{ME}(?:started|begun|began) (?:to eat|eating) (?:meat"
            rf"|chicken|beef|pork|bacon)\b|{ME}(?:an? )?(?:omnivore|meat[- ]eater"
            rf"|carnivore)(?: now| again| these days)?\b"
            rf"|{ME}(?:fell off the (?:vegan|vegetarian|veggie) wagon|caved and (?:had"
            rf"|ate) (?:a |some )?\w+)\b",
            "meat",
        ),
    )
)
_SMOKES: Final = frozenset({"smoker", "smoke", "vaper", "vape", "cigarette", "rollie"})
_MEATLESS: Final = frozenset({"vegan", "vegetarian", "pescatarian", "veggie"})
_OTHERS: Final = Pattern(
    r"\b(?:my|our) (?:sister|brother|mum|mom|dad|mother|father|friend|mate|cousin|boss"
    r"|colleague|neighbou?r"
    r"|son|daughter|flatmate|roommate|best friend|uncle|aunt)(?:'s)?\b|\b(?:he|she"
    r"|they) (?:is|are|was|were|got|has|have)\b"
)


def end_unnamed(course: Course, lines: Sequence[Line]) -> None:
    """End what is held of a kind that a message says to be over."""
    if not course.held:
        return
    for line in lines:
        for match, what in _ROWS.finditer(line.text):
            before = re.split(r"[,;:.!?]", line.text[: match.start()])[-1]
            if NOT_OVER.search(before) or _OTHERS.search(before):
                continue
            quote = course.quote(line, match.start(), match.end())
            until = event_time(course, line, match.start(), match.end())
            for held in _of_kind(course, what):
                if not _is_touched(course, held):
                    course.others.append(over_of(course, held, quote, until))
                    course.plain = [c for c in course.plain if not _repeats(c.key, c.value, held)]
                if what == "move":
                    _stay(course, held, quote)
        _renew(course, line)


_WHITHER: Final = re.compile(r"\bto (?P<p>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)")


def _stay(course: Course, held: Held, quote: str) -> None:
    """Take back the home that a move was to bring; it may be recorded with its beginning ahead."""
    place = _WHITHER.search(held.value)
    if place:
        course.others.append(course.made(Act.RETRACT, "home.place", place["p"], quote))


def _repeats(key: str | None, value: str | None, held: Held) -> bool:
    return key == held.key and same(value or "", held.value)


def _is_touched(course: Course, held: Held) -> bool:
    return any(c.act is not Act.STATE and _repeats(c.key, c.value, held) for c in course.others)


_ALONE: Final = frozenset({"single", "divorced", "widowed", "a widow", "a widower"})


def _of_kind(course: Course, what: str) -> list[Held]:
    """What of the held a kind stands for; of plans only if it is the only one."""
    if what == "partner":
        return [h for h in course.held if h.key in _PARTNER and h.value.casefold() not in _ALONE]
    if what in {"job", "study"}:
        keys = _JOB if what == "job" else _STUDY
        pupil = [
            h
            for h in course.held
            if what == "study" and h.key == "work.role" and "student" in tokens(h.value)
        ]
        return [*pupil, *(h for h in course.held if h.key in keys)]
    if what in {"smoke", "meat"}:
        words = _SMOKES if what == "smoke" else _MEATLESS
        return [
            h for h in course.held if h.key.startswith("health.") and words & {*tokens(h.value)}
        ]
    plans = [h for h in course.held if h.key.startswith(_PLANS)]
    if what == "trip":
        plans = [h for h in plans if h.key == "goal.trip"] or plans
    elif what == "wedding":
        plans = [h for h in plans if {"married", "wedding", "marry"} & {*tokens(h.value)}]
        return [
            *plans,
            *(h for h in course.held if h.key == "relationship.status" and h.value == "engaged"),
        ]
    elif what == "move":
        plans = [
            h
            for h in plans
            if {"move", "moving", "relocate", "relocating", "emigrate"} & {*tokens(h.value)}
        ]
    return plans if len(plans) == 1 or what == "move" else []


_KINDS: Final = {
    "major": ("study.subject", "I am studying {v}."),
    "degree": ("study.subject", "I am studying {v}."),
    "course": ("study.subject", "I am studying {v}."),
    "courses": ("study.subject", "I am studying {v}."),
    "subject": ("study.subject", "I am studying {v}."),
    "phone": ("possession.phone", "My phone is a {v}."),
    "mobile": ("possession.phone", "My phone is a {v}."),
    "car": ("possession.car", "I drive a {v}."),
    "laptop": ("possession.computer", "My laptop is a {v}."),
    "computer": ("possession.computer", "My computer is a {v}."),
    "bike": ("possession.bike", "My bike is a {v}."),
    "surname": ("personal.surname", "My surname is {v}."),
    "name": ("personal.surname", "My surname is {v}."),
    "employer": ("work.employer", "I work at {v}."),
    "employers": ("work.employer", "I work at {v}."),
    "company": ("work.employer", "I work at {v}."),
    "companies": ("work.employer", "I work at {v}."),
    "firm": ("work.employer", "I work at {v}."),
    "firms": ("work.employer", "I work at {v}."),
}
_CHANGED: Final = pattern_of(
    rf"{ME}(?:changed|switched|upgraded|replaced|swapped|traded in|got a new|bought a new"
    rf"|have a new"
    r"|treated myself to a new) (?:my |the |our )?(?:old )?(?P<n>major|degree|courses?"
    r"|subject|phone|mobile|car"
    r"|laptop|computer|bike|surname|employers?|compan(?:y|ies)|firms?)\b(?! (?:case|charger"
    r"|cover|seat|battery|number|plan|tyres?"
    r"|contract|stickers?|insurance|lock|screen|radio|key))"
    rf"|{ME}(?:took|taken|taking) (?:my|his|her) (?:\w+'s )?(?P<m>surname|name)\b"
)
_NEW: Final = pattern_of(
    r"\b(?:to|with|for|by|(?:so |and |now |so now )?(?:i am |am |we are |it is |it's "
    r"|i have )?(?:now )?(?:doing|studying|reading|on|with"
    r"|using|driving|rocking|riding|got|have|at|called)?) ?(?:an? |the )?(?:new |used |shiny "
    r"|second-hand )*"
    r"(?P<v>(?-i:[A-Z])[\w'-]*(?: (?:(?-i:[A-Z])[\w'-]*|\d\w*))*"
    r"|(?<=doing )[a-z]+(?: [a-z]+)?|(?<=studying )[a-z]+"
    r"(?: [a-z]+)?|(?<=to )[a-z]+(?: (?!now)[a-z]+)?)(?=\s*(?:[,;!()\u00b7]|\.(?:\s|$)|$)"
    r"| (?:now|instead|these days|last|this|and|since)\b)"
)


def _renew(course: Course, line: Line) -> None:
    """End the one thing of a kind that was changed, and take what a name behind it says."""
    match = _CHANGED.search(line.text)
    if match is None or NOT_OVER.search(line.text[: match.start()]):
        return
    kind = (match["n"] or match["m"]).lower()
    key, template = _KINDS[kind]
    held = [h for h in course.held if h.key == key]
    stated = [c for c in course.plain if c.key == key and c.subject == USER and c.act is Act.STATE]
    if stated:
        course.plain = [replace(c, changed=True) if c in stated else c for c in course.plain]
        return
    found = _NEW.search(line.text[match.end() :])
    if found and key == "personal.surname" and " " in found["v"]:
        key, template = "personal.name", "My name is {v}."
    quote = course.quote(line, match.start(), match.end() + (found.end() if found else 0))
    until = event_time(course, line, match.start(), match.end())
    made = course.state(template.format(v=found["v"])) if found else []
    for claim in made:
        if claim.key == key:
            put(course, replace(requoted(course, claim, quote), changed=True))
            return
    for one in held[:1] if len(held) == 1 else ():
        if not _is_touched(course, one):
            course.others.append(over_of(course, one, quote, until))
