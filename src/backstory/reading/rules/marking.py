"""The stage that says of each statement since when it holds, and whether it tells of a change."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER, Cardinality, FactKind
from backstory.core.model.reading import Act, Claim
from backstory.core.values import normal_value
from backstory.reading.rules import marks
from backstory.reading.rules.course import (
    Course,
    is_one,
    is_timeless,
    over_of,
    since_of,
    window_of,
)
from backstory.reading.rules.held import Held, named, same, tokens
from backstory.reading.rules.patterns import Pattern
from backstory.reading.rules.refining import adds_to, goes_on, is_part_of
from backstory.reading.rules.slips import marked


def mark(course: Course) -> None:
    """Give each statement the time it holds from, and the mark of a change."""
    over = {claim.key for claim in course.others if claim.act is Act.END}
    course.plain = [
        _marked(course, claim, over) if claim.act is Act.STATE else claim for claim in course.plain
    ]


def _marked(course: Course, claim: Claim, over: set[str | None]) -> Claim:
    key = claim.key or ""
    quote = claim.evidence[0].quote if claim.evidence else ""
    changed = (
        claim.changed
        or key in over
        or marks.is_changed(quote)
        or bool(course.news and key.startswith(course.news))
    )
    if is_timeless(claim):
        return replace(claim, changed=False, valid_from=None)
    if claim.valid_from is not None or claim.kind is FactKind.TEMPORARY:
        return replace(claim, changed=changed)
    since = course.dated(marks.times, window_of(course, quote))
    return replace(
        claim,
        changed=changed or since.start is not None,
        valid_from=since_of(course, claim, since),
        valid_until=since.end,
    )


def refine(course: Course) -> None:
    """Tell other answers from the same answer with more or less detail, and from additions."""
    course.plain = [_refined(course, c) if c.act is Act.STATE else c for c in course.plain]


def renew(course: Course) -> None:
    """End the one item of a list that another takes the place of: "my doctor is … now"."""
    for claim in course.plain:
        quote = claim.evidence[0].quote if claim.evidence else ""
        if claim.act is not Act.STATE or claim.subject != USER or is_one(claim):
            continue
        held = [h for h in course.held if h.key == claim.key]
        dropped = _dropped(course, claim, held)
        if dropped is not None:
            course.others.append(over_of(course, dropped, quote, marks.Times(claim.valid_from)))
            continue
        if (
            len(held) == 1
            and marks.is_instead(quote)
            and not same(held[0].value, claim.value or "")
        ):
            course.others.append(over_of(course, held[0], quote, marks.Times(claim.valid_from)))


_NOT_THAT: Final = Pattern(
    r"(?:,|\bbut|\band|;)? ?\b(?:not|instead of|rather than) (?:to |in |at |on |the |an?"
    r" )?(?P<o>[^,;.!?()]+)"
)


def _dropped(course: Course, claim: Claim, held: Sequence[Held]) -> Held | None:
    """The held plan that another one takes the place of: "to A in June, not B"."""
    if not (claim.key or "").startswith("goal."):
        return None
    if claim.changed and claim.key == "goal.aim":
        last = tokens(claim.value or "")[-1:]
        alike = [h for h in held if tokens(h.value)[-1:] == last]
        if len(alike) == 1 and not same(alike[0].value, claim.value or ""):
            return alike[0]
    quote = claim.evidence[0].quote if claim.evidence else ""
    found = _NOT_THAT.search(window_of(course, quote))
    gone = named(found["o"], held) if found else []
    return next((h for h in gone if not same(h.value, claim.value or "")), None)


def _refined(course: Course, claim: Claim) -> Claim:
    """What adds detail to a held value changes it without a clash; what says less repeats it."""
    key, value = claim.key or "", claim.value or ""
    held = [h for h in course.held if h.key == key]
    is_held = any(normal_value(h.value) == normal_value(value) for h in held)
    is_right = key.startswith("personal.name") and marked(course.scene.turn.text) == "strong"
    if claim.subject != USER or not is_one(claim) or not held or is_held or is_right:
        return claim
    quote = claim.evidence[0].quote if claim.evidence else ""
    if key == "relationship.status" and goes_on(held[0].value, value):
        return replace(claim, changed=True)
    for one in held:
        if is_part_of(key, one.value, value):
            return replace(claim, value=one.value, changed=False)
        if adds_to(key, one.value, value, window_of(course, quote)):
            act = Act.CORRECT if is_timeless(claim) else Act.STATE
            return replace(claim, act=act, replaces=one.value, changed=act is Act.STATE)
    if marks.is_added(quote) and not key.startswith("personal."):
        return replace(claim, key=f"{key}.also", cardinality=Cardinality.MANY, changed=False)
    return claim
