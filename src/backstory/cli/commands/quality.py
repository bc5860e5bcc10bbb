"""``backstory quality``: how good responses were."""

from collections.abc import Mapping
from typing import Annotated

import typer

from backstory.api import QualityStats, Spread
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.plain import one_line
from backstory.cli.reading import moment_of, text_of
from backstory.cli.records import short
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False, invoke_without_command=True)


@command(app, None)
def quality(
    common: Common,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only responses since then.")
    ] = None,
) -> None:
    """Show how good responses were, and how the user took them: two numbers that never mix."""
    user = common.user or ""
    begin = moment_of(since, "--since", end_of_day=False)
    with opened(common.settings()) as memory:
        stats = memory.quality.get_stats(user, begin)
    if common.as_json:
        emit(stats.to_dict())
    elif stats.responses:
        _show(Screen(), stats)
    else:
        Screen(stderr=True).say(
            f"No response to {user!r} was scored: responses are when their session has ended, or "
            "by `backstory quality score`."
        )


@command(app, "list")
def listed(
    common: Common,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most of them.")] = 1000,
) -> None:
    """List the scores of single responses, oldest first."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        page = memory.quality.list_all(user, limit=limit)
    if common.as_json:
        emit([one.to_dict() for one in page.items])
        return
    dash = Screen().signs.dash
    Screen().table(
        [
            ("message", "keep"),
            ("when", "keep"),
            ("integrity", "right"),
            ("vitality", "right"),
            ("reply", "keep"),
            ("check", "right"),
        ],
        [
            (
                short(one.message_id),
                f"{one.at:%Y-%m-%d %H:%M}",
                f"{one.output_integrity:.2f}",
                _number(one.interaction_vitality, dash),
                one.feedback or "",
                _number(one.self_check, dash),
            )
            for one in page.items
        ],
    )


@command(app, "score")
def score(
    common: Common,
    message: Annotated[str, typer.Argument(metavar="ID", help="Of a response.")] = "",
    content: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='Its text in place of an id; "-" reads stdin.'),
    ] = None,
    session: Annotated[str | None, typer.Option(metavar="ID", help="Where it was said.")] = None,
    mode: Annotated[str | None, typer.Option(metavar="NAME", help="What it counts under.")] = None,
) -> None:
    """Score one response by rules, now."""
    with opened(common.settings()) as memory:
        found = memory.quality.score_response(
            common.user or "",
            message or None,
            response_content=None if content is None else text_of(content),
            session_id=session,
            mode=mode,
        )
    if common.as_json:
        emit(found.to_dict())
        return
    screen = Screen()
    screen.say(f"Integrity {found.output_integrity:.2f}")
    _parts(screen, found.integrity_parts)


@command(app, "check")
def check(
    common: Common,
    n: Annotated[int, typer.Option("-n", min=1, max=50, help="How many responses.")] = 8,
) -> None:
    """Let the language model look at the latest responses."""
    with opened(common.settings()) as memory:
        report = memory.quality.run_self_check(common.user or "", n)
    if common.as_json:
        emit(report.to_dict())
        return
    screen = Screen()
    if report.checked:
        screen.say(f"Checked {counted(report.checked, 'response')}; mean {report.mean or 0:.2f}")
        screen.table(
            [("message", "keep"), ("check", "right"), ("why", "fold")],
            [
                (short(one.message_id), f"{one.self_check or 0:.2f}", one.self_check_note)
                for one in report.checks
            ],
        )
    if report.problem:
        Screen(stderr=True).say(one_line(report.problem))


def _show(screen: Screen, stats: QualityStats) -> None:
    dash = screen.signs.dash
    screen.say(f"{counted(stats.responses, 'response')}, {stats.replies:,} with a reply")
    rows = [
        ("integrity", stats.output_integrity),
        ("vitality", stats.interaction_vitality),
        ("self-check", stats.self_check),
    ]
    screen.table(
        [("", "keep"), ("of", "right"), ("mean", "right"), ("spread", "right"), ("range", "keep")],
        [(name, *_spread(spread, dash)) for name, spread in rows],
    )
    _parts(screen, stats.integrity_parts)
    if stats.feedback:
        said = ", ".join(f"{name} {count}" for name, count in stats.feedback.items())
        screen.say(f"Replies: {said}")
    if set(stats.by_mode) != {""}:
        screen.table(
            [("mode", "keep"), ("of", "right"), ("integrity", "right"), ("vitality", "right")],
            [
                (
                    name or dash,
                    f"{mode.responses}",
                    f"{mode.output_integrity:.2f}",
                    _number(mode.interaction_vitality, dash),
                )
                for name, mode in stats.by_mode.items()
            ],
        )


def _spread(spread: Spread | None, dash: str) -> tuple[str, str, str, str]:
    if spread is None:
        return "0", dash, dash, dash
    span = f"{spread.least:.2f} {dash} {spread.most:.2f}"
    return f"{spread.count}", f"{spread.mean:.2f}", f"{spread.deviation:.2f}", span


def _parts(screen: Screen, parts: Mapping[str, float]) -> None:
    said = ", ".join(f"{name.replace('_', ' ')} {part:.2f}" for name, part in parts.items())
    screen.say((said, "dim"))


def _number(value: float | None, dash: str) -> str:
    return dash if value is None else f"{value:.2f}"
