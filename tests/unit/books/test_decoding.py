"""Bytes as text: by marks, never by a guess, and with advice where they are none."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.books.decoding import decode_text
from backstory.errors import FileError, InvalidInputError

TEXT = "Ärger 海 שלום 😀 é\n"
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@pytest.mark.parametrize("encoding", MARKED)
def test_a_mark_says_the_encoding(encoding: str) -> None:
    data = MARKED[encoding] + TEXT.encode(encoding)
    assert decode_text(data, "a.md") == TEXT
    assert decode_text(data, "a.md", "latin-1") == TEXT


def test_without_a_mark_it_is_utf8_or_as_said() -> None:
    assert decode_text(TEXT.encode(), "a.md") == TEXT
    assert decode_text(b"", "a.md") == ""
    assert decode_text("Ärger\r\nund\rmehr".encode("cp1252"), "a.md", "cp1252") == (
        "Ärger\nund\nmehr"
    )


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ("Der Ärger war groß. “Ja.”".encode("cp1252"), "--encoding cp1252"),
        ("Привет, мир, как дела".encode("cp1251"), "name its encoding with --encoding"),
        ("Hello, all of you".encode("utf-16-le"), "--encoding utf-16-le"),
        ("Hello, all of you".encode("utf-16-be"), "--encoding utf-16-be"),
        (bytes(range(256)) * 4, "save it as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "UTF-16-LE"),
        (codecs.BOM_UTF8 + b"\xff", "UTF-8"),
    ],
)
def test_what_is_not_utf8_is_refused_with_advice(data: bytes, advice: str) -> None:
    with pytest.raises(FileError, match=advice) as caught:
        decode_text(data, "03.md")
    assert "03.md is not" in str(caught.value)


def test_an_unknown_encoding_is_refused() -> None:
    for name in ("klingon", "base64", "rot13", "\x00"):
        with pytest.raises(InvalidInputError, match="not known"):
            decode_text(b"aGk=", "a.md", name)


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_an_error_of_ours(data: bytes) -> None:
    try:
        text = decode_text(data, "a.md")
    except FileError:
        return
    assert "\x00" not in text
    text.encode()
