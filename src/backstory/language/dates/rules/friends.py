"""False friends: names, verbs, habits and sayings that look like dates and are none."""

import re
from typing import Final

from backstory.language.dates.grammar import (
    DAY,
    FULL_DAY,
    MONTH,
    NOT_MINE,
    SEASON,
    Context,
    Rule,
    nothing,
    rule,
)
from backstory.language.dates.model import Point

_FREQUENT: Final = "every|each|most|many|alternate|every other|every single|all|some|any|certain"
_TIMES: Final = (
    "day|night|week|fortnight|month|year|decade|weekend|hour|minute|morning|afternoon|evening"
)
_HABIT: Final = "usually|normally|generally|typically|always|often|sometimes|mostly|regularly|tend"
_KIN: Final = (
    "niece|nephew|sister|brother|daughter|son|mother|mum|mom|aunt|auntie|cousin|wife|husband|"
    "girlfriend|boyfriend|partner|friend|mate|colleague|boss|grandma|granny|gran|nan|baby|"
    "neighbour|"
    "neighbor|dog|cat|teacher|roommate|flatmate|named|called|miss|mrs|ms|mr|dr|lady|kid|child"
)
_SAID: Final = (
    "says|said|loves|likes|hates|wants|thinks|told|asked|is a|is an|is my|is our|and her|and his|"
    "plays|lives|works|called|texted|wrote"
)
_SUNDAY_THINGS: Final = (
    "roast|roasts|best|school|lunch tradition|blues|league|person|people|girl|morning person|paper|"
    "papers|times|feeling|feels|mood|vibes|motivation|drivers?"
)


def _title(match: re.Match[str], context: Context) -> Point | None:
    """Such as "The Sunday Lantern Society": capitals throughout make it a title."""
    written = context.sentence.written(match.start("rest"), match.end("rest")).split()
    return None if all(word[:1].isupper() for word in written) else NOT_MINE


def _habit(match: re.Match[str], context: Context) -> Point | None:
    return NOT_MINE if context.is_past(match) else None


_BEFORE_VERB: Final = (
    r"(?: (?:well|not|also|even|just|still|yet|as well|have|be|be the|seem|look|sound|take|need|"
    r"come|go|help|work|want|contain|cause|feel|happen|become|never))"
)

RULES: Final[tuple[Rule, ...]] = (
    rule(
        rf"(?:on |in )?(?:{_FREQUENT}) (?:of )?(?:the |my |our |these |those )?(?:last |past |"
        rf"next |\d+w? |"
        rf"other |second |third |single |few )?(?:{_TIMES}|{DAY}|{MONTH}|{SEASON}|christmas|easter|"
        r"halloween|thanksgiving|new year)(?: (?:morning|afternoon|evening|night|'s))?",
        nothing,
        "weekday unit month season holiday relative",
        "every each most many alternate all some any certain",
    ),
    rule(
        rf"(?:an?|one|1w|per|times|once an?|twice an?) (?:{DAY}|weekend|{SEASON})"
        r"(?: (?:morning|afternoon|evening|night))?",
        nothing,
        "weekday unit season",
    ),
    rule(
        rf"(?:once|twice|thrice|times|x|hours?|hour|day|minute|\d+w?) (?:an?|per|every|each) "
        rf"(?:{_TIMES})",
        nothing,
        "unit relative",
    ),
    rule(
        rf"(?:happy|lovely|typical|lazy|quiet|rainy) (?:{DAY}|weekend)",
        nothing,
        "weekday unit",
        "happy lovely typical lazy quiet rainy",
    ),
    rule(
        rf"(?:thank god|thank goodness|tgif) (?:it 's |its )?(?:{DAY})",
        nothing,
        "weekday",
        "thank tgif",
    ),
    rule(rf"(?:{FULL_DAY}) (?:{_SUNDAY_THINGS})", nothing, "weekday"),
    rule(
        rf"(?:{_HABIT})(?: \S+){{1,6}}? (?:on |at )?(?:the )?(?:{DAY}|weekend)"
        r"(?: (?:morning|afternoon|evening|night))?",
        _habit,
        "weekday unit",
        "usually normally generally typically always often sometimes mostly regularly tend",
    ),
    rule(
        rf"(?<!from )(?:{DAY}) (?:to|-|through|until|thru) (?:{DAY})",
        nothing,
        "weekday",
        "to - through until thru",
    ),
    rule(r"the (?:" + FULL_DAY + r") (?P<rest>\S+ \S+)", _title, "weekday"),
    rule(
        rf"(?:my|our|his|her|their|the|little|old|aunt|auntie|uncle|cousin|miss|mrs|ms|mr|dr)"
        rf"(?: (?:{_KIN}))? (?:may|june|april|august|jan)(?: 's)?(?! \d)",
        nothing,
        "month",
    ),
    rule(
        rf"(?:{_KIN}) (?:may|june|april|august|jan|wednesday|sunday)(?: 's)?(?! \d)",
        nothing,
        "month weekday",
    ),
    rule(rf"(?:may|june|april|august|jan) (?:{_SAID})", nothing, "month"),
    rule(rf"(?:this|that|it) may{_BEFORE_VERB}(?! \d)", nothing, "month"),
    rule(r"(?:i|you|we|he|she|they|it|who|there|what|which|one) may(?: \S+)?", nothing, "month"),
    rule(
        r"(?:i|you|we|they|to|us|them|me|must|will|the|a|protest|on the) (?:march|mar|sat|wed|sun)"
        r"(?! \d)(?: \S+)?",
        nothing,
        "month weekday",
    ),
    rule(
        r"(?:where|when|that|which|we|i|they|he|she|who) (?:last|next) (?:sat|wed)",
        nothing,
        "weekday",
        "last next",
    ),
    rule(
        r"(?:born|wasn't born) yesterday|no tomorrow|yesterday 's news|tomorrow never comes",
        nothing,
        "relative",
    ),
    rule(
        r"tomorrow 's another day|here today|today 's (?:youth|society|world|generation)|of today",
        nothing,
        "relative",
    ),
    rule(
        r"(?:in|during|over|for|within) the (?:last|past|next|coming) (?:week|month|year|decade)",
        nothing,
        "unit",
        "last past next coming",
    ),
    rule(
        r"(?:in|during|over|for|of) the (?:last|past|next|coming|following) (?:\d+w?|few|couple "
        r"of|several) "
        rf"(?:{_TIMES})",
        nothing,
        "unit relative",
        "last past next coming following",
    ),
    rule(
        r"month of sundays|mad as a march|ides of march|march hare|spring forward",
        nothing,
        "weekdays month season",
    ),
    rule(r"(?:on )?(?:9/11|7/7|24/7|50/50|7/11|9-5|20/20)", nothing, "number"),
    rule(
        r"(?:order|invoice|ticket|ref|reference|no|nr|id|number|account|case|flight|room|model|"
        r"serial|"
        r"phone|tel|ip|version|v|ext|isbn|build|pin|code|chapter|page|bus|line)(?: (?:no|number|"
        r"id|is|:))?"
        r"(?: [a-z]{1,3})? (?:\d[-\d./]*)",
        nothing,
        "number",
    ),
)
