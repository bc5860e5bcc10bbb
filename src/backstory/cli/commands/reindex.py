"""``backstory reindex``."""

from typing import Annotated

import typer

from backstory.api import Memory, ReindexResult, ReindexStatus
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.progress import progress_bar
from backstory.cli.stores import opened
from backstory.errors import EmbeddingUnavailableError

app = typer.Typer(add_completion=False)


@command(app, "reindex", user="none")
def reindex(
    common: Common,
    undo: Annotated[
        bool, typer.Option("--undo", help="Go back, or give up an unfinished move.")
    ] = False,
    status: Annotated[bool, typer.Option("--status", help="Only say how far it is.")] = False,
    drop_old: Annotated[
        bool, typer.Option("--drop-old", help="Remove the old vectors afterwards: no undo.")
    ] = False,
    skip_failed: Annotated[
        bool, typer.Option("--skip-failed", help="Switch although some texts were refused.")
    ] = False,
) -> None:
    """Move the store to the vectors of the embedder that --embedder names.

    Search goes on with the old ones until all are made. If it is
    interrupted, run it again: it goes on where it stopped.
    """
    if (status and (undo or drop_old or skip_failed)) or (undo and (drop_old or skip_failed)):
        raise typer.BadParameter("these options do not go together")
    settings = common.settings()
    with opened(settings) as memory:
        if status:
            _show_status(common, memory.reindex_status())
            return
        done = _move(common, memory, undo=undo, drop_old=drop_old, skip_failed=skip_failed)
    if common.as_json:
        emit(done.to_dict())
    elif done.switched:
        _show(done)
    if not done.switched:
        raise EmbeddingUnavailableError(
            f"not switched: {counted(done.pending, 'record')} without a vector of {done.target} "
            f"({'; '.join(done.reasons)}); search goes on as before. Run it again to go on"
        )


def _move(
    common: Common, memory: Memory, *, undo: bool, drop_old: bool, skip_failed: bool
) -> ReindexResult:
    with progress_bar("embedding", common) as reached:
        if undo:
            return memory.undo_reindex(progress=reached)
        return memory.reindex(progress=reached, keep_old=not drop_old, skip_failed=skip_failed)


def _show(done: ReindexResult) -> None:
    screen = Screen()
    made = counted(done.embedded, "vector")
    screen.say(f"The store uses {one_line(done.target)} now; {made} made.")
    if done.kept is not None:
        screen.say(
            f"Those of {one_line(done.kept)} are kept: `backstory reindex --undo` goes back."
        )
    if done.pending:
        errors = Screen(stderr=True)
        errors.say((f"note: {counted(done.pending, 'record')} without a vector", "yellow"))
        for reason in done.reasons:
            errors.say(one_line(reason))


def _show_status(common: Common, status: ReindexStatus) -> None:
    if common.as_json:
        emit(status.to_dict())
        return
    screen = Screen()
    screen.say(f"search uses {one_line(status.active or 'no embedder yet')}")
    if status.previous is not None:
        screen.say(f"undo goes back to {one_line(status.previous)}")
    if status.target is not None:
        state = "running" if status.running else "stopped"
        screen.say(
            f"{state}: {status.done:,} of {status.total:,} have a vector of "
            f"{one_line(status.target)}"
        )
        if status.problem:
            screen.say(one_line(status.problem))
