"""What is decided and corrected by hand."""

import pytest

from backstory.core.facts.correcting import FactChanges, end, retract, update
from backstory.core.facts.deciding import hold, lapse, lapsed_holds, resolve
from backstory.core.model.contradiction import Decision
from backstory.errors import InvalidInputError, NotFoundError
from tests.unit.core.facts.ledger import Ledger, check, claim, day


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def one_contradiction(ledger: Ledger) -> str:
    (known,) = ledger.contradictions.values()
    return known.id


@pytest.mark.parametrize(
    ("decision", "left"),
    [(Decision.USER_STATED, ["Umeå"]), (Decision.STORED, ["Lund"]), (Decision.NEITHER, [])],
)
def test_a_decision_is_applied(ledger: Ledger, decision: Decision, left: list[str]) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 2))
    known = one_contradiction(ledger)
    ledger.do(resolve, known, decision, "asked her", at=3)
    assert ledger.current() == left
    assert (ledger.contradictions[known].decision, ledger.contradictions[known].note) == (
        decision,
        "asked her",
    )
    check(ledger)
    with pytest.raises(NotFoundError):
        ledger.do(resolve, "none", decision, at=4)


def test_a_decision_may_leave_the_facts(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 2))
    ledger.do(resolve, one_contradiction(ledger), Decision.STORED, apply=False, at=3)
    assert ledger.current() == ["Lund", "Umeå"]


def test_a_hold_lapses_once_the_value_moves(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 2))
    known = one_contradiction(ledger)
    ledger.apply(hold(ledger.book(), known, "ask on Friday", now=day(3)))
    assert ledger.contradictions[known].held_value == "Lund"
    facts = list(ledger.facts.values())
    assert lapsed_holds(ledger.contradictions.values(), facts) == []
    ledger.tell(claim("Kalmar", 5, changed=True))
    facts = list(ledger.facts.values())
    assert [c.id for c in lapsed_holds(ledger.contradictions.values(), facts)] == [known]
    ledger.apply(lapse(ledger.book(), [known]))
    assert [c.id for c in ledger.open()] == [known]


def test_an_update_keeps_the_id_and_the_state_before(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    row = ledger.row("Lund")
    ledger.do(update, row.id, FactChanges(value="Lunde", valid_from=day(0)), at=9)
    now = ledger.facts[row.id]
    assert (now.value, now.valid_from, now.updated_at) == ("Lunde", day(0), day(9))
    assert (ledger.seen(5, 5), ledger.seen(5, 9), ledger.seen(0.5, 5)) == (["Lund"], ["Lunde"], [])
    ledger.undo(10)
    assert ledger.facts[row.id].value == "Lund"


def test_an_update_may_not_break_the_slot(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1), claim("Umeå", 5, changed=True))
    old = ledger.row("Lund")
    for changes in (
        FactChanges(valid_until=None),
        FactChanges(valid_until=day(7)),
        FactChanges(valid_until=day(0)),
        FactChanges(value=" "),
    ):
        with pytest.raises(InvalidInputError):
            ledger.do(update, old.id, changes, at=9)


def test_ends_and_retractions_by_hand(ledger: Ledger) -> None:
    ledger.tell(claim("Lund", 1))
    row = ledger.row("Lund").id
    with pytest.raises(InvalidInputError, match="does not hold"):
        ledger.do(end, row, day(1), at=5)
    ledger.do(end, row, day(4), at=5)
    assert ledger.current() == []
    ledger.do(retract, row, at=6)
    assert ledger.seen(2) == []
    ledger.undo(7)
    assert ledger.seen(2) == ["Lund"]
    ledger.undo(8)
    assert ledger.current() == ["Lund"]
    with pytest.raises(NotFoundError, match="no correction"):
        ledger.undo(9)
