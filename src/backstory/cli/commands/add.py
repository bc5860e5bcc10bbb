"""``backstory add``."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeAlias

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from backstory.cli.chats import Defaults, Importer, Outcome, finish, read_lines
from backstory.cli.facts import name_of, period_of
from backstory.cli.options import AsJson, Common, Config, EmbedderName, Tenant, Url, User
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.reading import check_time, object_of, text_of
from backstory.cli.stores import opened
from backstory.errors import BackstoryError, InvalidInputError

app = typer.Typer(add_completion=False)
_MOST_PROBLEMS = 20


Text: TypeAlias = Annotated[
    str | None, typer.Argument(metavar="TEXT", help='The message; "-" reads stdin.')
]
File: TypeAlias = Annotated[
    str | None,
    typer.Option("--file", metavar="PATH", help='A chat as JSON Lines instead; "-" reads stdin.'),
]
Talk: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="The conversation. None: the open one or a new one; the file's name."
    ),
]
Timestamp: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="ISO 8601 with a zone. None: now.")
]
Metadata: TypeAlias = Annotated[
    str | None, typer.Option(metavar="JSON", help="A JSON object of yours.")
]
MessageId: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Your id: adding it again to its session changes nothing."),
]


@app.command("add")
def add(
    ctx: typer.Context,
    user: User,
    text: Text = None,
    file: File = None,
    session: Talk = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help="Who speaks.")] = "user",
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Who, by name.")] = None,
    timestamp: Timestamp = None,
    metadata: Metadata = None,
    message_id: MessageId = None,
    url: Url = None,
    tenant: Tenant = None,
    embedder: EmbedderName = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Remember a message, or a whole chat from a file.

    A file holds one JSON object per line: role and content, and if known id,
    timestamp, speaker, session, metadata. Run it again after an interruption:
    nothing is stored twice.
    """
    given = Common(url=url, tenant=tenant, embedder=embedder, config=config, as_json=as_json)
    common = given.over(ctx)
    own = object_of(metadata, "--metadata")
    if (text is None) == (file is None):
        raise typer.BadParameter("give a text or --file, one of them", ctx=ctx)
    if file is not None:
        if timestamp is not None or message_id is not None:
            raise typer.BadParameter(
                "--timestamp and --message-id are for one message; a file has them in its lines",
                ctx=ctx,
            )
        if file == "-" and session is None:
            raise typer.BadParameter("with --file -, name the --session", ctx=ctx)
        source = "stdin" if file == "-" else Path(file).name
        defaults = Defaults(
            source=source, session=session or source, role=role, speaker=speaker, metadata=own or {}
        )
        _add_file(common, user, file, defaults)
        return
    check_time(timestamp, "--timestamp", days=False)
    message = {
        "role": role,
        "content": text_of(text or ""),
        "speaker": speaker,
        "timestamp": timestamp,
        "metadata": own,
        "message_id": message_id,
    }
    _add_one(common, user, session, message)


def _add_one(common: Common, user: str, session: str | None, message: dict[str, Any]) -> None:
    with opened(common.settings(), create=True) as memory:
        result = memory.add([message], user_id=user, session_id=session)
        outcome = Outcome(pending=result.pending, degraded=result.degraded)
        finish(memory, user, outcome)
    stored = result.messages[0]
    if common.as_json:
        emit({**result.to_dict(), "pending": outcome.pending, "degraded": outcome.degraded})
        return
    said = "Remembered" if stored.created else "Was there already"
    screen = Screen()
    screen.say(f"{said}: message {stored.id} in session {one_line(stored.session_id)}.")
    for fact in result.facts:
        period = period_of(fact, screen.signs)
        disputed = f" ({fact.status})" if fact.status != "active" else ""
        screen.say(
            ("  read: ", "dim"),
            f"{one_line(name_of(fact))}: {one_line(fact.value)}",
            (f", {period}{disputed}", "dim"),
        )
    _say_pending(outcome)


def _add_file(common: Common, user: str, file: str, defaults: Defaults) -> None:
    settings = common.settings()
    quiet = common.as_json
    with _stream(file) as (stream, size), opened(settings, create=True) as memory:
        importer = Importer(memory, user)
        outcome = importer.outcome
        try:
            with _progress(size, quiet=quiet) as reached:
                importer.run(read_lines(stream, defaults), reached)
            finish(memory, user, outcome)
        except (BackstoryError, KeyboardInterrupt):
            if not quiet:
                Screen(stderr=True).say(
                    f"Stopped after {counted(outcome.lines, 'line')}. "
                    "Run the same command again to go on; nothing is stored twice."
                )
            raise
    if quiet:
        emit(_data(defaults.source, outcome))
    else:
        _show(outcome)
    if outcome.problems:
        raise InvalidInputError(
            f"{len(outcome.problems)} of {counted(outcome.lines, 'line')} not stored; "
            "correct them and run the command again"
        )


@contextmanager
def _stream(file: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """The file as bytes, and its size if that is known."""
    if file == "-":
        yield sys.stdin.buffer, None
        return
    path = Path(file).expanduser()
    try:
        stream = path.open("rb")
    except OSError as error:
        raise typer.BadParameter(
            f"{one_line(file)} cannot be read ({error.strerror})", param_hint="--file"
        ) from error
    with stream:
        yield stream, path.stat().st_size


@contextmanager
def _progress(size: int | None, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if that is a terminal; gives what is called with each position."""
    screen = Screen(stderr=True)
    progress = Progress(
        TextColumn("remembering"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=quiet or not screen.is_terminal,
    )
    with progress:
        task = progress.add_task("remembering", total=size)
        yield lambda position: progress.update(task, completed=position)


def _data(source: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "source": source,
        "lines": outcome.lines,
        "added": outcome.added,
        "already_there": outcome.known,
        "not_stored": len(outcome.problems),
        "problems": [asdict(problem) for problem in outcome.problems],
        "sessions": list(outcome.sessions),
        "pending": outcome.pending,
        "degraded": outcome.degraded,
    }


def _show(outcome: Outcome) -> None:
    errors = Screen(stderr=True)
    for problem in outcome.problems[:_MOST_PROBLEMS]:
        errors.say((f"line {problem.line}", "bold"), f": {one_line(problem.message)}")
    if len(outcome.problems) > _MOST_PROBLEMS:
        errors.say(f"and {len(outcome.problems) - _MOST_PROBLEMS} more lines; --json lists all")
    Screen().say(
        f"{outcome.added:,} added, {outcome.known:,} already there, "
        f"{len(outcome.problems):,} not stored; in {counted(len(outcome.sessions), 'session')}."
    )
    _say_pending(outcome)


def _say_pending(outcome: Outcome) -> None:
    if outcome.degraded or outcome.pending:
        why = f" ({one_line(outcome.degraded)})" if outcome.degraded else ""
        Screen(stderr=True).say(
            (f"note: {counted(outcome.pending, 'message')} without a vector{why}", "yellow")
        )
