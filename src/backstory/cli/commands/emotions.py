"""``backstory emotions``: how a user felt."""

from typing import Annotated

import typer

from backstory.api import EmotionalMoment
from backstory.cli.course import show_course
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, counted, emit
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)


@command(app, "emotions")
def emotions(
    common: Common,
    days: Annotated[float, typer.Option(min=0, help="How far back, in days.")] = 30,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most moments, the latest.")] = 10,
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="NAME", help="Where days begin, by its IANA name.")
    ] = "UTC",
) -> None:
    """Show how a user felt: the course of days, and moments of strong feeling.

    Read from what was said in live conversations, by lists of words or by a model: a guess, and
    no diagnosis.
    """
    user = common.user or ""
    with opened(common.settings()) as memory:
        course = memory.emotions.get_course(user, days=days, timezone=timezone)
        moments = memory.emotions.get_recent(user, days=days, limit=limit)
    if common.as_json:
        emit(
            {
                "course": [day.to_dict() for day in course],
                "moments": [moment.to_dict() for moment in moments],
            }
        )
        return
    if not course:
        Screen(stderr=True).say(
            f"No feeling of {user!r} was read in the last {days:g} days. Imported messages have "
            "none; `backstory users` lists who is known."
        )
        return
    screen = Screen()
    show_course(screen, course)
    said = sum(day.messages for day in course)
    screen.say((f"{counted(said, 'message')} on {counted(len(course), 'day')}", "dim"))
    if moments:
        _show(screen, moments)


def _show(screen: Screen, moments: list[EmotionalMoment]) -> None:
    screen.table(
        [("when", "keep"), ("felt", "keep"), ("words", "fold")],
        [
            (
                f"{moment.at:%Y-%m-%d}",
                ", ".join(moment.tags) or f"{moment.valence:+.1f}",
                moment.quote,
            )
            for moment in moments
        ],
    )
