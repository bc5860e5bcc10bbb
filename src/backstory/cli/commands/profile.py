"""``backstory profile``."""

import typer

from backstory.cli.facts import show_facts
from backstory.cli.options import Common, command
from backstory.cli.output import Screen, emit
from backstory.cli.stores import opened

app = typer.Typer(add_completion=False)


@command(app, "profile")
def profile(common: Common) -> None:
    """Show what is true of a user now, by category: no other persons."""
    user = common.user or ""
    with opened(common.settings()) as memory:
        found = memory.profile(user)
    if common.as_json:
        emit({str(name): [fact.to_dict() for fact in facts] for name, facts in found.items()})
        return
    facts = [fact for members in found.values() for fact in members]
    if facts:
        show_facts(Screen(), facts)
    else:
        Screen(stderr=True).say(f"No fact about {user!r} is known.")
