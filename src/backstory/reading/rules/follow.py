"""What a message does to what is held: it changes it, ends it, takes it back or denies it.

The plain reading of a message gives statements. Here each of them gets the time it holds from and
the mark of a change, and what plain reading does not see is retold as plain sentences and read.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from backstory.core.facts.slots import slot_of
from backstory.core.model.fact import USER, Cardinality, Evidence, FactKind
from backstory.core.model.reading import Act, Batch, Claim, ClaimRejection, Turn
from backstory.core.values import normal_value
from backstory.reading.rules import corrections, marks
from backstory.reading.rules.changes import job_news, new_favourite, retellings, swaps
from backstory.reading.rules.confirmations import affirmed, confirmed
from backstory.reading.rules.endings import endings
from backstory.reading.rules.held import Held, held_of, mentioned, named, same
from backstory.reading.rules.lines import Line, stated_lines
from backstory.reading.rules.refining import adds_to, is_part_of
from backstory.reading.rules.reshaping import base, denied, ended, past
from backstory.reading.rules.scene import ACTOR, Scene
from backstory.reading.rules.temporaries import MOODS, passing, stays

Read = Callable[[Turn, Batch], Scene]
"""The plain reading of one message."""

_UNSURE: Final = 0.6
"""Confidence of what was only said yes to."""


@dataclass(slots=True)
class Course:
    """The reading of one message in the light of what is held.

    Attributes:
        turn: The message.
        batch: All that was handed over.
        read: The plain reading.
        held: What is held of its writer, the latest said first.
        scene: Its plain reading.
        plain: The statements it makes.
        others: Ends, retractions, denials and temporary facts.
    """

    turn: Turn
    batch: Batch
    read: Read
    held: list[Held]
    scene: Scene
    plain: list[Claim] = field(default_factory=list)
    others: list[Claim] = field(default_factory=list)

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.turn.timestamp

    def state(self, text: str) -> list[Claim]:
        """The plain reading of another text, as if it had been said instead."""
        return self.read(replace(self.turn, text=text), self.batch).claims

    def made(self, act: Act, key: str, value: str | None, quote: str, **more: object) -> Claim:
        """A claim of this message."""
        claim = Claim(
            act=act, key=key, value=value, said_at=self.at, confidence=0.9, actor=ACTOR,
            session_id=self.turn.session_id,
            evidence=(Evidence(message_id=self.turn.message_id, quote=quote),),
        )  # fmt: skip
        return replace(claim, **more)  # type: ignore[arg-type]

    def quote(self, line: Line, start: int, end: int) -> str:
        """The words of the message that a stretch of a line is made of."""
        first, last = line.place(start, end)
        return self.scene.turn.text[first:last]


def follow(
    turn: Turn, batch: Batch, recent: Sequence[Sequence[Claim]], read: Read
) -> tuple[list[Claim], Sequence[ClaimRejection]]:
    """Read a message in the light of what is held.

    Args:
        turn: The message.
        batch: All that was handed over; its known facts are held.
        recent: What the turns before this one said, the latest turn first.
        read: The plain reading of one message.
    """
    held = held_of(batch, recent, USER)
    scene = read(turn, batch)
    better = corrections.repaired(
        turn.text, lambda text: read(replace(turn, text=text), batch).claims
    )
    if better is not None and not scene.rejections:
        scene = read(replace(turn, text=better), batch)
    course = Course(turn, batch, read, held, scene, plain=list(scene.claims))
    course.plain = [c for c in course.plain if not _says_nothing(c)]
    lines = stated_lines(scene)
    for line in lines:
        _pass_by(course, line)
        _retell(course, line)
        _end(course, line)
        _tell_of_past(course, line)
    _mark(course)
    _refine(course)
    _correct(course, lines)
    _confirm(course)
    return _in_order(course), scene.rejections


_EMPTY: Final = MOODS | {"wrong", "anymore", "any more", "right", "it", "that", "over", "instead"}


def _says_nothing(claim: Claim) -> bool:
    return claim.act is Act.STATE and (claim.value or "").casefold() in _EMPTY


# what passes


def _pass_by(course: Course, line: Line) -> None:
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
    for span in passing(line.text):
        _drop(course, line, span, ("possession.", "pet.", "home.", "hobby."))


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


# what changes


def _retell(course: Course, line: Line) -> None:
    told_here = [*retellings(line.text), *new_favourite(line.text)]
    if "work." in marks.news(course.scene.turn.text):
        told_here += job_news(line.text)
    for told in told_here:
        since = _event_time(course, line, told.start, told.end)
        quote = course.quote(line, told.start, told.end)
        for claim in course.state(told.text):
            if claim.key and claim.key.startswith(told.prefixes) and claim.subject == USER:
                _put(course, _news(course, claim, quote, since))
    for swap in swaps(line.text):
        since = _event_time(course, line, swap.start, swap.end)
        quote = course.quote(line, swap.start, swap.end)
        for old in named(swap.old, course.held)[:1]:
            _exchange(course, old, swap.new, quote, since)


def _exchange(course: Course, old: Held, new: str, quote: str, since: datetime | None) -> None:
    """One thing took the place of another that is held."""
    if old.is_one:
        made = course.made(
            Act.STATE, old.key, new, quote, changed=True, replaces=old.value, valid_from=since
        )
    else:
        course.others.append(_over(course, old, quote, since))
        made = course.made(Act.STATE, old.key, new, quote, changed=True, valid_from=since)
    _put(course, made)


def _news(course: Course, claim: Claim, quote: str, since: datetime | None) -> Claim:
    """A statement that was retold, with the words it was told in."""
    evidence = (Evidence(message_id=course.turn.message_id, quote=quote),)
    since = None if _is_timeless(claim) else since
    return replace(claim, evidence=evidence, changed=True, valid_from=since or claim.valid_from)


def _put(course: Course, claim: Claim) -> None:
    """Add a statement, or what it says to one that was read already."""
    for number, other in enumerate(course.plain):
        if (other.key, other.subject) != (claim.key, claim.subject):
            continue
        if normal_value(other.value or "") == normal_value(claim.value or ""):
            course.plain[number] = replace(
                other,
                changed=other.changed or claim.changed,
                valid_from=other.valid_from or claim.valid_from,
                replaces=other.replaces or claim.replaces,
            )
            return
        if same(other.value or "", claim.value or "") and _is_one(claim):
            return
    course.plain.append(claim)


def _is_one(claim: Claim) -> bool:
    slot = slot_of(claim.key or "")
    return slot is not None and slot.cardinality is Cardinality.ONE


def _is_timeless(claim: Claim) -> bool:
    slot = slot_of(claim.key or "")
    return slot is not None and slot.timeless and not slot.changes


def _event_time(course: Course, line: Line, start: int, end: int) -> datetime | None:
    """When what a stretch of a line tells of was: the date in it, or the next one behind it."""
    tail = re.split(r"[;.!?]", line.text[end:], maxsplit=1)[0][:40]
    return marks.event_time(line.text[max(0, start - 30) : end] + tail, course.at)


# what ends


def _end(course: Course, line: Line) -> None:
    for over in endings(line.text, course.held):
        until = _event_time(course, line, over.start, over.end)
        quote = course.quote(line, over.start, over.end)
        for held in over.held:
            course.others.append(_over(course, held, quote, until))
    for reshaped in ended(line.text):
        quote = course.quote(line, reshaped.start, reshaped.end)
        until = _event_time(course, line, reshaped.start, reshaped.end)
        claims = [c for text in reshaped.texts for c in course.state(text) if c.subject == USER]
        course.plain = [
            c for c in course.plain if not (_is_among(c, claims) or _is_said_in(c, quote))
        ]
        if not claims or (reshaped.verb and not _is_held(course, claims)):
            _end_mentioned(
                course, line.text[reshaped.start : reshaped.end], reshaped.verb, quote, until
            )
        for claim in claims:
            _end_claim(course, claim, quote, until)


def _is_said_in(claim: Claim, quote: str) -> bool:
    """Whether a statement was read in these words."""
    said = claim.evidence[0].quote if claim.evidence else ""
    return bool(said) and (said in quote or quote.strip(" ,;:.") in said)


def _is_held(course: Course, claims: Iterable[Claim]) -> bool:
    return any(
        _is_among(Claim(key=h.key, value=h.value, said_at=course.at), claims) for h in course.held
    )


def _end_mentioned(
    course: Course, text: str, verb: str, quote: str, until: datetime | None
) -> None:
    """End what is held and named in an ended clause, or what its verb says one does."""
    found = mentioned(text, course.held)
    if not found and verb:
        found = [h for h in course.held if h.key.startswith(_DOINGS) and verb in _verbs(h.value)]
    for held in found:
        course.others.append(_over(course, held, quote, until))


_DOINGS: Final = ("health.", "hobby.", "preference.like", "study.")


def _verbs(value: str) -> set[str]:
    """The first word of a value as a verb: "smokes rollies" → "smoke"."""
    first = (value.casefold().split() or [""])[0]
    return {first, first.removesuffix("s"), base(first), f"{first.removesuffix('r')}"}


def _is_among(claim: Claim, claims: Iterable[Claim]) -> bool:
    return any(c.key == claim.key and same(c.value or "", claim.value or "") for c in claims)


def _end_claim(course: Course, claim: Claim, quote: str, until: datetime | None) -> None:
    if claim.key is None or claim.value is None:
        return
    held = [h for h in course.held if same(h.value, claim.value)]
    exact = [h for h in held if h.key == claim.key] or held
    for one in exact:
        course.others.append(_over(course, one, quote, until))
    if not exact:
        course.others.append(course.made(Act.END, claim.key, claim.value, quote, valid_until=until))


def _over(course: Course, held: Held, quote: str, until: datetime | None) -> Claim:
    return course.made(Act.END, held.key, held.value, quote, valid_until=until)


def _tell_of_past(course: Course, line: Line) -> None:
    """Late news: what was so for a time that is named and over."""
    for told in past(line.text):
        window = line.text[max(0, told.start - 40) : told.end]
        period = marks.period(window, course.at)
        claims = course.state(told.texts[0])
        course.plain = [c for c in course.plain if not _is_among(c, claims)]
        if period is None:
            continue
        quote = course.quote(line, told.start, told.end)
        for claim in claims:
            if claim.subject == USER:
                evidence = (Evidence(message_id=course.turn.message_id, quote=quote),)
                course.others.append(
                    replace(
                        claim, evidence=evidence, valid_from=period.start, valid_until=period.end
                    )
                )


# when, and whether it is new


def _mark(course: Course) -> None:
    text = course.scene.turn.text
    announced = marks.news(text)
    over = {claim.key for claim in course.others if claim.act is Act.END}
    course.plain = [
        _marked(course, claim, announced, over) if claim.act is Act.STATE else claim
        for claim in course.plain
    ]


def _marked(
    course: Course, claim: Claim, announced: tuple[str, ...], over: set[str | None]
) -> Claim:
    key = claim.key or ""
    quote = claim.evidence[0].quote if claim.evidence else ""
    changed = (
        claim.changed
        or key in over
        or marks.is_changed(quote)
        or bool(announced and key.startswith(announced))
    )
    if _is_timeless(claim):
        return replace(claim, changed=False, valid_from=None)
    if claim.valid_from is not None or claim.kind is FactKind.TEMPORARY:
        return replace(claim, changed=changed)
    since = marks.times(_window(course, quote), course.at)
    return replace(
        claim,
        changed=changed or since.start is not None,
        valid_from=since.start,
        valid_until=since.end,
    )


def _window(course: Course, quote: str) -> str:
    """A clause and those behind it that have no statement of their own."""
    text = course.scene.turn.text
    at = text.find(quote)
    if at < 0 or not quote:
        return quote
    end = at + len(quote)
    rest = re.split(r"[.;!?\n]|\b(?:and|but) (?:i|my|we)\b", text[end:], maxsplit=1)[0]
    others = [c.evidence[0].quote for c in course.plain if c.evidence]
    for other in others:
        place = rest.find(other)
        if other != quote and place >= 0:
            rest = rest[:place]
    return quote + rest


# more or less detail, and additions


def _refine(course: Course) -> None:
    course.plain = [_refined(course, c) if c.act is Act.STATE else c for c in course.plain]


def _refined(course: Course, claim: Claim) -> Claim:
    """What adds detail to a held value changes it without a clash; what says less repeats it."""
    key, value = claim.key or "", claim.value or ""
    held = [h for h in course.held if h.key == key]
    if claim.subject != USER or not _is_one(claim) or not held:
        return claim
    if any(normal_value(h.value) == normal_value(value) for h in held):
        return claim
    quote = claim.evidence[0].quote if claim.evidence else ""
    window = _window(course, quote)
    for one in held:
        if is_part_of(key, one.value, value):
            return replace(claim, value=one.value, changed=False)
        if adds_to(key, one.value, value, window):
            if _is_timeless(claim):
                return replace(claim, act=Act.CORRECT, replaces=one.value, changed=False)
            return replace(claim, changed=True, replaces=one.value)
    if marks.is_added(quote) and not key.startswith("personal."):
        return replace(claim, key=f"{key}.also", cardinality=Cardinality.MANY, changed=False)
    return claim


# what was wrong


def _correct(course: Course, lines: Sequence[Line]) -> None:
    text = course.scene.turn.text
    done: set[tuple[str, str]] = set()
    fixed = [_corrected(course, claim, done) for claim in course.plain]
    course.plain = fixed
    if course.scene.rejections:
        return
    if not done:
        for fix in corrections.fragments(text, course.held):
            done.add((fix.held.key, fix.held.value))
            course.plain = [c for c in course.plain if c.key != fix.held.key]
            course.others.append(
                course.made(
                    Act.CORRECT, fix.held.key, fix.value, text.strip(), replaces=fix.held.value
                )
            )
    for fix in corrections.taken_back(text, course.held):
        if (fix.held.key, fix.held.value) not in done:
            done.add((fix.held.key, fix.held.value))
            _take_back(course, fix.held, text.strip())
    _deny(course, lines, done)


def _corrected(course: Course, claim: Claim, done: set[tuple[str, str]]) -> Claim:
    if claim.act is not Act.STATE or claim.changed or claim.subject != USER:
        return claim
    held = corrections.replaced_by(claim, course.held, corrections.marked(_around(course, claim)))
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
        ends = [(r.start, r.end) for r in ended(line.text)]
        for reshaped in denied(line.text):
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
        c for c in course.plain if not (_is_among(c, [claim]) and c.evidence[0].quote == quote)
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
    if corrections.marked(course.scene.turn.text) == "strong" or (instead and held.is_one):
        _take_back(course, held, quote)
    else:
        course.others.append(course.made(Act.DENY, key, held.value, quote))


# what was said yes to


def _confirm(course: Course) -> None:
    """Read "yes, I live in …" behind a question, and a bare yes to a clear one."""
    if course.plain or course.others or course.scene.rejections:
        return
    told = affirmed(course.scene.turn.text)
    if told is not None:
        course.plain += [_requoted(course, c, told) for c in course.state(f"{told}.")]
        return
    at = next((n for n, t in enumerate(course.batch.turns) if t == course.turn), 0)
    asked = confirmed(course.turn, (*course.batch.before, *course.batch.turns[:at]))
    claims = course.state(asked) if asked else []
    if len(claims) == 1:
        made = _requoted(course, claims[0], course.turn.text.strip())
        course.plain.append(replace(made, confidence=_UNSURE))


def _requoted(course: Course, claim: Claim, quote: str) -> Claim:
    return replace(claim, evidence=(Evidence(message_id=course.turn.message_id, quote=quote),))


def _in_order(course: Course) -> list[Claim]:
    """Ends before statements, each once, with words that stand in the message."""
    ends = [c for c in course.others if c.act is not Act.STATE]
    rest = [c for c in course.others if c.act is Act.STATE]
    found: list[Claim] = []
    for claim in (*ends, *rest, *course.plain):
        claim = _quoted(course, claim)
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
    return replace(
        claim, evidence=(Evidence(message_id=course.turn.message_id, quote=text.strip()),)
    )
