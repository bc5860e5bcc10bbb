"""Reading what is given on the command line or on stdin."""

import json
import re
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import typer

from backstory.cli.plain import one_line

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def text_of(given: str) -> str:
    """The text of an argument; ``-`` reads stdin, without its last line break.

    Raises:
        BadParameter: stdin is not UTF-8.
    """
    if given != "-":
        return given
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"stdin is not UTF-8 ({error.reason})") from error
    return text.removesuffix("\n").removesuffix("\r")


def object_of(given: str | None, option: str) -> dict[str, Any] | None:
    """A JSON object given as an option, or None.

    Raises:
        BadParameter: It is not a JSON object.
    """
    if given is None:
        return None
    try:
        value = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"not JSON ({error})", param_hint=option) from error
    if not isinstance(value, dict):
        raise typer.BadParameter('must be a JSON object like {"a": 1}', param_hint=option)
    return value


def filters_of(
    role: Sequence[str],
    session: Sequence[str],
    since: str | None,
    until: str | None,
    meta: Sequence[str],
) -> dict[str, Any] | None:
    """The filters that options describe, or None.

    ``--until`` with a date includes that day. A value of ``--meta`` that reads as JSON (a number,
    true, null) finds both the JSON value and the text.

    Raises:
        BadParameter: A ``--meta`` has no ``=``, or a time is none.
    """
    filters: dict[str, Any] = {}
    if role:
        filters["role"] = list(role)
    if session:
        filters["session_id"] = list(session)
    check_time(since, "--since")
    check_time(until, "--until")
    times = {name: value for name, value in (("gte", since), ("lte", until)) if value is not None}
    if times:
        filters["timestamp"] = times
    if meta:
        filters["metadata"] = dict(_pair(one) for one in meta)
    return filters or None


def _pair(given: str) -> tuple[str, dict[str, list[Any]]]:
    key, equals, value = given.partition("=")
    if not key or not equals:
        raise typer.BadParameter("write it as key=value", param_hint="--meta")
    meant: list[Any] = [value]
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return key, {"in": meant}
    if not isinstance(read, (dict, list)):
        meant.append(read)
    return key, {"in": meant}


def moment_of(given: str | None, option: str, *, end_of_day: bool = False) -> str | None:
    """A time, or a date as one moment of that day in UTC: its beginning, or its last.

    Raises:
        BadParameter: It is neither.
    """
    if given is None:
        return None
    check_time(given, option)
    if not _DAY.fullmatch(given):
        return given
    return f"{given}T23:59:59.999999Z" if end_of_day else f"{given}T00:00:00Z"


def check_time(given: str | None, option: str, *, days: bool = True) -> None:
    """Accept ISO 8601 with a zone, and unless told otherwise a date.

    Raises:
        BadParameter: It is neither.
    """
    if given is None:
        return
    shown = one_line(given)
    try:
        moment = datetime.fromisoformat(given.strip())
    except ValueError as error:
        raise typer.BadParameter(
            f"{shown!r} is no time; write it like 2026-03-01T10:00:00+01:00"
            + (" or 2026-03-01" if days else ""),
            param_hint=option,
        ) from error
    is_day = days and _DAY.fullmatch(given) is not None
    if moment.tzinfo is None and not is_day:
        raise typer.BadParameter(
            f"{shown!r} has no time zone; add one, such as +00:00", param_hint=option
        )
