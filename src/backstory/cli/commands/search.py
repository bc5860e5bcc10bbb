"""``backstory search``."""

from typing import Annotated, Literal, TypeAlias

import typer

from backstory.api import Hits, Memory, Recall
from backstory.cli.hits import show_hit
from backstory.cli.options import (
    AsJson,
    Common,
    Config,
    EmbedderName,
    History,
    KnownAt,
    Meta,
    ProfileName,
    Roles,
    Sessions,
    Since,
    Tenant,
    Until,
    Url,
    User,
    ValidAt,
)
from backstory.cli.output import Screen, emit
from backstory.cli.reading import filters_of, moment_of, text_of
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)
_Kind: TypeAlias = Literal["all", "messages", "facts", "conversations"]


@app.command("search")
def search(
    ctx: typer.Context,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help='A question or some words; "-" reads stdin.')
    ],
    user: User,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=10_000, help="Hits.")] = 10,
    window: Annotated[
        int, typer.Option(min=0, max=20, help="Neighbouring turns shown on each side.")
    ] = 1,
    role: Roles = None,
    session: Sessions = None,
    since: Since = None,
    until: Until = None,
    meta: Meta = None,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help='"messages", "facts", "conversations" or "all".')
    ] = "all",
    valid_at: ValidAt = None,
    known_at: KnownAt = None,
    history: History = False,
    profile: ProfileName = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each hit is there.")] = False,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Find what a user's memory holds about something."""
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    filters = filters_of(role or (), session or (), since, until, meta or ())
    asked = text_of(query)
    wanted = _kind(kind, ctx)
    valid = moment_of(valid_at, "--valid-at", end_of_day=True)
    known = moment_of(known_at, "--known-at", end_of_day=True)
    with opened(common.settings()) as memory:
        hits = memory.search(
            asked,
            user_id=user,
            kind=wanted,
            top_k=top_k,
            recall=Recall(window=window, profile=profile),
            filters=filters,
            valid_at=valid,
            known_at=known,
            include_history=history,
            explain=explain,
        )
        if common.as_json:
            emit(_data(hits))
            return
        _show(Screen(), hits, explain=explain)
        if not hits:
            _say_why_empty(memory, user, wanted, filtered=filters is not None)
    if hits.degraded:
        Screen(stderr=True).say((f"note: {hits.degraded}", "yellow"))


def _kind(given: str, ctx: typer.Context) -> _Kind:
    kinds: dict[str, _Kind] = {
        "all": "all",
        "messages": "messages",
        "facts": "facts",
        "conversations": "conversations",
    }
    if given not in kinds:
        raise typer.BadParameter(f"must be one of {', '.join(kinds)}", ctx=ctx, param_hint="--kind")
    return kinds[given]


def _data(hits: Hits) -> dict[str, object]:
    return {
        "hits": [hit.to_dict() for hit in hits],
        "degraded": hits.degraded,
        "explanation": None if hits.explanation is None else dict(hits.explanation),
    }


def _show(screen: Screen, hits: Hits, *, explain: bool) -> None:
    for place, hit in enumerate(hits, start=1):
        if place > 1:
            screen.print()
        show_hit(screen, place, hit)
    if explain and hits.explanation and "passed_filter" in hits.explanation:
        facts = hits.explanation
        screen.print()
        screen.say((f"profile: {facts['profile']}: {facts['route']}", "dim"))
        screen.say(
            (
                f"looked at {facts['passed_filter']:,} of {facts['messages']:,} messages, "
                f"{facts['embedded']:,} with a vector of {facts['generation'] or 'no model'}",
                "dim",
            )
        )


def _say_why_empty(memory: Memory, user: str, kind: _Kind, *, filtered: bool) -> None:
    """Tell a user id that is not known from a search that finds nothing."""
    messages = memory.get_all(user_id=user, limit=1).total
    facts = memory.get_all(user_id=user, kind="facts", limit=1).total
    screen = Screen(stderr=True)
    if not messages + facts:
        screen.say(
            f"Nothing is stored for the user {user!r}. `backstory users` lists who is known."
        )
    elif kind == "facts":
        screen.say("Nothing found: no fact is known to hold then; --history finds past ones.")
    elif filtered:
        screen.say(f"Nothing found: none of {messages:,} messages passes the filters.")
    else:
        screen.say("Nothing found: the query has no words.")
