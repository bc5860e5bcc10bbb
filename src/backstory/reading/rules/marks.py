"""Marks of change, and since and until when something holds.

For: "now", "these days", "since April", "as of 1 June", "just moved … last week", "my new phone",
"changed jobs", "from 2014 to 2017". Not for: "right now", "by now", "now and then", "now that".
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from backstory.language.dates import Precision, ResolvedDate, find_dates
from backstory.reading.rules.patterns import Pattern, Rows

_NOW: Final = (
    "(?<!right )(?<!by )(?<!for )(?<!until )(?<!every )(?<!just )(?<!up to "
    r")\bnow\b(?! and (?:then|again)| that\b)"
)
_CHANGED: Final = Pattern(
    rf"{_NOW}|\bnowadays\b|\bthese days\b|\bcurrently\b|\bfrom (?:now|today|here) on\b|\bas of\b"
    r"|\brecently\b|\binstead\b|\bany ?more\b|\bany longer\b|\bno longer\b|\bat last\b|\bfinally\b"
    r"|\bagain\b(?! and again)|\bthis time\b(?! of)|\bmy new\b|\bour new\b|\bthe new\b"
    r"|\bofficially\b|\bsince (?!i can remember\b|forever\b|always\b|birth\b)"
    r"|\b(?:just|recently|have|has) (?:moved|switched|started|become|joined|got|"
    "gotten|bought|turned"
    r"|changed|upgraded|taken|swapped|converted|begun|signed)\b"
    r"|(?<!'ve )(?<!have )(?<!ve )\b(?:got|bought|picked up|ordered|treated "
    r"myself to) (?:an?|the|my|some|myself|ourselves)\b"
    r"|\b(?:moved|switched|started|became|turned|changed|swapped|upgraded|converted|relocated)\b"
    r"(?! (?:the |my |those |two )?(?:digits|numbers|letters|figures|names|two)\b)"
)
_INSTEAD: Final = Pattern(
    rf"\binstead\b|^\W*(?:(?:so|and|but|ok|well) )?my [a-z' ]{{2,25}}? (?:is|is "
    rf"called|'s) .*(?:{_NOW}|\bthese days\b)"
    rf"|^\W*(?:(?:so|and|but|ok|well) )?my [a-z' ]{{2,25}}? is now\b"
)
_NEWS: Final = Rows[tuple[str, ...]](
    (
        (
            Pattern(
                r"\bnew (?:job|gig|position|role|employer)\b|\bchanged (?:jobs?|careers?|"
                r"employers?)\b"
                r"|\bgot (?:a new job|hired|promoted|bought|headhunted)\b|\b(?:promoted|"
                r"promotion)\b"
                r"|\bgot (?:the|a|my) (?:\w+ )?(?:job|position|role|gig)\b|\bdream job\b"
                r"|\bqualified\b"
                r"|\bpassed (?:my|the|all my) (?:finals|bar|bar exam|exams?|training)\b"
                r"|\bgraduat(?:ed|ion)\b"
                r"|\bfinished my (?:apprenticeship|training|degree|studies)\b|\bretrained\b"
                r"|\bswitch(?:ed)? (?:jobs?|careers?|employers?|firms?|companies)\b|"
                r"\bcareer change\b"
                r"|\b(?:quit|left|lost) my (?:old )?job\b|\bstarted (?:a|my) new job\b"
                r"|\bcompany (?:got|was|has been) (?:bought|acquired|sold|taken over)\b"
            ),
            ("work.",),
        ),
        (
            Pattern(
                r"\b(?:got|get|been|just|am|are) (?:married|divorced|hitched)\b|\bchanged "
                r"my (?:sur|last )?name\b"
                r"|\b(?:after|since) the (?:divorce|wedding)\b|\btook my (?:husband|wife|"
                r"partner)'s\b|\bnew (?:sur|last )?name\b"
            ),
            ("personal.name", "personal.surname", "relationship."),
        ),
        (
            Pattern(
                r"\b(?:broke|split|broken) up\b|\bis history\b|\bmet someone\b|\bnew "
                r"(?:girl|boy)friend\b"
                r"|\bnew partner\b"
            ),
            ("relationship.",),
        ),
        (
            Pattern(
                r"\b(?:have|has|just|finally|we|i) moved\b|\bmoving (?:van|boxes)\b|\bnew "
                r"(?:flat|house|place|apartment|address|home)\b|\b(?:that is|that's) home "
                r"now\b"
            ),
            ("home.",),
        ),
        (
            Pattern(
                r"\bnew fav(?:ou?rite|e)?\b|\bchanged my mind\b|\bcome r?(?:a?round|ound) to\b"
                r"|\bhave a new\b"
            ),
            ("preference.favourite", "goal."),
        ),
        (Pattern(r"\bnew (?:postal )?address\b"), ("home.",)),
        (
            Pattern(r"\bchange of plans?\b|\bplans? (?:have |has )?changed\b|\bcancel(?:l?ed)?\b"),
            ("goal.",),
        ),
        (
            Pattern(
                r"\bupgraded?\b|\bgot a new\b|\bbought a new\b|\bnew (?:phone|car|laptop|"
                r"bike|computer)\b"
            ),
            ("possession.",),
        ),
    )
)
_ADDED: Final = Pattern(
    r"\b(?:also|too|as well|another|other|additionally|besides|second|third|fourth|plus)\b"
)
_SINCE: Final = Pattern(
    r"\b(?:since|as of|starting(?: from)?|beginning|effective|from(?= [^,;.]{2,20} on(?:wards)?\b)"
    r"|started (?:there |here |it )?(?:in|on|back in)|been there (?:since|from)) "
)
_FOR: Final = Pattern(
    r"\bfor (?:the (?:past|last) |about |almost |over |nearly |some )?"
    r"(?P<n>\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
    r"(?: and a half)? (?P<unit>year|month|week|day)s?\b"
)
_SPAN: Final = Pattern(
    r"\b(?:from|between) (?P<a>[^,;.]{2,18}?) (?:to|until|till|and|-) "
    r"(?P<b>[^,;.]{2,18}?)(?=[,;.]|$| (?:i|we)\b|\))"
)
_EVENT: Final = Pattern(
    r"\b(?:moved|relocated|started|joined|became|turned|switched|swapped|bought|"
    "got|left|quit|sold|gave|"
    "stopped|dropped|retired|died|passed|broke|split|dumped|divorce[d]?|"
    "married|born|finished|cancelled|"
    "graduated|promoted|changed|went|made|took|upgraded|movd|begun|began|last "
    r"day|adopted|hired|separated)\b"
)


@dataclass(frozen=True, slots=True)
class Times:
    """Since and until when something holds in the world; None = not said.

    Attributes:
        start: Since when, the earliest moment that the words may mean.
        end: Until when.
        latest: The latest moment that ``start`` may mean: "in June" may be its last day.
    """

    start: datetime | None = None
    end: datetime | None = None
    latest: datetime | None = None

    def after(self, moment: datetime | None, at: datetime) -> datetime | None:
        """The start, later than a moment at which something else still held, if it may be.

        Args:
            moment: When the other thing was last said to hold, or None.
            at: When the words were said; nothing told of has begun later.
        """
        if self.start is None or moment is None or self.latest is None:
            return self.start
        latest = min(self.latest, at)
        return latest if self.start <= moment < latest else self.start


def is_changed(text: str) -> bool:
    """Whether words of a clause say that the world changed."""
    return _CHANGED.search(text) is not None


def is_instead(text: str) -> bool:
    """Whether words of a clause say that something took the place of what there was.

    "my goal is … now", "we're visiting Oslo instead": it counts in a list too, where "now" alone
    may only add.
    """
    return _INSTEAD.search(text) is not None


def is_added(text: str) -> bool:
    """Whether words of a clause say that something is added to what there was."""
    return _ADDED.search(text) is not None


def news(text: str) -> tuple[str, ...]:
    """The beginnings of the slots that a message announces news of: "changed jobs" → work."""
    return tuple(prefix for _, prefixes in _NEWS.search(text) for prefix in prefixes)


_HIDDEN: Final = Pattern(
    rf"\s*(?:{_NOW}|\bnowadays\b|\bthese days\b|\bat the moment\b)(?! (?:is|was)\b)"
)


def without_now(text: str) -> str:
    """A text without "now" and its like."""
    return _HIDDEN.sub("", text).strip()


def times(text: str, at: datetime) -> Times:
    """Since and until when the statement of a clause holds: "since 2019", "from 2014 to 2017"."""
    span = _SPAN.search(text)
    if span:
        first, last = _first(f"in {span['a']}", at), _first(f"in {span['b']}", at)
        if first and last and first.start < last.start <= at:
            return Times(first.start, last.start)
    since = _SINCE.search(text)
    if since:
        date = _first(f"since {text[since.end() :][:40]}", at)
        if date and date.start <= at and date.span[0] <= _NEAR:
            return Times(date.start, latest=date.end)
    lasting = _FOR.search(text)
    if lasting:
        date = _first(f"{lasting['n']} {lasting['unit']}s ago", at)
        return Times(date.start, latest=date.end) if date else Times()
    return Times()


def period(text: str, at: datetime) -> Times | None:
    """The closed stretch of time that a text names: "in 2011", "from 2014 to 2017"; else None."""
    named = times(text, at)
    if named.start and named.end:
        return named
    date = next((d for d in find_dates(text, at) if d.end <= at), None)
    if date is None or date.precision is Precision.DAY:
        return None
    return Times(date.start, date.end)


def event_time(text: str, at: datetime) -> Times:
    """When an event that a text tells of was, as the start of what holds since then."""
    if not _EVENT.search(text):
        return times(text, at)
    date = next((d for d in find_dates(text, at) if d.start <= at), None)
    return Times(date.start, latest=date.end) if date else Times()


def coming(text: str, at: datetime) -> ResolvedDate | None:
    """The first date of a text that is still to come."""
    return next((d for d in find_dates(text, at) if d.start > at), None)


_NEAR: Final = 9


def _first(text: str, at: datetime) -> ResolvedDate | None:
    return next(iter(find_dates(text, at)), None)
