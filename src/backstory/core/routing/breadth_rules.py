"""Questions that need many messages, and those that only look like it."""

from typing import Final

from backstory.core.routing.rules import AUX, MEASURE, PLURAL, Profile, Rule

DECEPTIVE: Final = (
    Rule(
        Profile.PINPOINT,
        "a stated figure",
        (
            rf"\bhow many {MEASURE}\b(?!.{{0,120}}\b(?:total|altogether|so far|overall)\b)",
            (
                r"\bhow many (?:\w+ ){1,3}(?:can|does|do|did) (?:the|my|our|this|that|his|her"
                r"|its) (?:\w+ ){1,4}(?:have|hold|fit|seat|need|take|weigh|use|cost)\b"
            ),
        ),
    ),
    Rule(
        Profile.PINPOINT,
        "a usual time of day",
        (r"\bwhat time (?:do|does) (?:\w+ ){1,3}(?:usually|normally|typically|generally)\b",),
    ),
    Rule(
        Profile.GATHER,
        "compares two things",
        (
            # also of a first and a last one, which alone would be a question of time
            r"^(?:what(?:'s| is| are| was| were) )?(?:the )?(?:main )?differences? between\b"
            r"(?!.*\b(?:dates?|days?|ages?)\b)",
        ),
    ),
)
"""What looks like a question of another kind: it decides before the others."""

BREADTH: Final = (
    Rule(
        Profile.GATHER,
        "asks for a count",
        (
            r"\bhow ?many\b",
            r"\bhow (?:often|frequently)\b",
            r"\bnumber of (?:times|different|\w+s)\b",
            r"\bcount(?: up)? (?:all|the|how|my|of|every)\b",
            r"\bin total\b",
            r"\btotals?\b",
            r"\baltogether\b",
            r"\badd(?:ed)? up\b",
            r"\b(?:on average|average|percentage|proportion|ratio|sum of|amount of)\b",
            r"\bhow much .{1,80}\b(?:overall|all in all|so far|combined|together)\b",
            r"\bmore than (?:one|once)\b",
            r"\bever .{1,40}\b(?:twice|repeatedly)\b",
        ),
    ),
    Rule(
        Profile.GATHER,
        "asks for all",
        (
            (
                r"^(?:please |can you |could you |would you |pls )*(?:list|enumerate|rank|name"
                r"|give me|show me)\b(?: me)? (?:all|every|the|my|each|some|any|what|names|who"
                r"|which|\w+s)\b"
            ),
            r"\blist (?:all|every|of|the|my|what|who|which|out)\b",
            r"\benumerate\b",
            (
                r"\b(?:everything|everyone|everybody|every|each of|all of|various|several"
                r"|different)\b(?! (?:from|than|day|time|morning|evening|night|week|month|year)\b)"
            ),
            (
                r"(?<!\bafter )(?<!\bat )(?<!\bof )\ball(?! (?:day|night|right|ready|along"
                r"|about it|in one|good)\b)(?: the| my| our| those| these| their)? \w+"
            ),
            r"\b(?:who|what|where) all\b",
            r"\b(?:what|who|where|anything|anyone) else\b",
            r"\bwhich ones?\b",
            r"\bnames of\b",
            r"\b(?:besides|apart from|aside from|other than|except)\b",
            (
                r"\b(?:things|stuff|topics|ways|reasons|examples|occasions|places|people|names"
                r"|ideas|plans|details|problems|persons|items) (?:that |which |who )?(?:i|we|you"
                r"|he|she|they)(?:'ve|'d)?\b"
            ),
            r"\b(?:any|some|most|many) of (?:my|our|the|those|these)\b",
            rf"^(?:and |also )?(?:my|our) (?:\w+ ){{0,2}}{PLURAL}(?! \w+ed\b)",
            (
                r"\b(?:are there|do i have|have i got|is there|did i mention"
                rf"|have i mentioned) any {PLURAL}"
            ),
        ),
    ),
    Rule(
        Profile.GATHER,
        "asks for a summary",
        (
            r"\bsummar",
            r"\bsum(?:s|med)? up\b",
            r"\boverview\b",
            r"\brecap\b",
            r"\brun ?down\b",
            r"\bmain (?:points|themes|topics)\b",
            r"\bprofile of\b",
            r"\bin general\b",
            r"\boverall\b",
            r"\bon the whole\b",
            r"\bhighlights\b",
            r"\bbig picture\b",
            r"\bin (?:a nutshell|short|brief)\b",
            r"\bbreakdown\b",
            r"\b(?:history|evolution|story) of\b",
            r"\bcatch me up\b",
            r"\bup to speed\b",
            r"\bstatus of\b",
            r"\bupdate on\b",
            r"\bthings stand\b",
            (
                r"\bhow (?:is|are|was|were|has|have) .{1,60}\b(?:coming along|going|getting on"
                r"|doing|been going)\b"
            ),
            r"\bgood and bad\b",
            r"\bpros and cons\b",
            r"\bwhat do you (?:know|remember) (?:about|of)\b",
            r"\b(?:tell|remind) me (?:more )?about (?:my|our|the)\b",
            (
                r"\bwhat (?:else )?(?:have|had|'ve|has) (?:i|we|you|\w+) (?:\w+ )?(?:said|told"
                r"|mentioned|discussed|talked|learn(?:ed|t)|complained|shared|written|tried)\b"
            ),
        ),
    ),
    Rule(
        Profile.GATHER,
        "compares",
        (
            r"\bcompar(?:e|ed|ing|ison)\b",
            r"\bdifferen(?:t|ces?)\b",
            r"\bdiffer\b",
            r"\bversus\b",
            r"\bvs\b",
            r"\bin common\b",
            r"\bsimilar(?:ities)?\b",
            r"\bwhich of\b",
            r"\bwho (?:of|among|amongst)\b",
            r"\bboth\b",
            r"\b(?:prefer|like|better|more|less|rather) .{1,60}\b(?:or|than|to the)\b",
            r"\bmost (?:often|frequently|common(?:ly)?|popular)\b",
            r"\b(?:about|of|on) (?:the )?(?:most|least)\b",
            (
                r"\b(?:which|who|what)\b.{1,80}\b(?:best(?! (?:man|friend))|worst|most|least|"
                r"(?:bigg|larg|small|cheap|tall|long|short|high|low|hard|easi|strong|fast|slow"
                r"|happi|few)est)\b"
            ),
            r"\b(?:which|who|what)(?:'s| is| was| are| were) (?:the )?\w{2,}er\b.{1,80}\bor\b",
        ),
    ),
    Rule(
        Profile.GATHER,
        "asks what changed or holds now",
        (
            (
                r"\b(?:has|have|had|did|do|does|is|are|was|were|how|what)(?:n't)?\b.{0,120}\b(?:chang"
                r"(?:e|ed|es|ing)|shift(?:ed)?|evolv(?:e|ed|ing)|develop(?:ed)?|progress(?:ed"
                r"|ing)?|improv(?:e|ed|ing)|switch(?:ed)?|updat(?:e|ed|es))\b"
            ),
            r"\bstill\b",
            r"\bany ?more\b",
            r"\bno longer\b",
            r"\bover (?:time|the (?:years|months|weeks|last|past))\b",
            r"\bso far\b",
            r"\bup to (?:now|date)\b",
            r"\bthese days\b",
            r"\bat (?:the moment|present)\b",
            r"\bnowadays\b",
            r"\bcurrent(?:ly)?\b",
            r"\blately\b",
            r"(?<!from )(?<!until )\bnow\b",
            r"\bin the end\b",
            r"\bend(?:ed)? up\b",
            r"\beventually\b",
            r"\b(?:have|has|did) (?:i|we) ever\b(?! (?:tell|told|say|said|mention))",
        ),
    ),
    Rule(
        Profile.GATHER,
        "asks for a habit",
        (
            (
                r"\b(?:usually|typically|normally|generally|tend to|always|habits?|patterns?"
                r"|trends?|again and again|regular(?:ly)?|routines?|frequently|keep (?:\w+ing))\b"
            ),
        ),
    ),
    Rule(
        Profile.GATHER,
        "asks for several",
        (
            (
                r"\b(?:which|what)(?: (?:other|kinds? of|types? of|sorts? of|of))?"
                rf"(?: \w+){{0,2}}? {PLURAL} {AUX}\b"
            ),
            rf"\bwhich (?:of )?{PLURAL} \w+",
            (
                rf"\bwhat {PLURAL} (?!(?:me|my|the|an?|him|her|us|them|you|to|in|on|at|with|for"
                r"|out|up|like|when|if|after|before)\b)\w+"
            ),
            r"\bwho (?:from|in|on) (?:my|our|the)\b",
            (
                rf"\b(?:which|what) (?:\w+ )?{PLURAL} (?:in|on|of|from|with|that) "
                rf"(?:\w+ ){{1,4}}{AUX}\b"
            ),
            (
                r"\bwhat (?:are|were) (?:the |my |our |some |his |her |their )?(?:\w+ "
                rf"|\w+s' ){{0,3}}{PLURAL}"
            ),
            r"\b(?:which|what) of (?:my|our|the|these|those)\b",
            r"\bwho (?:are|were)\b",
            r"\b(?:which|what) (?:kinds|types|sorts)\b",
            rf"\bany (?:other )?{PLURAL}",
            r"\bacross\b",
            r"\b(?:like and dislike|likes and dislikes)\b",
            (
                r"^(?:and |so )?(?:who|what|where) (?:have|has) (?:i|we|(?:my|our) \w+)\b"
                r"(?!.{0,120}\b(?:since|this|last|today|recently)\b)"
            ),
        ),
    ),
)
"""Counts, lists, summaries, comparisons, what changed, habits."""
