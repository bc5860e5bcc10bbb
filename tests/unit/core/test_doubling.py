"""Facts that are held twice are merged, unless somebody put them apart again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstory.core.facts.book import FactBook, FactPlan
from backstory.core.facts.doubling import doubled_keys, doubles, merge
from backstory.core.facts.undoing import undo
from backstory.core.model.fact import Cardinality, Evidence, Fact, FactKind, FactStatus

NOW = datetime(2026, 3, 1, tzinfo=UTC)
A_DAY = timedelta(days=1)


def fact(name: str, key: str, value: str, **fields: Any) -> Fact:
    at = NOW - 10 * A_DAY + timedelta(seconds=ord(name[0]))
    given = {"recorded_at": at, "believed_at": at, "valid_from": at, "last_mention_at": at}
    return Fact(id=name, user_id="vera", key=key, value=value, **{**given, **fields})


def after(book: FactBook, plan: FactPlan) -> FactBook:
    """The book as the plan leaves it."""
    known = {line.id: line for line in book.corrections}
    known |= {line.id: line for line in plan.corrections}
    return replace(
        book,
        facts={**book.facts, **plan.facts},
        revisions=(*book.revisions, *plan.revisions),
        corrections=tuple(known.values()),
    )


def merged(book: FactBook, now: datetime = NOW) -> FactPlan:
    pairs = doubles(book.facts.values(), now)
    return merge(book, pairs, user_id="vera", now=now, new_ids=["new"])


def book_of(*facts: Fact) -> FactBook:
    return FactBook(facts={one.id: one for one in facts})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (fact("a", "work.employer", "Volvo"), fact("b", "work_employer", "volvo")),
        (fact("a", "work.employer", "Volvo"), fact("b", "workemployer", "Volvo AB")),
        (fact("a", "skill", "C++", cardinality=Cardinality.MANY),
         fact("b", "skill", "c++ ", cardinality=Cardinality.MANY)),
        (fact("a", "市.名", "東京"), fact("b", "市_名", "東京")),
    ],
)  # fmt: skip
def test_one_claim_under_two_names(one: Fact, other: Fact) -> None:
    assert doubles([other, one], NOW) == [("a", "b")]


@pytest.mark.parametrize(
    "other",
    [
        fact("b", "work.employer", "Saab"),
        fact("b", "work.employers", "Volvo"),
        fact("b", "work_employer", "Volvo", subject="friend.sam"),
        fact("b", "work_employer", "Volvo", status=FactStatus.DISPUTED),
        fact("b", "work_employer", "Volvo", status=FactStatus.ENDED, valid_until=NOW - A_DAY),
        fact("b", "work_employer", "Volvo", kind=FactKind.TEMPORARY),
        fact("b", "work_employer", "Volvo", valid_from=NOW + A_DAY),
        fact("b", "work_employer", "Volvo", cardinality=Cardinality.MANY),
        fact("b", "work_employer", "not Volvo"),
        fact("b", "work_employer", "Volvo 2"),
        fact("b", "job.company", "Volvo"),
    ],
)
def test_what_stays_apart(other: Fact) -> None:
    assert doubles([fact("a", "work.employer", "Volvo"), other], NOW) == []


def test_the_older_one_stands_for_both() -> None:
    said = Evidence(message_id="m2", quote="Volvo")
    older = fact("a", "work.employer", "Volvo", valid_from=NOW - A_DAY, mentions=2)
    double = fact("b", "work_employer", "Volvo AB", evidence=(said,), last_mention_at=NOW)
    book = book_of(older, double, fact("c", "workEmployer".casefold(), "VOLVO"))
    plan = merged(book)
    kept, gone = plan.facts["a"], plan.facts["b"]
    assert (kept.status, kept.mentions, kept.last_mention_at) == (FactStatus.ACTIVE, 4, NOW)
    assert (kept.valid_from, kept.evidence) == (double.valid_from, (said,))
    assert {gone.status, plan.facts["c"].status} == {FactStatus.RETRACTED}
    assert {(x.fact_id, x.actor) for x in plan.corrections} >= {("b", "consolidation")}
    # a second time there is nothing to do
    assert merged(after(book, plan), NOW + A_DAY) == FactPlan()


def test_what_was_put_apart_stays_apart() -> None:
    book = book_of(fact("a", "work.employer", "Volvo"), fact("b", "work_employer", "Volvo"))
    book = after(book, merged(book))
    book = after(book, undo(book, "b", user_id="vera", now=NOW + A_DAY, new_ids=["undo"]))
    assert book.facts["b"].status is FactStatus.ACTIVE
    assert merged(book, NOW + 2 * A_DAY) == FactPlan()


def test_what_has_changed_since_it_was_found_is_left() -> None:
    one, other = fact("a", "work.employer", "Volvo"), fact("b", "work_employer", "Volvo")
    pairs = doubles([one, other], NOW)
    ended = replace(other, status=FactStatus.ENDED, valid_until=NOW)
    for book in (book_of(one), book_of(one, ended), book_of()):
        assert merge(book, pairs, user_id="vera", now=NOW, new_ids=["x"]) == FactPlan()


def test_a_judge_is_asked_about_what_is_new() -> None:
    old = [fact("a", "work.employer", "Volvo"), fact("b", "job.company", "Volvo")]
    fresh = fact("c", "employment.firm", "volvo", believed_at=NOW)
    found = doubled_keys([*old, fresh], NOW, None, 9)
    assert [(one.id, other.id) for one, other in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    since = doubled_keys([*old, fresh], NOW, NOW - A_DAY, 9)
    assert [(one.id, other.id) for one, other in since] == [("a", "c"), ("b", "c")]
    assert len(doubled_keys([*old, fresh], NOW, None, 1)) == 1
