"""Summaries that a model goes on with: nothing exact is lost, nothing is told twice."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.derived.book import DerivedBook
from backstory.core.findings.model import Findings
from backstory.core.findings.retold import gone_on
from backstory.core.model.derived import (
    Summary,
)
from backstory.core.model.reading import Reading, Turn
from tests.unit.core.found_help import (
    AT,
    TEXT,
    findings,
    put,
    stored,
    summary,
    turn,
)


def told_by(reading: Reading, *turns: Turn, **changes: Any) -> Findings:
    return findings(reading, turns=turns, **changes)


def the_summary(*batches: Findings, book: DerivedBook | None = None) -> Summary | None:
    found = [one for one in put(*batches, book=book) if isinstance(one, Summary)]
    return found[0] if found else None


def test_a_summary_goes_on_from_the_one_that_was_shown() -> None:
    first = the_summary(findings(Reading(summaries=(summary(),))))
    assert first is not None
    anew = summary(text="The user adopted Bella and painted.", earlier=first.text)
    second = the_summary(
        told_by(Reading(summaries=(anew,)), turn(2, "I painted"), begun=frozenset()),
        book=stored(first),
    )
    assert second is not None
    assert (second.id, second.text, second.messages) == (first.id, anew.text, 2)
    assert (second.at, second.slot) == (AT + timedelta(minutes=1), first.slot)


def test_parts_that_were_read_beside_each_other_are_put_together_in_order() -> None:
    """Of one session in one write or in two: the same."""
    texts = ["The user adopted Bella.", "They painted.", "They left."]
    batches = [
        told_by(
            Reading(summaries=(summary(text=text),)),
            turn(number, "x"),
            begun=frozenset({"s"} if number == 1 else ()),
        )
        for number, text in enumerate(texts, start=1)
    ]
    at_once = the_summary(*batches)
    one = the_summary(*batches[:1])
    assert one is not None
    two = the_summary(*batches[1:], book=stored(one))
    assert at_once is not None
    assert at_once == two
    assert (at_once.text, at_once.messages) == (" ".join(texts), 3)


def test_without_the_beginning_there_is_no_summary() -> None:
    reading = Reading(summaries=(summary(),))
    assert the_summary(told_by(reading, turn(2, "x"), begun=frozenset())) is None


def test_an_extract_of_the_whole_session_stays_until_all_of_it_was_read() -> None:
    reading = Reading(summaries=(summary(),))
    short = the_summary(findings(reading))
    assert short is not None
    extract = replace(
        short, made_by="extractive", text="I adopted Bella.", at=AT + timedelta(hours=1)
    )
    assert the_summary(findings(reading), book=stored(extract)) is None
    late = told_by(reading, turn(1, TEXT), turn(2, "x", timestamp=extract.at))
    whole = the_summary(late, book=stored(extract))
    assert whole is not None
    assert (whole.text, whole.made_by) == (summary().text, "model:test")


def test_exact_words_outlive_being_told_again() -> None:
    """Ten exact values, told again sixty times by one who forgets them all."""
    facts = [f"The user paid {n} crowns to Oda{n} on 3 May." for n in (17, 28, 39)]
    text = " ".join(facts)
    for number in range(60):
        text = gone_on(
            text, f"They talked of the weather, day {number % 3}.", shown=True, most_chars=600,
            condense=lambda told, most: told[:most],
        )  # fmt: skip
    assert all(one in text for one in facts)
    assert len(text) <= 600


@given(st.text(max_size=300), st.text(min_size=1, max_size=300), st.booleans())
def test_a_retold_summary_is_bounded_and_ends_with_the_new_one(
    earlier: str, text: str, shown: bool
) -> None:
    made = gone_on(earlier, text, shown=shown, most_chars=100_000, condense=lambda t, _: t)
    assert made.endswith(text)
    short = gone_on(earlier, text, shown=shown, most_chars=50, condense=lambda t, most: t[:most])
    assert len(short) <= 50
