"""Bytes of a text file as text, or a reason that says what to do."""

import codecs
from typing import Final

from backstory.core.text import clean
from backstory.errors import FileError, InvalidInputError

# the longer marks first: that of UTF-32-LE begins with that of UTF-16-LE
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE: Final = 4096


def decode_text(data: bytes, place: str, encoding: str | None = None) -> str:
    r"""The text of a file: by its byte order mark, else UTF-8, else by the encoding given.

    Nothing is guessed: a wrong guess would store a book of wrong letters. Line breaks become line
    feeds.

    Args:
        data: The whole file.
        place: Names it in messages.
        encoding: A name that Python knows; a byte order mark still counts before it.

    Raises:
        FileError: It is not text in that encoding; the message says which one it may be.
        InvalidInputError: Python does not know the encoding.
    """
    mark, name = next(((m, n) for m, n in _MARKS if data.startswith(m)), (b"", ""))
    used = name or encoding or "utf-8"
    try:
        text = data[len(mark) :].decode(codecs.lookup(used).name)
    except UnicodeError as error:
        raise FileError(f"{place} is not {used.upper()}: {_advice(data, error)}") from error
    except (LookupError, ValueError) as error:
        raise InvalidInputError(f"encoding {used!r} is not known to Python") from error
    if not name and encoding is None and _is_wide(data):
        raise FileError(f"{place} is not UTF-8: {_wide_advice(data)}")
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


def _advice(data: bytes, error: UnicodeError) -> str:
    if _is_wide(data):
        return _wide_advice(data)
    if not isinstance(error, UnicodeDecodeError):
        return str(error)
    found = f"byte {data[error.start]:#04x} at {error.start:,}" if error.start < len(data) else ""
    if _looks_one_byte(data):
        return f"{found}; it may be Latin-1 or Windows-1252, say --encoding cp1252"
    return f"{found}; save it as UTF-8, or name its encoding with --encoding"


def _is_wide(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    return len(sample) > 3 and sample.count(0) > len(sample) // 5


def _wide_advice(data: bytes) -> str:
    sample = data[:_SAMPLE]
    order = "le" if sample[1::2].count(0) >= sample[::2].count(0) else "be"
    return f"it may be UTF-16 without a byte order mark, say --encoding utf-16-{order}"


def _looks_one_byte(data: bytes) -> bool:
    """Western text in one byte a letter: high bytes are few, and most are letters there."""
    high = [byte for byte in data[:65_536] if byte >= 0x80]
    letters = sum(
        byte >= 0xC0 or byte in b"\x91\x92\x93\x94\x96\x97\x85\xa0\xab\xbb" for byte in high
    )
    return bool(high) and len(high) * 4 <= len(data[:65_536]) and letters * 10 >= len(high) * 9
