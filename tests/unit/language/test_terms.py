"""What people write is found by what they type, in any script."""

import json
import subprocess
import sys
import time
import unicodedata
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.terms import KEY_BITS, KEY_MASK, QUESTION_MARK, TIME_MARK
from backstory.language.terms import (
    dense_query_text,
    has_content,
    message_terms,
    query_terms,
)

MAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def keys_of(text: str, speaker: str | None = None) -> set[int]:
    return set((message_terms(text, speaker=speaker, timestamp=MAY) & KEY_MASK).tolist())


def finds(query: str, text: str, speaker: str | None = None) -> bool:
    """Whether the query has a term of the message's."""
    return not keys_of(text, speaker).isdisjoint(query_terms(query).keys)


def finds_all(query: str, text: str) -> bool:
    """Whether every term of the query is in the message."""
    keys = query_terms(query).keys
    return bool(keys) and keys_of(text).issuperset(keys)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("travel", "She travelled to Porto"),
        ("RUNNING", "I run every morning"),
        ("Noor's violin", "the violin of Noor"),
        ("cafe", "We met at the Café Möbius"),
        ("CAFÉ", "we met at the cafe"),
        ("straße", "In der STRASSE"),
        ("ｋｅｔｔｌｅ", "the kettle boils"),  # noqa: RUF001 (full width on purpose)
        ("deployment-bot", "the deployment-bot, again"),
        ("bot", "the deployment-bot, again"),
        ("B-42", "room B-42 is free"),
        ("b42", "room B-42 is free"),
        ("B-42", "room b42 is free"),
        ("msg/s", "about 300 msg/s"),
        ("@daily", "runs @daily at noon"),
        ("daily", "runs @daily at noon"),
        ("80%", "80% of it"),
        ("80", "80% of it"),
        ("can't", "I can't come"),
        ("can’t", "I can't come"),  # noqa: RUF001 (typographic apostrophe)
        ("3.11", "since Python 3.11."),
        ("C++", "I like C++ better"),
        ("1250", "it cost 1,250 in all"),
        ("ida@example.org", "write to ida@example.org!"),
        ("🦊", "look, a 🦊!"),
        ("算法", "深度学习算法的课程编号是 B-42"),
        ("深度学习", "深度学习算法的课程编号是 B-42"),
        ("B-42", "深度学习算法的课程编号是 B-42"),
        ("猫", "我家的猫很懒"),
        ("図書館", "図書館は二階にあります"),
        ("カフェ", "駅前のカフェで会いましょう"),
        ("ｶﾌｪ", "駅前のカフェで会いましょう"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟร้อนตอนเช้า"),
        ("ກາເຟ", "ຂ້ອຍມັກດື່ມກາເຟຕອນເຊົ້າ"),
        ("កាហ្វេ", "ខ្ញុំចូលចិត្តកាហ្វេក្តៅ"),
        ("ကော်ဖီ", "ကျွန်တော်ကော်ဖီကြိုက်တယ်"),
        ("도서관", "도서관에서 만나요"),
        ("밥", "아침에 밥을 먹었다"),
        ("كتاب", "قرأت الكتاب أمس"),
        ("الكتاب", "اشتريت كتابا وكتاب آخر"),
        ("مدرسه", "ذهبت إلى المدرسة"),
        ("كِتَاب", "قرأت الكتاب أمس"),
        ("בית", "חזרתי הבית"),
        ("किताब", "मैंने एक किताब पढ़ी"),
        ("книга", "Эта Книга лежит"),
        ("May 2023", "nothing about it"),
    ],
)
def test_is_found(query: str, text: str) -> None:
    assert finds(query, text)


def test_a_message_is_found_by_its_speaker() -> None:
    assert finds("What did Noor say?", "I bought a kettle", speaker="Noor Haddad")
    assert not finds("What did Ida say?", "I bought a kettle", speaker="Noor Haddad")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("brass lanterns", "the Brass, lantern"),
        ("学習", "深度学习算法"),
        ("算盘", "深度学习算法"),
        ("กาแฟ", "ฉันชอบดื่มชา"),
        ("도서실", "공원에서 만나요"),
    ],
)
def test_only_whole_matches_hold_every_term(query: str, text: str) -> None:
    assert finds_all(query, text) == (query == "brass lanterns")


TYPED = "deploy-bot posts the @daily msg/s summary, 80% ready (can't wait)"


@pytest.mark.parametrize(
    "query", ["@daily", "deploy-bot", "msg/s", "80%", "can't", '"summary', "posts AND", "ready)"]
)
def test_a_query_with_a_real_word_finds(query: str) -> None:
    assert finds(query, TYPED)


@pytest.mark.parametrize("query", ["*", "-", "(", ",", '"', "'; --", "", " \n", "...", "\x00"])
def test_a_query_of_punctuation_has_no_terms(query: str) -> None:
    assert query_terms(query).is_empty
    assert not has_content(query)


@pytest.mark.parametrize("query", ["NOT", "a AND", "NEAR(", "row:val", "#tag", "x=y", "who?"])
def test_operators_are_words(query: str) -> None:
    assert query_terms(query).keys
    assert has_content(query)


@pytest.mark.parametrize("text", ["a", "é", "7", "½", "🦊", "ﾊ", "्"])
def test_has_content(text: str) -> None:
    assert has_content(text)


def test_stop_words_count_only_alone() -> None:
    assert query_terms("Where is the kettle?").keys == query_terms("kettle").keys
    assert finds_all("to be or not to be", "To be, or not to be")


@given(st.text())
def test_any_text_gives_stable_terms(text: str) -> None:
    first = message_terms(text, speaker=text[:5] or None, timestamp=MAY)
    assert first.dtype == np.uint32
    assert first.tolist() == message_terms(text, speaker=text[:5] or None, timestamp=MAY).tolist()
    assert len(query_terms(text).keys) == len(set(query_terms(text).keys))
    if not has_content(unicodedata.normalize("NFKC", text)):  # it makes a mark of a cedilla
        assert query_terms(text).is_empty


@given(st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd", "So"]), min_size=1))
def test_every_text_with_content_finds_itself(text: str) -> None:
    assert finds_all(text, text)
    assert query_terms(text).whole in keys_of(text)


@given(st.text("算法学习深度课程编号的是", min_size=3, max_size=20), st.data())
def test_every_part_of_an_unspaced_text_finds_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert finds_all(text[start:end], text)


def test_lone_surrogates_do_no_harm() -> None:
    assert finds("note", "note \udc8f end")
    assert message_terms("\ud800", speaker="\udfff", timestamp=MAY).size > 0


def test_marks() -> None:
    def terms(text: str) -> list[int]:
        return list(message_terms(text, speaker=None, timestamp=MAY).tolist())

    assert QUESTION_MARK in terms("Did you see it? I did.")
    assert QUESTION_MARK in terms("看到了吗？")  # noqa: RUF001
    assert QUESTION_MARK not in terms("I saw it.")
    for timed in ("I went yesterday", "Last week was hard", "in 2019", "Two years ago", "at 5:30"):
        assert TIME_MARK in terms(timed), timed
    for timeless in ("I may march on", "Seconds, please", "7 kettles"):
        assert TIME_MARK not in terms(timeless), timeless


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ida leave?", True),
        ("What year was that?", True),
        ("How long did it take?", True),
        ("How many weeks were there?", True),
        ("Which kettle is it?", False),
        ("Whenever", False),
    ],
)
def test_asks_when(query: str, *, asks: bool) -> None:
    assert query_terms(query).asks_when is asks


def test_the_whole_ignores_case_and_punctuation() -> None:
    whole = query_terms("The kettle boils").whole
    assert whole == query_terms("the KETTLE boils!").whole
    assert whole != query_terms("boils the kettle").whole
    assert whole in keys_of("the kettle boils...")


def test_lengths_count_the_words_of_the_text_only() -> None:
    terms = message_terms("Café A-17, yesterday?", speaker="Noor", timestamp=MAY)
    assert int((terms >> KEY_BITS == 0).sum()) == 4  # café, a, 17, yesterday


@pytest.mark.parametrize(
    "text", ["x" * 400_000, "a-" * 200_000, "算" * 120_000, "'" * 400_000, "e\u0301" * 120_000]
)
def test_huge_words_take_linear_time(text: str) -> None:
    start = time.thread_time()
    terms = message_terms(text, speaker=None, timestamp=MAY)
    assert len(query_terms(text).keys) <= 300
    assert time.thread_time() - start < 2
    assert len(terms) <= 2 * len(text) + 10


def test_a_query_asks_for_a_bounded_number_of_terms() -> None:
    assert len(query_terms(" ".join(f"word{i}" for i in range(5_000))).keys) <= 260


def test_hashes_are_the_same_in_every_process() -> None:
    code = (
        "import json; from datetime import datetime, UTC;"
        "from backstory.language.terms import message_terms as m;"
        "print(json.dumps(m('Café 算法 A-17', speaker='Noor',"
        "timestamp=datetime(2023, 5, 8, tzinfo=UTC)).tolist()))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    here = message_terms("Café 算法 A-17", speaker="Noor", timestamp=MAY)
    assert json.loads(runs[0]) == here.tolist()


@pytest.mark.parametrize(
    ("query", "speakers", "expected"),
    [
        ("What does Noor's sister play?", ("Noor", "Ida"), "What does sister play?"),
        ("what did noor buy", ("Noor Haddad",), "what did buy"),
        ("When will she go?", ("Will",), "When will she go?"),
        ("When does Will go?", ("Will",), "When does go?"),
        ("Noor?", ("Noor",), "Noor?"),
        ("Where is it?", (), "Where is it?"),
        ("Where   is\tit?", (), "Where   is\tit?"),
    ],
)
def test_names_are_kept_from_the_embedder(
    query: str, speakers: tuple[str, ...], expected: str
) -> None:
    assert dense_query_text(query, speakers) == expected
