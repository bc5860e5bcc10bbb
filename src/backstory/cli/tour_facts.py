"""The part of the demo that shows facts."""

from datetime import datetime
from typing import Any

from rich.table import Table
from rich.text import Text

from backstory.api import Memory
from backstory.cli import tour
from backstory.cli.contradictions import show_contradiction
from backstory.cli.facts import name_of, period_of, show_facts
from backstory.cli.output import Screen
from backstory.cli.plain import one_line
from backstory.cli.timeline import show_time_line


def facts_data(memory: Memory, conversation: tour.Conversation) -> dict[str, Any]:
    """The same as data."""
    facts = tour.facts(memory, conversation)
    histories = tour.histories(memory, conversation)
    dispute = tour.settle(memory, conversation)
    return {
        "facts": [fact.to_dict() for fact in facts],
        "histories": [history.to_dict() for history in histories],
        "contradiction": None
        if dispute is None
        else {"raised": dispute.raised.to_dict(), "resolved": dispute.resolved.to_dict()},
        "as_of": [
            {
                "query": tour.DATED_QUESTION,
                "valid_at": answer.valid_at.isoformat(),
                "fact": None if answer.fact is None else answer.fact.to_dict(),
            }
            for answer in tour.ask_as_of(memory, conversation)
        ],
    }


def show_what_is_true(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    """The facts of the last day, and two slots in time."""
    screen.say("Read from the messages by rules, without a model:\n")
    show_facts(screen, tour.facts(memory, conversation))
    screen.say("\nWhat changed is kept, with the days it held:")
    for history in tour.histories(memory, conversation):
        screen.print()
        screen.say((name_of(history.facts[-1]), "bold"), indent=2)
        show_time_line(screen, history.facts, indent=4)


def show_dispute(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    """One contradiction, before and after its decision."""
    dispute = tour.settle(memory, conversation)
    if dispute is None:
        screen.say("The contradiction of this conversation was decided before.")
        return
    screen.say("Two statements that cannot both hold. Nobody said that the world had changed:\n")
    show_contradiction(screen, dispute.raised, indent=2)
    screen.say("\nDecided, the facts follow:\n")
    for fact in dispute.history.facts:
        sign = screen.signs.bad if fact.retracted_at else screen.signs.good
        style = "dim" if fact.retracted_at else "bold"
        said = f"{one_line(fact.value)}, {period_of(fact, screen.signs)} ({fact.status})"
        screen.paragraph(Text(f"{sign} {said}", style), 4)
    screen.say((f"because: {dispute.resolved.note}", "dim"), indent=4)


def show_dates(screen: Screen, memory: Memory, conversation: tour.Conversation) -> None:
    """The same question as of two dates."""
    screen.say((tour.DATED_QUESTION, "bold"))
    grid = Table.grid(padding=(0, 3, 0, 0))
    for answer in tour.ask_as_of(memory, conversation):
        fact = answer.fact
        said = "nothing is known" if fact is None else one_line(fact.value)
        when = "" if fact is None else period_of(fact, screen.signs)
        grid.add_row(f"  as of {_date(answer.valid_at)}", Text(said, "bold"), Text(when, "dim"))
    screen.print(grid)


def _date(moment: datetime) -> str:
    return f"{moment.day:>2} {moment:%b %Y}"
