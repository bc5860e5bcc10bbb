"""Options that every command has: which store, how it is opened, and the form of the output."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

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
AnyUser: TypeAlias = Annotated[
    str | None, typer.Option("--user", "-U", metavar="ID", help="Whose memory it is.")
]
BringsUp: TypeAlias = Annotated[
    bool, typer.Option("--intention", help="Bring up an intention, at most one a day: it counts.")
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Do it; without this nothing is done.")]


@dataclass(frozen=True, kw_only=True)
class Common:
    """The global options as they were given; None where one was not."""

    url: str | None = None
    tenant: str | None = None
    embedder: str | None = None
    config: Path | None = None
    as_json: bool = False
    user: str | None = None

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


_STORE: Final = {
    "url": (Url, None),
    "tenant": (Tenant, None),
    "embedder": (EmbedderName, None),
    "config": (Config, None),
    "as_json": (AsJson, False),
}


def command(
    app: typer.Typer, name: str | None, user: Literal["required", "optional", "none"] = "required"
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command that also takes the options of every command.

    The function gets them as its first argument, ``common``, whose ``user`` is set where one is
    required. A user may also stand before a subcommand.

    Args:
        app: Where the command belongs.
        name: Its name; None = what the group does when no subcommand is named. ``common`` is then
            also given to subcommands.
        user: Whether ``--user`` is an option, and must be given.
    """

    def register(function: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(function).parameters.values())[1:]
        more = dict(_STORE) if user == "none" else {"user": (AnyUser, None), **_STORE}

        @functools.wraps(function)
        def run(ctx: typer.Context, **given: Any) -> None:
            shared = {option: given.pop(option) for option in more}
            common = Common(**shared).over(ctx)
            if ctx.invoked_subcommand is not None:
                ctx.obj = common
                return
            if user == "required" and common.user is None:
                raise typer.BadParameter("name the user", ctx=ctx, param_hint="--user")
            try:
                function(common, **given)
            except typer.BadParameter as error:
                error.ctx = error.ctx or ctx  # for the hint at --help
                raise

        parameters = [_parameter("ctx", typer.Context), *(_keyword(one) for one in own)]
        parameters += [_parameter(option, kind, value) for option, (kind, value) in more.items()]
        vars(run)["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        decorate = app.callback() if name is None else app.command(name)
        decorate(run)
        return run

    return register


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=kind)


def _keyword(own: inspect.Parameter) -> inspect.Parameter:
    return own.replace(kind=inspect.Parameter.KEYWORD_ONLY)


Roles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--role", metavar="ROLE", help="Only of this role. Repeatable."),
]
Sessions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--session", metavar="ID", help="Only in this session. Repeatable."),
]
Since: TypeAlias = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="From a date, or a time with a zone.")
]
Until: TypeAlias = Annotated[
    str | None,
    typer.Option("--until", metavar="TIME", help="Up to a date, that day included, or a time."),
]
Meta: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--meta", metavar="KEY=VALUE", help="Only with this metadata. Repeatable."),
]
ValidAt: TypeAlias = Annotated[
    str | None,
    typer.Option("--valid-at", metavar="DATE", help="Facts that were true then. None: now."),
]
KnownAt: TypeAlias = Annotated[
    str | None, typer.Option("--known-at", metavar="DATE", help="What was known then. None: now.")
]
ProfileName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help='"gather", "pinpoint" or "temporal". None: by the query.'
    ),
]
History: TypeAlias = Annotated[bool, typer.Option("--history", help="Past facts, too.")]
