"""The formats that are understood, and how a file of each is told from the others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from backstory.core.foreign.chatgpt import chatgpt_reader, is_chatgpt
from backstory.core.foreign.claude import claude_reader, is_claude
from backstory.core.foreign.langmem import read_langmem
from backstory.core.foreign.locomo import is_locomo, locomo_reader
from backstory.core.foreign.mem0 import read_mem0
from backstory.core.foreign.messages import is_message, message_reader
from backstory.core.foreign.model import Foreign, Reader
from backstory.core.foreign.zep import read_zep

OWN: Final = "backstory"
_SHOWN_KEYS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Format:
    """One format.

    Attributes:
        name: As callers name it.
        fits: Whether a record looks like one of it.
        reader: Gives what reads the records of one file, one by one and in order; it is given the
            name of the file.
        whole: Reads a whole document instead: of what another memory gives, the parts belong
            together.
        lists: Under which names an object holds its list of records.
    """

    name: str
    fits: Callable[[Mapping[str, Any]], bool]
    reader: Callable[[str], Reader] | None = None
    whole: Callable[[Any], Foreign] | None = None
    lists: tuple[str, ...] = ()


def _is_mem0(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("memory"), str)


def _is_langmem(record: Mapping[str, Any]) -> bool:
    return {"namespace", "key", "value"} <= record.keys()


def _is_zep(record: Mapping[str, Any]) -> bool:
    named = any(isinstance(record.get(name), list) for name in ("edges", "threads", "sessions"))
    return named or isinstance(record.get("fact"), str)


_LISTED: Final = (
    Format(name="mem0", fits=_is_mem0, whole=read_mem0, lists=("results", "memories")),
    Format(name="langmem", fits=_is_langmem, whole=read_langmem, lists=("items",)),
    Format(name="zep", fits=_is_zep, whole=read_zep, lists=("facts",)),
    Format(
        name="chatgpt", fits=is_chatgpt, reader=chatgpt_reader, lists=("conversations", "items")
    ),
    Format(name="claude", fits=is_claude, reader=claude_reader, lists=("conversations",)),
    Format(name="locomo", fits=is_locomo, reader=locomo_reader),
    Format(name="messages", fits=is_message, reader=message_reader, lists=("conversations",)),
)
FORMATS: Final[Mapping[str, Format]] = {one.name: one for one in _LISTED}


def formats_of(records: Sequence[Any]) -> list[str]:
    """The formats that the first records of a file look like."""
    found: list[str] = []
    for record in records:
        if isinstance(record, Mapping):
            found += [one.name for one in _LISTED if _looks_like(one, record)]
    return list(dict.fromkeys(found))


def _looks_like(one: Format, record: Mapping[str, Any]) -> bool:
    if one.fits(record):
        return True
    listed = (record.get(name) for name in one.lists)
    return any(
        isinstance(some, list) and any(isinstance(r, Mapping) and one.fits(r) for r in some[:20])
        for some in listed
    )


def described(records: Sequence[Any]) -> str:
    """What the first record of a file is, for an error."""
    for record in records:
        if isinstance(record, Mapping):
            names = [str(name)[:40] for name in list(record)[:_SHOWN_KEYS]]
            return f"its first record has the fields {', '.join(names) or '(none)'}"
    return "it holds no JSON object"
