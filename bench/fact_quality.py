"""What a memory made of a written case, compared with what the case expects. Pure counting.

A case names what must be current, what must not, what was true when, what was superseded, and
whether a contradiction must be open. It does not list everything that is true, so a stored fact
counts as false only where the case says so: it holds a string of ``not``, or the case is a trap
and the fact is none of those that it allows (``has``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from backstory.core.facts.draft import CURRENT
from backstory.core.model.fact import USER, Fact
from bench.fact_cases import Case, contains
from bench.measure import Figure

TRUE_BAR, FALSE_BAR = 85.0, 97.0
_TRAP = "trap"


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a memory holds after a case.

    Attributes:
        current: What is true right after the last message.
        rows: All rows, with history.
        then: What was true at each time that the case asks about, in its order.
        open: How many contradictions are open.
    """

    current: Sequence[Fact]
    rows: Sequence[Fact]
    then: Sequence[Sequence[Fact]]
    open: int


@dataclass(kw_only=True)
class Tally:
    """Counts of some cases; they can be added.

    Attributes:
        found, missed: Facts that must be current and are, or are not.
        false: Stored facts that are current and must not be.
        absent, present: Strings that must not be current: how many are not, and are.
        closed, unclosed: Values that must be past and are, or are not.
        wrong: Rows that were closed although they are true, or although the case is a
            contradiction for a person to decide.
        right: Rows that were closed, and must be.
        then_found, then_missed, then_absent, then_present: The same of times asked about.
        raised, silent: Contradictions that must be open and are, or are not.
        alarms, quiet: Cases without one in which one is open, or none.
        merged, doubled: Values said more than once that are current once, or more often.
        unread: Messages whose reading failed.
    """

    cases: int = 0
    messages: int = 0
    found: int = 0
    missed: int = 0
    false: int = 0
    absent: int = 0
    present: int = 0
    closed: int = 0
    unclosed: int = 0
    wrong: int = 0
    right: int = 0
    then_found: int = 0
    then_missed: int = 0
    then_absent: int = 0
    then_present: int = 0
    raised: int = 0
    silent: int = 0
    alarms: int = 0
    quiet: int = 0
    merged: int = 0
    doubled: int = 0
    unread: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in _FIELDS})


_FIELDS = fields(Tally)


def count(case: Case, got: Found) -> Tally:
    """Compare one case with what became of it."""
    expect = case["expect"]
    tally = Tally(cases=1, messages=len(case["messages"]))
    current = _values(got.current)
    tally.found, tally.missed = _split(_holds(want, current) for want in expect["has"])
    tally.absent, tally.present = _split(not _any(current, bad) for bad in expect["not"])
    tally.false = sum(_is_false(value, case) for value in current)
    history = _values(got.rows)
    tally.closed, tally.unclosed = _split(
        _any(history, old) and not _any(current, old) for old in expect["superseded"]
    )
    for past, facts in zip(expect["as_of"], got.then, strict=True):
        values = _values(facts)
        found, missed = _split(_holds(want, values) for want in past.get("has", ()))
        absent, present = _split(not _any(values, bad) for bad in past.get("not", ()))
        tally.then_found += found
        tally.then_missed += missed
        tally.then_absent += absent
        tally.then_present += present
    tally.right, tally.wrong = _overwritten(case, got, current)
    unique = expect.get("unique", ())
    for single in [unique] if isinstance(unique, str) else unique:
        once = sum(contains(value, single) for value in current) <= 1
        tally.merged += once
        tally.doubled += not once
    wanted = expect["contradiction"]
    if wanted is not None:
        name = ("raised" if got.open else "silent") if wanted else "alarms" if got.open else "quiet"
        setattr(tally, name, 1)
    return tally


def _overwritten(case: Case, got: Found, current: Sequence[str]) -> tuple[int, int]:
    """Rows that were closed and must be, and those that must not; others are not judged."""
    expect = case["expect"]
    gone = [*expect["superseded"], *expect["not"]]
    lost = [want for want in expect["has"] if not _holds(want, current)]
    undecided = expect["contradiction"] and not got.open
    right = wrong = 0
    for row in got.rows:
        if row.subject != USER or row.status in CURRENT:
            continue
        if _any([row.value], *gone):
            right += 1
        elif undecided or any(_holds(want, [row.value]) for want in lost):
            wrong += 1
    return right, wrong


def figures_of(tally: Tally, usage: Mapping[str, int]) -> Iterator[Figure]:
    """The figures of a tally.

    Args:
        tally: Of all cases that are not doubtful.
        usage: "calls", "input_tokens" and "output_tokens" of a model, over the same cases.
    """
    t, each = tally, 100 / max(tally.messages, 1)
    yield from _rates("facts", t.found, t.missed, t.false)
    yield _share("facts: a value that must not be current is not", t.absent, t.present)
    yield Figure(label="facts: false ones per 100 messages", values=[t.false * each], unit="")
    past = (t.closed + t.then_found, t.unclosed + t.then_missed, t.wrong + t.then_present)
    yield from _rates("supersession", *past)
    yield _share("supersession: a past value is in the history only", t.closed, t.unclosed)
    yield _share("supersession: what was true at a date is given", t.then_found, t.then_missed)
    yield _share("supersession: what was not true then is not", t.then_absent, t.then_present)
    yield _share("supersession: values closed rightly, of those judged", t.right, t.wrong)
    yield Figure(
        label="supersession: wrongly closed per 100 messages", values=[t.wrong * each], unit=""
    )
    yield from _rates("contradictions", t.raised, t.silent, t.alarms)
    yield _share("contradictions: a true one is open", t.raised, t.silent, TRUE_BAR)
    yield _share("contradictions: none where there is none", t.quiet, t.alarms, FALSE_BAR)
    yield _share("repeats merged", t.merged, t.doubled)
    yield _share("messages read", t.messages - t.unread, t.unread)
    for name in ("calls", "input_tokens", "output_tokens"):
        label = f"model: {name.replace('_', ' ')} per 100 messages"
        yield Figure(label=label, values=[usage.get(name, 0) * each], unit="")


COLUMNS = (
    "kind",
    "cases",
    "facts: precision",
    "recall",
    "F1",
    "false",
    "supersession: precision",
    "recall",
    "F1",
    "contradictions: raised",
    "none where none",
    "repeats merged",
)


def row_of(kind: str, t: Tally) -> list[str]:
    """One line of the table by kind; shares in percent, empty where the cases ask for nothing."""
    facts = _prf(t.found, t.missed, t.false)
    past = (t.closed + t.then_found, t.unclosed + t.then_missed, t.wrong + t.then_present)
    rates = [*facts, None, *_prf(*past)] if past[0] + past[1] else [*facts, None, None, None, None]
    cells = ["" if rate is None else f"{rate:.1f}" for rate in rates]
    cells[3] = str(t.false)
    shares = ((t.raised, t.silent), (t.quiet, t.alarms), (t.merged, t.doubled))
    return [
        kind,
        str(t.cases),
        *cells,
        *(f"{yes} of {yes + no}" if yes + no else "" for yes, no in shares),
    ]


def _prf(right: int, missed: int, false: int) -> tuple[float | None, float | None, float | None]:
    precision = 100 * right / (right + false) if right + false else None
    recall = 100 * right / (right + missed) if right + missed else None
    both = 2 * right + missed + false
    return precision, recall, 100 * 2 * right / both if right + missed else None


def _rates(what: str, right: int, missed: int, false: int) -> Iterator[Figure]:
    names = ("precision", "recall", "F1")
    for name, rate in zip(names, _prf(right, missed, false), strict=True):
        if rate is not None:
            note = f"{right} right, {missed} missed, {false} false"
            yield Figure(label=f"{what}: {name}", values=[rate], unit="%", note=note)


def _share(label: str, yes: int, no: int, at_least: float | None = None) -> Figure:
    whole = yes + no
    share = 100 * yes / whole if whole else 100.0
    note = f"{yes} of {whole}"
    return Figure(label=label, values=[share], unit="%", at_least=at_least, note=note)


def _is_false(value: str, case: Case) -> bool:
    expect = case["expect"]
    if _any([value], *expect["not"]):
        return True
    allowed = any(_holds(want, [value]) for want in expect["has"])
    return str(case["kind"]).startswith(_TRAP) and not allowed


def _holds(want: Any, values: Sequence[str]) -> bool:
    options = want["any"] if isinstance(want, dict) else [want]
    return _any(values, *options)


def _any(values: Sequence[str], *needles: str) -> bool:
    return any(contains(value, needle) for value in values for needle in needles)


def _values(facts: Iterable[Fact]) -> list[str]:
    return [fact.value for fact in facts if fact.subject == USER]


def _split(checks: Iterable[bool]) -> tuple[int, int]:
    found = list(checks)
    return sum(found), len(found) - sum(found)
