"""``backstory doctor``."""

import os
import platform
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from backstory import __version__
from backstory.api import Memory
from backstory.cli.failures import FAILED
from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url
from backstory.cli.output import Screen, emit
from backstory.cli.plain import one_line
from backstory.cli.stores import missing_file, opened
from backstory.errors import (
    BackstoryError,
    SchemaVersionError,
    StoreAddressError,
    StoreCorruptError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from backstory.settings import Settings

app = typer.Typer(add_completion=False)
_Check = dict[str, Any]
_REMEDIES = {
    StoreCorruptError.code: "restore a backup, or name another place with --url",
    StoreUnavailableError.code: "start the server or mend the place, or name another with --url",
    StoreAddressError.code: "correct the user, password, host or database of the URL",
    StoreReadOnlyError.code: "allow writing to the file and its folder",
    SchemaVersionError.code: "`backstory db upgrade`, or a newer backstory for a newer store",
}


@app.command("doctor")
def doctor(
    ctx: typer.Context,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="First measure, on the stored messages, from which similarity on texts are "
            "related, and keep it in the store.",
        ),
    ] = False,
) -> None:
    """Check what works, what is missing, and how to fix it. Without --calibrate nothing changes."""
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    checks, facts = examine(common, calibrate=calibrate)
    well = all(check["ok"] for check in checks)
    if common.as_json:
        emit({"ok": well, "checks": checks, "facts": facts})
    else:
        _show(Screen(), checks)
    if not well:
        raise typer.Exit(FAILED)


def examine(common: Common, *, calibrate: bool = False) -> tuple[list[_Check], dict[str, Any]]:
    """All checks, also where settings are wrong or there is no store; and facts about the store."""
    python = f"{__version__} on Python {platform.python_version()}, {platform.system()}"
    checks = [_check("backstory", ok=True, detail=python)]
    try:
        settings = common.settings().with_values({"auto_migrate": False})
        location = settings.location
    except BackstoryError as error:
        return [*checks, _failed("settings", error, "correct the option, file or variable")], {}
    checks.append(
        _check("settings", ok=True, detail=f"a {location.kind} store, read without error")
    )
    missing = missing_file(settings)
    if missing is not None:
        return [*checks, _absent(missing), *_without_store(settings)], {}
    if location.kind == "memory":
        settings = settings.with_values({"auto_migrate": True})
    try:
        with opened(settings) as memory:
            measured = [_calibrated(memory)] if calibrate else []
            report = memory.doctor()
    except BackstoryError as error:
        failed = _failed("database", error, _REMEDIES.get(error.code, "see the message"))
        return [*checks, failed, *_without_store(settings)], {}
    checks += [check.to_dict() for check in report.checks]
    return [*checks, *measured], dict(report.facts)


def _calibrated(memory: Memory) -> _Check:
    """Measure; the check of the calibration then shows what was found."""
    name = "measuring"
    try:
        found = memory.calibrate()
    except BackstoryError as error:
        return _failed(name, error, "see the message")
    if found is None or not found.measured:
        detail = "too few embedded messages to measure on; nothing was changed"
        return _check(name, ok=True, detail=detail)
    return _check(name, ok=True, detail=f"done on {found.pairs:,} pairs")


def _absent(path: Path) -> _Check:
    """No file yet: fine if it can be made."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    shown = one_line(str(path))
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return _check(
            "database", ok=True, detail=f"{shown} is not there yet; the first `add` makes it"
        )
    return _check(
        "database",
        ok=False,
        detail=f"{shown} is not there yet and cannot be made in {one_line(str(folder))}",
        fix="allow writing there, or name another place with --url",
    )


def _without_store(settings: Settings) -> list[_Check]:
    """What can be looked at without the store: the embedder."""
    try:
        apart = {"url": ":memory:", "auto_migrate": True, "background": False}
        with Memory(settings=settings.with_values(apart)) as memory:
            report = memory.doctor()
    except BackstoryError as error:
        return [_failed("embedder", error, "see the message")]
    return [check.to_dict() for check in report.checks if check.name == "embedder"]


def _check(name: str, *, ok: bool, detail: str, fix: str | None = None) -> _Check:
    return {"name": name, "ok": ok, "detail": detail, "fix": fix}


def _failed(name: str, error: BackstoryError, fix: str) -> _Check:
    return _check(name, ok=False, detail=str(error), fix=fix)


def _show(screen: Screen, checks: list[_Check]) -> None:
    signs = screen.signs
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        sign = Text(signs.good, "bold green") if check["ok"] else Text(signs.bad, "bold red")
        table.add_row(sign, Text(one_line(check["name"]), "bold"), Text(one_line(check["detail"])))
        if check["fix"] and not check["ok"]:
            table.add_row("", "", Text(f"to do: {one_line(check['fix'])}", "yellow"))
    screen.print(table)
    failed = sum(not check["ok"] for check in checks)
    screen.print()
    if failed:
        screen.say((f"{failed} of {len(checks)} checks failed.", "bold red"))
    else:
        screen.say((f"All {len(checks)} checks passed.", "bold green"))
