"""Laws of facts in time, over random sequences of statements and corrections."""

from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.core.facts.correcting import FactChanges, end, retract, update
from backstory.core.facts.deciding import resolve
from backstory.core.model.contradiction import Decision
from backstory.core.model.fact import FactStatus
from backstory.core.model.reading import Act
from backstory.errors import InvalidInputError, NotFoundError
from tests.counts import cases
from tests.unit.core.facts.ledger import HOME, Ledger, check, claim, day

VALUES = ("Arvika", "Borlänge", "Falun", "Gävle")
HOBBY = "hobby.activity"
BORN = "personal.birthplace"
KEYS = (HOME, HOBBY, BORN)
TELLING = ("plain", "changed", "dated", "period", "api", "ahead")
PASSING = ("until",)
NAMING = ("end", "end_any", "retract", "correct", "deny")
BY_HAND = ("undo", "undo_fact", "retract_row", "end_row", "update_value", "update_from", "resolve")
TAKING = ("withdraw",)


@dataclass(frozen=True)
class Step:
    """One thing that happens, some days after the one before."""

    what: str
    value: str
    other: str
    key: str
    wait: int
    back: int
    said_in: int


def steps(*kinds: str) -> st.SearchStrategy[list[Step]]:
    step = st.builds(
        Step,
        what=st.sampled_from(kinds),
        value=st.sampled_from(VALUES),
        other=st.sampled_from(VALUES),
        key=st.sampled_from(KEYS),
        wait=st.integers(0, 5),
        back=st.integers(1, 40),
        said_in=st.integers(0, 12),
    )
    return st.lists(step, min_size=1, max_size=10)


class Run:
    """Plays steps on a ledger."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.time = 50.0

    def play(self, step: Step) -> None:
        # Never twice at the same instant: that is a law of its own.
        self.time += step.wait + 1
        if step.what in TELLING + PASSING + NAMING:
            self.ledger.tell(claim(**self.fields_of(step)))
        else:
            self._by_hand(step)
        check(self.ledger)

    def fields_of(self, step: Step) -> dict[str, Any]:
        now, what = self.time, step.what
        fields: dict[str, Any] = {
            "value": step.value,
            "said": now,
            "key": step.key,
            "said_in": f"m{step.said_in}" if step.said_in < 6 else f"m{now}",
        }
        extra: dict[str, dict[str, Any]] = {
            "changed": {"changed": True},
            "dated": {"valid_from": now - step.back},
            "period": {"valid_from": now - step.back - 3, "valid_until": now - step.back},
            "until": {"valid_until": now + step.back},
            "api": {"actor": "api"},
            "ahead": {"valid_from": now + step.back, "changed": True},
            "end": {"act": Act.END},
            "end_any": {"act": Act.END, "value": None},
            "retract": {"act": Act.RETRACT},
            "correct": {"act": Act.CORRECT, "replaces": step.other},
            "deny": {"act": Act.DENY},
        }
        return {**fields, **extra.get(what, {})}

    def _by_hand(self, step: Step) -> None:
        ledger, now = self.ledger, self.time
        if step.what == "withdraw":
            ledger.withdraw(f"m{step.said_in % 6}", at=now)
            return
        ids = sorted(ledger.facts)
        row = ids[step.back % len(ids)] if ids else "none"
        wanted = sorted(c.id for c in ledger.open())
        clash = wanted[step.back % len(wanted)] if wanted else "none"
        try:
            if step.what == "undo":
                ledger.undo(now)
            elif step.what == "undo_fact":
                ledger.undo(now, row)
            elif step.what == "retract_row":
                ledger.do(retract, row, at=now)
            elif step.what == "end_row":
                ledger.do(end, row, day(now - step.wait), at=now)
            elif step.what == "update_value":
                ledger.do(update, row, FactChanges(value=step.value), at=now)
            elif step.what == "update_from":
                changes = FactChanges(valid_from=day(now - step.back))
                ledger.do(update, row, changes, at=now)
            else:
                decision = list(Decision)[step.back % 3]
                ledger.do(resolve, clash, decision, at=now)
        except (NotFoundError, InvalidInputError):
            return


def believed(ledger: Ledger, valid: float, known: float) -> list[tuple[str, str]]:
    return sorted((f.id, f.value) for f in ledger.as_of(day(valid), day(known)))


@settings(max_examples=cases(20, 150))
@given(steps(*TELLING, *PASSING, *NAMING, *BY_HAND, *TAKING))
def test_rows_make_sense_whatever_is_said_and_done(sequence: list[Step]) -> None:
    run = Run()
    for step in sequence:
        run.play(step)


@settings(max_examples=cases(12, 100))
@given(steps(*TELLING, *NAMING, *BY_HAND), st.integers(0, 150))
def test_what_was_believed_never_changes_by_what_is_said_later(
    sequence: list[Step], valid: int
) -> None:
    run = Run()
    seen: dict[float, list[tuple[str, str]]] = {}
    for step in sequence:
        run.play(step)
        seen[run.time] = believed(run.ledger, valid, run.time)
        for known, then in seen.items():
            assert believed(run.ledger, valid, known) == then


@settings(max_examples=cases(12, 100))
@given(steps(*TELLING, *NAMING, *BY_HAND, *TAKING), st.sampled_from(VALUES))
def test_a_change_leaves_one_value_and_it_is_the_new_one(sequence: list[Step], value: str) -> None:
    run = Run()
    for step in sequence:
        run.play(step)
    run.ledger.tell(claim(value, run.time + 1, changed=True))
    check(run.ledger)
    assert run.ledger.current() == [value]


@settings(max_examples=cases(12, 100))
@given(
    steps("plain", "changed", "api", "dated", "end", "retract", "correct"),
    st.sampled_from(VALUES),
    st.integers(1, 100),
    st.booleans(),
)
def test_late_news_never_changes_what_is_current(
    sequence: list[Step], value: str, back: int, changed: bool
) -> None:
    run = Run()
    for step in sequence:
        run.play(step)
    ledger = run.ledger
    held = [f for f in ledger.facts.values() if f.key == HOME and f.value in ledger.current()]
    starts = [f.valid_from for f in held if f.valid_from is not None]
    if not starts:
        return
    if len(starts) < len(held):
        return  # what holds since ever has nothing before it
    oldest = (min(starts) - day(0)).total_seconds() / 86_400
    before = ledger.current()
    ledger.tell(claim(value, oldest - back, changed=changed), at=run.time + 1)
    check(ledger)
    assert ledger.current() == before


@settings(max_examples=cases(20, 150))
@given(
    steps("plain", "changed", "api", "dated", "period", *NAMING, *BY_HAND),
    steps("changed", "api", "dated", "end", "end_any", "retract", "correct", "plain", "deny"),
)
def test_undo_gives_back_the_rows_as_they_were(before: list[Step], after: list[Step]) -> None:
    run = Run()
    for step in before:
        run.play(step)
    ledger = run.ledger
    shape, lines, known = ledger.shape(run.time), len(ledger.corrections), set(ledger.facts)
    run.play(after[0])
    brought = set(ledger.facts) - known
    if len(ledger.corrections) == lines:
        return
    ledger.undo(run.time + 1)
    check(ledger)
    # What was only said, and corrected nothing, stays said: it is no part of the correction.
    assert {row for row in ledger.shape(run.time + 1) if row[0] not in brought} == shape
    for fact_id in brought:
        assert ledger.facts[fact_id].status is FactStatus.RETRACTED


@settings(max_examples=cases(12, 100))
@given(steps("changed", "api", "end", "retract", "correct", "plain"))
def test_undo_again_goes_one_further_back(sequence: list[Step]) -> None:
    run = Run()
    shapes = []
    for step in sequence:
        lines, shape = len(run.ledger.corrections), run.ledger.shape(run.time)
        rows = len(run.ledger.facts)
        run.play(step)
        if len(run.ledger.corrections) > lines:
            shapes.append(shape)
        elif len(run.ledger.facts) > rows:
            shapes.clear()  # what was only stated stays, and older rows make way for it
    run.time += 1
    for shape in reversed(shapes):
        run.time += 1
        run.ledger.undo(run.time)
        check(run.ledger)
        first_seen = {row[0] for row in shape}
        kept = {row for row in run.ledger.shape(run.time) if row[0] in first_seen}
        assert kept == shape


@settings(max_examples=cases(12, 100))
@given(steps(*TELLING, *NAMING, *BY_HAND), st.integers(0, 120), st.data())
def test_a_retraction_ends_belief_from_then_on_and_not_before(
    sequence: list[Step], valid: int, data: st.DataObject
) -> None:
    run = Run()
    for step in sequence:
        run.play(step)
    ledger = run.ledger
    rows = sorted(i for i, f in ledger.facts.items() if f.status is not FactStatus.RETRACTED)
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    before = believed(ledger, valid, run.time)
    ledger.do(retract, row, at=run.time + 1)
    check(ledger)
    assert believed(ledger, valid, run.time) == before
    for known in (run.time + 1, run.time + 50):
        for at in (0, valid, run.time, run.time + 100):
            assert row not in {i for i, _ in believed(ledger, at, known)}


@settings(max_examples=cases(12, 100))
@given(
    steps("plain", "changed", "dated", "api"),
    steps("plain", "changed", "dated", "end", "retract", "correct", "deny"),
)
def test_withdrawing_the_last_message_gives_back_what_it_changed(
    before: list[Step], after: list[Step]
) -> None:
    run = Run()
    for step in before:
        run.play(step)
    ledger = run.ledger
    run.time += 1
    shape = ledger.shape(run.time)
    fields = run.fields_of(after[0])
    ledger.tell(claim(**{**fields, "said_in": "only"}))
    check(ledger)
    ledger.withdraw("only", at=run.time + 1)
    check(ledger)
    assert ledger.shape(run.time + 1) == shape
    assert not any(e.message_id == "only" for f in ledger.facts.values() for e in f.evidence)


@settings(max_examples=cases(12, 100))
@given(steps(*TELLING, *NAMING))
def test_withdrawing_all_messages_leaves_nothing(sequence: list[Step]) -> None:
    run = Run()
    for step in sequence:
        run.play(step)
    messages = {e.message_id for f in run.ledger.facts.values() for e in f.evidence}
    messages |= {e.message_id for c in run.ledger.corrections.values() for e in c.evidence}
    run.ledger.withdraw(*messages, at=run.time + 1)
    check(run.ledger)
    assert run.ledger.facts == {}
    assert run.ledger.open() == []
