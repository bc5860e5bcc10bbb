"""Closed word classes of English that search looks at."""

import re
from typing import Final

MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

_STOP_WORDS: Final = """
    a an the this that these those some any each every both either neither such
    i me my mine myself you your yours yourself he him his himself she her hers herself it its
    itself we us our ours ourselves they them their theirs themselves one
    am is are was were be been being do does did doing done have has had having can could will
    would shall should might must ought
    and or but nor so if than then because as while though although unless until whether
    of at by for with about against between into through to from in on off over under out up down
    during within without upon per via
    what which who whom whose when where why how
    not no yes also too very just only own same there here again
    don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't can't couldn't won't
    wouldn't shouldn't i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've
    they're they've that's what's who's where's when's how's there's let's
    please tell
    """
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that say nothing about the content of a question."""

WISH_WORDS: Final = ("always", "prefer", "rather")
"""By which a user says how to be answered from then on. ("never" tells what did not happen.)"""

_TIME_WORDS: Final = """
    yesterday today tonight tomorrow ago recently nowadays morning afternoon evening
    second minute hour day night week weekend month year decade century
    seconds minutes hours days nights weeks weekends months years decades
    monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    spring summer autumn fall winter
    """
TIME_WORDS: Final = frozenset((*_TIME_WORDS.split(), *MONTHS))
"""A text without one of these and without a digit has no time expression."""

_UNITS: Final = r"(?:second|minute|hour|day|night|week|weekend|month|year|decade|century)s?"
_WEEKDAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_SEASONS: Final = r"(?:spring|summer|autumn|fall|winter)"

TIME_EXPRESSION: Final = re.compile(
    rf"""\b(?:
        yesterday|today|tonight|tomorrow|ago|recently|nowadays
      | (?:last|next|past|this|previous|coming|every|following)\s
            (?:few\s|couple\s(?:of\s)?)?(?:{_UNITS}|{_WEEKDAYS}|{_SEASONS}|{"|".join(MONTHS)})
      | (?:this|in\sthe)\s(?:morning|afternoon|evening)
      | {_WEEKDAYS} | (?:{"|".join(m for m in MONTHS if m not in ("may", "march"))})
      | (?:in|since|by|until|of)\s(?:may|march) | (?:may|march)\s\d
      | (?:19|20)\d\d | \d{{1,2}}(?:st|nd|rd|th) | \d{{1,2}}:\d\d
      | (?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several)\s{_UNITS}
    )\b""",
    re.VERBOSE,
)
"""Finds an English time expression in lower-case text: "on monday", "last week", "a year ago"."""

_NUMBERS: Final = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|couple\sof|several)"
)
_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH: Final = f"(?:{'|'.join(MONTHS)})"
TOLD_EXPRESSION: Final = re.compile(
    rf"""\b(?:
        yesterday | tomorrow | tonight | the\sother\sday
      | (?:last|next|this|past|previous|coming|upcoming)\s
            (?:{_UNITS}|{_WEEKDAY}|{_SEASONS}|{_MONTH})
      | (?:earlier\s)?this\s(?:morning|afternoon)
      | {_NUMBERS}\s{_UNITS}\s(?:ago|back)
      | (?:for|over|nearly|almost|about|in)\s{_NUMBERS}\s{_UNITS}
      | (?:in|on|since|during)\s(?:early\s|late\s|mid-?)?(?:{_WEEKDAY}|{_MONTH}|(?:19|20)\d\d)
      | {_MONTH}\s\d{{1,2}} | \d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}
    )\b""",
    re.VERBOSE,
)
"""Finds, in lower-case text, words that place something in time: "last week", not "every week"."""

TIME_QUESTION: Final = re.compile(
    rf"\bwhen\b|\b(?:what|which)\s(?:date|day|week|month|year|time|season)\b"
    rf"|\bhow\s(?:long|recently|soon|many\s{_UNITS})\b"
)
"""Finds a question for a time, in lower-case text."""
