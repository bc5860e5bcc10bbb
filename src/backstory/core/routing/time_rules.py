"""Questions for a time, an order or a duration, and those about a stated time."""

from typing import Final

from backstory.core.routing.rules import DAY, MINE, MONTH, SEASON, UNIT, Profile, Rule

ASKED: Final = (
    Rule(
        Profile.TEMPORAL,
        "asks when",
        (
            (
                r"(?:^|[,;:] ?|\b(?:and|so|but|since|until|till|by|from|hey|ok|okay|well|exactly"
                r"|roughly|remember|recall|know|knew|tell me|tell you|remind me|forgot|forget"
                r"|forgotten|idea|sure|say|said|wonder|wondering|mention(?:ed)?|was it|was that"
                r"|it was) )when(?:'?s|'d)?\b(?! \w+ing\b)"
            ),
            (
                r"\bwhen (?:exactly|precisely|was|were|is|did|will|am|are|has|does) (?:i|we|my"
                r"|our|the)\b"
            ),
            r"\bdo (?:you|i) remember the (?:day|date|week|month|year)\b",
        ),
    ),
    Rule(
        Profile.TEMPORAL,
        "asks for an order",
        (
            r"\b(?:in )?(?:what|which) (?:order|sequence)\b",
            r"\bchronolog",
            r"\btimeline\b",
            r"\b(?:in|in the|by) (?:order|sequence|date)\b(?! to\b)",
            r"\bsequence of\b",
            r"\border of (?:the |my )?events\b",
            r"\bbefore or after\b",
            r"\bafter or before\b",
            r"\b(?:came|come|happened|was|started) (?:first|last)\b",
            r"\b(?:first|earlier|later|sooner|last)[,:]? .{1,80}\bor\b",
            r"\bor .{1,80}\b(?:first|earlier|later|sooner)$",
            r"\b(?:earlier|later|sooner|older|longer ago) than\b",
            r"\b(?:first|last|next)$",
            r"\b(?:came|come|comes|happened|happens) next\b",
            r"\bhow far apart\b",
            r"\bstep by step\b",
        ),
    ),
    Rule(
        Profile.TEMPORAL,
        "asks how long",
        (
            r"\bhow (?:soon|recent(?:ly)?)\b",
            r"\bhow much (?:time|longer)\b",
            (
                r"\bhow long\b(?! (?:is|are) (?:my|the|our|his|her|this|that|its)\b(?!.{0,120}\b"
                r"(?:until|till|before|left)\b))"
            ),
            (
                rf"\bhow many (?:more |full |whole )?{UNIT}\b(?!.{{0,120}}\b(?:(?:a|per|each"
                rf"|every) {UNIT}|in total|altogether|off|of (?:leave|holiday|vacation))\b)"
            ),
            r"\bhow old (?:was|were|had)\b",
            r"\b(?:at )?(?:what|which) age\b",
            rf"\b(?:more|less|longer|over) than (?:an?|one|two|three|\d+) {UNIT} (?:since|ago)\b",
            r"\bfor how long\b",
            r"\b(?:the )?longest(?: time)?$",
            r"\bduration\b",
            r"\blength of time\b",
            r"\b(?:has it|it has|it's|time has) (?:been|passed|elapsed)\b",
            r"\btime (?:passed|elapsed|went by)\b",
        ),
    ),
    Rule(
        Profile.TEMPORAL,
        "asks for a date",
        (
            (
                r"\b(?:what|which)(?:'s| is| was)? (?:the |exact )*(?:date|day|weekday|week|month"
                r"|year|season|decade|century|time)\b(?! (?:job|zone|tracker))"
            ),
            r"\bthe (?:exact )?(?:date|day|month|year) (?:of|when|that|i|we|my|our)\b",
            r"\b(?:start|end|due|expiry|release|arrival|departure)(?:ing)? date\b",
            r"\bdeadline\b",
            r"\b(?:in )?(?:spring|summer|autumn|winter) or\b",
        ),
    ),
    Rule(
        Profile.TEMPORAL,
        "asks for the first or the last",
        (
            (
                r"\b(?:earliest|latest|newest|oldest (?:thing|memory|message|note|entry)"
                r"|most recent(?:ly)?|last time|first time)\b"
            ),
            (
                r"\b(?:my|our|the|'s|ever) (?:very )?(?:first|last|next|previous"
                rf"|second to last)\b(?! (?:name|names|aid|class|degree|floor|couple|few|{UNIT}"
                r"|to|row|resort|edition|page)\b)"
            ),
            rf"\b(?:did|have|had|was|were) {MINE} (?:\w+ )?(?:last|first)\b"
            rf"(?! (?:few )?(?:{UNIT}|{SEASON}|{MONTH}|{DAY}|name|night)\b)",
            r"\b(?:first|last) (?:\w+ )?(?:ever|i|we|you)\b",
        ),
    ),
)
"""Those whose answer is a time or an order."""

SCOPED: Final = (
    Rule(
        Profile.TEMPORAL,
        "asks about a time before, after or between",
        (
            (
                r"\b(?:did|was|were|had|have|has|happen(?:ed|s)?|start(?:ed)?|used)\b.{0,120}"
                r"(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )(?<!called )\b"
                r"(?:before|after|afterwards|when|since|until|till|prior to|previous to|while"
                r"|during|following|meanwhile|already|at the time|as a (?:child|kid|teenager"
                r"|student))\b(?! (?:bed|all|breakfast|dinner|lunch|work|sleep(?:ing)?)\b)"
            ),
            r"\b(?:originally|initially|did .{1,40}\buse to)\b",
            r"\bbetween .{1,60}\band\b",
            r"\bthe (?:day|night|morning|evening|week|month|year) (?:before|after|of|when)\b",
            r"\bat the (?:beginning|start|end) of\b",
            r"\b(?:previous|former)(?:ly)?\b",
        ),
    ),
    Rule(
        Profile.TEMPORAL,
        "names a time",
        (
            r"\b(?:yesterday|today|tonight|tomorrow|recently|ago|coming up|upcoming)\b",
            (
                r"\b(?:last|this|next|past|coming|previous|that) (?:few |couple of |two "
                rf"|three )?(?:{UNIT}|{MONTH}|march|may|{DAY}|{SEASON}|morning|evening"
                r"|afternoon)\b"
            ),
            (
                r"\b(?:in|since|until|by|before|after|of|back in|during|around|over|at) (?:early "
                rf"|late |mid-?)?(?:{MONTH}|march|may|{DAY}|{SEASON})\b"
            ),
            rf"\b(?:on|for) (?:{DAY}|the \d|\w+ \d)",
            rf"\b\d{{1,2}} (?:{MONTH}|march|may)\b",
            r"\bon (?:my|our|his|her) (?:\w+ )?(?:birthday|anniversary|wedding|graduation)\b",
            r"\bplan(?:s|ned) for\b",
            r"\bcalendar\b",
            r"\bagenda\b",
            rf"\b\d{{1,2}}(?:st|nd|rd|th)(?: of)? (?:{MONTH}|march|may)\b",
            r"\b(?:19|20)\d\d\b",
            r"\bon (?:that|which|what) day\b",
            r"\bback then\b",
            r"\bbackthen\b",
        ),
    ),
)
"""Those that ask for something of a time."""
