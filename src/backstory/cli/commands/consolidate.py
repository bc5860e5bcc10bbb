"""``backstory consolidate``."""

from typing import Annotated

import typer

from backstory.api import ConsolidationReport, ConsolidationStatus
from backstory.cli.failures import FAILED
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)
_COLUMNS = ("queued", "running", "done", "tried again", "given up")


@command(app, "consolidate", user="optional")
def consolidate(
    common: Common,
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[KIND]", help='"episodic", "daily" or "weekly".'),
    ] = None,
    status: Annotated[
        bool, typer.Option("--status", help="Only say what waits, since when, and what failed.")
    ] = False,
) -> None:
    """Do a run of consolidation now, for one user or for all; doing it again changes nothing.

    Exits with 1 if a step failed.
    """
    if (kind is None) != status:
        raise typer.BadParameter("name a kind, or ask for --status, one of the two")
    with opened(common.settings()) as memory:
        if kind is None:
            found = memory.consolidation_status()
            emit(found.to_dict()) if common.as_json else _show_status(found)
            return
        report = memory.consolidate(kind, common.user)
    if common.as_json:
        emit(report.to_dict())
    else:
        _show(report)
    if not report.ok:
        raise typer.Exit(FAILED)


def _show(report: ConsolidationReport) -> None:
    screen = Screen()
    if not report.users:
        Screen(stderr=True).say("There was nothing to do.")
    for user in report.users:
        done = ", ".join(f"{count:,} {name}" for name, count in user.done.items() if count)
        left = user.skipped and f"left out: {one_line(user.skipped)}"
        screen.say((one_line(user.user_id), "bold"), f": {left or done or 'nothing to change'}")
        for name, why in user.failed.items():
            screen.say((f"{one_line(name)} failed: {one_line(why)}", "red"), indent=2)


def _show_status(status: ConsolidationStatus) -> None:
    screen = Screen()
    screen.table(
        ["kind", *((name, "right") for name in _COLUMNS)],
        [
            [
                str(one.kind),
                *(f"{n:,}" for n in (one.queued, one.running, one.done, one.retrying)),
                f"{one.given_up:,}",
            ]
            for one in status.counts
        ],
    )
    screen.say(f"{counted(status.sessions_due, 'session')} to digest.")
    if status.oldest_age_s is not None:
        screen.say(f"The oldest that waits has waited {status.oldest_age_s / 60:,.0f} minutes.")
    for name, at in status.next_runs.items():
        screen.say(f"Next {name} run: {at:%Y-%m-%d %H:%M} UTC.")
    if not status.next_runs:
        screen.say("Nothing runs by itself: consolidation is off.")
    for run in status.failures:
        again = f"again at {run.lease_until:%H:%M} UTC" if run.lease_until else "given up"
        screen.say(
            (f"{run.kind} of {one_line(run.user_id)} failed", "red"),
            f" ({counted(run.attempts, 'try').replace('trys', 'tries')}, {again}): "
            f"{one_line(run.problem or '')}",
        )
