"""When two values or keys are the same one."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.values import MAX_KEY_CHARS, fold_accents, normal_key, normal_value
from backstory.errors import InvalidInputError

SAME = [
    ("Volvo", "volvo"),
    ("Volvo", "  VOLVO. "),
    ("likes tea", "Likes  tea"),
    ("likes tea", "likes\ttea.\n"),
    ("Malm\u00f6", "Malmo\u0308"),
    ("Malm\u00f6", "malmo"),
    ("Br\u00f8nn\u00f8y", "bronnoy"),
    ("Stra\u00dfe", "STRASSE"),
    ("\uff36\uff4f\uff4c\uff56\uff4f", "volvo"),
    ("\u201cThe Hobbit\u201d", "the hobbit"),
    ("'tea'", "tea"),
    ("O\u2019Brien", "O'Brien"),
    ("(tea)", "tea"),
    ("\"'tea.'\";", "tea"),
    ("- tea", "tea"),
    ("tea\u200b", "tea"),
    ("\u2764\ufe0f", "\u2764"),
    ("\u0391\u03b8\u03ae\u03bd\u03b1", "\u03b1\u03b8\u03b7\u03bd\u03b1"),
    ("\u0401\u043b\u043a\u0430", "\u0435\u043b\u043a\u0430"),
    ("co-op", "co\u2011op"),
]
DIFFERENT = [
    ("C", "C++"),
    ("C", "C#"),
    ("5", "-5"),
    ("NET", ".NET"),
    ("10\u00b2", "102"),
    ("srv-01", "srv-02"),
    ("tea", "no tea"),
    ("\u304b", "\u304c"),
    ("\u0418", "\u0419"),
    ("\u0e02\u0e49\u0e32\u0e27", "\u0e02\u0e32\u0e27"),
    ("\u0915\u093f", "\u0915\u0940"),
    ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
     "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),
    ("a.b", "ab"),
    ("Lund, Malm\u00f6", "Lund Malm\u00f6"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spelling_makes_no_new_value(one: str, other: str) -> None:
    assert normal_value(one) == normal_value(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_carries_meaning_stays(one: str, other: str) -> None:
    assert normal_value(one) != normal_value(other)


@given(st.text())
def test_the_normal_form_of_a_value_is_its_own(value: str) -> None:
    assert normal_value(normal_value(value)) == normal_value(value)


@given(st.text(min_size=1))
def test_only_a_blank_value_has_an_empty_form(value: str) -> None:
    assert (normal_value(value) == "") == (not value.strip())


@given(st.text())
def test_unicode_form_and_blanks_around_make_no_new_value(value: str) -> None:
    for form in ("NFC", "NFD"):
        assert normal_value(f" {normalize(form, value)}\n") == normal_value(value)


@given(st.text(alphabet="\u0301\u0327ae\u00e9 .'\"()-*\u00b2\u200b\u0130\u01c4\u1e9e\ufb03"))
def test_the_law_holds_where_characters_interact(value: str) -> None:
    form = normal_value(value)
    assert normal_value(form) == form
    assert bool(form) == bool(value.strip())


def test_accents_fold_in_latin_and_greek_only() -> None:
    assert fold_accents("cr\u00e8me \u03b1\u03ae") == "creme \u03b1\u03b7"
    assert fold_accents("\u0439\u304c") == "\u0439\u304c"


@pytest.mark.parametrize(
    ("key", "form"),
    [
        ("work.employer", "work.employer"),
        ("Work . Employer", "work.employer"),
        ("favourite-color", "favourite_color"),
        ("favourite color", "favourite_color"),
        ("home/postal code", "home_postal_code"),
        ("_partner__name_", "partner_name"),
        ("a..b", "a.b"),
        ("friend.Zo\u00eb.job", "friend.zo\u00eb.job"),
        ("\u4f4f\u6240", "\u4f4f\u6240"),
    ],
)
def test_a_key_has_one_form(key: str, form: str) -> None:
    assert normal_key(key) == form


@pytest.mark.parametrize("key", ["", " ", "...", "_-/", "a\0b", "a" * 201, "\ud800x", "\u200b"])
def test_a_key_that_names_no_slot_is_refused(key: str) -> None:
    with pytest.raises(InvalidInputError, match="key"):
        normal_key(key)


def test_a_key_must_be_text() -> None:
    with pytest.raises(InvalidInputError, match="int"):
        normal_key(7)  # type: ignore[arg-type]


@given(st.text())
def test_the_normal_form_of_a_key_is_its_own(key: str) -> None:
    try:
        form = normal_key(key)
    except InvalidInputError:
        return
    assert normal_key(form) == form
    assert 0 < len(form) <= MAX_KEY_CHARS
    assert not any(map(str.isspace, form))
