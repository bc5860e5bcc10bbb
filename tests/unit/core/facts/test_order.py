"""The order of ingestion: dated statements, late news, bulk imports, against a simple model."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import cases
from tests.unit.core.facts.ledger import Ledger, check, claim, day

VALUES = ("Kiruna", "Luleå", "Malå", "Nora", "Ockelbo")


@dataclass(frozen=True)
class Dated:
    """What is told with its dates; ``end`` None = it goes on."""

    value: str
    start: int
    end: int | None


@st.composite
def told(draw: st.DrawFn) -> list[Dated]:
    starts = draw(st.lists(st.integers(0, 60), min_size=1, max_size=5, unique=True))
    values = draw(st.permutations(VALUES))
    return [
        Dated(value, start, None if draw(st.booleans()) else start + draw(st.integers(1, 30)))
        for value, start in zip(values, starts, strict=False)
    ]


def holds(statements: list[Dated], at: float) -> str | None:
    """The model: of what covers a time, that which began last."""
    covering = [s for s in statements if s.start <= at and (s.end is None or at < s.end)]
    return max(covering, key=lambda s: s.start).value if covering else None


@settings(max_examples=cases(15, 200))
@given(told())
def test_open_statements_may_come_in_any_order(statements: list[Dated]) -> None:
    opened = [Dated(s.value, s.start, None) for s in statements]
    for order in (opened, opened[::-1], sorted(opened, key=lambda s: s.value)):
        ledger = Ledger()
        for n, item in enumerate(order):
            ledger.tell(claim(item.value, 100 + n, valid_from=item.start))
            check(ledger)
        for at in range(0, 140, 2):
            wanted = holds(opened, at)
            assert ledger.seen(at) == ([] if wanted is None else [wanted])
        pieces = ledger.timeline()
        assert all(one[2] == other[1] for one, other in pairwise(pieces))
        assert pieces[-1][2] is None


@settings(max_examples=cases(20, 200))
@given(told())
def test_two_statements_with_their_ends_may_come_in_any_order(statements: list[Dated]) -> None:
    pair = statements[:2]
    seen = []
    for order in (pair, pair[::-1]):
        ledger = Ledger()
        for n, item in enumerate(order):
            fields: dict[str, Any] = {"valid_from": item.start}
            if item.end is not None:
                fields["valid_until"] = item.end
            ledger.tell(claim(item.value, 100 + n, **fields))
            check(ledger)
        seen.append([ledger.seen(at) for at in range(140)])
        for at in range(140):
            wanted = holds(pair, at)
            assert ledger.seen(at) == ([] if wanted is None else [wanted])
    assert seen[0] == seen[1]


@settings(max_examples=cases(20, 200))
@given(told(), st.permutations(range(5)))
def test_an_import_in_any_order_knows_what_could_be_known(
    statements: list[Dated], order: list[int]
) -> None:
    """Each message is known from its own time, however late it is read."""
    opened = [Dated(s.value, s.start, None) for s in statements]
    ledger = Ledger()
    for place in order:
        if place < len(opened):
            s = opened[place]
            when = s.start
            ledger.tell(
                claim(s.value, when, changed=True, known_from=when, said_in=f"m{place}"), at=500
            )
            check(ledger)
    for known in range(0, 70, 3):
        by_then = [s for s in opened if s.start <= known]
        for at in range(0, 70, 3):
            wanted = holds(by_then, at)
            assert ledger.seen(at, known) == ([] if wanted is None else [wanted])


def test_late_news_enters_between_its_neighbours() -> None:
    ledger = Ledger()
    ledger.tell(claim("Kiruna", 10), claim("Luleå", 30, changed=True))
    what = ledger.tell(claim("Nora", 20), at=40)[0].what
    assert what == "late"
    assert ledger.timeline() == [
        ("kiruna", day(10), day(20)),
        ("nora", day(20), day(30)),
        ("lulea", day(30), None),
    ]
    check(ledger)


def test_late_news_may_bring_its_own_end() -> None:
    ledger = Ledger()
    ledger.tell(claim("Luleå", 30))
    ledger.tell(claim("Nora", 40, valid_from=10, valid_until=20))
    assert ledger.current() == ["Luleå"]
    assert [ledger.seen(at) for at in (15, 25, 35)] == [["Nora"], [], ["Luleå"]]


def test_an_older_statement_of_the_same_value_lets_it_begin_earlier() -> None:
    ledger = Ledger()
    ledger.tell(claim("Luleå", 30))
    ledger.tell(claim("luleå", 10), at=40)
    assert ledger.timeline() == [("lulea", day(10), None)]
    assert ledger.row("Luleå").mentions == 2
