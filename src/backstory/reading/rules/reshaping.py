"""Sentences that end or deny something, turned into the plain statement that they end or deny.

"I used to live in Ghent" ends "I live in Ghent"; "I'm no longer vegan" ends "I am vegan"; "I don't
eat fish" denies "I eat fish". Not for: "no longer than", "I'm used to it", "is used to make".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.endings import PAUSED
from backstory.reading.rules.grammar import LEMMAS
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import ME, START, pattern_of

_ANY_MORE: Final = r"(?:any ?more|any longer|these days)"
_REST: Final = r"(?P<r>[^,;:!?()\u00b7]*?)"
_STOP: Final = (
    r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$)"
    r"|\s+(?:because|since|so|but|now that|and (?:i|we|now|my)|after|as)\b)"
)
_USED: Final = Pattern(
    r"(?P<who>\b(?:i|we|my [\w' ]{2,30}?|our [\w' ]{2,30}?))\s+(?:also |always |both |actually )?"
    r"used to (?!it\b|that\b|this\b|the\b|him\b|her\b|them\b)(?P<verb>[a-z]+)\b" + _REST + _STOP
)
_WAS_MINE: Final = pattern_of(
    rf"{START}(?P<v>[^,;:!?()\u00b7]+?) (?:used to be|was) (?P<n>(?:my|our) [a-z' ]{{2,25}}?)"
    r"(?=\s*(?:[,;:!?()\u00b7]|\.(?:\s|$)|$)|\s+(?:but|until|till|for (?:ages|years)|before|and)\b)"
)
"""What was someone's favourite, employer or boss: "X used to be my favourite band"."""
_NO_NAME: Final = re.compile(
    r"(?:it|that|this|he|she|they|there|who|which|what|i|we|you|my|our)\b", re.IGNORECASE
)
_ENDS: Final = (
    (r"(?:i|we) (?:am|are) (?:now )?no longer (?!than\b){r}{stop}", "I am {r}."),
    (r"(?:i|we) no longer (?P<verb>[a-z]+){r}{stop}", "I {verb}{r}."),
    (r"(?:i|we) (?:am|are) not {r} {any}", "I am {r}."),
    (r"(?:i|we) do not (?:really |even )?(?P<verb>[a-z]+){r} {any}", "I {verb}{r}."),
    (r"do not (?:really |even )?(?P<verb>[a-z]+){r} {any}", "I {verb}{r}."),
    (r"(?:not|no longer) (?!than\b|really\b){r} {any}", "I am {r}."),
    (r"no longer (?!than\b|the\b){r}{stop}", "I am {r}."),
    (r"my (?P<noun>[\w' ]{2,30}?) is (?:no longer|not) (?!than\b){r} {any}", "my {noun} is {r}."),
    (r"my (?P<noun>[\w' ]{2,30}?) is no longer (?!than\b){r}{stop}", "my {noun} is {r}."),
)
_STOPS: Final = r"(?:stopped|quit|given up|gave up|finished|done with|through with|dropped)"
_STOPPED: Final = pattern_of(rf"{ME}{_STOPS} (?P<verb>[a-z]+ing)\b{_REST}{_STOP}")
_DENIED: Final = (
    (
        r"(?:i|we) (?:am|are) (?:really |definitely |actually )?not "
        r"(?:really |actually |exactly |technically )?{r}{stop}",
        "I am {r}.",
    ),
    (r"(?:(?:i|we) )?do not (?:really |actually |even )?(?P<verb>[a-z]+){r}{stop}", "I {verb}{r}."),
    (r"my (?P<noun>[\w' ]{2,30}?) is not {r}{stop}", "my {noun} is {r}."),
)
_COMPARED: Final = Pattern(r"\b(?:more|less|better|worse|with)\s*$")
_FALSE: Final = Pattern(
    r"\bno longer than\b|\bnot .{2,40}\b(?:today|tonight|right now|weekends|at "
    r"work|always|every|yet|often|usually)\b|\bnot (?:only|just|sure|that|forget|yet|"
    r"stopped|quit)\b|\bnot .{1,30} enough\b"
    r"|\bany (?:less|worse|fewer|better|different)\b|\bless than\b"
)


_SAID_I: Final = r"(?:i|we) "
_ANYWHERE: Final = r"\b(?<!that )(?<!if )(?<!when )(?<!why )(?<!think )(?<!thinks )"


def _begin(row: str) -> str:
    """Where a row may begin: anywhere if it says who speaks, else where a clause begins."""
    return _ANYWHERE if row.startswith(_SAID_I) else START


def _compiled(rows: tuple[tuple[str, str], ...]) -> Rows[str]:
    parts = {"{r}": _REST, "{stop}": _STOP, "{any}": _ANY_MORE}
    return Rows(
        (
            pattern_of(_begin(row) + re.sub("|".join(parts), lambda m: parts[m.group()], row)),
            template,
        )
        for row, template in rows
    )


_END_ROWS: Final = _compiled(_ENDS)
_DENIED_ROWS: Final = _compiled(_DENIED)


@dataclass(frozen=True, slots=True)
class Reshaped:
    """The plain statements that a stretch of a line ends or denies; any of them may be right.

    Attributes:
        texts: The statements.
        start, end: The stretch.
        verb: The base form of what was stopped: "quit smoking" → "smoke".
        did: The verb of what is done no longer: "don't ski any more" → "ski".
        own: It is about the writer, not about somebody or something of theirs.
    """

    texts: tuple[str, ...]
    start: int
    end: int
    verb: str = ""
    own: bool = True
    did: str = ""


def ended(line: str) -> Iterator[Reshaped]:
    """What a line says to be no longer so."""
    for match in _USED.finditer(line):
        if not _COMPARED.search(match["r"]):
            yield _used(match)
    for match in _WAS_MINE.finditer(line):
        if not _NO_NAME.match(match["v"]) and _IS_OVER.search(line[match.start() :]):
            yield Reshaped((f"{match['n']} is {match['v']}.",), match.start(), match.end())
    if _FALSE.search(line):
        return
    for match in _STOPPED.finditer(line):
        if PAUSED.search(match["r"]):
            continue
        verb, rest = match["verb"].lower(), match["r"]
        texts = (f"I am {verb}{rest}.", f"I {base(verb)}{rest}.", f"I enjoy {verb}{rest}.")
        yield Reshaped(texts, match.start(), match.end(), base(verb))
    yield from _matched(_END_ROWS, line)


_IS_OVER: Final = Pattern(r"\bused to be\b|\b(?:until|till|but (?:now|these days|nowadays))\b")


def denied(line: str) -> Iterator[Reshaped]:
    """What a line says not to be so, without saying that it ever was."""
    if not _FALSE.search(line):
        yield from _matched(_DENIED_ROWS, line)


def _used(match: re.Match[str]) -> Reshaped:
    who, verb, rest = match["who"], match["verb"].lower(), match["r"]
    if who.lower() in {"i", "we"}:
        text = f"{who} {'am' if verb == 'be' else verb}{rest}."
    else:
        text = f"{who} {'is' if verb == 'be' else verb + 's'}{rest}."
    return Reshaped((text,), match.start(), match.end(), own=who.lower() in {"i", "we"})


def _matched(rows: Rows[str], line: str) -> Iterator[Reshaped]:
    for match, template in rows.finditer(line):
        parts = {key: value or "" for key, value in match.groupdict().items()}
        if parts.get("verb", "").lower() in {
            "i",
            "we",
            "know",
            "think",
            "want",
            "mean",
            "care",
        }:
            continue
        text = template.format(**parts)
        own = "noun" not in parts
        doing = _DOING.match(parts.get("r", "")) if template == "I am {r}." else None
        if doing:
            verb, rest = base(doing["verb"].lower()), doing["rest"]
            texts = (text, f"I {verb}{rest}.")
            yield Reshaped(texts, match.start(), match.end(), verb)
        else:
            did = "" if parts.get("r", "").strip() else parts.get("verb", "").lower()
            yield Reshaped((text,), match.start(), match.end(), own=own, did=did)


_DOING: Final = Pattern(r"\s*(?P<verb>[a-z]{3,}ing)\b(?P<rest>.*)$")


def base(verb: str) -> str:
    """The base form of an "-ing" form: "playing" → "play", "driving" → "drive"."""
    known = LEMMAS.get(verb)
    if known:
        return known
    stem = verb.removesuffix("ing")
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem


_PAST: Final = Pattern(
    r"\b(?P<who>i|we) (?:had been |was |were |used to )?"
    "(?P<verb>worked|lived|was(?! (?:born|raised|named|called|told|just|diagnosed|hired"
    "|promoted|headhunted|poached|recruited|appointed|adopted|"
    r"wondering|thinking|about|going|like|so|wrong|mistaken)\b)|were|studied|"
    r"drove|played|taught|owned|had|ran|working|living|studying)\b"
    r"(?P<r>(?:(?!(?:,|\band|\bbut|\bso) (?:and |but |so |now |then )*(?:i|we"
    r"|my)\b|,[^,;]{2,30}\bnow\b)[^;:!?()\u00b7])*)"
)


def past(line: str) -> Iterator[Reshaped]:
    """What a line says to have been so: "I worked at …", as "I work at …"."""
    for match in _PAST.finditer(line):
        who, verb = match["who"], match["verb"].lower()
        now = {"was": "am", "were": "are"}.get(verb) or (
            f"am {verb}" if verb.endswith("ing") else LEMMAS.get(verb, verb)
        )
        yield Reshaped((f"{who} {now}{match['r']}.",), match.start(), match.end())
