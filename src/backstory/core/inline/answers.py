"""How messages answer the questions that most keys ask."""

from typing import Final

from backstory.core.inline.patterns import I_AM, I_DO, I_HAVE, MINE, Concept, pattern
from backstory.core.inline.places import DEMONYMS
from backstory.core.inline.values import (
    Taker,
    take_age,
    take_name,
    take_number,
    take_phrase,
    take_proper,
    take_whole_name,
    take_word_of,
)
from backstory.core.wordlists import word_set

_LIVE: Final = (
    rf"(?:{I_DO}(?:live|reside|have\slived(?=.*\s(?:for|since)\s))|{I_AM}(?:living|based|residing"
    rf"|settled)"
    rf"|{I_HAVE}(?:been\sliving|lived(?=.*\s(?:for\s.*\snow|since)\b)|moved|relocated|settled)"
    r"(?:\s(?:house|home|back|over))?)\s(?:now\s|together\s|alone\s|here\s)?"
)


def home(take: Taker) -> Concept:
    """Where the user lives: a city or a country, as ``take`` decides."""
    noun = r"(?:home|house|flat|apartment|place)"
    return Concept(
        patterns=(
            pattern(rf"{_LIVE}(?:from\s[\w' -]+?\s)?(?:in|to|at)\s(?:\w+\s(?:of|in)\s)?", take),
            pattern(rf"{MINE}(?:new\s)?{noun}\sis\s(?:now\s)?in\s", take),
            pattern(
                rf"{MINE}(?:new\s|current\s)?(?:city|town|village|residence|country"
                rf"|location)\sis\s(?:now\s)?",
                take,
            ),
        )
    )


def origin(take: Taker) -> Concept:
    """Where the user comes from."""
    return Concept(
        patterns=(
            pattern(rf"{I_AM}(?:originally\s)?from\s", take),
            pattern(
                rf"{I_DO}(?:come\sfrom|grew\sup\sin|was\s(?:born|raised)\sin|were\sborn\sin)\s",
                take,
            ),
            pattern(rf"{MINE}(?:home\s?town|birth\s?place|country\sof\sorigin)\sis\s", take),
        )
    )


EMPLOYER: Final = Concept(
    patterns=(
        pattern(
            rf"(?:{I_DO}work|{I_AM}working)\s(?:now\s|full-time\s|part-time\s)?(?:at|for)\s",
            take_proper,
        ),
        pattern(
            rf"(?:{I_AM}|{I_DO}(?:was|got|am)\s)(?:now\s)?(?:employed|hired)\s(?:by|at)\s",
            take_proper,
        ),
        pattern(
            rf"{I_HAVE}(?:started|begun|began)\s(?:(?:working|work|a|my|the|new|job)\s)*(?:at|with"
            rf"|for)\s",
            take_proper,
        ),
        pattern(
            rf"{I_HAVE}(?:(?:got|taken|took|accepted|landed|found)\s)?(?:(?:a|an|my|new|job"
            rf"|position|role|great)\s)+(?:at|with)\s",
            take_proper,
        ),
        pattern(
            rf"{I_HAVE}(?:joined|switched\sto|moved\sto\sa\sjob\sat)\s(?=(?:\S+\s){{1,3}}(?:as|last"
            rf"|this|in)\b)",
            take_proper,
        ),
        pattern(rf"{I_HAVE}(?:joined|switched\sto)\s(?=\S+(?:\s\S+)?\s*$)", take_proper),
        pattern(
            rf"{MINE}(?:new\s|current\s)?(?:employer|workplace|job\s(?:at|with))\s", take_proper
        ),
        pattern(
            rf"{MINE}(?:new\s|current\s)?(?:employer|company|firm|workplace)(?:,|\sis(?:\scalled"
            rf"|\snow)?)\s",
            take_proper,
        ),
    )
)
JOB: Final = Concept(
    patterns=(
        pattern(rf"(?:{I_DO}work|{I_AM}working)\s(?:now\s)?as\s", take_phrase),
        pattern(rf"{I_AM}(?=[^,]{{2,40}}\sby\s(?:trade|profession))", take_phrase),
        pattern(rf"{I_HAVE}(?:became|become|retrained\sas)\s", take_phrase),
        pattern(
            rf"{MINE}(?:new\s|current\s)?(?:job\stitle|profession|occupation|role|position"
            rf"|job(?=\sis\s(?:now\s)?an?\s))\sis\s(?:now\s)?",
            take_phrase,
        ),
    )
)
NAME: Final = Concept(
    patterns=(
        pattern(
            rf"{MINE}(?:first\s|full\s|real\s)?name(?:\sis|'s)\s(?:actually\s|now\s)?", take_name
        ),
        pattern(rf"(?:{I_AM}|{I_DO}go\sby\s)(?:called\s|named\s)?", take_whole_name),
        pattern(r"\bcall\sme\s", take_whole_name),
    ),
    person=True,
)
NICKNAME: Final = Concept(
    patterns=(
        pattern(rf"{MINE}nickname(?:\sis|'s)\s", take_name),
        pattern(rf"(?:\bcall\sme|{I_DO}go\sby)\s", take_whole_name),
    )
)
AGE: Final = Concept(
    patterns=(
        pattern(I_AM, take_age),
        pattern(rf"{I_HAVE}turned\s", take_age),
        pattern(rf"{MINE}age\sis\s(?:now\s)?", take_age),
    ),
    digits=True,
)
CAR: Final = Concept(
    patterns=(
        pattern(
            rf"{I_DO}(?:drive|own)\s(?:an?|the|my)\s(?:(?:new|old|used|second-hand|red|blue|black"
            rf"|white)\s)*",
            take_proper,
        ),
        pattern(rf"{MINE}(?:new\s)?(?:car|van|vehicle)\sis\s(?:now\s)?(?:an?\s)?", take_proper),
        pattern(rf"{I_HAVE}(?:bought|got)\smyself\san?\s", take_proper),
    )
)
DEVICE: Final = Concept(
    patterns=(pattern(rf"{MINE}(?:new\s)?(?:phone|mobile)\sis\s(?:now\s)?(?:an?\s)?", take_proper),)
)
PHONE_NUMBER: Final = Concept(
    patterns=(
        pattern(
            rf"{MINE}(?:new\s)?(?:(?:phone|mobile|cell|telephone)\s?)?(?:number|phone)(?:\sis|'s"
            rf"|:)\s(?:now\s)?",
            take_number,
        ),
    ),
    digits=True,
)
_DIETS: Final = word_set(
    "vegan vegetarian pescatarian pescetarian omnivore flexitarian carnivore keto paleo halal "
    "kosher fruitarian"
)
DIET: Final = Concept(
    patterns=(
        pattern(
            rf"(?:{I_AM}|{I_HAVE}(?:became|become|gone|turned|went)\s)(?:an?\s)?",
            take_word_of(_DIETS),
        ),
        pattern(rf"{MINE}diet\sis\s", take_word_of(_DIETS)),
    )
)
SCHOOL: Final = Concept(
    patterns=(
        pattern(
            rf"(?:{I_DO}(?:study|go|am\senrolled)|{I_AM}(?:studying|enrolled"
            rf"|a\sstudent))(?:\s[a-z]+)?\s(?:at|to)\s",
            take_proper,
        ),
        pattern(rf"{I_HAVE}(?:attend|transferred\sto|switched\sto|enrolled\sat)\s", take_proper),
        pattern(
            rf"{MINE}(?:new\s)?(?:school|university|uni|college)\sis\s(?:now\s)?(?:called\s)?",
            take_proper,
        ),
    )
)
STUDIES: Final = Concept(
    patterns=(
        pattern(
            rf"(?:{I_DO}study|{I_AM}studying)\s(?!at\b|in\b|for\b|to\b|with\b|hard\b|a\b|all\b)",
            take_phrase,
        ),
        pattern(rf"{MINE}(?:major|subject|degree)\sis\s(?:in\s|now\s)?", take_phrase),
    )
)
NATIONALITY: Final = Concept(
    patterns=(
        pattern(I_AM, take_word_of(DEMONYMS)),
        pattern(rf"{MINE}nationality\sis\s", take_word_of(DEMONYMS)),
    )
)
_STATUSES: Final = word_set("single married divorced engaged widowed separated")
MARITAL: Final = Concept(patterns=(pattern(I_AM, take_word_of(_STATUSES)),))
INSTRUMENT: Final = Concept(patterns=(pattern(rf"{I_DO}play\sthe\s", take_phrase),))
