"""Words of ending around a held value, which stands as ``@`` in the line.

Each row has the slots that it may end and its subject: "me" (the writer does it, said or left out),
"it" (the value does or suffers it) or "any" (the words themselves leave no doubt). The group ``c``
is the cue: what makes it unsure ("almost", "if") would stand before it.
"""

from typing import Final

from backstory.reading.rules.patterns import Pattern, Rows

_WORK: Final = ("work.", "study.", "group.", "hobby.")
_DOING: Final = (
    "hobby.", "study.", "preference.like", "preference.favourite", "health.diet", "health.habit",
    "health.avoids", "health.medication", "group.", "goal.", "work.",
)  # fmt: skip
_PLANS: Final = ("goal.", "event.")
_LOVE: Final = ("relationship.partner", "relationship.status", "relationship.friend")
_PEOPLE: Final = ("relationship.",)
_THINGS: Final = ("possession.", "pet")
_HOME: Final = ("home.",)
_ALL: Final = (
    "home.", "work.", "study.", "relationship.", "pet", "possession.", "hobby.",
    "preference.like", "preference.favourite", "health.", "goal.", "event.", "group.",
)  # fmt: skip
_UNLOVED: Final = tuple(p for p in _ALL if p != "relationship.")

_ADV: Final = (
    r"(?:(?:just|finally|sadly|recently|officially|actually|suddenly|unfortunately|has|have|had"
    r"|been|is|are|was|were|got|gets|'s|now|also|all|pretty much|basically|kind of|kinda|already"
    r"|completely|really|both|then|there|has to be|had to be|well and truly|up and|went and"
    r"|eventually) )*"
)
_GAP: Final = (
    r"(?:(?:the|my|our|that|this|a|an|being|playing|doing|learning|studying|working|going|eating"
    r"|drinking|taking|collecting|training|running|practising|volunteering|teaching|singing"
    r"|driving|on|in|at|for|from|to|of|with|as|it|all|old|whole|entire|poor|dear|beloved|trusty"
    r"|little|up|out|off|anything|everything|job|place|post|gig|course|classes|lessons|plan"
    r"|plans|trip|membership|subscription|idea|flights?|tickets?|hotel|booking|things?|ways"
    r"|company|both|go|move|moving|dog|cat|car|bike|phone|girlfriend|boyfriend|partner) ){0,5}"
)
_TAIL: Final = (
    r"(?:[' ]?s)?(?: (?:plans?|trip|idea|thing|job|gig|holiday|membership|subscription|course"
    r"|classes|lessons|project|contract|training|tickets?|flights?|practice|diet|adventure|phase"
    r"|days|era|dream|visit|engagement|wedding|post|position|relationship|collection|appointment"
    r"|career|thing|business|move|in [a-z]+|next [a-z]+|this [a-z]+)){0,2}"
)
_STOP: Final = (
    r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$)| (?:last|in|after|this|yesterday|today|now|since|on"
    r"|because|and|so|but|two|three|four|five|for good|for ever|forever|years?|months?|weeks?|a"
    r" (?:week|month|year|few|while|couple)|ages|anyway|though|tbh|lol|at the end|at last|again"
    r"|due|thanks|it|i|we|when|while|until|as|over|back|early|too|instead|completely|altogether"
    r"|by|sadly|recently|earlier)\b)"
)
_LEFT: Final = (
    r"quit|quitting|cancel|cancelled|canceled|call off|called off|scrap|scrapped|gave up on|gave up"
    r"|given up on|given up|give up on|give up|get rid of|got rid of|gotten rid of|resign from"
    r"|resigned from|part ways with|parted ways with|parted with|part with|finished with"
    r"|done with|through with|over with|walked away from|walked out on|backed out of|back out of"
    r"|pulled out of|pull out of|bailed on|bail on|retired from|retire from|graduated from"
    r"|sacked from|laid off from|let go from|let go by|fired by|sacked by|laid off by"
    r"|made redundant"
    r" by|made redundant at|made redundant from|let go at|laid off at|fired at|said goodbye to"
    r"|say goodbye to|waved goodbye to|bid farewell to|shelved|shelve|binned|bin|chucked in"
    r"|packed in|jacked in|jack in|pack in|chuck in|ditched|ditch|unsubscribed from|ruled out"
    r"|decided against|changed (?:my|our) minds? about|thought better of|got cold feet about"
    r"|withdrew from|withdrawn from|withdraw from|dropped out of|drop out of"
    r"|dropped|drop|stopped|stop|kicked out of|expelled from|thrown out of|moved on from|swore off"
    r"|sworn off|gone off|went off|grown out of|grew out of|sick of|fed up with|bored of|tired of"
    r"|not into|pulled the plug on|pull the plug on|put an end to|closed the chapter on|no"
    r" interest in|have no time for|let|handed in (?:my|the) (?:notice|resignation) (?:at|to|with)"
    r"|gave (?:in )?(?:my )?notice (?:at|to)|finished at|finished up at|hung up|nixed|axed"
    r"|abandoned|abandon|forgot about|forget about|not doing|not going to"
)

_ROWS: Final = (
    # The writer ends it.
    (rf"(?P<c>\b(?:{_LEFT})) {_GAP}@(?!'s (?!trip|plan|job))", (*_DOING, *_PLANS), "me"),
    (
        r"(?P<c>\b(?:did not get|never got|(?:got|was) rejected (?:by|for|from|at)|turned down"
        r" (?:by|for|at)|(?:finished|completed|ran|passed|aced|survived)(?= (?:the|my|our))))"
        rf" {_GAP}@{_TAIL}{_STOP}",
        _PLANS,
        "me",
    ),
    (rf"(?P<c>\b(?:skip|skipping|skipped|giving up|missing)) {_GAP}@", _PLANS, "me"),
    (
        rf"(?P<c>\b(?:sold|gave away|given away|refunded|returned"
        rf"|resold)) {_GAP}@ (?:festival |concert )?(?:tickets?|flights?|pass|place|spot)\b",
        _PLANS,
        "me",
    ),
    (
        rf"@{_TAIL} (?P<c>(?:is|was) not (?:really )?(?:for me|my thing|my cup of tea)"
        rf"|(?:only )?lasted (?:only |just |exactly |about |all of )?(?:an?|\w+)"
        r" (?:day|week|month|year)s?|and (?:i|me) (?:are|is) (?:done|over|finished|history"
        r"|through|no longer|not friends)"
        r"|(?:[^;!?]{0,40}?)(?:not (?:be )?(?:going|coming) back|never (?:be )?(?:going"
        r"|coming) back))\b",
        _DOING,
        "it",
    ),
    (
        rf"@ {_ADV}(?P<c>(?:gone|went|moved|moving|flown|flew"
        rf"|returned) (?:back (?:to (?-i:[A-Z])|home|abroad|in with)|abroad|home for good)"
        rf"|(?:moved|moving) (?:to (?-i:[A-Z])|home|cities|in with))",
        (
            "relationship.flatmate",
            "relationship.housemate",
            "relationship.roommate",
            "relationship.lodger",
        ),
        "it",
    ),
    (
        rf"@{_TAIL} {_ADV}(?P<c>burn(?:ed|t) down|burn(?:ed|t) to the ground"
        rf"|went up in (?:flames|smoke)|sank|sunk|collapsed|destroyed|demolished|torn down"
        rf"|smashed to (?:bits|pieces)|snapped in (?:half|two)|fried itself|washed away"
        rf"|blew up|drowned|eaten by (?:a|the) \w+){_STOP}",
        _THINGS,
        "it",
    ),
    (
        r"(?P<c>\b(?:leave|leaving|left|fired from|sacked from|let go from|out of)) "
        rf"(?:(?:my|the|that|our) )?(?:(?:job|post|gig|place|work|role) (?:at|with|in"
        rf"|as) )?@{_TAIL}"
        rf"{_STOP}",
        _WORK,
        "me",
    ),
    (
        r"(?P<c>\b(?:sell|sold|selling|gave away|given away|give away|get rid of|got rid of|part"
        r" with|parted with|rehome|rehomed|donated|scrapped|returned|traded in|trade in|wrote"
        r" off|totalled|wrecked|had stolen|pawned|auctioned|ebayed|let go of|goodbye to|buried|lost"
        rf"|put down|ditched|binned|chucked(?: out)?|threw out|thrown out)) {_GAP}@",
        _THINGS,
        "me",
    ),
    (
        r"(?P<c>\b(?:broke up with|broken up with|break up with|split (?:up )?(?:with|from)|dumped"
        r"|finished with|done with|finished things with|ended (?:it|things) with|called it off with"
        r"|divorced|divorcing|left|walked out on|over|through with|separated from|separate from"
        rf"|not (?:with|seeing|dating|going out with)|cut ties with)) (?:my )?{_GAP}@",
        _LOVE,
        "me",
    ),
    (
        r"(?P<c>\b(?:moved|move|moving) (?:out|away|on) (?:of|from)|kicked out of|got out of"
        rf"|evicted from|sold up in|gave up (?:my|our|the) [a-z]+ in) {_GAP}@",
        _HOME,
        "me",
    ),
    (
        r"(?P<c>\b(?:left|leaving)) (?:behind )?@(?= (?:for good|behind|in (?:january"
        r"|february|march"
        r"|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
        r"|winter|\d{4})|last (?:month|year|spring|summer|autumn|winter)|because|(?:two|three|four"
        r"|five|six|a few|a couple of|\d+|some|a) (?:weeks?|months?|years?) ago|after)\b)"
        r"(?!.*\b(?:back (?:on|in|next|by)|holiday|vacation|visit))",
        _HOME,
        "me",
    ),
    (
        r"(?P<c>(?:^|[,;:.!]\s*|\b(?:so|and|but|officially|it is|that is) )(?:good ?bye|bye|bye"
        r"[ -]bye|farewell|so long|adios|ciao|au revoir|rip|sayonara))(?: to)?,? (?:my |dear "
        r"|old )*@"
        r"(?!.*\b(?:holiday|vacation|weekend|see you|back (?:on|in|next)|trip)\b)",
        _UNLOVED,
        "any",
    ),
    (
        rf"(?P<c>(?:^|[,;:.!(\u00b7]\s*|\b(?:so|and|but|means|said|is|for me|now) )no more) {_GAP}@"
        r"(?! for (?:today|tonight|now|me today|this|him|her|them)\b)",
        _ALL,
        "any",
    ),
    # It ends.
    (
        rf"@{_TAIL} {_ADV}(?P<c>cancelled|canceled|called off|scrapped|shelved|off|over|history|old"
        r" news|ancient history|no more|done for|toast|kaput|behind (?:me|us)|a thing of the past"
        r"|in the past|water under the bridge|out of the (?:picture|question|window)|off the"
        r" (?:table|menu|cards|list)|not happening|not going to happen|not gonna happen|not going"
        r" ahead|not on any ?more|on ice|fell through|fallen through|falling through|fell apart"
        r"|fizzled(?: out)?|fell flat|did not (?:work out|happen|pan out|come off|last|go ahead)"
        r"|not (?:worked|working|gone|panned) out|not (?:to be|meant to be)|come to an end|came to"
        r" an end|ended|expired|lapsed|ran out|run out|went out of the window|dead|finished|gone"
        rf"|done|abandoned|dropped|axed|binned|a no-?go|impossible|history now|nixed){_STOP}",
        (*_PLANS, "relationship.partner", "health.condition"),
        "it",
    ),
    (
        rf"@{_TAIL} {_ADV}(?P<c>history|old news|ancient history|no more|toast|kaput"
        rf"|behind (?:me|us)|a thing of the past"
        r"|in the past|water under the bridge|out of the (?:picture|question|window)"
        r"|off the (?:table|menu|cards|list)|on ice"
        r"|fell through|fallen through|fell apart|fizzled(?: out)?|come to an end"
        r"|came to an end|ended|expired|lapsed|ran out|run out|abandoned"
        rf"|axed|did not (?:work out|last|make it|survive|pan out)|not (?:worked|working) out"
        rf"|a goner){_STOP}",
        (
            *_WORK,
            "pet",
            "possession.",
            "health.diet",
            "health.habit",
            "preference.like",
            "preference.favourite",
        ),
        "it",
    ),
    (
        rf"@ {_ADV}(?P<c>retired|quit|resigned|left (?:the|our) (?:company|firm|practice|team"
        rf"|department|school)|moved (?:away|abroad|on|to)"
        rf"|transferred|closed (?:the|his|her) (?:practice|surgery)|passed away|died"
        rf"|stopped practising|got fired|was replaced|been replaced){_STOP}",
        (
            "relationship.other",
            "relationship.doctor",
            "relationship.boss",
            "relationship.colleague",
            "relationship.neighbour",
            "relationship.flatmate",
            "relationship.teacher",
            "relationship.landlord",
        ),
        "it",
    ),
    (
        rf"@{_TAIL} {_ADV}(?P<c>too (?:expensive|pricey|dear|far|much|hot|dangerous|crowded|risky"
        r"|late|cold|complicated)|sold out|fully booked|overbooked|booked up|out of (?:my|our)"
        r" budget|out of reach)\b.*\b(?:instead|so (?:we|i)\b|no longer|forget it)",
        _PLANS,
        "it",
    ),
    (
        rf"@{_TAIL} {_ADV}(?P<c>sold|stolen|nicked|scrapped|written off|totalled|wrecked|donated"
        r"|rehomed|given away|recycled|beyond repair|dead|died|passed away|passed on|put (?:down|to"
        r" sleep)|gone for good|gone forever|no more|run over|in (?:heaven|a better place)"
        r"|traded in"
        r"|gave up the ghost|bit the dust|conked out|broke down for good|kicked the bucket"
        rf"|crossed the rainbow bridge|repossessed|auctioned off|lost for good|in the (?:river"
        rf"|bin|tip|scrapyard)){_STOP}",
        _THINGS,
        "it",
    ),
    (
        rf"@ {_ADV}(?P<c>(?:let|laid|kicked|threw|sacked|fired|dumped|ditched|left|ghosted|dropped"
        r"|divorced|booted|axed|chucked|expelled|binned|cheated on|walked out on|broke up with"
        r"|split up with|finished with|called it off with|ended it with|made) (?:me|us|it|things)"
        r"(?! know| down| see| in| try| use| take| have| go (?:home|to)| early| alone| laugh"
        r"| cry| a"
        r" | some| the| my| off (?:at|early)| (?:very )?(?:happy|sad|angry|proud|late|think"
        r"|feel|work))"
        r"(?: go| off| out| redundant| with me)?)\b",
        ("work.", "study.", "group.", "relationship."),
        "it",
    ),
    (
        rf"@ {_ADV}(?P<c>(?:closed|shut|folded|went|gone|going|shutting|closing) (?:down|shop"
        rf"|up shop"
        r"|bust|under|bankrupt|its doors|for good|out of business|into administration|belly up)"
        r"|closed|folded|dissolved|disbanded|liquidated|ceased trading|wound up)" + _STOP,
        ("work.", "group.", "hobby.", "study."),
        "it",
    ),
    (
        rf"@ {_ADV}(?P<c>moved (?:out|away|abroad|back (?:home|to|in))|found (?:someone|somebody)"
        r"(?: else| new)|met (?:someone|somebody)(?: else| new)?|cheated|passed away"
        r"|passed on|died|"
        r"ended things|ended it|called it off|broke it off|wants a divorce|filed for divorce"
        r"|walked out|left for good|out of my life|an ex|my ex)\b",
        ("relationship.",),
        "it",
    ),
    (
        r"@ and (?:i|me) (?:(?:have|had|are|just|finally|sadly|both|recently|also|decided to"
        r"|mutually"
        r") )*(?P<c>done|over|through|no more|no longer (?:together|a couple|friends|speaking"
        r"|dating"
        r"|an item|seeing)|not (?:together|a couple|dating|an item|friends)(?: any ?more)?|finished"
        r"|history|kaput|called it (?:a day|quits|off)|call it quits|called time"
        r"|went (?:our) separate ways|go"
        r" our separate ways|going our separate ways|drifted apart|grew apart|ended (?:it"
        r"|things)|split|broke up"
        r"|separated|divorcing|getting (?:a )?divorced?|parted|fell out|ending things"
        r"|on a break|signed the (?:divorce )?papers|filed for divorce|(?:got|were|are"
        r"|finalised|finalized) (?:divorced|the divorce)|broke (?:it|things) off)\b",
        _LOVE,
        "any",
    ),
    (
        rf"@{_TAIL} {_ADV}(?P<c>old news|ancient history|history|out of the picture|behind me"
        rf"|in the past|a"
        rf" thing of the past|no more|water under the bridge|over|out of my life){_STOP}",
        _LOVE,
        "it",
    ),
    # What it was.
    (
        rf"(?P<c>\bno longer (?!than\b)){_GAP}(?:\w+ ){{0,2}}@",
        _ALL,
        "me",
    ),
    (
        rf"@{_TAIL} (?:is |are |'s )?(?P<c>no longer(?= (?:with (?:me|us)|ours|mine|here|alive"
        rf"|around|in (?:the|our|my)|my|our|part of|a (?:part|thing|member)"
        rf"|together|an option|happening|available|needed|running|lives|works|exists|there|on"
        rf"|for me|my thing|among)\b|\s*[,;.!]|$)"
        rf"|not (?:ours|mine|with (?:me|us)|here|around|my \w+|a thing|happening|an option"
        rf"|part of \w+|together|in (?:the|our|my) \w+) any ?more"
        rf"|does not (?:work|live|exist) (?:\w+ ){{0,3}}any ?more)\b",
        _ALL,
        "it",
    ),
    (
        rf"(?P<c>\b(?:not|never|cannot"
        rf"|nor) (?:\w+ ){{0,4}}?{_GAP}@{_TAIL} (?:\w+ ){{0,2}}?(?:any ?more|any"
        r" longer|ever again|after all))\b",
        _ALL,
        "me",
    ),
    (
        rf"(?P<c>\b(?:not|never) (?:going|moving|flying|travelling|getting|running|doing"
        rf"|taking|having"
        rf"|visiting|buying|joining|starting|climbing|to be)) {_GAP}@.*\b(?:after all"
        rf"|any ?more|instead"
        r"|too expensive|changed (?:my|our) mind)\b",
        _PLANS,
        "me",
    ),
    (
        r"(?P<c>\b(?:have|has) not (?:\w+ ){1,3}?)"
        rf"{_GAP}@ (?:(?:in|for) (?:years|ages|decades|months|a long time|(?:over |more than "
        rf"|about |almost )?"
        r"(?:a|an|\w+) (?:years?|months?))|since)\b",
        ("hobby.", "study.", "health.habit", "group."),
        "me",
    ),
    (
        r"(?P<c>\b(?:i am|we are|as) (?:now )?(?:an? )?(?:(?:ex|former|retired|recovering"
        r"|lapsed|reformed"
        r"|one-?time|failed)[- ]*)+)@",
        ("work.", "health.", "study.", "hobby.", "personal."),
        "any",
    ),
    (
        r"(?P<c>\b(?:my|our|the) (?:ex|former|late|previous|soon-to-be ex|soon to be ex)[- ]?"
        r"(?:wife|husband|girlfriend|boyfriend|partner|fiancee|boss|employer|company|job|school"
        r"|flatmate|roommate|team|band|club|car|phone|home|home town|hometown)?,? )@",
        _ALL,
        "any",
    ),
    (
        rf"(?P<c>\binstead of (?:going to )?){_GAP}@",
        (*_PLANS, "work.employer", "home.place"),
        "any",
    ),
    (
        rf"@{_TAIL} (?:was|were) (?P<c>(?:fun|great|nice|good|lovely|a good run"
        rf"|sweet) while (?:it|they)"
        r" lasted|just a phase|a mistake|only a phase)\b",
        _ALL,
        "it",
    ),
    (
        rf"(?P<c>\b(?:came|come|coming|went|gone|got|get|am|are|now|been) off) (?:the |my "
        rf"|of the )?@{_TAIL}{_STOP}",
        ("health.diet", "health.medication", "health.habit", "health.avoids"),
        "me",
    ),
    (
        rf"(?P<c>\b(?:last (?:day|shift|week|month|lesson|class|rehearsal|game|match)) (?:at"
        rf"|with|of|in|as)) {_GAP}@",
        _WORK,
        "any",
    ),
    (
        rf"@{_TAIL}(?P<c>[^;!?]{{0,60}}?(?:[,;] ?|\b(?=so |and |but |then ))(?:(?:so|and|but"
        rf"|then|until|in the end|eventually) )*(?:(?:i|we)"
        r" )?(?:(?:have|had|just|finally|recently|eventually|then|sadly|both|had to|decided to) )*"
        r"(?:g[ai]ven? (?:it|them|that) (?:all )?(?:up|away)|sold (?:it|them|her|him)|sell (?:it"
        r"|them)|got rid of (?:it|them)|quit it|cancel(?:led|ed)? (?:it|them|that|everything)"
        r"|call(?:ed)? it off"
        r"|dropped (?:it|out)|had to let (?:it|her|him|them) go|walked away from it"
        r"|binned (?:it|them)"
        rf"|(?:am|are) done with (?:it|that)|(?:it|that|he|she)(?: is|'s) (?:over|off"
        rf"|cancelled|history|gone|dead|sold|toast|scrapped)|(?:that|this)(?: is"
        rf"|'s) over)){_STOP}",
        _UNLOVED,
        "it",
    ),
)

ROWS: Final[Rows[tuple[tuple[str, ...], str]]] = Rows(
    (Pattern(text, leads=(_ADV, _GAP, _TAIL, _STOP)), (prefixes, who))
    for text, prefixes, who in _ROWS
)
"""Patterns on a line with ``@`` for the value, the slots, and whose doing it is."""
