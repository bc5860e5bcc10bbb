"""The stage that reads what changed, what was once so, and what holds for a while only."""

from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER, FactKind
from backstory.core.model.reading import Act, Claim
from backstory.core.values import normal_value
from backstory.reading.rules import marks
from backstory.reading.rules.changes import Retold, job_news, new_favourite, retellings
from backstory.reading.rules.corrections import redated
from backstory.reading.rules.course import (
    Course,
    event_time,
    is_among,
    is_one,
    is_timeless,
    over_of,
    put,
    requoted,
    since_of,
)
from backstory.reading.rules.exchanges import announced, is_rescheduled, swaps
from backstory.reading.rules.held import Held, mentioned, named, tokens
from backstory.reading.rules.lexicon.things import SUBJECTS
from backstory.reading.rules.lines import Line
from backstory.reading.rules.renewing import renewals
from backstory.reading.rules.reshaping import past
from backstory.reading.rules.slips import DATE
from backstory.reading.rules.temporaries import passing, stays


def pass_by(course: Course, line: Line) -> None:
    """Stays get their own slot; what is on loan or in care gets none."""
    for stay in stays(line.text, course.at):
        quote = course.quote(line, stay.start, stay.end)
        _drop(course, line, (stay.start, stay.end), ("home.", "personal.", "work.place", "goal."))
        if not any(o.key == "context.location" for o in course.others):
            course.others.append(
                course.made(
                    Act.STATE, "context.location", stay.place, quote,
                    kind=FactKind.TEMPORARY, valid_from=course.at, valid_until=stay.until,
                )
            )  # fmt: skip
    for span in passing(line.text) if course.plain else ():
        _drop(course, line, span, ("possession.", "pet", "home.", "hobby."))


def _drop(course: Course, line: Line, span: tuple[int, int], prefixes: tuple[str, ...]) -> None:
    """Forget plain statements of these slots whose value stands in a stretch of a line."""
    stretch = line.text[span[0] : span[1]].casefold()
    course.plain = [
        claim
        for claim in course.plain
        if not (
            claim.key is not None
            and claim.key.startswith(prefixes)
            and (claim.value or "").casefold() in stretch
        )
    ]


def retell(course: Course, line: Line) -> None:
    """Read what a line tells of changes, swaps and things to come."""
    told_here = [*retellings(line.text), *new_favourite(line.text)]
    if "work." in course.news:
        told_here += job_news(line.text)
    for told in told_here:
        _put_told(course, line, told, event_time(course, line, told.start, told.end))
    for told in announced(line.text):
        date = marks.coming(line.text, course.today)
        if date is not None:
            _put_told(course, line, told, marks.Times(date.start))
    if course.held:
        _change_held(course, line)
    _read_without_now(course, line)


def _change_held(course: Course, line: Line) -> None:
    """Read what a line tells of another thing, or another date, for one that is held."""
    for swap in swaps(line.text):
        since = event_time(course, line, swap.start, swap.end)
        quote = course.quote(line, swap.start, swap.end)
        old = named(swap.old, course.held) if swap.old else _kin(course, swap.new)
        old = old or _only_thing(course, line)
        for one in old[:1]:
            _exchange(course, one, swap.new, quote, since)
    for new in renewals(line.text, course.scene.turn.text, course.held):
        since = event_time(course, line, new.start, new.end)
        _exchange(course, new.held, new.value, course.quote(line, new.start, new.end), since)
    if is_rescheduled(line.text):
        _reschedule(course, line)


def _reschedule(course: Course, line: Line) -> None:
    """The date of something held is another one now."""
    dates = DATE.findall(line.text)
    fix = redated(line.text, dates[-1], course.held) if dates else None
    if fix is None or fix.value is None:
        return
    quote = course.quote(line, 0, len(line.text))
    course.plain = [c for c in course.plain if c.key != fix.held.key]
    course.others.append(over_of(course, fix.held, quote, marks.Times()))
    put(course, course.made(Act.STATE, fix.held.key, fix.value, quote, changed=True))


def _put_told(course: Course, line: Line, told: Retold, since: marks.Times) -> None:
    quote = course.quote(line, told.start, told.end)
    for claim in course.state(told.text):
        if claim.key and claim.key.startswith(told.prefixes) and claim.subject == USER:
            put(course, _news(course, claim, quote, since))


def _only_thing(course: Course, line: Line) -> list[Held]:
    """The one thing that a line names: "my Volta 3 died, so I switched to a Lumen 5"."""
    things = [h for h in course.held if h.key.startswith("possession.") and h.is_one]
    found = mentioned(line.text, things)
    return found if len(found) == 1 else []


def _kin(course: Course, new: str) -> list[Held]:
    """What is held in a slot for one value and shares its first word: another model of a make."""
    words = tokens(new)
    alike = [h for h in course.held if h.is_one and words and tokens(h.value)[:1] == words[:1]]
    if not alike and words and _is_subject(words[-1]):
        return [h for h in course.held if h.key == "study.subject"]
    return alike


def _is_subject(word: str) -> bool:
    """Whether a word is the name of what one studies: "medicine", "linguistics"."""
    words = (word, f"{word}s")  # a stem has lost its last letter: "mathematic"
    return any(w in SUBJECTS or (len(w) > _SUFFIXED and w.endswith(_SCIENCES)) for w in words)


_SUFFIXED: Final = 6
_SCIENCES: Final = (
    "ology",
    "therapy",
    "eering",
    "icine",
    "istry",
    "ography",
    "onomy",
    "ematics",
    "nomics",
    "ysics",
    "istics",
)


def _read_without_now(course: Course, line: Line) -> None:
    """Read what "now" in the middle of a statement hides: "we have a dog now, Bruno"."""
    bare = marks.without_now(line.text)
    if bare == line.text:
        return
    quote = course.quote(line, 0, len(line.text))
    known = {(c.key, normal_value(c.value or "")) for c in course.plain}
    taken = {c.key for c in course.plain if is_one(c)}
    for claim in course.state(f"{bare}."):
        is_new = (claim.key, normal_value(claim.value or "")) not in known
        if claim.subject == USER and claim.key not in taken and is_new:
            put(course, _news(course, claim, quote, marks.Times()))


def _exchange(course: Course, old: Held, new: str, quote: str, when: marks.Times) -> None:
    """One thing took the place of another that is held."""
    since = when.after(old.said_at, course.at)
    if old.is_one:
        made = course.made(
            Act.STATE, old.key, new, quote, changed=True, replaces=old.value, valid_from=since
        )
    else:
        course.others.append(over_of(course, old, quote, when))
        made = course.made(Act.STATE, old.key, new, quote, changed=True, valid_from=since)
    put(course, made)


def _news(course: Course, claim: Claim, quote: str, when: marks.Times) -> Claim:
    """A statement that was retold, with the words it was told in."""
    since = None if is_timeless(claim) else since_of(course, claim, when)
    claim = requoted(course, claim, quote)
    return replace(claim, changed=True, valid_from=since or claim.valid_from)


def tell_of_past(course: Course, line: Line) -> None:
    """Late news: what was so for a time that is named and over."""
    for told in past(line.text):
        window = line.text[max(0, told.start - 40) : told.end]
        period = marks.period(window, course.today)
        claims = course.state(told.texts[0])
        course.plain = [c for c in course.plain if not is_among(c, claims)]
        if period is None:
            continue
        quote = course.quote(line, told.start, told.end)
        for claim in (requoted(course, c, quote) for c in claims if c.subject == USER):
            course.others.append(replace(claim, valid_from=period.start, valid_until=period.end))
