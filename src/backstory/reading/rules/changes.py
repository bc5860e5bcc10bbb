"""Sentences that tell of a change, retold as the plain statement that holds since then.

For: "finally moved to Ghent last week" → "I live in Ghent"; "started as a baker on Monday" → "I
work as a baker"; "just turned 30" → "I am 30 years old"; "traded in my Fiesta for a Yaris". Not
for: what others did, what has yet to be decided, "moved on", "started to rain".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_LED: Final = (
    r"(?:well|ok|okay|so|just|also|then|oh|hey|anyway|update|news|btw|guess what|big news|good news|sadly|yay|woohoo"
    r"|by the way|finally|recently|officially|actually|honestly|apparently|today|yesterday|last \w+|in \w+"
    r"|and|but|because|after all that|in between all that|meanwhile|new job|omg|hi|hello|yes|no|yep|it is with some regret that i tell you that)"
)
START: Final = (
    rf"(?:^|[,;:(\u00b7.!]\s*|\b(?:and|but|so|because|then|since|as|that)\s+)(?:{_LED}[,:]?\s+)*"
)
"""Where a clause may begin."""
WE: Final = r"(?:(?:i|we)\s+(?:(?:have|had|am|are|will|just|finally|recently|also|only|already|now|then|actually|all|both|officially|sadly|went and|decided and)\s+)*)"
"""The writer as the subject, with what may stand before the verb."""
ME: Final = rf"{START}(?:{WE})?(?:(?:just|finally|recently|also|sadly|then|actually|officially|only|have|had|am)\s+)*"
"""The writer as the subject, said or left out."""

PLACE: Final = (
    r"(?!(?:tears|spotify|notion|linux|windows|mac|slack|gmail|android|bed|work|home|school|part|full|remote)\b)"
    r"(?P<v>[^\W\d_][\w'.-]*(?: (?!(?:for|with|last|this|in|on|to|because|so|and|but|since|now|where|which|after|before|over|again"
    r"|from|at|when|while|next|yesterday|today|a|the|due|is|are|was|i|we|btw|together|permanently|years?|two|three|just|by|or|of course|lol|haha|alone|recently|ages|near)\b)[\w'.-]+){0,3})"
)
NOUN: Final = r"(?P<v>[^,;:!?()\u00b7]+?)"
END: Final = r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$))"
_UPTO: Final = r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$|\b(?:and|but|so|because|since|last|this|yesterday|today|now|on|in|at|with|for|after|from|when|next|as|where|which|instead|over|until|again|too|tomorrow|about|around|a week|two|three|back)\b))"


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern for which case counts only where it asks for a capital letter."""
    return re.compile(text.replace("[A-Z]", "(?-i:[A-Z])"), re.IGNORECASE)


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


_JOB: Final = r"(?:an? |the |our |my )?(?!new\b|job|work\b|position|gig|firm|company|place)"
_STATED: Final = (
    r"(?P<v>(?:i|we) (?:am|are|live|work|have|drive|study|play|own|run|teach)\b[^;:!?()\u00b7]*)"
)
_RETOLD: Final = tuple(
    (_pattern(pattern), template, prefixes)
    for pattern, template, prefixes in (
        (rf"{ME}(?:moved|movd|relocated|shifted|emigrated|moving house)\s+(?:back |again,? |over |out |up |down |away |house )*(?:from {PLACE.replace('?P<v>', '?:')} )?(?:to|into|in)\s+"
         rf"(?:(?:a|an|the|our|my)(?: \w+){{0,3}} (?:flat|house|apartment|place|room|studio|cottage|bungalow|home|condo) (?:in|near) )?(?:(?:the|a|an) (?:city|town|village|suburb) (?:of|called) )?"
         rf"(?!(?:an?|the|my|our|his|her|their|another|new|different|bigger|smaller)\b){PLACE}",
         "I live in {v}.", ("home.",)),
        (rf"{START}(?:and )?(?:{WE})?moved again, (?:this time )?to {PLACE}", "I live in {v}.", ("home.",)),
        (rf"{ME}(?:settled(?: down)?) in {PLACE}", "I live in {v}.", ("home.",)),
        (rf"{ME}(?:turned|turn) (?P<v>\d{{1,3}})\b(?! (?:degrees|pages|minutes|km|left|right))", "I am {v} years old.", ("personal.age",)),
        (rf"{ME}(?:became|become|have become|been made|made|got promoted to|was promoted to|promoted to|got promoted, now|retrained as|qualified as|started (?:working |a job |work |out )?as|trained as|hired as|now working as)\s+{_JOB}{NOUN}{_UPTO}",
         "I work as a {v}.", ("work.role",)),
        (
            rf"{START}(?:since|as of|starting|from|effective) [^,;.!?]{{2,20}}?,? {_STATED}",
            "{v}.",
            ("home.", "work.", "study.", "possession.", "health.", "relationship.", "hobby."),
        ),
        (
            rf"{START}(?:my|our|the) (?:brand )?new (?P<n>[a-z][\w ]{{1,24}}?) (?:is|'s) (?:now )?(?:an? |the )?{NOUN}{_UPTO}",
            "My {n} is {v}.",
            ("possession.", "preference.", "home.", "work.", "relationship.", "pet.", "personal."),
        ),
        (rf"{START}they (?:have )?(?:made|promoted) me(?: to)? {_JOB}{NOUN}{_UPTO}", "I work as a {v}.", ("work.role",)),
        (rf"{ME}(?:started|begun|began|joined|hired)(?: (?:working|work|a (?:new )?job|a (?:new )?position|my new job|out))?(?: (?:at|with|for))\s+{NOUN}{_UPTO}", "I work at {v}.", ("work.employer",)),
        (rf"{ME}(?:joined)\s+(?!(?:the|a|an|my|our|us|them|in|forces)\b){NOUN}{_UPTO}", "I work at {v}.", ("work.employer",)),
        (rf"{START}(?:i (?:have )?got |landed |i (?:have )?found )?(?:a |my )?new job (?:at|with) {NOUN}{_UPTO}", "I work at {v}.", ("work.employer",)),
        (rf"{ME}(?:got|landed|found|started|took)(?: myself)? an? (?:new )?(?:job|position) (?:at|with) {NOUN}{_UPTO}", "I work at {v}.", ("work.employer",)),
        (rf"{START}(?:i (?:have )?got |landed )?(?:a |my )?new job as (?:an? )?{NOUN}{_UPTO}", "I work as a {v}.", ("work.role",)),
        (rf"{ME}(?:doing|started|do)(?: on)? an? apprenticeship as (?:an? )?{NOUN}{_UPTO}", "I work as an apprentice {v}.", ("work.role",)),
        (rf"{ME}started (?:studying|to study|(?:my|a) (?:master'?s?|bachelor'?s?|phd|degree|studies|course) (?:degree )?(?:in|of)) {NOUN}{_UPTO}", "I am studying {v}.", ("study.",)),
        (rf"{ME}(?:started|took up|taken up|begun|began|got into|have got into) (?:learning|to learn) {NOUN}{_UPTO}", "I am learning {v}.", ("study.",)),
        (rf"{ME}(?:started playing|taken up|took up|started|begun) (?:the |playing the |to play the ){NOUN}{_UPTO}", "I play the {v}.", ("hobby.",)),
        (rf"{ME}(?:taken up|took up) (?!the\b|learning\b|arms\b|playing\b|space\b|too\b){NOUN}{_UPTO}", "I enjoy {v}.", ("hobby.", "preference.like")),
        (rf"{ME}(?:went|gone|turned|became|become|have gone) (?:fully |completely |all |full )?(?P<v>vegan|vegetarian|pescatarian|keto|gluten-free|dairy-free|sober|teetotal)\b", "I am {v}.", ("health.",)),
        (rf"{ME}bought {NOUN}{_UPTO}", "I own {v}.", ("possession.",)),
        (rf"{ME}(?:got |get )?married(?: to)? (?!last|on|in|this|at|today|yesterday|again|young|and)(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)", "I am married to {v}.", ("relationship.",)),
        (rf"{START}(?:{WE}|(?P<n>[A-Z][\w'-]+) and i )?(?:have )?(?:just |finally )?(?:got|get|are|am|were) (?:finally |officially |now )?(?P<v>married|engaged)\b", "I am {v}.", ("relationship.status",)),
        (rf"{START}(?:i am|i have been) (?:now )?(?:with|dating|seeing|going out with) (?P<v>[A-Z][\w'-]+)\b(?!'s)", "my partner is called {v}.", ("relationship.",)),
        (rf"{START}i (?:now )?go by (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)", "My name is {v}.", ("personal.name",)),
        (rf"{START}(?:my (?:company|firm|employer)) (?:is|was|got|has been) (?:renamed|rebranded)(?: to| as)? {NOUN}{_UPTO}", "I work at {v}.", ("work.employer",)),
        (rf"{START}(?:my |our )(?P<n>dog|cat|hamster|rabbit|parrot|horse) is (?:now )?called (?P<v>[A-Z]\w+)", "My {n} is called {v}.", ("pet.",)),
        (rf"{START}(?:my |our )(?P<n>son|daughter) (?P<v>[A-Z][\w'-]+)(?: [A-Z]\w+)? (?:was|is|got) (?:just |finally )?born\b", "My {n} is called {v}.", ("family.",)),
        (rf"{START}(?:my |our |we (?:had|have) a |gave birth to (?:a |our )?)(?:baby |little |newborn )?(?P<n>boy|girl|son|daughter),? (?P<v>[A-Z][\w'-]+),? (?:was |is |has been )?(?:born|arrived|here)\b", "My {n} is called {v}.", ("family.",)),
    )
)  # fmt: skip
_JOB_NEWS: Final = _pattern(
    rf"{START}i am (?P<a>now )?(?:an? |the )?(?P<v>[^,;:!?()\u00b7.]+?)(?P<b> now)?(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$|\bat\b|\bfor\b))"
)
_FAVOURITE: Final = _pattern(r"\bfav(?:ou?rite|e)? (?P<n>[a-z]+)\b")
_MINE: Final = _pattern(rf"\bmy (?:new )?fav(?:ou?rite|e)? is (?:now )?(?:the )?{NOUN}{_UPTO}")
_SWAP: Final = tuple(
    _pattern(rf"{ME}{pattern}")
    for pattern in (
        rf"(?:traded|swapped|exchanged|ditched|dropped|replaced|changed|sold|trade|swap|traded in)(?: in)? (?:my |our |the )?(?P<o>[^,;:!?()\u00b7.]+?) (?:for|with) (?:an? |the |my |our )?(?:new |newer |used |second-hand |bigger |smaller )*{NOUN}{_UPTO}",
        rf"(?:going|travelling|flying|driving|heading|off) to (?:the )?{NOUN} instead of (?:to )?(?P<o>[^,;:!?()\u00b7.]+)",
        rf"(?:switched|moved|changed|went|gone|converted|transferred|upgraded|downgraded) (?:over )?from (?:an? |the |my |our )?(?P<o>[^,;:!?()\u00b7.]+?) to (?:an? |the )?{NOUN}{_UPTO}",
    )
)  # fmt: skip


def retellings(line: str) -> Iterator[Retold]:
    """What a line tells of changes, as plain statements."""
    for pattern, template, prefixes in _RETOLD:
        for match in pattern.finditer(line):
            parts = {key: (value or "").strip() for key, value in match.groupdict().items()}
            if parts["v"]:
                yield Retold(template.format(**parts), match.start(), match.end(), prefixes)


def job_news(line: str) -> Iterator[Retold]:
    """What one is now, in a message that tells of a new job: "got promoted! I'm a … now"."""
    for match in _JOB_NEWS.finditer(line):
        if match["a"] or match["b"]:
            yield Retold(f"I work as a {match['v']}.", match.start(), match.end(), ("work.role",))


def new_favourite(line: str) -> Iterator[Retold]:
    """The favourite of the kind named before: "my favourite tea was …, my favourite is now …"."""
    mine = _MINE.search(line)
    kind = next((m for m in _FAVOURITE.finditer(line) if m["n"] not in {"is", "was", "used"}), None)
    if mine and kind and kind.start() < mine.start():
        text = f"My favourite {kind['n']} is {mine['v']}."
        yield Retold(text, mine.start(), mine.end(), ("preference.favourite",))


@dataclass(frozen=True, slots=True)
class Swap:
    """One thing given for another: what it was, what it is, and where it is told."""

    old: str
    new: str
    start: int
    end: int


def swaps(line: str) -> Iterator[Swap]:
    """What a line tells of one thing that took the place of another."""
    for pattern in _SWAP:
        for match in pattern.finditer(line):
            yield Swap(match["o"].strip(), match["v"].strip(), match.start(), match.end())
