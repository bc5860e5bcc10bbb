"""What kind of question a query is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.terms import AskedDate
from backstory.language.questions import (
    LONGEST,
    asked_dates,
    asks_for_answers,
    is_request,
    without_frame,
)
from backstory.language.terms import dense_query_text, query_terms
from tests.counts import cpu_seconds


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("Where is the kettle?", "Where is the kettle?"),
        ("Which boats did I see? Name only three.", "Which boats did I see"),
        ("What did I cook throughout our conversations?", "What did I cook"),
        ("Which violins came up across all sessions, in order?", "Which violins came up"),
        ("Could you list the boats that I saw?", "the boats that I saw"),
        ("Tell me the order in which I mentioned different parts of the harbour.",
         "Tell me   the harbour"),
        ("Give me a short summary of the voyage", "Give me   the voyage"),
        ("I did it in order to sleep", "I did it in order to sleep"),
        ("Mention only two items.", "Mention only two items."),
        ("Only the kettle", "Only the kettle"),
    ],
)  # fmt: skip
def test_what_only_says_how_to_answer_is_left_out(query: str, plain: str) -> None:
    assert without_frame(query) == plain


def test_both_arms_leave_the_frame_out() -> None:
    query = "Could you list the boats that Ida saw in our conversations? Name only three."
    assert query_terms(query).keys == query_terms("boats Ida saw").keys
    assert dense_query_text(query, ("Ida",)) == "the boats that saw"
    assert query_terms(query).whole != query_terms("the boats that Ida saw").whole


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("How should I season the pan?", True),
        ("Could you help me plan a voyage?", True),
        ("I'm about to buy a violin. Any tips?", True),
        ("Can you recommend a harbour?", True),
        ("What did you recommend for the pan?", False),
        ("Can you tell me which boat I bought?", False),
        ("Where does Ida live?", False),
        ("Why did Noor help Ida?", False),
    ],
)
def test_a_request_looks_ahead(query: str, *, expected: bool) -> None:
    assert is_request(query.lower()) is expected
    assert bool(query_terms(query).wishes) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did you suggest for the pan?", True),
        ("The harbour you described: where is it?", True),
        ("Summarise my voyage", True),
        ("What did I suggest?", False),
        ("Do you know the harbour?", False),
    ],
)
def test_answers_are_asked_for(query: str, *, expected: bool) -> None:
    assert asks_for_answers(query.lower()) is expected
    assert query_terms(query).asks_for_answers is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What happened on 8 May, 2023?", [AskedDate(year=2023, month=5, day=8)]),
        ("What happened on the 8th of May?", [AskedDate(month=5, day=8)]),
        ("And on Aug. 15th 2024?", [AskedDate(year=2024, month=8, day=15)]),
        ("since 2023-10-13", [AskedDate(year=2023, month=10, day=13)]),
        ("in september", [AskedDate(month=9)]),
        ("September 2023 or sept 2, 2022",
         [AskedDate(year=2023, month=9), AskedDate(year=2022, month=9, day=2)]),
        ("May I march with April?", []),
        ("Was it written by Jan?", []),
        ("the 31 marches of 2023", []),
        ("decisions in 2023", []),
    ],
)  # fmt: skip
def test_dates_are_found(query: str, expected: list[AskedDate]) -> None:
    assert list(asked_dates(query.lower())) == expected
    assert list(query_terms(query).dates) == expected


@given(st.text(max_size=200))
def test_any_text_is_a_query(text: str) -> None:
    kept = without_frame(text)
    assert kept.strip() or not text.strip()
    assert len(kept) <= len(text)
    assert all(1 <= date.month <= 12 for date in asked_dates(text.lower()))


@pytest.mark.parametrize(
    "piece", ["name only ", "in order ", "i ed ", "12 may 12 ", ", ", "order in which i "]
)
def test_a_page_costs_no_more_than_its_length(piece: str) -> None:
    page = piece * (2_000_000 // len(piece))
    assert without_frame(page) == page

    def ask() -> None:
        without_frame(page)
        for function in (is_request, asks_for_answers, asked_dates, without_frame):
            function(page[:LONGEST])

    assert cpu_seconds(ask) < 0.5
