"""Settings that hold several values in one text: "name=value; name=value"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from backstory.core.model.schedule import Schedule
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


PARTS: Final = (
    "facts",
    "timeline",
    "summaries",
    "emotions",
    "observations",
    "quality",
    "textures",
    "intentions",
    "graph",
)
"""What can be made of messages; each part can be left out."""


def parts_of(text: str) -> frozenset[str]:
    """Read the setting ``reading``: "auto" = all parts, "none" = no part, or a list of parts.

    Raises:
        ConfigurationError: A part is unknown.
    """
    named = [part.strip() for part in text.split(",")]
    if named == ["auto"]:
        return frozenset(PARTS)
    if named == ["none"]:
        return frozenset()
    for part in named:
        if part not in PARTS:
            raise ConfigurationError(
                f"reading has {part!r}; it must be 'auto', 'none', or a list of these, divided by "
                f"commas: {', '.join(PARTS)}"
            )
    return frozenset(named)


def schedule_of(text: str) -> Schedule | None:
    """Read the setting ``consolidation``: "on", "off" (None), or the times of its runs.

    Raises:
        ConfigurationError: It has another form. Expressions and zone are not looked at.
    """
    if text.strip() in {"on", "off"}:
        return Schedule() if text.strip() == "on" else None
    shown = Schedule()
    known = {"daily": shown.daily, "weekly": shown.weekly, "zone": shown.zone}
    found = pairs_of(text, "consolidation", known)
    if not found:
        raise ConfigurationError("consolidation must be 'on', 'off', or the times of its runs")
    return replace(shown, **found)


_SERVERS: Final = ("neo4j://", "neo4j+s://", "neo4j+ssc://", "bolt://", "bolt+s://", "bolt+ssc://")


def check_graph(text: str) -> None:
    """See that the setting ``graph`` can be meant.

    Raises:
        ConfigurationError: It is neither "tables" nor "none" nor the address of a server.
    """
    if text not in {"tables", "none"} and not (text.startswith(_SERVERS) and text.split("//")[1]):
        raise ConfigurationError(
            "graph must be 'tables', 'none', or the address of a Neo4j server, such as "
            "neo4j://user@host:7687 (its password goes into NEO4J_PASSWORD)"
        )
