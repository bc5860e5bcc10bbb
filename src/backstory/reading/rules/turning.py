"""The stage that sees an answer turn into its opposite, or into another word for itself.

For: "I love sushi" … "I can't stand sushi any more", which ends the liking. Not for: "I love dogs"
… "I can't stand lap dogs".
"""

from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.model.reading import Act, Claim
from backstory.reading.rules import commuting, marks
from backstory.reading.rules.course import Course, over_of
from backstory.reading.rules.held import Held, tokens

_STATUS: Final = "relationship.status"
_ALONE: Final = frozenset({"single", "divorced", "widowed"})
_OPPOSITES: Final = {
    "preference.like": "preference.dislike",
    "preference.dislike": "preference.like",
}


def turn(course: Course) -> None:
    """End or deny what is held of a thing that is now liked or disliked; keep a held synonym."""
    course.plain = [_as_held(course, claim) for claim in course.plain]
    for claim in course.plain:
        if claim.act is not Act.STATE or claim.subject != USER or not claim.value:
            continue
        if claim.key == "relationship.partner":
            quote = claim.evidence[0].quote if claim.evidence else ""
            alone = [h for h in course.held if h.key == _STATUS and h.value.casefold() in _ALONE]
            course.others += [over_of(course, h, quote, marks.Times()) for h in alone]
        opposite = _OPPOSITES.get(claim.key or "")
        for held in course.held:
            if held.key == opposite and tokens(held.value) == tokens(claim.value):
                course.others.append(_turned(course, claim, held))


def _turned(course: Course, claim: Claim, held: Held) -> Claim:
    """What becomes of a held opposite: it is over if a change is marked, else it is denied."""
    quote = claim.evidence[0].quote if claim.evidence else ""
    if claim.changed:
        return over_of(course, held, quote, marks.Times(claim.valid_from))
    return course.made(Act.DENY, held.key, held.value, quote)


def _as_held(course: Course, claim: Claim) -> Claim:
    if claim.key != commuting.KEY or not claim.value:
        return claim
    for held in course.held:
        if held.key == claim.key and commuting.alike(held.value, claim.value):
            return replace(claim, value=held.value, changed=False)
    return claim
