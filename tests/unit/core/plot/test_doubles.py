"""Doubles are told by words in their order; what is only alike stays two threads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.plot.doubles import Double, Summaries, summary_words

any_text = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who sent the letter?", "who sent  LETTERS"),
        ("The missing key", "a missing key!"),
        ("Anna's key", "Anna\u2019s keys"),
        ("Anna finds the letter", "Anna is finding letters"),
        ("Café", "CAFE\u0301"),
        ("\uff2b\uff25\uff39", "key"),
        ("誰が手紙を送ったか", "「誰が手紙を送ったか。」"),
        ("किताब कहाँ है", "किताब, कहाँ है?"),
        ("🔑", "🔑"),
        ("!?", "!?"),
    ],
)  # fmt: skip
def test_the_same(one: str, other: str) -> None:
    assert Summaries([(7, one)]).find(other) == Double(7, is_same=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The letter from Anna to Bert", "The letter from Bert to Anna"),
        ("Who took the red key of the old house", "Who took the blue key of the old house"),
        (
            "Anna will find the second of the seven keys",
            "Anna will find the third of the seven keys",
        ),
        ("誰が手紙を送ったか", "誰が手紙を送った"),
    ],
)
def test_alike_but_not_the_same(one: str, other: str) -> None:
    found = Summaries([(7, one)]).find(other)
    assert found is None or found == Double(7, is_same=False)
    assert summary_words(one) != summary_words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who killed Anna?", "Who killed Bert?"),
        ("किताब", "कितब"),
        ("काम", "कीम"),
        ("Anna trusts Bert", "Anna does not trust Bert"),
        ("🔑", "🗝"),
        ("red", "r"),
        ("", "x"),
        ("東京", "京東"),
    ],
)
def test_different(one: str, other: str) -> None:
    found = Summaries([(7, one)]).find(other)
    assert found is None or not found.is_same


def test_the_first_of_the_same_and_the_most_alike_are_found() -> None:
    known = Summaries(
        [(3, "a key"), (5, "the key"), (6, "one two three four"), (8, "one two three five")]
    )
    assert known.find("key") == Double(3, is_same=True)
    assert known.find("one two three four six") == Double(6, is_same=False)
    assert known.find("nothing of this") is None
    assert Summaries().find("x") is None


@given(any_text, any_text)
def test_a_summary_is_the_same_as_itself(one: str, other: str) -> None:
    known = Summaries([(1, one)])
    assert known.find(one) == Double(1, is_same=True)
    there, back = known.find(other), Summaries([(1, other)]).find(one)
    assert (there is not None and there.is_same) == (back is not None and back.is_same)


def test_huge_summaries_are_compared_by_their_beginning() -> None:
    known = Summaries([(1, "word " * 10**5)])
    assert known.find("word " * 10**5) == Double(1, is_same=True)


def test_words_that_come_again_do_not_hide_likeness() -> None:
    one = "key to key to found, found and key to door"
    assert Summaries([(1, "x"), (2, one)]).find(f"a {one} again") == Double(2, is_same=False)
