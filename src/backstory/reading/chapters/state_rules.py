"""What prose says of a character's state, as patterns over a sentence with its names marked."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backstory.core.continuity.marks import NAME
from backstory.reading.chapters.state_words import (
    AGE,
    BONE,
    DWELLING,
    EYES,
    HAIR,
    JOB,
    KIN,
    PART,
    THING,
)

_OF: Final = "['\u2019]s? "
_WHO: Final = f"(?P<who>{NAME})"
# Not the object of what stands before: "the father of Tom died".
_SUBJECT: Final = (
    r"(?<!\bof )(?<!\bwith )(?<!\bfor )(?<!\bto )(?<!\bby )(?<!\bfrom )(?<!\bthan )"
    rf"(?<!\blike )(?<!\bas ){_WHO}"
)
_END: Final = r"(?=[.,;:!)\u2014\u2013]| and | but |$)"
_PLACE: Final = rf"(?P<value>{NAME}|[A-Z][\w'-]+(?: [A-Z][\w'-]+){{0,2}})"


@dataclass(frozen=True)
class StateRule:
    """One pattern with the groups ``who``, and ``value`` and ``attribute`` where not given here.

    Attributes:
        hints: The pattern can only match where one of these stands.
        spelled: The pattern as text.
    """

    hints: tuple[str, ...]
    spelled: str
    attribute: str = ""
    value: str = ""

    @cached_property
    def pattern(self) -> "re.Pattern[str]":
        """Compiled where a hint first stands: all of them take 0.1 s."""
        return re.compile(self.spelled)


def _rule(hints: str, pattern: str, attribute: str = "", value: str = "") -> StateRule:
    return StateRule(tuple(hints.split("|")), pattern, attribute, value)


_NO_DEATH: Final = (
    r"(?! (?:laughing|away|down|out|a little|inside|for (?:a|some|want)|to (?:know|see|meet|hear)"
    r"|of (?:boredom|shame|embarrassment|laughter|envy|curiosity))\b)"
)
_NOT_DEAD: Final = (
    r"(?! (?:tired|wrong|right|sure|certain|set|drunk|asleep|to|on|serious|calm|ahead"
    r"|against|in the"
    r"|keen|quiet|silent|still|weight|inside|broke|lucky|beat|level|straight|easy|bored)\b)(?!-)"
)
_DEATHS: Final = (
    _rule("died", rf"{_SUBJECT} (?:had |has |also |then |soon )?died\b{_NO_DEATH}", "life", "dead"),
    _rule(
        "dead",
        rf"{_SUBJECT} (?:was|is|lay|fell) (?:already |now |long |quite )?dead\b{_NOT_DEAD}",
        "life",
        "dead",
    ),
    _rule(
        "killed|murdered|slew|beheaded|strangled|executed",
        rf"\b(?:killed|murdered|slew|beheaded|strangled|executed) {_WHO}(?!['\u2019])",
        "life",
        "dead",
    ),
    _rule(
        "killed|murdered|slain|hanged|beheaded|drowned|strangled|executed|buried|shot|stabbed",
        rf"{_SUBJECT} (?:was|had been|has been) (?:then |soon |later |finally )?(?:killed|murdered"
        rf"|slain|hanged|beheaded|drowned(?! out)|strangled|executed|shot dead|stabbed to death"
        rf"|buried(?! (?:in (?:work|his|her|a book|thought)|under|alive)))\b",
        "life",
        "dead",
    ),
    _rule(
        "drowned",
        rf"{_SUBJECT} (?:had )?drowned(?! (?:out|in (?!the)|his|her|the))\b",
        "life",
        "dead",
    ),
    _rule(
        "body|corpse|remains|ashes",
        rf"\b[Tt]he (?:dead )?(?:body|corpse|remains|ashes) of {_WHO}(?!['\u2019])",
        "life",
        "dead",
    ),
    _rule("corpse|dead body", rf"{_WHO}{_OF}(?:corpse|dead body)\b", "life", "dead"),
    _rule(
        "buried",
        rf"\bburied {_WHO}(?!['\u2019])(?! (?:alive|in (?:work|paper|questions)))",
        "life",
        "dead",
    ),
    _rule("dead", rf"\b(?:declared|pronounced|found|shot|struck) {_WHO} dead\b", "life", "dead"),
    _rule(
        "starb|tot|muri|fallec|muert|mort|mourut|d\u00e9c\u00e9d|mor\u00ec|morreu|умер|погиб",
        rf"{_SUBJECT} (?P<value>(?:ver)?starb|war tot|muri\u00f3|falleci\u00f3"
        r"|hab\u00eda muerto|estaba muert[oa]|est morte?|\u00e9tait morte?|mourut|est "
        r"d\u00e9c\u00e9d\u00e9e?"
        r"|(?:\u00e8|era) mort[oa]|mor\u00ec|morreu|умер(?:ла)?|погиб(?:ла)?)\b",
        "life",
    ),
)

_HAVING: Final = rf"{_SUBJECT} (?:had|has)\b[^.;\ue000-\uf8ff]{{0,60}}? (?P<value>"
_SUCH: Final = (
    rf"{_WHO}, an? [^.;,\ue000-\uf8ff]{{0,40}}\bwith [^.;,\ue000-\uf8ff]{{0,30}}?(?P<value>"
)
_FACED: Final = r"(?! (?:with|from|as|in|against|behind)\b)"
_LOOKS: Final = (
    _rule("eyes", rf"{_WHO}{_OF}(?P<value>{EYES}) eyes\b", "eyes"),
    _rule("eyes", rf"{_WHO}{_OF}eyes (?:were|are) (?P<value>{EYES})\b{_FACED}", "eyes"),
    _rule("eyes", rf"{_HAVING}{EYES}) eyes\b", "eyes"),
    _rule("eyes", rf"{_SUCH}{EYES}) eyes\b", "eyes"),
    _rule(
        "eyes",
        rf"^{_WHO} [^.;,\ue000-\uf8ff]{{0,60}}\bwith (?:his |her )?(?P<value>{EYES}) eyes\b",
        "eyes",
    ),
    _rule("eyes", rf"\b[Tt]he eyes of {_WHO} were (?P<value>{EYES})\b{_FACED}", "eyes"),
    _rule("hair", rf"{_WHO}{_OF}(?P<value>{HAIR}) hair\b", "hair"),
    _rule(
        "hair",
        rf"{_WHO}{_OF}hair (?:was|is|had turned|had gone) (?P<value>{HAIR})\b{_FACED}",
        "hair",
    ),
    _rule("hair", rf"{_HAVING}{HAIR}) hair\b", "hair"),
    _rule("hair", rf"{_SUCH}{HAIR}) hair\b", "hair"),
    _rule("hair", rf"\b[Tt]he hair of {_WHO} was (?P<value>{HAIR})\b{_FACED}", "hair"),
    _rule("Augen", rf"{_SUBJECT} hatte (?P<value>\w+e) Augen\b", "eyes"),
    _rule("Haar", rf"{_SUBJECT} hatte (?P<value>\w+e) Haare\b", "hair"),
    _rule("ojos", rf"{_SUBJECT} ten\u00eda (?:los )?ojos (?P<value>\w+)\b", "eyes"),
    _rule("pelo|cabello", rf"{_SUBJECT} ten\u00eda el (?:pelo|cabello) (?P<value>\w+)\b", "hair"),
    _rule("yeux", rf"{_SUBJECT} avait les yeux (?P<value>\w+)\b", "eyes"),
    _rule("cheveux", rf"{_SUBJECT} avait les cheveux (?P<value>\w+)\b", "hair"),
)

_SEASON: Final = r" (?:that|this|last|in|on|now|today|years? old)\b"
_AGES: Final = (
    _rule(
        "years old",
        rf"{_SUBJECT} (?:was|is|turned) (?:just |already |only |now )?(?P<value>{AGE}) years old\b",
        "age",
    ),
    _rule(
        "turned",
        rf"{_SUBJECT} (?:had )?(?:just )?turned (?P<value>{AGE})(?=[.,;!]|{_SEASON})",
        "age",
    ),
    _rule("aged", rf"{_WHO}, aged (?P<value>{AGE})\b", "age"),
    _rule(
        " of ",
        rf"{_WHO}, an? (?:\w+ )?(?:boy|girl|man|woman|child|lad|youth|widow) of (?P<value>{AGE})\b",
        "age",
    ),
    _rule(
        "was",
        rf"{_SUBJECT} was (?:just |already |only |now )?(?P<value>{AGE})(?=[.;!]"
        r"| (?:that|this) (?:spring|summer|autumn|winter|year|day)\b)",
        "age",
    ),
    _rule("-year-old", rf"\b(?P<value>{AGE})-year-old {_WHO}", "age"),
)

_PREPOSITION: Final = r"(?:in|at|on|near|above|below|beside|outside)"
_DWELLING: Final = (
    rf"(?P<value>(?:an?|the|his|her|their) (?:[\w-]+ ){{0,3}}?{DWELLING}\b"
    rf"(?: (?:by|of|near|on|above|behind|at|in) the [\w-]+)?)"
)
_HOMES: Final = (
    _rule(
        "lived|lives|dwelt",
        rf"{_SUBJECT}(?:, who)? (?:lived|lives|dwelt) (?:in|at|near|on) {_PLACE}",
        "home",
    ),
    _rule(
        "lived|lives|dwelt",
        rf"{_SUBJECT}(?:, who)? (?:lived|lives|dwelt) {_PREPOSITION} {_DWELLING}",
        "home",
    ),
    _rule("moved", rf"{_SUBJECT} (?:had )?moved (?:to|into) {_PLACE}", "home"),
    _rule("moved", rf"{_SUBJECT} (?:had )?moved (?:to|into) {_DWELLING}", "home"),
    _rule("born", rf"{_SUBJECT} (?:was|had been) born (?:in|at|near) {_PLACE}", "birthplace"),
    _rule("came from", rf"{_SUBJECT} came from {_PLACE}{_END}", "birthplace"),
)

_TRADE: Final = (
    rf"(?P<value>(?:(?!and\b)[\w-]+ ){{0,2}}?{JOB}\b(?: (?:of|in|to|at) (?:the "
    rf"|an? )?(?:{NAME}|[\w-]+)(?: of (?:the )?(?:{NAME}|[\w-]+))?)?)"
)
_JOBS: Final = (
    _rule("was|is", rf"{_SUBJECT} (?:was|is) (?:now )?(?:an?|the) {_TRADE}{_END}", "job"),
    _rule("worked|works", rf"{_SUBJECT} (?:worked|works) as (?:an?|the) {_TRADE}", "job"),
    _rule(
        "became|become",
        rf"{_SUBJECT} (?:became|had become|has become) (?:an? |the )?{_TRADE}{_END}",
        "job",
    ),
    _rule(
        "made|appointed|crowned|elected",
        rf"{_SUBJECT} (?:was|had been) (?:made|appointed|crowned|elected) (?:an? |the )"
        rf"?(?P<value>{JOB})\b",
        "job",
    ),
    _rule(" the ", rf"{_WHO},? the (?P<value>{JOB})\b(?=,| (?!of|in|who))", "job"),
    _rule(", a", rf"{_WHO}, an? {_TRADE},", "job"),
)

_CLOSER: Final = (
    "(?:elder |older |younger |little |big |eldest |youngest |twin |late |only |dear )?"
)
_OTHER: Final = f"(?P<value>{NAME})"
_TIES: Final = (
    _rule(
        "'s|\u2019s|' |\u2019 ",
        rf"{_WHO}{_OF}{_CLOSER}(?P<attribute>{KIN}),? {_OTHER}(?!['\u2019])",
    ),
    _rule("'s|\u2019s|' |\u2019 ", rf"{_OTHER}, {_WHO}{_OF}{_CLOSER}(?P<attribute>{KIN}),"),
    _rule(
        "'s|\u2019s|' |\u2019 ",
        rf"{_OTHER} (?:was|is) {_WHO}{_OF}{_CLOSER}(?P<attribute>{KIN}){_END}",
    ),
    _rule(" of ", rf"{_OTHER} (?:was|is) the {_CLOSER}(?P<attribute>{KIN}) of {_WHO}(?!['\u2019])"),
    _rule(" of ", rf"{_OTHER}, (?:the )?{_CLOSER}(?P<attribute>{KIN}) of {_WHO}(?!['\u2019])"),
    _rule("married", rf"{_SUBJECT} (?:had )?married {_OTHER}(?!['\u2019])", "spouse"),
    _rule("twins", rf"{_WHO} and {_OTHER} were twins\b", "twin"),
)

_BODIES: Final = (
    _rule(
        "lost",
        rf"{_SUBJECT} (?:had )?(?P<value>lost (?:his|her|their|an?|one|two|three|both)"
        rf"(?: of (?:his|her))? (?:left |right )?{PART})\b",
        "body",
    ),
    _rule(
        "scar",
        rf"{_SUBJECT} had (?P<value>a (?:\w+ )?scar(?: (?:on|across|over|under|above"
        r"|down|along) (?:his|her|the|one) (?:left |right )?\w+)?)\b",
        "body",
    ),
    _rule(
        "broke",
        rf"{_SUBJECT} (?:had )?(?P<value>(?:broke|broken) (?:his|her|their|an?)"
        rf" (?:left |right )?{BONE})\b",
        "body",
    ),
    _rule("only one", rf"{_SUBJECT} had (?P<value>only one {PART})\b", "body"),
    _rule(
        "cut off|amputated",
        rf"\b(?P<first>cut off|amputated) {_WHO}{_OF}(?P<value>(?:left |right )?{PART})\b",
        "body",
    ),
    _rule(
        "blind|deaf|lame|mute",
        rf"{_SUBJECT} (?:was|is|had gone|went) (?P<value>blind|deaf|lame|mute)(?! (?:to|with)\b)\b",
        "body",
    ),
)

_MOVING: Final = (
    r"(?:arrived (?:in|at)|went (?:back |home )?to|came (?:back )?to|returned to"
    r"|travelled to|traveled to|sailed to|rode to|walked to|fled to|drove to|flew to"
    r"|reached|landed (?:in|at|on))"
)
_THINGS: Final = (
    _rule(
        "lost",
        rf"{_SUBJECT} (?:had )?(?P<value>lost (?:his|her|their|the) (?:\w+ )?{THING})\b",
        "possession",
    ),
    _rule(
        "gave|handed",
        rf"\b(?:gave|handed) {_WHO} (?P<value>(?:the|an?|his|her|their) (?:[\w-]+ )?{THING})\b",
        "possession",
    ),
    _rule(
        "arrived|went|came|returned|travelled|traveled|sailed|rode|walked|fled|drove|flew|reached"
        "|landed",
        rf"{_SUBJECT} (?:had )?(?:then |later |soon |finally )?{_MOVING} {_PLACE}",
        "location",
    ),
)

RULES: Final = (*_DEATHS, *_LOOKS, *_AGES, *_HOMES, *_JOBS, *_TIES, *_BODIES, *_THINGS)
