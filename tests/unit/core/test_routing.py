"""Routing: every text has a profile, the labelled questions mostly theirs."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory.core.routing import Profile, route
from backstory.core.routing.breadth_rules import BREADTH, DECEPTIVE
from backstory.core.routing.other_languages import OTHERS
from backstory.core.routing.time_rules import ASKED, SCOPED
from backstory.functions import classify_retrieval
from bench.routing import OWN


def _share(path: Path) -> float:
    cases: list[dict[str, str]] = [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()
    ]
    sure = [case for case in cases if "doubtful" not in case.get("note", "")]
    right: int = sum(classify_retrieval(case["query"]) == case["label"] for case in sure)
    return right / len(sure)


def test_our_own_questions_are_routed_as_labelled() -> None:
    assert _share(OWN) >= 0.97


def test_questions_that_others_labelled_are_routed_alike(shared: Path) -> None:
    assert _share(shared / "gold" / "routing.jsonl") >= 0.95


@pytest.mark.parametrize(
    ("query", "profile"),
    [
        # an order beats a list, a list beats a scope in time
        ("List my jobs", "gather"),
        ("List my jobs in the order in which I had them", "temporal"),
        ("Which books did I read last summer?", "gather"),
        ("Which book did I read last summer?", "temporal"),
        # a time that is asked for, and "when" that only joins
        ("When do I sleep best?", "temporal"),
        ("What helps when I cannot sleep?", "pinpoint"),
        # a count, and a figure that was stated once
        ("How many chairs do I own?", "gather"),
        ("How many people does the tent hold?", "pinpoint"),
        ("How long is the rope?", "pinpoint"),
        ("How long is it until Easter?", "temporal"),
        # however it is written
        ("HOW MANY chairs", "gather"),
        ("  how\tmany\nchairs  ", "gather"),
        ("wehn did we meet", "temporal"),
        ("What\u2019s my first name?", "pinpoint"),
        # of a message with a question only the question counts
        ("I went to the lake yesterday. What is my dog called?", "pinpoint"),
        ("I love the lake.", "pinpoint"),
        # other languages
        ("Wann habe ich Ida getroffen?", "temporal"),
        ("Wie viele Bücher habe ich?", "gather"),
        ("Wie heißt mein Bruder?", "pinpoint"),
        ("Kuinka moni?", "pinpoint"),
        ("\u0645\u062a\u0649 \u0627\u0646\u062a\u0642\u0644\u062a\u061f", "temporal"),
        ("\u0643\u0645 \u0643\u062a\u0627\u0628\u0627 \u0642\u0631\u0623\u062a\u061f", "gather"),
        ("\u092e\u0948\u0902 \u0915\u092c \u0917\u092f\u093e?", "temporal"),
        # the Hindi for pigeon begins like "when", the Thai for "about" holds "how many"
        ("\u0915\u092c\u0942\u0924\u0930 \u0915\u0939\u093e\u0901 \u0939\u0948?", "pinpoint"),
        (
            "\u0e40\u0e01\u0e35\u0e48\u0e22\u0e27\u0e01\u0e31\u0e1a\u0e2d\u0e30\u0e44\u0e23",
            "pinpoint",
        ),
        (
            "\u0e09\u0e31\u0e19\u0e2d\u0e48\u0e32\u0e19\u0e01\u0e35\u0e48\u0e40\u0e25\u0e48\u0e21",
            "gather",
        ),
        # an occasion is no time that is asked for; a past one is
        ("When I feel sad, what helps?", "pinpoint"),
        ("When all is said and done, what's my name?", "pinpoint"),
        ("When I was in Paris, what did I eat?", "temporal"),
        ("When is the wedding, what do I wear?", "temporal"),
        ("Difference between my first and my second job?", "gather"),
        ("", "pinpoint"),
    ],
)
def test_kinds_of_questions(query: str, profile: str) -> None:
    assert classify_retrieval(query) == profile


@given(st.text())
@example("? ? ?")
@example("\n\u061f")
def test_every_text_has_a_profile_and_a_reason(text: str) -> None:
    routed = route(text)
    assert isinstance(routed.profile, Profile)
    assert routed.reason


@given(st.sampled_from(["when did I move", "which books have I read", "what is my name"]))
@example("how long ago was it")
def test_case_and_blanks_change_nothing(query: str) -> None:
    changes: tuple[Callable[[str], str], ...] = (
        str.upper,
        str.title,
        lambda text: text.replace(" ", "  \n"),
        lambda text: text + "?",
    )
    for change in changes:
        assert classify_retrieval(change(query)) == classify_retrieval(query)


def test_the_ways_of_a_rule_together_are_each_of_them() -> None:
    rules = (*DECEPTIVE, *ASKED, *BREADTH, *SCOPED, *OTHERS)
    lines = OWN.read_text(encoding="utf-8").splitlines()
    for query in {json.loads(line)["query"].lower() for line in lines}:
        for rule in rules:
            one_by_one = any(re.search(way, query) for way in rule.ways)
            assert (rule.pattern.search(query) is not None) == one_by_one, (rule.reason, query)
