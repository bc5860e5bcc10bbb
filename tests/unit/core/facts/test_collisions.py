"""Collisions across keys, and the sentence of a fact."""

import pytest

from backstory.core.facts.collisions import (
    DEFAULT_FAMILIES,
    check_families,
    find_collisions,
    find_named,
    plan_refresh,
    residues,
    settle,
)
from backstory.core.facts.sentences import fact_text
from backstory.core.model.collision import Collision, CollisionReport, CollisionState, Family
from backstory.core.model.fact import Fact
from backstory.errors import InvalidInputError, NotFoundError
from tests.unit.core.facts.ledger import Ledger, claim, day


def facts(*rows: tuple[str, str]) -> list[Fact]:
    ledger = Ledger()
    for key, value in rows:
        ledger.tell(claim(value, key=key, changed=True))
    return list(ledger.facts.values())


def refresh(
    known: list[Collision], rows: list[Fact], at: float = 1
) -> tuple[list[Collision], CollisionReport]:
    changed, report = plan_refresh(known, rows, user_id="vera", new_ids=["c"], now=day(at))
    merged = {c.id: c for c in known} | {c.id: c for c in changed}
    return list(merged.values()), report


BOTH = (("cat_name", "Misse"), ("dog_names", "Ludde and Misse"))


def test_a_name_under_two_kinds_is_found() -> None:
    (clash,) = find_collisions(facts(*BOTH))
    assert (clash.name, clash.family, clash.kinds) == ("Misse", "species", ("cat", "dog"))
    assert len(clash.fact_ids) == 2


@pytest.mark.parametrize(
    "rows",
    [
        (("cat_name", "Misse"), ("dog_name", "Ludde")),
        (("category", "Misse"), ("dog_name", "Misse")),
        (("cat_and_dog", "Misse"), ("dog_name", "Misse")),
        (("cat_name", "Misse"), ("pet.cat", "Misse")),
    ],
)
def test_other_rows_do_not_clash(rows: tuple[tuple[str, str], ...]) -> None:
    assert find_collisions(facts(*rows)) == []


def test_a_clash_is_raised_once_and_closed_when_it_is_gone() -> None:
    known, report = refresh([], facts(*BOTH))
    assert report == CollisionReport(open=1, raised=1, resolved=0, residues=0)
    again, report = refresh(known, facts(*BOTH), 2)
    assert (again, report.raised, report.open) == (known, 0, 1)
    moved = (("pet.cat", "Misse"), ("pet.dog", "misse"))
    again, report = refresh(known, facts(*moved), 2)
    assert (report.raised, [c.id for c in again]) == (0, ["c"]), "keys are no part of it"
    gone, report = refresh(known, facts(BOTH[0]), 3)
    assert (report.resolved, gone[0].state) == (1, CollisionState.CLOSED)
    back, report = refresh(gone, facts(*BOTH), 4)
    assert (report.raised, back[0].state, back[0].id) == (1, CollisionState.OPEN, "c")


def test_a_settled_clash_leaves_its_residue_until_it_is_gone() -> None:
    known, _ = refresh([], facts(*BOTH))
    settled = settle(known[0], kept="cat", note="seen", families=DEFAULT_FAMILIES, now=day(2))
    again, report = refresh([settled], facts(*BOTH), 3)
    assert (report.open, report.raised, report.residues) == (0, 0, 1)
    (left,) = residues(again, facts(*BOTH), now=day(3))
    assert [f.key for f in left.facts] == ["dog_names"]
    assert residues(again, facts(BOTH[0], ("dog_names", "Ludde")), now=day(3)) == []


def test_an_unknown_side_is_refused() -> None:
    known, _ = refresh([], facts(*BOTH))
    with pytest.raises(InvalidInputError, match="cat, dog"):
        settle(known[0], kept="horse", note=None, families=DEFAULT_FAMILIES, now=day(2))
    assert find_named(known, "MISSE") is known[0]
    with pytest.raises(NotFoundError):
        find_named(known, "Ludde")


@pytest.mark.parametrize(
    "members",
    [{"cat": ("cat",)}, {"cat": ("pet",), "dog": ("Pet",)}, {"cat": (), "dog": ("dog",)}],
)
def test_families_that_decide_nothing_are_refused(members: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(InvalidInputError):
        check_families([Family(name="pets", members=members)])
    check_families(DEFAULT_FAMILIES)


def test_many_clashes_have_ids_of_their_own() -> None:
    rows = facts(("cat_name", "Misse and Alva"), ("dog_name", "Misse and Alva"))
    known, report = refresh([], rows)
    assert (report.raised, len({c.id for c in known})) == (2, 2)


def test_the_sentence_of_a_fact() -> None:
    (row,) = facts(("home.postal_code", "222 22\nLund"))
    assert fact_text(row) == "home postal code: 222 22 Lund"
    ledger = Ledger()
    ledger.tell(claim("nurse", key="work.role", subject="friend.sam"))
    assert fact_text(ledger.row("nurse")) == "friend sam, work role: nurse"
