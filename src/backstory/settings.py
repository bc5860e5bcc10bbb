"""Every setting of the library: one frozen value, one reader of the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path, PurePath
from types import UnionType
from typing import Any, get_args, get_type_hints

from backstory.core.identity import check_id
from backstory.core.location import Location, parse_location, path_of
from backstory.core.model.schedule import Schedule
from backstory.core.options import (
    TimeLimits,
    check_graph,
    parts_of,
    schedule_of,
    time_limits_of,
)
from backstory.errors import ConfigurationError, InvalidInputError

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")
_POSITIVE = ("cache_mb", "inactivity_timeout_s")
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a memory behaves. Precedence: argument, config, environment, default.

    Attributes:
        url: Path or URL of the store; None = ``memory.db`` in ``home``.
        home: Folder for data; None = the platform's data folder of the user.
        tenant: The tenant that every call belongs to.
        embedder: "local", "none", or "provider:model".
        embedder_url: Base URL of an OpenAI-compatible embedding server.
        token_counter: "bound", "bytes", "tiktoken:ENCODING", or the path of a tokenizer file.
        schema: PostgreSQL schema of the tables; it is created if it is not there.
        table_prefix: Goes before the name of every table.
        auto_migrate: Whether opening a store upgrades its tables.
        inactivity_timeout_s: A session without a message for so many seconds is over.
        background: Whether sessions end and vectors are made in the background.
        cache_mb: Memory bound of cached users, in MB.
        pool_size: Most PostgreSQL connections at once.
        time_limits: Seconds that things may take, "pool=10; statement=30; llm=120": waiting for a
            free connection; a statement, or a wait for SQLite's lock; one try of a call of the
            language model. What is left out keeps its default.
        threads: Threads of the local embedder; None = one for each core.
        llm: The language model that reads messages: "provider:model"; None = rules, no model.
        llm_url: Base URL of an OpenAI-compatible server for it.
        llm_thinking: How much it may reason before it answers: "off", "on", or an effort such as
            "low"; also for single providers: "anthropic=high,openai=off".
        reading: What is made of messages, by the model if there is one, else by rules: "auto" =
            everything, "none" = nothing, or some parts, "facts, timeline": facts, timeline,
            summaries, emotions, observations, quality, textures, intentions, graph.
        consolidation: "on" = sessions are digested when they end, and daily and weekly runs come
            at 02:00 and on Sundays at 03:00 UTC; "off" = only when asked for; or other times,
            "daily=0 2 * * *; weekly=0 3 * * 0; zone=UTC". What is left out keeps its default.
        graph: Where the knowledge graph is: "tables" = with everything else, "none" = there is
            none, or the address of a Neo4j server, "neo4j://user@host:7687".
        redaction: Whether secrets (keys, passwords, card numbers) are masked in facts.
        key_merge: Whether a model is asked if a statement is one that is held already, in other
            words or under another key.
        inline_contradictions: Whether each message is compared with the facts it may contradict.
        families: Kinds that exclude each other, for collisions: "species=cat|dog; diet=…|…".
    """

    # a URL may hold a password: it is not shown
    url: str | None = field(default=None, repr=False)
    home: str | None = None
    tenant: str = "default"
    embedder: str = "local"
    embedder_url: str | None = None
    token_counter: str = "bound"  # noqa: S105
    schema: str | None = None
    table_prefix: str = ""
    auto_migrate: bool = True
    inactivity_timeout_s: float = 300.0
    background: bool = True
    cache_mb: float = 256.0
    pool_size: int = 5
    time_limits: str = "pool=10; statement=30; llm=120"
    threads: int | None = None
    llm: str | None = None
    llm_url: str | None = None
    llm_thinking: str = "off"
    reading: str = "auto"
    consolidation: str = "on"
    # a URL may hold a password
    graph: str = field(default="tables", repr=False)
    redaction: bool = True
    key_merge: bool = True
    inline_contradictions: bool = False
    families: str = "species=cat|dog"

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            ConfigurationError: One cannot be used; the message names the setting.
        """
        self._check_types()
        try:
            check_id(self.tenant, "tenant")
        except InvalidInputError as error:
            raise ConfigurationError(str(error)) from error
        for name in ("schema", "table_prefix"):
            value = getattr(self, name)
            if value and not _IDENTIFIER.fullmatch(value):
                raise ConfigurationError(
                    f"{name} {value!r} must be letters, digits and underscores, at most 31"
                )
        check_graph(self.graph)
        # refused here, not at the first use
        self.exclusive_families, self.limits, self.parts, self.schedule  # noqa: B018
        for name in _POSITIVE:
            if not 0 < getattr(self, name) < 1e9:
                raise ConfigurationError(
                    f"{name} must be a positive number, not {getattr(self, name)}"
                )
        for name in ("pool_size", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigurationError(f"{name} must be 1 or more, not {value}")

    def _check_types(self) -> None:
        for name, hint in _hints().items():
            value = getattr(self, name)
            kinds = get_args(hint) or (hint,)
            if isinstance(value, PurePath) and name in {"url", "home"}:
                object.__setattr__(self, name, str(value))
            elif not _fits(value, kinds):
                raise ConfigurationError(f"{name} is {value!r}; it must be {kinds[0].__name__}")

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Read ``BACKSTORY_<NAME>`` for every setting; this is the only reader of the environment.

        Raises:
            ConfigurationError: A value cannot be read; the message names the variable.
        """
        source = os.environ if environment is None else environment
        found = {f.name: source.get(f"BACKSTORY_{f.name.upper()}") for f in fields(cls)}
        return cls().with_values(
            {name: value for name, value in found.items() if value}, "BACKSTORY_{}"
        )

    @classmethod
    def from_config(cls, config: Mapping[str, Any] | str | PurePath) -> "Settings":
        """Read a dict or a TOML file (its table ``[backstory]``, if any), over the environment.

        Raises:
            ConfigurationError: The file cannot be read, a name is unknown, or a value is wrong.
        """
        values = config if isinstance(config, Mapping) else _read_toml(Path(config))
        return cls.from_env().with_values(values, "{}")

    def with_values(self, values: Mapping[str, Any], label: str = "{}") -> "Settings":
        """Give a copy with some values replaced; texts are read as the type of the setting."""
        hints = _hints()
        changes = {}
        for name, value in values.items():
            if name not in hints:
                known = ", ".join(hints)
                raise ConfigurationError(f"the setting {name!r} is unknown; there are {known}")
            shown = label.format(name.upper() if label != "{}" else name)
            changes[name] = _read(value, hints[name], shown)
        return replace(self, **changes)

    @property
    def home_path(self) -> Path:
        """The folder for data. Never a temporary one."""
        if self.home:
            windows = os.name == "nt"
            return Path(path_of(self.home, windows=windows)).expanduser()
        from platformdirs import user_data_path  # noqa: PLC0415 - loads only where it is asked

        return user_data_path("backstory", appauthor=False)

    @property
    def exclusive_families(self) -> dict[str, tuple[str, ...]]:
        """For each family its kinds.

        Raises:
            ConfigurationError: The setting is not of the form "name=kind|kind; name=kind|kind".
        """
        found: dict[str, tuple[str, ...]] = {}
        for part in filter(None, (part.strip() for part in self.families.split(";"))):
            name, _, listed = part.partition("=")
            kinds = tuple(kind.strip() for kind in listed.split("|") if kind.strip())
            if not name.strip() or len(set(kinds)) < 2:
                raise ConfigurationError(
                    f"families holds {part!r}; write it like 'species=cat|dog; diet=vegan|omnivore'"
                )
            found[name.strip()] = kinds
        return found

    @property
    def graph_password(self) -> str | None:
        """The password of the graph server, which is kept out of every address and file."""
        return os.environ.get("NEO4J_PASSWORD")

    @property
    def parts(self) -> frozenset[str]:
        """What is made of messages.

        Raises:
            ConfigurationError: ``reading`` names a part that there is not.
        """
        return parts_of(self.reading) - frozenset({"graph"} if self.graph == "none" else ())

    @property
    def schedule(self) -> Schedule | None:
        """The times of daily and weekly runs; None = nothing runs by itself.

        Raises:
            ConfigurationError: ``consolidation`` cannot be read.
        """
        found = schedule_of(self.consolidation)
        if found is not None and found != Schedule():
            from backstory.language.cron import check_cron, zone_of  # noqa: PLC0415 - seldom asked

            check_cron(found.daily)
            check_cron(found.weekly)
            zone_of(found.zone)
        return found

    @property
    def limits(self) -> TimeLimits:
        """The time limits.

        Raises:
            ConfigurationError: The setting is not of the form "name=seconds; name=seconds".
        """
        return time_limits_of(self.time_limits)

    @property
    def location(self) -> Location:
        """Where the store is."""
        if self.url is None:
            return Location("sqlite", str(self.home_path / "memory.db"))
        return parse_location(self.url, windows=os.name == "nt")


def _read_toml(path: Path) -> Mapping[str, Any]:
    import tomllib  # noqa: PLC0415 - a tenth of the time that opening a memory may take

    try:
        content = tomllib.loads(path.expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"the config file {path} cannot be read ({error})") from error
    table = content.get("backstory", content)
    if not isinstance(table, Mapping):
        raise ConfigurationError(f"[backstory] in {path} must be a table")
    return table


def _read(value: Any, hint: Any, name: str) -> Any:
    kinds = list(get_args(hint)) if isinstance(hint, UnionType) else [hint]
    if value is None and type(None) in kinds:
        return None
    kind = next(kind for kind in kinds if kind is not type(None))
    if isinstance(value, PurePath):
        value = str(value)
    readers = {bool: _boolean, int: _whole, float: _number, str: _text}
    read = readers[kind](value)
    if read is None:
        raise ConfigurationError(f"{name} is {value!r}; it must be {kind.__name__}")
    return read


@cache
def _hints() -> dict[str, Any]:
    """The types of all settings; reading them off the class takes a millisecond."""
    return get_type_hints(Settings)


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, (*kinds, int) if float in kinds else kinds)


def _boolean(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    try:
        return int(value)
    except ValueError:
        return None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
