"""``backstory db``."""

import typer

from backstory import __version__
from backstory.api import DoctorReport
from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url
from backstory.cli.output import Screen, emit
from backstory.cli.stores import missing_file, opened
from backstory.errors import SchemaVersionError
from backstory.settings import Settings

app = typer.Typer(add_completion=False, invoke_without_command=True)


@app.callback()
def db(
    ctx: typer.Context,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show the store's version; `backstory db upgrade` upgrades it."""
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    if ctx.invoked_subcommand is not None:
        ctx.obj = common
        return
    facts = {"backstory": __version__, **_report(common.settings(), may_upgrade=False).facts}
    if common.as_json:
        emit(facts)
        return
    Screen().table(
        ["fact", ("value", "fold")], [[name, str(value)] for name, value in facts.items()]
    )


@app.command("upgrade")
def upgrade(
    ctx: typer.Context,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Bring the store's tables to this version's schema, or make them.

    Works where the setting auto_migrate is off, too. A store of a newer
    version is left alone.
    """
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    settings = common.settings()
    changed = missing_file(settings) is not None
    if not changed:
        try:
            _report(settings, may_upgrade=False)
        except SchemaVersionError:
            changed = True
    schema = str(_report(settings, may_upgrade=True).facts["schema"])
    if common.as_json:
        emit({"schema": schema, "changed": changed})
        return
    done = "now has" if changed else "already has"
    Screen().say(f"The store {done} schema {schema}, the newest that this version knows.")


def _report(settings: Settings, *, may_upgrade: bool) -> DoctorReport:
    """Facts about the store; no embedding model is loaded for them."""
    values = {"auto_migrate": may_upgrade, "embedder": "none"}
    with opened(settings.with_values(values), create=may_upgrade) as memory:
        return memory.doctor()
