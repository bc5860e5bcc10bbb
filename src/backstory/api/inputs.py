"""Checks of what callers pass in, shared by the calls of the facade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import PurePath
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from backstory.core.content import read_message, read_metadata, read_name
from backstory.core.feelings.textures import TextureKey
from backstory.core.model.message import MessageDraft
from backstory.core.model.recall import Recall
from backstory.core.routing import Profile
from backstory.core.times import parse_instant
from backstory.core.unset import Unset
from backstory.errors import ConfigurationError, InvalidInputError
from backstory.ports.clock import Clock
from backstory.ports.embedder import Embedder
from backstory.settings import Settings
from backstory.threads import run_in_thread

DEFAULT_MAX_TOKENS: Final = 3200
PROFILES: Final = tuple(str(profile) for profile in Profile)
_MOST_SESSIONS: Final = 20
_WHOLE: Final = (("top_k", 1, 10_000), ("per_session", 0, 10_000), ("window", 0, 20))
_MOST_CHARS: Final = 2**31


def open_settings(
    url: str | PurePath | None,
    embedder: str | Embedder | Unset | None,
    llm: object,
    tenant: str | None,
    settings: Settings | None,
) -> tuple[Settings, Embedder | None, object]:
    """Put arguments over settings: argument, config, environment, default.

    Raises:
        ConfigurationError: One of them cannot be used.
    """
    values: dict[str, Any] = {}
    if url is not None:
        values["url"] = url
    if tenant is not None:
        values["tenant"] = tenant
    given: Embedder | None = None
    if embedder is None:
        values["embedder"] = "none"
    elif isinstance(embedder, str):
        values["embedder"] = embedder
    elif isinstance(embedder, Embedder):
        given = embedder
    elif not isinstance(embedder, Unset):
        raise ConfigurationError(
            f"the embedder is a {type(embedder).__name__}; it must be a name, None, or an object "
            "with identity, is_local, embed() and aclose()"
        )
    model: object = None
    if llm is None or isinstance(llm, str):
        values["llm"] = llm
    elif not isinstance(llm, Unset):
        model = llm
    return (settings or Settings.from_env()).with_values(values), given, model


def messages_of(
    messages: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    metadata: Mapping[str, Any] | None,
) -> list[MessageDraft]:
    """Read one message or several; an error says which one is wrong."""
    listed = _listed(messages)
    common = read_metadata(metadata)
    drafts = []
    for place, message in enumerate(listed):
        try:
            read = read_message(message)
        except InvalidInputError as error:
            where = f"message {place}: " if len(listed) > 1 else ""
            raise InvalidInputError(f"{where}{error}") from error
        drafts.append(replace(read, metadata={**common, **read.metadata}) if common else read)
    return drafts


def _listed(messages: object) -> Sequence[object]:
    if isinstance(messages, (str, Mapping)) or hasattr(messages, "model_dump"):
        return [messages]
    if isinstance(messages, Sequence) and not isinstance(messages, (bytes, bytearray)):
        return messages
    raise InvalidInputError(
        f"messages must be text, a dict, or a list of these, not {type(messages).__name__}"
    )


def recall_of(recall: Recall | None, top_k: int | None, threshold: float | None) -> Recall:
    """Put explicit arguments over overrides of recall, and check types and ranges."""
    chosen = Recall() if recall is None else recall
    if not isinstance(chosen, Recall):
        raise InvalidInputError(f"recall must be a Recall, not {type(recall).__name__}")
    if top_k is not None:
        chosen = replace(chosen, top_k=top_k)
    if threshold is not None:
        chosen = replace(chosen, threshold=threshold)
    _check_recall(chosen)
    return chosen


def _check_recall(recall: Recall) -> None:
    if recall.profile is not None and recall.profile not in PROFILES:
        raise InvalidInputError(
            f"profile must be None or one of {', '.join(PROFILES)}, not {recall.profile!r}"
        )
    if recall.threshold is not None and not _is_share(recall.threshold):
        raise InvalidInputError(f"threshold must be from 0 to 1, not {recall.threshold!r}")
    for name, least, most in _WHOLE:
        value = getattr(recall, name)
        if value is not None and not _is_whole(value, least, most):
            raise InvalidInputError(
                f"{name} must be a whole number from {least} to {most:,}, not {value!r}"
            )
    if not isinstance(recall.expand_sessions, bool) and not _is_whole(
        recall.expand_sessions, 0, _MOST_SESSIONS
    ):
        raise InvalidInputError(
            f"expand_sessions must be True, False or a whole number from 0 to {_MOST_SESSIONS}, "
            f"not {recall.expand_sessions!r}"
        )
    if recall.summaries is not None and not isinstance(recall.summaries, bool):
        raise InvalidInputError(f"summaries must be None, True or False, not {recall.summaries!r}")
    if not _is_whole(recall.clip_chars, 0, _MOST_CHARS):
        raise InvalidInputError(
            f"clip_chars must be a whole number, 0 or more, not {recall.clip_chars!r}"
        )
    if recall.order not in ("oldest first", "best first"):
        raise InvalidInputError(
            f"order must be 'oldest first' or 'best first', not {recall.order!r}"
        )


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def budget_of(max_tokens: int | None) -> int:
    """Accept a budget in tokens; None = 3,200."""
    if max_tokens is None:
        return DEFAULT_MAX_TOKENS
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 0:
        raise InvalidInputError(
            f"max_tokens must be a whole number of tokens, 0 or more, not {max_tokens!r}"
        )
    return max_tokens


def instant_or_now(value: datetime | str | None, clock: Clock) -> datetime:
    """Accept the time of asking, or None for now."""
    return clock.now() if value is None else parse_instant(value, "now")


def key_of(mode: str | None, speaker: str | None, channel: str | None) -> TextureKey:
    """Accept the labels by which conversations go on from each other."""
    return TextureKey(
        read_name(mode, "mode"), read_name(speaker, "speaker"), read_name(channel, "channel")
    )


async def zone_of(timezone: str | tzinfo) -> tzinfo:
    """Find a time zone by its IANA name."""
    if isinstance(timezone, tzinfo):
        return timezone
    if timezone == "UTC":
        return UTC
    try:
        # in a thread: it reads the zone's file
        return await run_in_thread(ZoneInfo, timezone)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise InvalidInputError(
            f"the time zone {timezone!r} is unknown; use an IANA name like Europe/Stockholm"
        ) from error


def seconds_of(value: float) -> float:
    """Accept a time limit of more than 0 and less than 1e9 seconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e9:
        raise InvalidInputError(
            f"timeout_s must be a number of seconds above 0 and below 1e9, not {value!r}"
        )
    return float(value)


INTENTION: Final = "intention"
"""The source that has an effect: it is asked only where it is asked for."""


def sources_of(
    sources: Sequence[str] | None, known: Sequence[str], *, include_intention: bool = False
) -> tuple[str, ...]:
    """Accept names of sources of a context."""
    if sources is None:
        sources = [name for name in known if name != INTENTION]
    if isinstance(sources, str):
        sources = [sources]
    if not isinstance(sources, Iterable):
        raise InvalidInputError(
            f"sources must be a list of names, not {type(sources).__name__}; "
            f"there are {', '.join(known)}"
        )
    sources = list(sources)
    if include_intention:
        if INTENTION not in known:
            raise InvalidInputError(
                "include_intention needs the part 'intentions', which the setting reading leaves "
                "out"
            )
        sources = [*sources, INTENTION]
    unknown = [name for name in sources if name not in known]
    if unknown:
        raise InvalidInputError(
            f"the source {unknown[0]!r} is unknown, or the setting reading leaves its part out; "
            f"there are {', '.join(known)}"
        )
    return tuple(sources)
