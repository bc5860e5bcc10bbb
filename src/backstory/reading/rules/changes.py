"""Sentences that tell of a change, retold as the plain statement that holds since then.

For: "finally moved to Ghent last week" → "I live in Ghent"; "started as a baker on Monday" → "I
work as a baker"; "just turned 30" → "I am 30 years old"; "traded in my Fiesta for a Yaris". Not
for: what others did, what has yet to be decided, "moved on", "started to rain".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.events import EVENTS
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import JOB, ME, NOUN, PLACE, START, UPTO, WE, pattern_of


@dataclass(frozen=True, slots=True)
class Retold:
    """A change retold.

    Attributes:
        text: The plain statement that holds since then.
        start, end: The stretch of the line it was told in.
        prefixes: The slots it may be about.
    """

    text: str
    start: int
    end: int
    prefixes: tuple[str, ...]


_STATED: Final = (
    r"(?P<v>(?:(?:i|we) (?:am|are|live|work|have|drive|study|play|own|run|teach)"
    r"|my [a-z' ]{2,25}?(?: is|'s))\b[^;:!?()\u00b7]*)"
)
_RETOLD: Final = Rows(
    (pattern_of(pattern), (template, prefixes))
    for pattern, template, prefixes in (
        (
            rf"{ME}(?:moved|movd|relocated|shifted|emigrated|moving house)\s+(?:back |"
            "again,? |over |out |up |down |away |house )*(?:(?:across|all the way|halfway"
            " across|up north"
            r"|down south|abroad|cross-country)(?: the [a-z]+){0,2} )?(?:from "
            rf"{PLACE.replace('?P<v>', '?:')} )?(?:to|into|in)\s+"
            r"(?:together in |with [\w' ]{2,20} in )?"
            rf"(?:(?:a|an|the|our|my)(?: \w+){{0,3}} (?:flat|house|apartment|place|room|"
            "studio|cottage|bungalow|home|condo) (?:in|near) )?(?:(?:the|a|an) (?:city|"
            "town|village|suburb) (?:of|called) )?"
            rf"(?!(?:an?|the|my|our|his|her|their|another|new|different|bigger|smaller)\b){PLACE}",
            "I live in {v}.",
            ("home.",),
        ),
        (
            rf"{START}(?:and )?(?:{WE})?moved again, (?:this time )?to {PLACE}",
            "I live in {v}.",
            ("home.",),
        ),
        (
            rf"\b(?:got|have|found|rent|bought) (?:my own|our own|our first|my first|a new) "
            rf"(?:little )?(?:place|flat|house|apartment|home|room|studio)(?: now)?,? in {PLACE}",
            "I live in {v}.",
            ("home.",),
        ),
        (rf"{ME}(?:settled(?: down)?) in {PLACE}", "I live in {v}.", ("home.",)),
        (
            (
                rf"{ME}(?:turned|turn|(?:hit|reached)(?= the (?:big|ripe)))"
                rf"(?: the (?:big|ripe old age of))? (?P<v>\d{{1,3}})\b(?=\s*(?:[,;!.()\u00b7]|$)| "
                "(?:last|this|on|in|today|yesterday|and|but|now|so|years|at|just|two|three"
                "|recently|a "
                "(?:week|month|few)|over|during|while|with|lol|haha|btw)\\b)"
            ),
            "I am {v} years old.",
            ("personal.age",),
        ),
        (
            (rf"{ME}(?:became|become|have become|been made)\s+{JOB}{NOUN}{UPTO}"),
            "I am a {v}.",
            ("work.role",),
        ),
        (
            (
                f"{ME}(?:got promoted to|was "
                "promoted to|promoted to|got promoted, now|retrained as|qualified as|"
                "started (?:working |a job |work |out )?as|trained as|hired as|now working "
                rf"as)\s+(?!usual\b|well\b|soon\b|if\b|a (?:joke|hobby|kid|child|way|result)\b)"
                rf"{JOB}{NOUN}{UPTO}"
            ),
            "I work as a {v}.",
            ("work.role",),
        ),
        (
            rf"{START}(?:since|as of|starting|from|effective) [^,;.!?]{{2,20}}?,? {_STATED}",
            "{v}.",
            (
                "home.",
                "work.",
                "study.",
                "possession.",
                "health.",
                "relationship.",
                "hobby.",
                "personal.",
            ),
        ),
        (
            (
                rf"{START}(?:my|our|the) (?:brand )?new (?P<n>[a-z][\w ]{{1,24}}?) (?:is|'s) "
                f"(?:now )?(?:an? |the )?{NOUN}{UPTO}"
            ),
            "My {n} is {v}.",
            ("possession.", "preference.", "home.", "work.", "relationship.", "pet.", "personal."),
        ),
        (
            rf"{START}they (?:have )?(?:made|promoted) me(?: to)? {JOB}{NOUN}{UPTO}",
            "I work as a {v}.",
            ("work.role",),
        ),
        (
            (
                f"{ME}(?:started|begun|began|joined|hired)(?: (?:working|work|a (?:new "
                ")?job|a (?:new )?position|my new job|out))?(?: (?:at|"
                rf"for))\s+{NOUN}{UPTO}"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (
            (
                rf"{ME}(?:joined)\s+(?!(?:the|a|an|my|our|us|them|in|forces|tinder|instagram"
                rf"|facebook|"
                r"discord|strava|zoom|teams|slack|reddit|linkedin|netflix)\b)"
                rf"(?P<v>(?:(?! (?:for|at|and)\b)[^,;:!?()\u00b7])+)"
                r"(?=\s*(?:[,;!()\u00b7]|\.(?:\s|$)|$)| (?:last|this|in (?:\d|january|february"
                r"|march"
                r"|april|may|june|july|august|september|october|november|december)|as|yesterday"
                r"|today"
                r"|two|three|a (?:week|month|year)|back in|on (?:mon|tues|wednes|thurs|fri)day)\b)"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (
            (
                f"{START}(?:i (?:have )?got |landed |i (?:have )?found )?(?:a |my )?new job "
                f"(?:at|with) {NOUN}{UPTO}"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (
            (
                f"{ME}(?:got|landed|found|started|took)(?: myself)? an? (?:new )?(?:job|"
                f"position) (?:at|with) {NOUN}{UPTO}"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (
            (f"{START}(?:i (?:have )?got |landed )?(?:a |my )?new job as (?:an? )?{NOUN}{UPTO}"),
            "I work as a {v}.",
            ("work.role",),
        ),
        (
            (f"{ME}(?:doing|started|do)(?: on)? an? apprenticeship as (?:an? )?{NOUN}{UPTO}"),
            "I work as an apprentice {v}.",
            ("work.role",),
        ),
        (
            (
                f"{ME}started (?:studying|to study|(?:my|a) (?:master'?s?|bachelor'?s?|phd|"
                f"degree|studies|course) (?:degree )?(?:in|of)) {NOUN}{UPTO}"
            ),
            "I am studying {v}.",
            ("study.",),
        ),
        (
            (
                f"{ME}(?:started|took up|taken up|begun|began|got into|have got into) "
                f"(?:learning|to learn) (?!nothing|something|a lot|new|more|how){NOUN}{UPTO}"
            ),
            "I am learning {v}.",
            ("study.",),
        ),
        (
            (
                f"{ME}(?:started playing|taken up|took up|started|begun) (?:the |playing "
                f"the |to play the ){NOUN}{UPTO}"
            ),
            "I play the {v}.",
            ("hobby.",),
        ),
        (
            (
                rf"{ME}(?:taken up|took up) (?!the\b|learning\b|arms\b|playing\b|space\b|"
                rf"too\b){NOUN}{UPTO}"
            ),
            "I enjoy {v}.",
            ("hobby.", "preference.like"),
        ),
        (
            (
                f"{ME}(?:went|gone|turned|became|become|have gone) (?:fully |completely |"
                "all |full )?(?P<v>vegan|vegetarian|pescatarian|keto|gluten-free|"
                r"dairy-free|sober|teetotal)\b"
            ),
            "I am {v}.",
            ("health.",),
        ),
        (rf"{ME}bought {NOUN}{UPTO}", "I own {v}.", ("possession.",)),
        (
            (
                f"{START}(?:(?:i|we) )?(?:have )?(?:just |finally |recently )?(?:got "
                "married to|got hitched to|married) (?!last|on|in|this|at|today|yesterday|"
                r"again|young|and)(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
            ),
            "I am married to {v}.",
            ("relationship.",),
        ),
        (
            (
                rf"{START}(?:{WE}|(?P<n>[A-Z][\w'-]+) and i )?(?:have )?(?:just |finally "
                ")?(?:got|get|(?:are|am) (?:finally|officially|now)) (?:finally |"
                r"officially |now )?(?P<v>married|engaged)\b"
            ),
            "I am {v}.",
            ("relationship.status",),
        ),
        (
            (
                f"{START}(?:i am|i have been) (?:now )?(?:with|dating|seeing|going out "
                r"with) (?!(?:Dr|Mr|Mrs|Ms|Prof)\b)(?P<v>[A-Z][\w'-]+)\b(?!'s)"
                r"(?=\s*(?:[,;.!?]|$)| (?:now|since|these|and (?:i|we)|for (?:a|an|the past|\w+) "
                r"(?:year|month|week)|again)\b)"
            ),
            "my partner is called {v}.",
            ("relationship.",),
        ),
        (
            (
                r"\b(?:i have|i have got|i have found|i found|got|met) (?:myself )?a new "
                "(?P<n>(?:boy|girl)friend|partner|boss|manager|flatmate|roommate|housemate|"
                "colleague|friend|neighbou?r|dog|cat|puppy|kitten),? (?:and )?(?:(?:his|"
                "her|its|their) name(?: is|'s)|called|named|"
                r"who is called) (?P<v>[A-Z][\w'-]+)"
            ),
            "My {n} is called {v}.",
            ("relationship.", "pet."),
        ),
        (
            rf"{START}i (?:now )?go by (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)",
            "My name is {v}.",
            ("personal.name",),
        ),
        (
            (
                f"{START}(?:my (?:company|firm|employer)) (?:is|was|got|has been) "
                f"(?:renamed|rebranded)(?: to| as)? {NOUN}{UPTO}"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (
            (
                f"{START}(?:my |our )(?P<n>dog|cat|hamster|rabbit|parrot|horse) is (?:now "
                r")?called (?P<v>[A-Z]\w+)"
            ),
            "My {n} is called {v}.",
            ("pet.",),
        ),
        (
            (
                rf"{START}(?:my |our )(?P<n>son|daughter) (?P<v>[A-Z][\w'-]+)(?: [A-Z]\w+)? "
                r"(?:was|is|got) (?:just |finally )?born\b"
            ),
            "My {n} is called {v}.",
            ("family.",),
        ),
        (
            (
                f"{START}(?:my |our |we (?:had|have) a |gave birth to (?:a |our )?)(?:baby |"
                r"little |newborn )?(?P<n>boy|girl|son|daughter),? (?P<v>[A-Z][\w'-]+),? "
                r"(?:was |is |has been )?(?:born|arrived|here)\b"
            ),
            "My {n} is called {v}.",
            ("family.",),
        ),
        *EVENTS,
    )
)
_JOB_NEWS: Final = pattern_of(
    rf"{START}i am (?P<a>now )?(?:an? |the )?(?P<v>[^,;:!?()\u00b7.]+?)(?P<b> "
    r"now)?(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$|\bat\b|\bfor\b))"
)
_JOB_AT: Final = pattern_of(
    r"^\W*(?:new job[,:!]? )?(?:an? )?(?P<v>[a-z]+(?: [a-z]+){0,3} (?:at|for) "
    r"[A-Z][\w'-]*(?: (?:&|[A-Z][\w'-]*))*)"
)
_FAVOURITE: Final = pattern_of(r"\bfav(?:ou?rite|e)? (?P<n>[a-z]+)\b")
_MINE: Final = pattern_of(
    r"\b(?:my (?:new )?fav(?:ou?rite|e)? is (?:now )?|(?:used to be|was|no longer)\b[^;!?]*?"
    rf"\b(?:now|these days|nowadays|lately),? (?:it is|it's) )(?:the )?{NOUN}{UPTO}"
)


_FOR_A_WHILE: Final = Pattern(
    r"^[^,;.!?]{0,15}\b(?:later|afterwards|as an? (?:kid|child|teen\w*|baby)|back then"
    r"|growing up|when i was|at the age of"
    r"|at age \d+)\b|^[^,;.!?]{0,25}\bfor (?:the|a|this) (?:weekend|week|day|night|fair"
    r"|conference|concert|event"
    r"|summer|holidays?|show|festival|match|game|meeting)\b"
)


def retellings(line: str) -> Iterator[Retold]:
    """What a line tells of changes, as plain statements."""
    for match, (template, prefixes) in _RETOLD.finditer(line):
        parts = {key: (value or "").strip() for key, value in match.groupdict().items()}
        if parts["v"] and not _FOR_A_WHILE.search(line[match.end() :]):
            yield Retold(template.format(**parts), match.start(), match.end(), prefixes)


def job_news(line: str) -> Iterator[Retold]:
    """What one is now, in a message that tells of a new job: "got promoted! I'm a … now"."""
    for match in _JOB_NEWS.finditer(line):
        if match["a"] or match["b"]:
            yield Retold(f"I work as a {match['v']}.", match.start(), match.end(), ("work.role",))
    bare = _JOB_AT.match(line)
    if bare:
        yield Retold(f"I am a {bare['v']}.", bare.start(), bare.end(), ("work.",))


def new_favourite(line: str) -> Iterator[Retold]:
    """The favourite of the kind named before: "my favourite tea was …, my favourite is now …"."""
    mine = _MINE.search(line)
    kind = next((m for m in _FAVOURITE.finditer(line) if m["n"] not in {"is", "was", "used"}), None)
    if mine and kind and kind.start() < mine.start("v"):
        text = f"My favourite {kind['n']} is {mine['v']}."
        yield Retold(text, mine.start(), mine.end(), ("preference.favourite",))
