"""Runs commands in this process."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from backstory.cli.app import app


def run(*args: str | Path, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], input=text)


def answer(*args: str | Path, text: str | None = None) -> Any:
    """What a command that must succeed prints with --json."""
    result = run(*args, "--json", text=text)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout.isascii()
    return json.loads(result.stdout)
