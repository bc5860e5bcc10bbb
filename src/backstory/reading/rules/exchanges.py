"""One thing given for another, and changes that are announced.

For: "traded in my Fiesta for a Yaris", "switched from A to B", "going to A instead of B", "next
month I start at C", "we're moving to D in May". Not for: "we might move", "swapped seats".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.changes import Retold
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import ME, NOUN, PLACE, UPTO, pattern_of

_SWAP: Final = Rows(
    (pattern_of(rf"{ME}{pattern}"), None)
    for pattern in (
        (
            "(?:traded|swapped|exchanged|ditched|dropped|replaced|changed|sold|trade|"
            r"swap|traded in)(?: in)? (?:my |our |the )?(?P<o>[^,;:!?()\u00b7.]+?) "
            "(?:for|with) (?:an? |the |my |our )?(?:new |newer |used |second-hand |"
            f"bigger |smaller )*{NOUN}{UPTO}"
        ),
        (
            f"(?:going|travelling|flying|driving|heading|off) to (?:the )?{NOUN} "
            r"instead of (?:to )?(?P<o>[^,;:!?()\u00b7.]+)"
        ),
        (
            "(?:switched|moved on|moved|changed|went|gone|converted|transferred|upgraded|"
            "downgraded) (?:over )?from (?:an? |the |my |our "
            rf")?(?P<o>[^,;:!?()\u00b7.]+?) to (?:an? |the )?{NOUN}{UPTO}"
        ),
        (
            r"(?:left|gave up|moved from) (?:the )?(?P<o>[^,;:!?()\u00b7.]+?) (?:for|"
            f"to) (?:an? |the )?{NOUN}{UPTO}"
        ),
        (
            "(?:switched|upgraded|changed|converted|downgraded|transferred|went over|switching|"
            f"moved over)(?: over)? to (?:an? |the |using )*{NOUN}{UPTO}"
        ),
        rf"(?:good)?bye,? (?P<o>[^,;:!?()\u00b7.]+?),? (?:and )?(?:hello|hi),? {NOUN}{UPTO}",
    )
)
_LEFT_FOR: Final = Pattern(r"\b(?:left|gave up|moved from)\b")
_NO_THING: Final = Pattern(
    r"(?:good|ever|now|work|lunch|dinner|breakfast|today|tonight|once|free|home|me|us|them|it|love"
    r"|(?:a|the) (?:while|bit|day|night|week|weekend|month|year|summer|winter|moment|walk|few)"
    r"|\d+ (?:days|weeks|months|years|euros))\b"
)
_COMING: Final = Rows(
    (
        pattern_of(rf"\b(?:i|we) (?:am |are |will (?:be )?)?(?:finally |officially )?{pattern}"),
        (template, prefixes),
    )
    for pattern, template, prefixes in (
        (
            (
                "(?:start|starting|begin|beginning|join|joining|work|working)(?: (?:work|"
                f"working|a new job|my new job))? (?:at|with|for) {NOUN}{UPTO}"
            ),
            "I work at {v}.",
            ("work.employer",),
        ),
        (rf"(?:joining|join) {NOUN}{UPTO}", "I work at {v}.", ("work.employer",)),
        (
            (
                "(?:start|starting|begin|beginning)(?: (?:work|working|a new job|my new "
                f"job))? as (?:an? |the )?{NOUN}{UPTO}"
            ),
            "I work as a {v}.",
            ("work.role",),
        ),
        (
            rf"(?:moving|relocating|move|relocate)(?: house)? (?:back |over )?to {PLACE}",
            "I live in {v}.",
            ("home.place",),
        ),
    )
)
_RESCHEDULED: Final = Pattern(
    r"\b(?:moved|rescheduled|postponed|pushed|shifted|brought forward|delayed|"
    r"changed|extended)\b.{0,60}\b(?:to|until) "
    r"|\bis now (?:on|at) "
)
_UNSURE: Final = Pattern(
    r"\b(?:maybe|perhaps|might|probably|possibly|hope|hoping|want|thinking|if|"
    r"could|would|may(?! \d| (?:i|we)\b)|not|plan|planning)\b(?<!in may)(?<!of "
    "may)(?<!on may)"
)


def is_rescheduled(line: str) -> bool:
    """Whether a line tells of another date for something: "they moved my exam to 4 May"."""
    return _RESCHEDULED.search(line) is not None


def announced(line: str) -> Iterator[Retold]:
    """What a line says will be, as plain statements: "next month I start at …"."""
    for match, (template, prefixes) in _COMING.finditer(line):
        if not _UNSURE.search(line):
            yield Retold(template.format(v=match["v"]), match.start(), match.end(), prefixes)


@dataclass(frozen=True, slots=True)
class Swap:
    """One thing given for another: what it was ("" = not said), what it is, where it is told."""

    old: str
    new: str
    start: int
    end: int


def swaps(line: str) -> Iterator[Swap]:
    """What a line tells of one thing that took the place of another."""
    for match, _ in _SWAP.finditer(line):
        old = match.groupdict().get("o") or ""
        new = match["v"].strip()
        lower = old[:1].isupper() and new.islower() and _LEFT_FOR.search(match.group())
        if not _NO_THING.match(new) and not lower:
            yield Swap(old.strip(), new, match.start(), match.end())
