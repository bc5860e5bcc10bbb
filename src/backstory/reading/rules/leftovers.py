"""The net under the stages of change: what is held, named beside words of ending, and yet unread.

For: "Novak let me go on Friday", "had to cancel Malta", "the Oslo plan fell through", "done with
the harp", "I'm a retired postman". Not for: "my brother quit Novak", "almost sold the boat", "I
left my keys at Novak", "no longer than". It only ends: what was so stays in the past.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.model.reading import Act
from backstory.core.values import normal_value
from backstory.language.lexicon import MONTHS
from backstory.reading.rules.course import Course, event_time, over_of
from backstory.reading.rules.held import Held, same, stem
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lines import TOKEN, Line
from backstory.reading.rules.parting_guards import is_meant, is_narrower
from backstory.reading.rules.parting_words import ROWS

_KEYS: Final = (
    "home.", "work.", "study.", "relationship.", "pet", "possession.", "hobby.",
    "preference.like", "preference.favourite", "health.", "goal.", "event.", "group.",
)  # fmt: skip
_IDLE: Final = word_set(
    """
    a an the my our your his her their this that to in at on of for with from and or i we go going
    get getting move moving travel travelling visit visiting fly flying trip holiday next this last
    year month week weekend day spring summer autumn fall winter is be new old take taking do doing
    plan early late mid end around about until since some one two three four
    monday tuesday wednesday thursday friday saturday sunday
    """
) | frozenset(MONTHS)
"""Words of a value by which it is not known."""
_LONG: Final = 5
_SHORT: Final = 3


@dataclass(frozen=True, slots=True)
class _Named:
    """A held value and where a line names it."""

    held: Held
    start: int
    end: int


def catch(course: Course, lines: Sequence[Line]) -> None:
    """End what is held, not touched by the message so far, and said to be over."""
    held = [h for h in course.held if h.key.startswith(_KEYS)]
    if not held:
        return
    for line in lines:
        if not ROWS.near(line.text):
            continue
        for one in _named_in(line.text, held):
            if _is_touched(course, one.held):
                continue
            _catch_one(course, line, one)


def _catch_one(course: Course, line: Line, one: _Named) -> None:
    text = f"{line.text[: one.start]}@{line.text[one.end :]}"
    for match, (prefixes, who) in ROWS.finditer(text):
        if not one.held.key.startswith(prefixes) or not is_meant(text, match, who):
            continue
        if is_narrower(text, one.held):
            continue
        shift = one.end - one.start - 1
        start, end = match.start(), match.end() + shift
        quote = course.quote(line, start, end)
        until = event_time(course, line, start, end)
        course.others.append(over_of(course, one.held, quote, until))
        course.plain = [
            c
            for c in course.plain
            if c.key != one.held.key or not same(c.value or "", one.held.value)
        ]
        return


def _is_touched(course: Course, held: Held) -> bool:
    value = normal_value(held.value)
    return any(
        c.key == held.key and value in {normal_value(c.value or ""), normal_value(c.replaces or "")}
        for c in course.others
    ) or any(
        c.key == held.key and c.act is Act.STATE and c.replaces == held.value for c in course.plain
    )


def _named_in(text: str, held: Sequence[Held]) -> Iterator[_Named]:
    """Where a line names what is held: by all its words, its names, or its last long word."""
    words = [(stem(normal_value(m.group())), m.start(), m.end()) for m in TOKEN.finditer(text)]
    said = {word for word, _, _ in words}
    for one in held:
        want = _known_by(one)
        if said.isdisjoint(want):
            want = _plan_noun(one)
        found = [w for w in want if w in said]
        if not found or (len(found) < len(want) and not _is_telling(one, want, found)):
            continue
        first = next((n for n, (word, _, _) in enumerate(words) if word == found[0]), 0)
        last = first
        while last + 1 < len(words) and words[last + 1][0] in want:
            last += 1
        yield _Named(one, words[first][1], words[last][2])


def _known_by(held: Held) -> list[str]:
    """The names in a value, else its other words; each as ``tokens`` gives it."""
    found = [m.group() for m in TOKEN.finditer(held.value)]
    words = [w for w in found if w.casefold() not in _IDLE and not w.isdigit()]
    names = [w for w in words if w[0].isupper()]
    return [stem(normal_value(w)) for w in names or words]


def _plan_noun(held: Held) -> list[str]:
    """The last common noun of a plan with a name: "the Antwerp marathon" is known by it too."""
    if not held.key.startswith("goal."):
        return []
    words = [m.group() for m in TOKEN.finditer(held.value)]
    nouns = [w for w in words if w.islower() and w not in _IDLE and len(w) >= _LONG]
    return [stem(normal_value(nouns[-1]))] if nouns else []


def _is_telling(held: Held, want: Sequence[str], found: Sequence[str]) -> bool:
    """Whether some of the words stand for all: the maker of a name, the last noun of a plan."""
    if held.key.startswith("home."):
        return False
    if any(char.isupper() for char in held.value):
        return len(found[0]) >= _LONG
    return want[-1] in found and (len(want[-1]) >= _LONG or len(found) > 1)
