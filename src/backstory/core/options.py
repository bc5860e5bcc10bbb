"""Settings that hold several values in one text: "name=value; name=value"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from backstory.errors import ConfigurationError

_MOST_S: Final = 1e9


def pairs_of(text: str, setting: str, known: Mapping[str, str]) -> dict[str, str]:
    """Read "name=value; name=value"; what is left out is not in the result.

    Args:
        text: The value of the setting.
        setting: Its name, for messages.
        known: The names that there are, each with an example of a value.

    Raises:
        ConfigurationError: A part has another form or an unknown name, or a name comes twice.
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name not in known or not sign or not value:
            example = "; ".join(f"{each}={shown}" for each, shown in known.items())
            raise ConfigurationError(f"{setting} holds {part!r}; write it like {example!r}")
        if name in found:
            raise ConfigurationError(f"{setting} names {name!r} twice")
        found[name] = value
    return found


@dataclass(frozen=True, kw_only=True)
class TimeLimits:
    """How long things may take, in seconds.

    Attributes:
        pool: Waiting for a free PostgreSQL connection.
        statement: A statement on PostgreSQL, or waiting for SQLite's write lock.
        llm: One try of a call of the language model.
    """

    pool: float = 10.0
    statement: float = 30.0
    llm: float = 120.0


def time_limits_of(text: str) -> TimeLimits:
    """Read the setting ``time_limits``; what it leaves out keeps its default.

    Raises:
        ConfigurationError: It cannot be read, or a time is not positive.
    """
    found = pairs_of(text, "time_limits", {"pool": "10", "statement": "30", "llm": "120"})
    return replace(TimeLimits(), **{name: _seconds(name, value) for name, value in found.items()})


def _seconds(name: str, value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < _MOST_S:
        raise ConfigurationError(
            f"time_limits has {name}={value}; it must be a positive number of seconds"
        )
    return seconds
