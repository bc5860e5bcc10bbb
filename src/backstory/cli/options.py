"""Options that every command has: which store, how it is opened, and the form of the output."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from backstory.settings import Settings

_PANEL = "Store and output"

Url: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--url",
        "-u",
        metavar="PLACE",
        help="File or postgresql:// URL of the store; else BACKSTORY_URL, else the data folder.",
        rich_help_panel=_PANEL,
    ),
]
Tenant: TypeAlias = Annotated[
    str | None,
    typer.Option("--tenant", metavar="NAME", help="Whose store it is.", rich_help_panel=_PANEL),
]
EmbedderName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help='"local", "none" for keywords only, or "provider:model".',
        rich_help_panel=_PANEL,
    ),
]
Config: TypeAlias = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="TOML file of settings.", rich_help_panel=_PANEL),
]
AsJson: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--json",
        help="JSON on stdout and nothing else; errors as JSON on stderr.",
        rich_help_panel=_PANEL,
    ),
]
User: TypeAlias = Annotated[
    str, typer.Option("--user", "-U", metavar="ID", help="Whose memory it is.")
]


@dataclass(frozen=True, kw_only=True)
class Common:
    """The global options as they were given; None where one was not."""

    url: str | None = None
    tenant: str | None = None
    embedder: str | None = None
    config: Path | None = None
    as_json: bool = False

    def over(self, context: typer.Context) -> "Common":
        """These options over those that stand before the command."""
        before = context.find_object(Common) or Common()
        chosen = {f.name: getattr(before, f.name) for f in fields(self)}
        for name in chosen:
            if getattr(self, name) not in (None, False):
                chosen[name] = getattr(self, name)
        return Common(**chosen)

    def settings(self) -> Settings:
        """Settings: options over the config file over the environment.

        Raises:
            ConfigurationError: A value cannot be used, or the file cannot be read.
        """
        base = Settings.from_env() if self.config is None else Settings.from_config(self.config)
        given = {"url": self.url, "tenant": self.tenant, "embedder": self.embedder}
        return base.with_values({name: value for name, value in given.items() if value is not None})
