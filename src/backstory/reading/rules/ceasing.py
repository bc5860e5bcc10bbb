"""The stage that reads what is over."""

from collections.abc import Iterable
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.model.reading import Act, Claim
from backstory.reading.rules import marks
from backstory.reading.rules.course import Course, event_time, is_among, over_of
from backstory.reading.rules.endings import endings
from backstory.reading.rules.held import Held, mentioned, same
from backstory.reading.rules.lines import Line
from backstory.reading.rules.reshaping import base, ended


def cease(course: Course, line: Line) -> None:
    """Read what a line says to be over."""
    for over in endings(line.text, course.held):
        until = event_time(course, line, over.start, over.end)
        quote = course.quote(line, over.start, over.end)
        for held in over.held:
            course.others.append(over_of(course, held, quote, until))
            course.plain = [c for c in course.plain if not _restates(c, held, quote)]
    for reshaped in ended(line.text):
        quote = course.quote(line, reshaped.start, reshaped.end)
        until = event_time(course, line, reshaped.start, reshaped.end)
        claims = [c for text in reshaped.texts for c in course.state(text) if c.subject == USER]
        course.plain = [
            c for c in course.plain if not (is_among(c, claims) or _is_said_in(c, quote))
        ]
        if not reshaped.own and not claims:
            continue
        if reshaped.did and not _is_held(course, claims):
            _end_mentioned(course, "", reshaped.did, quote, until)
        if not claims or (reshaped.verb and not _is_held(course, claims)):
            _end_mentioned(
                course, line.text[reshaped.start : reshaped.end], reshaped.verb, quote, until
            )
        for claim in claims:
            if not reshaped.verb or _is_held(course, [claim]):
                end_claim(course, claim, quote, until)


def _restates(claim: Claim, held: Held, quote: str) -> bool:
    """Whether a statement only names what the same words end: "our cat Bo died"."""
    names_it = claim.key == held.key and same(held.value, claim.value or "")
    return names_it and _is_said_in(claim, quote)


def _is_said_in(claim: Claim, quote: str) -> bool:
    """Whether a statement was read in these words."""
    said = claim.evidence[0].quote if claim.evidence else ""
    return bool(said) and (said in quote or quote.strip(" ,;:.") in said)


def _is_held(course: Course, claims: Iterable[Claim]) -> bool:
    return any(
        is_among(Claim(key=h.key, value=h.value, said_at=course.at), claims) for h in course.held
    )


def _end_mentioned(course: Course, text: str, verb: str, quote: str, until: marks.Times) -> None:
    """End what is held and named in an ended clause, or what its verb says one does."""
    found = mentioned(text, course.held)
    if not found and verb:
        found = [h for h in course.held if h.key.startswith(_DOINGS) and verb in _verbs(h.value)]
    for held in found:
        course.others.append(over_of(course, held, quote, until))


_DOINGS: Final = ("health.", "hobby.", "preference.like", "study.")


def _verbs(value: str) -> set[str]:
    """The first word of a value as a verb: "smokes rollies" → "smoke"."""
    first = (value.casefold().split() or [""])[0]
    return {first, first.removesuffix("s"), base(first), f"{first.removesuffix('r')}"}


_FREE: Final = ("hobby.", "study.", "preference.like", "health.", "goal.", "group.")


def _may_be_same(stated: str, held: str) -> bool:
    """Whether what is over may be held in another slot: a hobby as a liking, never as a dislike."""
    if stated == "preference.dislike":
        return False
    same_family = stated.partition(".")[0] == held.partition(".")[0]
    return same_family or (stated.startswith(_FREE) and held.startswith(_FREE))


def end_claim(course: Course, claim: Claim, quote: str, until: marks.Times) -> None:
    """End what is held of a statement; if nothing is, it was so at some time and is no longer."""
    if claim.key is None or claim.value is None:
        return
    held = [h for h in course.held if same(h.value, claim.value)]
    exact = [h for h in held if h.key == claim.key] or [
        h for h in held if _may_be_same(claim.key, h.key)
    ]
    for one in exact:
        course.others.append(over_of(course, one, quote, until))
    if not exact:
        course.others.append(
            course.made(Act.END, claim.key, claim.value, quote, valid_until=until.start)
        )
