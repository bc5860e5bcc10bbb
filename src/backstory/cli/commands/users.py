"""``backstory users``."""

import typer

from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url
from backstory.cli.output import Screen, emit
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)


@app.command("users")
def users(
    ctx: typer.Context,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List who is remembered, and how much."""
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    with opened(common.settings()) as memory:
        found = memory.users()
    if common.as_json:
        emit([user.to_dict() for user in found])
        return
    screen = Screen()
    if not found:
        screen.say("Nobody is remembered here yet. `backstory add` begins.")
        return
    dash = screen.signs.dash
    screen.table(
        ["user", ("sessions", "right"), ("messages", "right"), "first", "last"],
        [
            [
                user.user_id,
                f"{user.sessions:,}",
                f"{user.messages:,}",
                user.first_at.date().isoformat() if user.first_at else dash,
                user.last_at.date().isoformat() if user.last_at else dash,
            ]
            for user in found
        ],
    )
