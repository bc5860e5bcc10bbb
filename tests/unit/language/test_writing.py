# ruff: noqa: RUF001, E501
"""What prompts say about a document's language, and the guard before a write."""

import json
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.functions import same_writing, writing_mismatch, writing_of

ENGLISH = (
    "The rain had stopped before dawn, and the old keeper walked along the pier with his lamp. "
    "He thought of the letter that she had left on the table, and of the ship that was gone. "
)
FRENCH = (
    "La pluie avait cessé avant le jour, et le vieux gardien marchait sur la jetée avec sa lampe. "
    "Il pensait à la lettre qu'elle avait laissée sur la table, et au bateau qui était parti. "
)
RUSSIAN = (
    "Дождь кончился ещё до рассвета, и старый смотритель шёл по пристани с фонарём. Он думал о "
    "письме, которое она оставила на столе, и о корабле, который уже ушёл. "
)
SIMPLIFIED = "天亮之前雨停了，老看灯人提着灯沿着码头慢慢地走。他想起她留在桌上的那封信，也想起那艘不会再回来的船。"
TRADITIONAL = "天亮之前雨停了，老看燈人提著燈沿著碼頭慢慢地走。他想起她留在桌上的那封信，也想起那艘不會再回來的船。"
JAPANESE = "夜明け前に雨がやみ、老いた灯台守は灯りを手に桟橋を歩いた。彼女が机に残した手紙のことを考えていた。"
KOREAN = "동이 트기 전에 비가 그쳤고, 늙은 등대지기는 등불을 들고 부두를 따라 걸었다. 그는 편지를 생각했다. "
ARABIC = "توقف المطر قبل الفجر، وسار الحارس العجوز على طول الرصيف حاملا مصباحه. "
THAI = "เช้าวันนั้นฝนตกหนัก นักสืบเดินเข้ามาในห้องและวางร่มไว้ข้างประตู เขามองไปที่โต๊ะแล้วพูดว่าไม่มีใครอยู่ที่นี่ "

ACCEPTED = [
    ("เมื่อคืน Sherlock Holmes มาถึงบ้านและไม่พูดอะไรเลย", THAI),
    ("พบกับ Sherlock Holmes แล้ว", THAI),
    (ENGLISH + "He called out: «Быстрее, поезд уходит!» and ran.", ENGLISH),
    ("The sailor shouted «Быстрее, поезд уходит!» and ran to the pier.", ENGLISH),
    (normalize("NFD", "그는 Peter Pan의 편지를 읽었다"), KOREAN),
    (KOREAN + "Watson은 웃었다.", normalize("NFD", KOREAN)),
    (SIMPLIFIED + "花の屋", SIMPLIFIED),
    ("老看灯人叫 Tom", SIMPLIFIED),
    (ENGLISH * 3 + FRENCH[:100], ENGLISH * 3),
    (FRENCH[:40], ENGLISH),
    ("大学", JAPANESE),
    ("42", ENGLISH),
    (ENGLISH, ""),
]  # fmt: skip
REJECTED = [
    (RUSSIAN, ENGLISH, "Russian, where the document is in English"),
    (
        ENGLISH + RUSSIAN[:110],
        ENGLISH,
        "English with many Cyrillic letters, where the document is in English",
    ),
    (FRENCH * 2, ENGLISH * 2, "French, where the document is in English"),
    (ENGLISH * 2, RUSSIAN, "English, where the document is in Russian"),
    (THAI, ENGLISH, "Thai, where the document is in English"),
    (JAPANESE, SIMPLIFIED, "Japanese, where the document is in Chinese"),
    ("国会議員が予算委員会で質問", SIMPLIFIED, "Japanese, where the document is in Chinese"),
    (KOREAN, SIMPLIFIED, "Korean, where the document is in Chinese"),
    (normalize("NFD", KOREAN), ENGLISH, "Korean, where the document is in English"),
    (ARABIC, SIMPLIFIED, "Arabic, where the document is in Chinese"),
    (RUSSIAN, SIMPLIFIED, "Russian, where the document is in Chinese"),
    (ENGLISH * 3 + "山", SIMPLIFIED, "English, where the document is in Chinese"),
    (SIMPLIFIED, JAPANESE, "Chinese, where the document is in Japanese"),
    (TRADITIONAL, SIMPLIFIED, "traditional characters, where the document is in simplified characters"),
    ("\U00020000" * 9, ENGLISH, "Han characters, where the document is in English"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sample"), ACCEPTED)
def test_fits_its_document(text: str, sample: str) -> None:
    assert writing_mismatch(text, sample) is None


@pytest.mark.parametrize(("text", "sample", "reason"), REJECTED)
def test_does_not_fit_its_document(text: str, sample: str, reason: str) -> None:
    assert writing_mismatch(text, sample) == reason


def test_scripts_are_compared_without_languages() -> None:
    assert same_writing(FRENCH * 2, ENGLISH * 2)
    assert not same_writing(RUSSIAN, ENGLISH)


@given(st.text(), st.text())
def test_any_two_texts_have_an_answer(text: str, sample: str) -> None:
    assert writing_mismatch(text, text) is None
    assert writing_mismatch(text, sample) != ""


CHARS = [SIMPLIFIED, TRADITIONAL, JAPANESE, KOREAN, THAI, "ຂ້ອຍຢູ່ເຮືອນ", "ខ្ញុំនៅផ្ទះ", "ကျွန်တော် အိမ်မှာ"]


@pytest.mark.parametrize("sample", CHARS)
def test_scripts_without_blanks_are_counted_in_characters(sample: str) -> None:
    writing = writing_of(sample)
    assert (writing.unit, writing.char_counted) == ("chars", True)


@pytest.mark.parametrize("sample", [ENGLISH, RUSSIAN, ARABIC, "", "42", "יידיש"])
def test_others_are_counted_in_words(sample: str) -> None:
    writing = writing_of(sample)
    assert (writing.unit, writing.char_counted) == ("words", False)


@pytest.mark.parametrize(
    ("sample", "named"),
    [
        (ENGLISH, "English"),
        (SIMPLIFIED, "Chinese in simplified characters"),
        (TRADITIONAL, "Chinese in traditional characters"),
        (JAPANESE, "Japanese"),
        ("من در خانه هستم و چای می‌خورم", "Persian"),
        ("میں گھر پر ہوں اور چائے پی رہا ہوں", "Urdu"),
        ("איך בין אין דער היים און טרינק טיי", "Yiddish"),
        ("Zrk", "the language and the script (Latin letters) of this sample"),
        ("", "the language and script of the rest of the document"),
    ],
)  # fmt: skip
def test_the_directive_names_the_language(sample: str, named: str) -> None:
    assert writing_of(sample).directive.startswith(named)


HOSTILE = st.text(
    st.sampled_from('"\\\n\r\u2028\u0085\0<>`&\ud800\u202eaб山 \U000e0041\U0001f511'), min_size=1
)


@given(st.text() | HOSTILE)
def test_a_sample_cannot_end_its_quotation(sample: str) -> None:
    directive = writing_of("a" + sample).directive
    begin, end = directive.index('"'), directive.rindex('"') + 1
    quoted = json.loads(directive[begin:end])
    assert isinstance(quoted, str)
    assert len(quoted) <= 120
    assert quoted == " ".join(("a" + sample).split())[:120]
    assert not set(directive) & set("\n\r<>&`\u2028\u2029")
    assert not any(category(char) in {"Cc", "Cs"} for char in directive)


def test_a_long_sample_is_read_quickly_and_cut() -> None:
    directive = writing_of(ENGLISH * 5_000).directive
    assert len(directive) < 300


def test_a_sample_that_begins_with_blanks_is_quoted_from_its_first_word() -> None:
    for blanks in ("\n" * 100_000, " \u2028\t" * 50_000):
        assert '"The keeper"' in writing_of(f"{blanks}The keeper").directive
