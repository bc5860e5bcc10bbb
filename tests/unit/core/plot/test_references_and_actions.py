"""What models and people write for a thread and for what happens to it."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.plot import ThreadEventKind
from backstory.core.plot.actions import read_action
from backstory.core.plot.references import HIGHEST, read_references

any_text = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("raw", "numbers"),
    [
        ("T1", (1,)),
        ("[T1]", (1,)),
        ("[T1", (1,)),
        ("T1.", (1,)),
        ("T1, T2", (1, 2)),
        ("[T1] [T2]", (1, 2)),
        ("T1/T2", (1, 2)),
        ("T1 and T2", (1, 2)),
        ("T2, T1, T2", (2, 1)),
        ("T1-T3", (1, 2, 3)),
        ("t01", (1,)),
        ("T00000000000000000000012", (12,)),
        ("t-5", (5,)),
        ("thread 4", (4,)),
        ("Thread_4", (4,)),
        ("#1", (1,)),
        ("№5", (5,)),
        ("no. 5", (5,)),
        ("3", (3,)),
        ("[1]", (1,)),
        ("1, 2", (1, 2)),
        ("1 and 2", (1, 2)),
        (3, (3,)),
        (3.0, (3,)),
        (np.int64(3), (3,)),
        (np.float32(3), (3,)),
        (Decimal(3), (3,)),
        (Fraction(6, 2), (3,)),
        (["T1", 2], (1, 2)),
        ("\uff34\uff11", (1,)),
        ("T٣", (3,)),
        ("१२", (12,)),
        ("\u04227", (7,)),  # a Cyrillic letter
        ("[T1]: the war of 1912", (1,)),
        ("\ud800T1", (1,)),
        ("T1 \U0001f511", (1,)),
    ],
)
def test_references(raw: Any, numbers: tuple[int, ...]) -> None:
    found = read_references(raw)
    assert (found.numbers, found.strange) == (numbers, "")


@pytest.mark.parametrize(
    "raw", [None, "", " ", "new", "None", "[none]", "n/a", "null.", "-", [], "[]"]
)
def test_no_reference(raw: Any) -> None:
    found = read_references(raw)
    assert (found.numbers, found.strange) == ((), "")


@pytest.mark.parametrize(
    "raw",
    [
        "T0", 0, -1, 3.5, True, float("nan"), float("inf"), 10**400, "T" + "9" * 5000, "9" * 5000,
        "the letter", "AT4", "T4b", "T1T2", "T3-T1", "T1-T900", {"ref": "T1"}, [["T1"]], "\x00",
        "\ud800", "誰", b"T1", Decimal("sNaN"), Fraction(1, 2), np.float64("inf"),
    ],
)  # fmt: skip
def test_what_is_no_reference_is_reported(raw: Any) -> None:
    found = read_references(raw)
    assert found.numbers == ()
    assert found.strange
    assert len(found.strange) <= 40


def test_what_is_good_counts_beside_what_is_not() -> None:
    found = read_references(["T1", "the letter", 2])
    assert (found.numbers, found.strange) == ((1, 2), "the letter")


@given(any_text | st.integers() | st.floats() | st.lists(any_text | st.integers(), max_size=4))
def test_any_input_gives_possible_numbers_or_is_reported(raw: Any) -> None:
    found = read_references(raw)
    assert all(1 <= number <= HIGHEST for number in found.numbers)
    assert len(set(found.numbers)) == len(found.numbers)


@given(st.integers(1, HIGHEST), st.sampled_from("\u09660\u0660\uff10"), st.integers(0, 8))
def test_digits_of_any_script_and_leading_zeros(number: int, zero: str, zeros: int) -> None:
    spelled = "".join(chr(ord(zero) + int(digit)) for digit in f"{'0' * zeros}{number}")
    for form in ("T{}", "[T{}]", "t{}.", "#{}", "{}"):
        assert read_references(form.format(spelled)).numbers == (number,)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("planted", "plant|PLANTED|new|open|opened|introduce|set-up|setup|foreshadowed"),
        (
            "progressed",
            "progress|advanced|progressing|in_progress|in progress|continues|still open",
        ),
        ("progressed", "ongoing|not resolved|unresolved|partially resolved|almost closed|未解决"),
        ("resolved", "resolve|Resolved.|CLOSED|close|closes|pay off|pay-off|payoff|paid off|done"),
        (
            "resolved",
            "\uff32\uff25\uff33\uff2f\uff2c\uff36\uff25|fully resolved|progressed and resolved",
        ),
        (
            "resolved",
            "解決|已解决|해결|gelöst|résolu",
        ),
        ("abandoned", "abandon|dropped|DROP|cancelled|cut|放弃|aufgegeben"),
        ("reopened", "reopen|Re-open|re-opened|REOPENED|revived|重开"),
    ],
)
def test_actions(kind: str, words: str) -> None:
    for word in words.split("|"):
        assert read_action(word) == kind, word


@pytest.mark.parametrize(
    "raw",
    [
        "", " ", "foo", None, 3, [], "\x00", "\ud800", "🔑", "x" * 10**6,
        "plant|progress|resolve|abandon|reopen", "resolved or abandoned",
        "The detective closes the door behind him",
    ],
)  # fmt: skip
def test_what_is_no_action(raw: Any) -> None:
    assert read_action(raw) is None


@given(any_text)
def test_any_text_is_read(raw: str) -> None:
    assert read_action(raw) in {None, *ThreadEventKind}
