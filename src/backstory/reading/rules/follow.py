"""What a message does to what is held: it changes it, ends it, takes it back or denies it.

The plain reading of a message gives statements. Here each of them gets the time it holds from and
the mark of a change, and what plain reading does not see is retold as plain sentences and read.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.model.message import Role
from backstory.core.model.reading import Act, Batch, Claim, ClaimRejection, Turn
from backstory.core.values import normal_value
from backstory.reading.rules import marks
from backstory.reading.rules.ceasing import cease, end_claim
from backstory.reading.rules.confirmations import affirmed, answered, ceased, confirmed
from backstory.reading.rules.course import Course, Read, merged, requoted
from backstory.reading.rules.held import Held, held_of
from backstory.reading.rules.leftovers import catch
from backstory.reading.rules.lines import stated_lines
from backstory.reading.rules.marking import mark, refine, renew
from backstory.reading.rules.patterns import Pattern
from backstory.reading.rules.repairs import repaired
from backstory.reading.rules.replacing import replace_lost, turn_older
from backstory.reading.rules.retelling import pass_by, retell, tell_of_past
from backstory.reading.rules.righting import correct
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.slips import is_strong
from backstory.reading.rules.temporaries import MOODS
from backstory.reading.rules.turning import turn as turn_over
from backstory.reading.rules.unnamed import end_unnamed

_ANSWER: Final = 0.8
"""Confidence of what a few words say as an answer."""
_UNSURE: Final = 0.6
"""Confidence of what was only said yes to."""


def follow(
    scene: Scene,
    batch: Batch,
    before: Turn | None,
    recent: Sequence[Sequence[Claim]],
    read: Read,
) -> tuple[list[Claim], Sequence[ClaimRejection]]:
    """Read a message in the light of what is held.

    Args:
        scene: The plain reading of the message alone.
        batch: All that was handed over; its known facts are held.
        before: The turn right before it, whoever said it.
        recent: What the user's turns before this one said, the latest turn last.
        read: The plain reading of one message.
    """
    turn, held = scene.turn, held_of(batch, recent, USER)
    if not scene.claims and is_strong(turn.text):
        scene = read(replace(turn, text=_THE.sub("my ", turn.text, count=1)), batch)
        if not scene.claims and ": " in turn.text:
            behind = read(replace(turn, text=turn.text.replace(":", ".", 1)), batch)
            scene = behind if behind.claims else scene
    better = repaired(turn.text, lambda text: read(replace(turn, text=text), batch).claims)
    if better is not None and not scene.rejections and not _is_farewell(better, turn, held):
        scene = read(replace(turn, text=better), batch)
    news = marks.news(scene.turn.text)
    plain = [_trimmed(c) for c in scene.claims if not _says_nothing(c)]
    course = Course(turn, batch, read, held, scene, plain=plain, news=news)
    lines = stated_lines(scene)
    for line in lines:
        pass_by(course, line)
        retell(course, line)
        cease(course, line)
        tell_of_past(course, line)
    end_unnamed(course, lines)
    catch(course, lines)
    replace_lost(course)
    turn_older(course)
    mark(course)
    course.plain = merged(course.plain)
    refine(course)
    renew(course)
    turn_over(course)
    correct(course, lines)
    _confirm(course, before)
    return _in_order(course), scene.rejections


def _is_farewell(better: str, turn: Turn, held: Sequence[Held]) -> bool:
    """Whether what looks like a slip only names what is held: "my new band is A, sorry B"."""
    last = better.rstrip(" .!?")
    said = {normal_value(h.value) for h in held}
    tail = next((h for h in said if normal_value(last).endswith(h)), None)
    return tail is not None and "sorry" in turn.text.casefold() and " new " in turn.text


_THE: Final = Pattern(r"\bthe (?=[a-z ]{3,25} (?:is|was)\b)")
"""In a correction "the flat is …" goes on about "my flat"."""
_EMPTY: Final = MOODS | {"wrong", "anymore", "any more", "right", "it", "that", "over", "instead"}


_TAIL: Final = Pattern(r"\s+(?:now|nowadays|these days|again|instead)$")


def _trimmed(claim: Claim) -> Claim:
    """The statement without a mark of time in its value; ``mark`` says whether it is a change."""
    return replace(claim, changed=False, value=_TAIL.sub("", claim.value) if claim.value else None)


def _says_nothing(claim: Claim) -> bool:
    value = (claim.value or "").casefold()
    return claim.act is Act.STATE and (value in _EMPTY or value.startswith("not "))


def _confirm(course: Course, before: Turn | None) -> None:
    """Read "yes, I live in …" behind a question, and a bare yes to a clear one."""
    if course.plain or course.others or course.scene.rejections:
        return
    told = affirmed(course.scene.turn.text)
    claims = course.state(f"{told}.") if told else []
    if told and claims:
        course.plain += [requoted(course, claim, told) for claim in claims]
        return
    if before is None or before.role is not Role.ASSISTANT:
        return
    text, asked = course.turn.text, before.text.strip()
    quote = text.strip()
    for told, confidence in ((answered(text, asked), _ANSWER), (confirmed(text, asked), _UNSURE)):
        claims = course.state(told) if told else []
        if claims and (len(claims) == 1 or confidence == _ANSWER):
            made = [requoted(course, claim, quote) for claim in claims]
            course.plain += [replace(claim, confidence=confidence) for claim in made]
            return
    ended_now = ceased(text, asked)
    for claim in course.state(ended_now) if ended_now else []:
        end_claim(course, claim, quote, course.dated(marks.event_time, text))


def _in_order(course: Course) -> list[Claim]:
    """Ends before statements, each once, with words that stand in the message."""
    replaced = {(c.key, c.replaces) for c in course.plain if c.act is Act.STATE and c.replaces}
    others = [c for c in course.others if c.act is not Act.STATE]
    ends = [c for c in others if c.act is not Act.END or (c.key, c.value) not in replaced]
    rest = [c for c in course.others if c.act is Act.STATE]
    found: list[Claim] = []
    for claim in (_quoted(course, c) for c in (*ends, *rest, *course.plain)):
        if not any(_is_twice(claim, other) for other in found):
            found.append(claim)
    return found


def _is_twice(one: Claim, other: Claim) -> bool:
    return (one.act, one.key, one.subject, one.valid_from) == (
        other.act, other.key, other.subject, other.valid_from
    ) and normal_value(one.value or "") == normal_value(other.value or "")  # fmt: skip


def _quoted(course: Course, claim: Claim) -> Claim:
    text = course.turn.text
    if all(e.quote.strip() and e.quote in text for e in claim.evidence):
        return claim
    return requoted(course, claim, text.strip())
