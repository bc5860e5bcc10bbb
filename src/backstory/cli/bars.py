"""A context's budget as bars, one for each section."""

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from backstory.api import Context
from backstory.cli.output import Screen, Signs
from backstory.cli.plain import one_line

STYLES = ("cyan", "green", "magenta", "yellow", "blue")


def bar(part: int, whole: int, width: int, signs: Signs, style: str) -> Text:
    """A bar: ``part`` of ``whole`` filled; anything above 0 shows."""
    filled = 0 if whole <= 0 else min(width, round(width * part / whole))
    filled = max(filled, 1 if part > 0 else 0)
    return Text(signs.full * filled, style).append(signs.empty * (width - filled), "dim")


def show_budget(screen: Screen, context: Context, *, indent: int = 0) -> None:
    """Print each section's use of the budget, counted alone, and what the whole text costs."""
    width = max(10, min(32, screen.width - 48 - indent))
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for place, section in enumerate(context.sections):
        offered = section.kept + section.dropped
        table.add_row(
            Text(one_line(section.name)),
            bar(section.tokens, context.max_tokens, width, screen.signs, STYLES[place % 5]),
            Text(f"{section.tokens:,}"),
            Text(section.problem or f"{section.kept} of {offered} items", "dim"),
        )
    fits = context.tokens <= context.max_tokens
    sign = screen.signs.good if fits else screen.signs.bad
    table.add_row(
        Text("all", "bold"),
        bar(context.tokens, context.max_tokens, width, screen.signs, "bold"),
        Text(f"{context.tokens:,}", "bold"),
        Text(f"of {context.max_tokens:,} tokens {sign}", "bold green" if fits else "bold red"),
    )
    screen.print(Padding(table, (0, 0, 0, indent), expand=False))
