"""The rule judge: what it merges, and all that it must not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.judging import decide_compatible

MERGED = [
    ("Volvo", "VOLVO "),
    ("Likes tea", "likes  tea."),
    ("Caf\u00e9 Nord", "cafe nord"),
    ("Volvo", "Volvo AB"),
    ("Brandt & Sohn", "Brandt & Sohn GmbH"),
    ("Brandt GmbH & Co. KG", "Brandt"),
    ("Acme Limited", "Acme Ltd."),
    ("Norsk Data A/S", "Norsk Data"),
    ("Torv\u00e4g Oy", "Torv\u00e4g"),
    ("Halden", "Halden Shipping"),
    ("Mira", "Mira Lindqvist"),
    ("Jean-Luc", "Jean Luc"),
    ("Rotterdam Zoo", "Rotterdam Zoo Foundation"),
    ("work.employer: Volvo", "Work.Employer = volvo"),
    ("\u30c8\u30ea\u682a\u5f0f\u4f1a\u793e", "\u30c8\u30ea"),
]
SEPARATE = [
    ("srv-01", "srv-02"),
    ("Permit AB-2040-114", "Permit AB-2040-115"),
    ("Lease draft 8", "Lease draft 9"),
    ("Lease draft", "Lease draft 8"),
    ("Lease Draft", "Lease Draft 8"),
    ("lives in Lund", "lives in Malm\u00f6"),
    ("likes tea", "does not like tea"),
    ("likes cats", "likes cats but fears dogs"),
    ("Volvo AB", "Volvo GmbH"),
    ("Blood Type", "Blood Type AB"),
    ("Plan", "Plan B"),
    ("Henry", "Henry VIII"),
    ("Erik Holm", "Erik Holm Junior"),
    ("New", "New Delhi"),
    ("San", "San Remo"),
    ("Mira Holm", "Mira Lindqvist"),
    ("Lindqvist", "Mira Lindqvist"),
    ("Al", "Al Pacheco"),
    ("5", "5 kg"),
    ("Ann", "Anna"),
    ("Vegan", "Vegan No Longer"),
    ("home.city: Lund", "home.country: Lund"),
    ("", ""),
    ("  ", "Volvo"),
    ("C", "C++"),
    ("15", "-15"),
    ("5", "5%"),
    ("$5", "5"),
    ("10 km", "-10 km"),
    ("room 5-3", "room 5 3"),
]


@pytest.mark.parametrize(("one", "other"), MERGED)
def test_the_same_claim(one: str, other: str) -> None:
    judged = decide_compatible(one, other)
    assert judged.compatible, judged
    assert judged.separation is None


@pytest.mark.parametrize(("one", "other"), SEPARATE)
def test_not_the_same_claim(one: str, other: str) -> None:
    assert not decide_compatible(one, other).compatible


@pytest.mark.parametrize(
    ("one", "other", "separation"),
    [
        ("skip the backup today", "backups run every night", "different_question"),
        ("srv-01", "srv-02", "conflicting_answer"),
        ("Lease draft 8", "Lease draft 9", "conflicting_answer"),
        ("likes tea", "does not like tea", "conflicting_answer"),
        ("is married", "isn't married", "conflicting_answer"),
        ("eats meat", "doesn't eat meat any more", "conflicting_answer"),
        ("lives in Lund", "lives in Malm\u00f6", None),
        ("likes tea", "works at night", None),
    ],
)
def test_why_they_are_kept_apart(one: str, other: str, separation: str | None) -> None:
    judged = decide_compatible(one, other)
    assert judged.separation == separation
    assert judged.reason


def test_the_axis_says_what_differed() -> None:
    assert decide_compatible("home.city: Lund", "city: Lund").axis == "key"
    assert decide_compatible("city: Lund", "city: Malm\u00f6").axis == "value"


TEXTS = st.text() | st.sampled_from([text for pair in MERGED + SEPARATE for text in pair])


@pytest.mark.parametrize(("one", "other"), MERGED + SEPARATE)
def test_written_pairs_in_both_orders(one: str, other: str) -> None:
    assert decide_compatible(one, other) == decide_compatible(other, one)


@given(TEXTS, TEXTS)
def test_the_order_does_not_matter(one: str, other: str) -> None:
    assert decide_compatible(one, other) == decide_compatible(other, one)


@given(TEXTS)
def test_a_statement_is_the_same_as_itself(statement: str) -> None:
    judged = decide_compatible(statement, statement)
    assert judged.compatible == bool(statement.strip())
    assert judged.separation is None


@given(
    st.integers(0, 999), st.integers(0, 999), st.sampled_from(["srv-{:02}", "Permit QX-{}", "v{}"])
)
def test_identifiers_merge_only_with_themselves(one: int, other: int, pattern: str) -> None:
    judged = decide_compatible(pattern.format(one), pattern.format(other))
    assert judged.compatible == (one == other)
