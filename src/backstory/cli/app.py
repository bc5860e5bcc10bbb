"""The group of commands: global options, loading, and how a run ends."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from backstory import __version__
from backstory.cli import SUMMARIES, load
from backstory.cli.failures import OK, pipe_closed, report, report_io, report_usage
from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url
from backstory.errors import BackstoryError


class Commands(TyperGroup):
    """Lists all commands without importing one; imports the one that runs."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in SUMMARIES.items():
            self.add_command(TyperCommand(name, help=summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Put the real command in the place of the listed one."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, get_command(load(name)) if name in SUMMARIES else listed, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a reader that closed our output ends it quietly."""
        try:
            value = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise typer.Exit(pipe_closed()) from error
        return value

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run with arguments, and turn errors into lines and exit codes."""
        given = sys.argv[1:] if args is None else list(args)
        as_json = "--json" in given
        try:
            ended = super().main(
                args=given or ["--help"],
                prog_name=prog_name or "backstory",
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )
            code = ended if isinstance(ended, int) else OK
        except typer.TyperException as error:
            code = report_usage(error, as_json=as_json)
        except BackstoryError as error:
            code = report(error, as_json=as_json)
        except OSError as error:
            code = report_io(error, as_json=as_json)
        if standalone_mode:
            sys.exit(code)
        return code


app = typer.Typer(
    name="backstory",
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"backstory {__version__}")
        raise typer.Exit


@app.callback()
def backstory(
    ctx: typer.Context,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show it and exit."),
    ] = False,
) -> None:
    """Long-term memory for chatbots: remember, search, and build contexts within a budget.

    Options of the store may stand before or after the command.
    """
    del version  # its callback has answered
    ctx.obj = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)


def run() -> int:
    """Run on ``sys.argv``; gives the exit code."""
    code = get_command(app).main(standalone_mode=False)
    return code if isinstance(code, int) else OK
