"""A name that is counted alone is counted as among all names, and fast."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.name_counting import name_counter
from backstory.core.names import KnownName, NameIndex
from tests.counts import cpu_seconds

_WORDS = ("Lena", "lena", "Holt", "Lena Holt", "O\u02bcBrien", "\u6797\u9edb\u7389", "\u9edb\u7389")
_PARTS = (
    *_WORDS,
    " ",
    "\n",
    "-",
    "'",
    "x",
    "\u0645\u0631\u064a\u0645",
    "\u0648",
    "\U0001f600",
    "\ud800",
    "\x00",
)
_OTHERS = (
    KnownName(key="b", forms=("Holt", "Lena Holt x")),
    KnownName(key="c", forms=("\u9edb",), case_sensitive=False),
)


@given(
    st.lists(st.sampled_from(_PARTS), max_size=40),
    st.lists(
        st.sampled_from((*_WORDS, "\u0645\u0631\u064a\u0645", "", "\u2605", "e\u0301")), max_size=3
    ),
    st.booleans(),
)
def test_a_name_is_counted_as_among_all(parts: list[str], forms: list[str], exact: bool) -> None:
    name = KnownName(key="a", forms=tuple(forms), case_sensitive=exact)
    text = "".join(parts)
    for whole in (text, f"{text}{'. ' * 200}{text}"):
        expected = NameIndex([name, *_OTHERS]).count(whole).get("a", 0)
        assert name_counter(name, _OTHERS)(whole) == expected


@pytest.mark.parametrize(
    "form", ["\u6797\u9edb\u7389", "\u0645\u0631\u064a\u0645", "Lena", "\u041b\u0435\u043d\u0430"]
)
def test_long_texts_are_looked_at_where_the_name_may_stand(form: str) -> None:
    count = name_counter(KnownName(key="a", forms=(form,)), ())
    text = "dark water under the old bridge " * 30_000
    whole = f"{text} {form} {text}"
    assert count(whole) == 1
    assert cpu_seconds(lambda: count(whole)) < 0.3  # read whole it takes more than a second
