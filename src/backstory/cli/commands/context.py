"""``backstory context``."""

import sys
from collections import Counter
from typing import Annotated

import typer

from backstory.api import Context, Recall
from backstory.cli.bars import show_budget
from backstory.cli.options import (
    AsJson,
    BringsUp,
    Common,
    Config,
    EmbedderName,
    History,
    KnownAt,
    ProfileName,
    Tenant,
    Url,
    User,
    ValidAt,
)
from backstory.cli.output import Screen, emit
from backstory.cli.plain import clipped
from backstory.cli.reading import moment_of, text_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)


@app.command("context")
def context(
    ctx: typer.Context,
    user: User,
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY",
            help='What the answer is about; "-" reads stdin. None: recent turns only.',
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", "-t", min=0, help="The budget; never exceeded.")
    ] = None,
    session: Annotated[str | None, typer.Option(metavar="ID", help="The one going on.")] = None,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help='Token counter: "bound", "bytes", "tiktoken:ENCODING", a file.'
        ),
    ] = None,
    timezone: Annotated[str, typer.Option(metavar="NAME", help="Dates are shown in it.")] = "UTC",
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: History = False,
    profile: ProfileName = None,
    max_facts: Annotated[int, typer.Option("--max-facts", min=0, help="Most facts.")] = 30,
    intention: BringsUp = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on stderr what was kept and left out, and why.")
    ] = False,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print the memory block for a prompt, within a token budget.

    stdout gets exactly the text, in UTF-8, so it can be piped into a prompt.
    The summary is written to stderr when that is a terminal, or with --explain.
    """
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    valid = moment_of(valid_at, "--valid-at", end_of_day=True)
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        built = memory.context(
            user,
            query=None if query is None else text_of(query),
            max_tokens=max_tokens,
            session_id=session,
            count_tokens=count,
            valid_at=valid,
            known_at=known,
            include_history=history,
            include_intention=intention,
            max_facts=max_facts,
            timezone=timezone,
            recall=Recall(profile=profile),
        )
    if common.as_json:
        emit(built.to_dict())
    else:
        _show(built, explain=explain)


def _show(built: Context, *, explain: bool) -> None:
    _write(built.text)
    screen = Screen(stderr=True)
    if explain or screen.is_terminal:
        _summarise(screen, built, explain=explain)


def _write(text: str) -> None:
    """Write the text as it is, whatever the locale; a terminal also gets a line break."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    if sys.stdout.isatty() and text:
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


def _summarise(screen: Screen, built: Context, *, explain: bool) -> None:
    screen.print()
    show_budget(screen, built)
    left_out = Counter(item.reason or "no reason" for item in built.dropped)
    said = f"{built.sources_responded} sources answered"
    if left_out:
        reasons = ", ".join(f"{number} ({reason})" for reason, number in left_out.items())
        said += f"; left out: {reasons}"
    screen.say((said, "dim"))
    if built.recall is not None:
        how = f"recalled as {built.recall['profile']}: {built.recall['route']}"
        screen.say((how, "dim"))
    for problem in built.degraded:
        screen.say((f"note: {problem}", "yellow"))
    if explain:
        _list_items(screen, built)


def _list_items(screen: Screen, built: Context) -> None:
    signs = screen.signs
    room = max(20, screen.width - 40)
    screen.print()
    screen.table(
        ["", "source", ("score", "right"), ("tokens", "right"), "item"],
        [
            [
                signs.good if item.kept else signs.bad,
                item.source,
                signs.dash if item.score is None else f"{item.score:.2f}",
                f"{item.tokens:,}",
                clipped(item.text.removeprefix("- "), room, signs.ellipsis)
                + (f" ({item.reason})" if item.reason else ""),
            ]
            for item in (*built.items, *built.dropped)
        ],
    )
