"""The stage that reads what was wrong, and what is denied."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.core.model.fact import USER
from backstory.core.model.reading import Act, Claim
from backstory.reading.rules import corrections
from backstory.reading.rules.course import Course, is_among
from backstory.reading.rules.held import Held, same
from backstory.reading.rules.lines import Line
from backstory.reading.rules.reshaping import denied, ended
from backstory.reading.rules.slips import marked
from backstory.reading.rules.withdrawals import taken_back


def correct(course: Course, lines: Sequence[Line]) -> None:
    """Read what a message takes back or denies."""
    text = course.scene.turn.text
    done: set[tuple[str, str]] = set()
    fixed = [_corrected(course, claim, done) for claim in course.plain]
    course.plain = fixed
    if course.scene.rejections:
        return
    if course.held:
        _set_right(course, text, done)
    _deny(course, lines, done)


def _set_right(course: Course, text: str, done: set[tuple[str, str]]) -> None:
    """Read what a message without a whole statement takes back of what is held."""
    if not done:
        for fix in corrections.fragments(text, course.held, course.at):
            done.add((fix.held.key, fix.held.value))
            course.plain = [c for c in course.plain if c.key != fix.held.key]
            course.others.append(
                course.made(
                    Act.CORRECT, fix.held.key, fix.value, text.strip(), replaces=fix.held.value
                )
            )
    for fix in taken_back(text, course.held):
        if (fix.held.key, fix.held.value) not in done:
            done.add((fix.held.key, fix.held.value))
            _take_back(course, fix.held, text.strip())


def _corrected(course: Course, claim: Claim, done: set[tuple[str, str]]) -> Claim:
    if claim.act is not Act.STATE or claim.changed or claim.subject != USER:
        return claim
    around = _around(course, claim)
    mark = marked(around)
    held = corrections.contrasted(claim, course.held, around) if mark else None
    held = held or corrections.replaced_by(claim, course.held, mark)
    if held is None:
        return claim
    done.add((held.key, held.value))
    return replace(claim, act=Act.CORRECT, replaces=held.value)


def _around(course: Course, claim: Claim) -> str:
    """The sentence of a statement with the ones next to it."""
    text = course.scene.turn.text
    quote = claim.evidence[0].quote if claim.evidence else ""
    at = max(text.find(quote), 0)
    return text[max(0, at - 80) : at + len(quote) + 60]


def _take_back(course: Course, held: Held, quote: str) -> None:
    for number, claim in enumerate(course.plain):
        if claim.key == held.key and held.is_one and claim.act is Act.STATE:
            course.plain[number] = replace(claim, act=Act.CORRECT, replaces=held.value)
            return
    course.others.append(course.made(Act.RETRACT, held.key, held.value, quote))


def _deny(course: Course, lines: Sequence[Line], done: set[tuple[str, str]]) -> None:
    over = {(c.key, c.value) for c in course.others if c.act is Act.END}
    for line in lines:
        found = list(denied(line.text))
        ends = [(r.start, r.end) for r in ended(line.text)] if found else []
        for reshaped in found:
            if any(start < reshaped.end and reshaped.start < end for start, end in ends):
                continue
            quote = course.quote(line, reshaped.start, reshaped.end)
            for claim in course.state(reshaped.texts[0]):
                if claim.key and claim.value and claim.subject == USER:
                    _deny_one(course, claim, quote, done, over)


def _deny_one(
    course: Course,
    claim: Claim,
    quote: str,
    done: set[tuple[str, str]],
    over: set[tuple[str | None, str | None]],
) -> None:
    key, value = claim.key or "", claim.value or ""
    course.plain = [
        c for c in course.plain if not (is_among(c, [claim]) and c.evidence[0].quote == quote)
    ]
    held = next((h for h in course.held if h.key == key and same(h.value, value)), None)
    if held is None:
        if not any(c.key == key for c in course.plain):
            course.others.append(course.made(Act.DENY, key, value, quote))
        return
    if (held.key, held.value) in done | over:
        return
    done.add((held.key, held.value))
    instead = any(c.key == key and c.act is Act.STATE for c in course.plain)
    if marked(course.scene.turn.text) == "strong" or (instead and held.is_one):
        _take_back(course, held, quote)
    else:
        course.others.append(course.made(Act.DENY, key, held.value, quote))
