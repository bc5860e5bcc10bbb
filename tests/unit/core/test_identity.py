"""Ids: opaque text, with few refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.identity import MAX_ID_CHARS, check_id, check_optional_id, check_scope
from backstory.errors import InvalidInputError

good = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    min_size=1,
    max_size=MAX_ID_CHARS,
)


@given(good)
def test_any_text_is_an_id(text: str) -> None:
    assert check_id(text, "id") == text
    assert check_scope("default", text) == text


@pytest.mark.parametrize("bad", ["", "\0", "a\0", "\udfff", "x" * 513, None, 5, b"x"])
def test_the_refusals_name_the_argument(bad: object) -> None:
    with pytest.raises(InvalidInputError, match="session_id"):
        check_id(bad, "session_id")


def test_none_is_an_optional_id() -> None:
    assert check_optional_id(None, "x") is None
    with pytest.raises(InvalidInputError):
        check_optional_id("", "x")


def test_tenant_and_user_fit_one_index_entry() -> None:
    with pytest.raises(InvalidInputError, match="2500"):
        check_scope("🦊" * 300, "🦊" * 400)
    assert check_scope("🦊" * 100, "🦊" * 512)
