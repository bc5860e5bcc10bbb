"""``backstory demo``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from backstory import __version__
from backstory.api import Memory
from backstory.cli import tour
from backstory.cli.bars import show_budget
from backstory.cli.commands import demo_book
from backstory.cli.hits import show_hit
from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url
from backstory.cli.output import Screen, emit
from backstory.cli.plain import clipped, one_line
from backstory.cli.stores import opened
from backstory.cli.tour_facts import facts_data, show_dates, show_dispute, show_what_is_true
from backstory.cli.tour_time import order_data, show_order
from backstory.settings import Settings

app = typer.Typer(add_completion=False)

_CODE = """\
from backstory import Memory
memory = Memory("{place}")
memory.add("I am allergic to walnuts.", user_id="vera")
print(memory.facts.get("vera")[0].value)
print(memory.search("which nuts?", user_id="vera")[0].text)
print(memory.context("vera", query="which nuts?", max_tokens=300).text)"""


@app.command("demo")
def demo(
    ctx: typer.Context,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Keep the store in this file, to go on with it."),
    ] = None,
    book: Annotated[
        bool, typer.Option("--book", help="A novel instead: threads, errors, the next block.")
    ] = False,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """See it work: a conversation remembered, understood, searched, and packed.

    Offline, without a key, and without a trace: the store is in memory unless
    --keep is given. Settings of the environment are not used.
    """
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    if common.url is not None or common.config is not None:
        raise typer.BadParameter("the demo makes its own store; --keep PATH keeps it", ctx=ctx)
    settings = Settings().with_values(
        {
            "url": ":memory:" if keep is None else keep,
            "embedder": common.embedder or "local",
            "tenant": common.tenant or "default",
        }
    )
    conversation = tour.read_conversation()
    with opened(settings, create=True) as memory:
        if common.as_json:
            emit(demo_book.data(memory) if book else _data(memory, conversation))
            return
        screen = Screen()
        if book:
            demo_book.show(screen, memory, keep)
            return
        _show(screen, memory, conversation)
    _show_next(screen, keep)


def _data(memory: Memory, conversation: tour.Conversation) -> dict[str, Any]:
    remembered = tour.remember(memory, conversation, _unseen)
    known = facts_data(memory, conversation) | order_data(memory, conversation)
    searches = [tour.search(memory, conversation, question) for question in tour.QUESTIONS]
    contexts = [tour.build(memory, conversation, budget) for budget in tour.BUDGETS]
    return {
        "user": conversation.user,
        "sessions": len(conversation.talks),
        "messages": conversation.size,
        "remember_ms": round(remembered, 1),
        **known,
        "searches": [
            {"query": s.question, "ms": round(s.ms, 1), "hits": [h.to_dict() for h in s.hits or ()]}
            for s in searches
        ],
        "contexts": [
            {"query": c.question, "ms": round(c.ms, 1), **c.context.to_dict()}
            for c in contexts
            if c.context is not None
        ],
    }


def _show(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    dot = screen.signs.dot
    screen.say(
        ("backstory", "bold cyan"),
        f" {__version__} {dot} demo: offline, no key, nothing left behind",
    )
    screen.heading("1  A conversation is remembered")
    with _working(conversation) as done:
        ms = tour.remember(memory, conversation, done)
    _show_conversation(screen, conversation, ms)
    screen.heading("2  What is true, and since when")
    show_what_is_true(screen, memory, conversation)
    screen.heading("3  A contradiction, raised and resolved")
    show_dispute(screen, memory, conversation)
    screen.heading("4  One question, two dates")
    show_dates(screen, memory, conversation)
    screen.heading("5  Which came first")
    show_order(screen, memory, conversation)
    screen.heading("6  Three searches, with their reasons")
    zone = ZoneInfo(conversation.timezone)
    for number, question in enumerate(tour.QUESTIONS):
        if number:
            screen.print()
        found = tour.search(memory, conversation, question)
        screen.say((question, "bold"), (f"   {found.ms:.0f} ms", "dim"))
        for place, hit in enumerate(found.hits or (), start=1):
            show_hit(screen, place, hit, window=False, when=lambda m: _day(m.astimezone(zone)))
    screen.heading("7  A context that keeps its budget")
    screen.say(
        "The block for a prompt, for the question ",
        (tour.CONTEXT_QUESTION, "bold"),
        " asked in the last session: what was said earlier, and the last turns.",
    )
    _show_contexts(screen, memory, conversation)


def _show_conversation(screen: Screen, conversation: tour.Conversation, ms: float) -> None:
    signs = screen.signs
    first, last = conversation.talks[0].began, conversation.talks[-1].began
    screen.say((conversation.title, "bold"))
    screen.say(
        f"{conversation.size} messages in {len(conversation.talks)} sessions, "
        f"{_day(first)} {signs.dash} {_day(last)} {last.year}; stored, indexed and embedded in "
        f"{ms:,.0f} ms.\n"
    )
    room = max(20, screen.width - 32)
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    table.add_row(*(Text(title, "dim") for title in ("session", "day", "messages", "begins with")))
    for talk in conversation.talks:
        opening = clipped(talk.messages[0]["content"], room, signs.ellipsis)
        table.add_row(
            Text(talk.name, "cyan"), _day(talk.began), str(len(talk.messages)), Text(opening)
        )
    screen.print(table)


def _show_contexts(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    built = [tour.build(memory, conversation, budget) for budget in tour.BUDGETS]
    for one in built:
        if one.context is None:
            continue
        screen.print()
        screen.say(
            (f"At most {one.context.max_tokens:,} tokens", "bold"), (f"   {one.ms:.0f} ms", "dim")
        )
        show_budget(screen, one.context, indent=2)
    smallest = built[0].context
    if smallest is not None:
        screen.say(f"\nAll of it at {smallest.max_tokens} tokens, as the model gets it:\n")
        edge = Text(f"{screen.signs.edge} ", "cyan")
        for line in smallest.text.splitlines():
            screen.paragraph(Text(one_line(line)), 1, edge)


def _show_next(screen: Screen, keep: Path | None) -> None:
    screen.heading("8  The same in Python")
    code = _CODE.format(place="chat.db")
    if screen.is_terminal:
        screen.print(
            Padding(Syntax(code, "python", theme="ansi_dark", background_color="default"), (0, 2))
        )
    else:
        screen.say(code, indent=2)
    screen.heading("What to try next")
    store = f" --url {keep or 'demo.db'}"
    if keep is None:
        screen.say("backstory demo --keep demo.db", ("   keep this memory, then ask it", "dim"))
    screen.say(f'backstory search "What did the sign at kilometre 13 say?" --user vera{store}')
    screen.say(f'backstory context "When is the move?" --user vera --max-tokens 500{store}')
    screen.say(f"backstory facts --user vera --all{store}", ("   with what was before", "dim"))
    screen.say(f"backstory facts as-of 2026-10-01 --user vera{store}")
    screen.say("backstory demo --book", ("   the memory of a novel", "dim"))
    screen.say("backstory doctor", ("   what works on this machine", "dim"))


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"


def _unseen(_: tour.Talk) -> None:
    """Progress that nobody watches."""


@contextmanager
def _working(conversation: tour.Conversation) -> Iterator[Callable[[tour.Talk], None]]:
    """A line on stderr that says how far it is, if that is a terminal."""
    screen = Screen(stderr=True)
    if not screen.is_terminal or screen.is_dumb_terminal:
        yield _unseen
        return
    total = len(conversation.talks)
    with screen.status("opening the memory", spinner="line") as status:
        yield lambda talk: status.update(f"remembering session {talk.name} of {total}")
