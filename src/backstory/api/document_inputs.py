"""Checks of what callers pass to the calls on documents."""

from collections.abc import Sequence
from typing import Any, Final

from backstory.core.block.lines import BlockLabels
from backstory.core.canon.known import MOST_NAME
from backstory.core.content import is_blank
from backstory.core.identity import MAX_SCOPE_BYTES, check_id
from backstory.core.model.document import MOST_SUMMARY
from backstory.core.model.entity import Knower
from backstory.core.text import clean, one_line
from backstory.core.unset import Unset
from backstory.errors import InvalidInputError

DEFAULT_BUDGET: Final = 6000
"""Tokens of a block."""
MOST_CHAPTER: Final = 2**31 - 1
MOST_TEXT: Final = 20_000_000
_MOST_UNIT: Final = 60
_MOST_NOTE: Final = 2_000


def number_of(value: object, what: str = "chapter", least: int = 1) -> int:
    """Accept the number of a chapter or a thread."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_CHAPTER:
        raise InvalidInputError(
            f"{what} must be a whole number from {least} to {MOST_CHAPTER:,}, not {value!r}"
        )
    return int(value)


def optional_number(value: object, what: str, least: int = 1) -> int | None:
    """Accept a number of a chapter, or None."""
    return None if value is None else number_of(value, what, least)


def thread_of(value: object) -> int:
    """Accept a thread by its number, or as it is shown: 3, "T3", "[T3]"."""
    if isinstance(value, str):
        digits = value.strip().strip("[]").strip().lstrip("tT")
        if digits.isdecimal() and len(digits) < len(str(MOST_CHAPTER)):
            return number_of(int(digits), "thread")
        raise InvalidInputError(f"thread must be a number or a mark such as 'T3', not {value!r}")
    return number_of(value, "thread")


def document_id(tenant: str, value: object) -> str:
    """Accept the id of a document beside its tenant."""
    name = check_id(value, "the document's id")
    size = len(tenant.encode()) + len(name.encode())
    if size > MAX_SCOPE_BYTES:
        raise InvalidInputError(
            f"tenant and document id have {size} bytes of UTF-8 together; at most {MAX_SCOPE_BYTES}"
        )
    return name


def unit_of(value: object) -> str | None:
    """Accept what the parts of a document are called, or None."""
    if value is None:
        return None
    name = one_line(clean(value, "unit"))  # type: ignore[arg-type]
    if not name or len(name) > _MOST_UNIT:
        raise InvalidInputError(
            f"unit must be a word of 1 to {_MOST_UNIT} characters, such as 'chapter' or 'lesson', "
            f"not {value!r}"
        )
    return name


def text_of(value: object, number: int) -> str:
    """Accept the text of a chapter: any but a blank one."""
    text = clean(value, f"the text of chapter {number}")  # type: ignore[arg-type]
    if is_blank(text):
        raise InvalidInputError(f"the text of chapter {number} is blank; nothing was stored")
    if len(text) > MOST_TEXT:
        raise InvalidInputError(
            f"the text of chapter {number} has {len(text):,} characters, at most {MOST_TEXT:,}; "
            "divide it"
        )
    return text


def title_of(value: object) -> str:
    """Accept a title, on one line."""
    title = "" if value is None else one_line(clean(value, "title"))  # type: ignore[arg-type]
    if len(title) > _MOST_NOTE:
        raise InvalidInputError(f"title has {len(title):,} characters; at most {_MOST_NOTE:,}")
    return title


def summary_of(value: object) -> str | None:
    """Accept a summary; None or a blank one = the reader makes it."""
    if value is None:
        return None
    summary = clean(value, "summary").strip()  # type: ignore[arg-type]
    if len(summary) > MOST_SUMMARY:
        raise InvalidInputError(
            f"summary has {len(summary):,} characters; at most {MOST_SUMMARY:,}"
        )
    return summary or None


def phrase_of(value: object, what: str, most: int = _MOST_NOTE) -> str:
    """Accept a line of text that is not blank."""
    text = one_line(clean(value, what))  # type: ignore[arg-type]
    if is_blank(text):
        raise InvalidInputError(f"{what} is blank; say it in words")
    if len(text) > most:
        raise InvalidInputError(f"{what} has {len(text):,} characters; at most {most:,}")
    return text


def optional_phrase(value: object, what: str) -> str | None:
    """Accept a line of text, or None."""
    return None if value is None else phrase_of(value, what, MOST_NAME)


def note_of(value: object, what: str) -> str:
    """Accept a line of text that may be blank."""
    text = one_line(clean(value, what))  # type: ignore[arg-type]
    if len(text) > _MOST_NOTE:
        raise InvalidInputError(f"{what} has {len(text):,} characters; at most {_MOST_NOTE:,}")
    return text


def name_of(value: object, what: str = "name") -> str:
    """Accept the name of an entity."""
    return phrase_of(value, what, MOST_NAME)


def names_of(value: object, what: str) -> tuple[str, ...]:
    """Accept several names."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{what} must be a list of names, not {value!r}")
    return tuple(dict.fromkeys(name_of(name, what) for name in value))


def knowers_of(value: object, chapter: int) -> tuple[Knower, ...]:
    """Accept who knows something: names, who then know since ``chapter``, or Knowers."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInputError(f"known_by must be a list of names, not {value!r}")
    found = []
    for one in value:
        if isinstance(one, Knower):
            since = number_of(one.since_chapter, "since_chapter", 0)
            found.append(Knower(name=name_of(one.name), since_chapter=since))
        else:
            found.append(Knower(name=name_of(one, "known_by"), since_chapter=chapter))
    return tuple(found)


def flag_of(value: object, what: str) -> bool:
    """Accept True or False."""
    if not isinstance(value, bool):
        raise InvalidInputError(f"{what} must be True or False, not {value!r}")
    return value


def set_value(value: Any, read: Any) -> Any:
    """Read an argument unless it was left out."""
    return value if isinstance(value, Unset) else read(value)


def labels_of(value: object) -> BlockLabels:
    """Accept the words of a block; None = English ones."""
    if value is None:
        return BlockLabels()
    if not isinstance(value, BlockLabels):
        raise InvalidInputError(f"labels must be BlockLabels, not {type(value).__name__}")
    return value


def block_budget(value: object) -> int:
    """Accept a budget in tokens."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInputError(
            f"max_tokens must be a whole number of tokens, 0 or more, not {value!r}"
        )
    return int(value)
