"""Output for people (Rich) and for machines (JSON)."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from backstory.cli.plain import one_line, plain

WIDEST: Final = 100


@dataclass(frozen=True)
class Signs:
    """Characters beyond ASCII, or what stands for them where they cannot be shown."""

    good: str = "✓"
    bad: str = "✗"
    full: str = "█"
    empty: str = "░"
    edge: str = "│"
    dot: str = "·"
    ellipsis: str = "…"
    line: str = "─"
    times: str = "×"  # noqa: RUF001
    dash: str = "–"  # noqa: RUF001
    arrow: str = "→"
    tip: str = "▶"
    stop: str = "┤"
    point: str = "●"
    ring: str = "○"
    gap: str = "┊"


ASCII: Final = Signs(
    good="ok",
    bad="FAIL",
    full="#",
    empty=".",
    edge="|",
    dot="|",
    ellipsis="...",
    line="-",
    times="x",
    dash="-",
    arrow="->",
    tip=">",
    stop="|",
    point="*",
    ring="o",
    gap=":",
)


class Screen(Console):
    """A Rich console that takes no text for markup, and shows ASCII where it must.

    Args:
        stderr: Whether it writes to stderr.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(
            file=sys.stderr if stderr else sys.stdout, markup=False, emoji=False, highlight=False
        )
        if self.width > WIDEST:
            self.width = WIDEST
        self.signs = Signs() if self.encoding.startswith("utf") else ASCII

    def on_broken_pipe(self) -> None:
        """Leave it to the group of commands."""
        raise BrokenPipeError

    def say(self, *parts: str | tuple[str, str], indent: int = 0) -> None:
        """Print a paragraph of parts, each plain or with a style; all are made harmless."""
        self.paragraph(Text.assemble(*map(_harmless, parts)), indent)

    def paragraph(self, text: Text, indent: int = 0, edge: Text | None = None) -> None:
        """Print text, wrapped, each line behind blanks or an edge; no line ends with blanks."""
        margin = Text(" " * indent) if edge is None else Text(" " * indent).append(edge)
        for line in text.wrap(self, max(20, self.width - margin.cell_len)):
            line.rstrip()
            self.print(Text.assemble(margin, line) if line else Text(margin.plain.rstrip()))

    def heading(self, title: str) -> None:
        """Print a title with a line behind it."""
        self.print()
        self.print(Rule(Text(title, "bold"), align="left", characters=self.signs.line, style="dim"))
        self.print()

    def table(
        self, columns: Sequence[str | tuple[str, str]], rows: Sequence[Sequence[str]]
    ) -> None:
        """Print a table.

        Args:
            columns: Titles; one in a pair with "right", "keep" (on one line) or "fold" is set so.
            rows: Their cells, any text.
        """
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
        for column in columns:
            title, how = (column, "") if isinstance(column, str) else column
            table.add_column(
                Text(title),
                justify="right" if how == "right" else "left",
                overflow="fold",
                no_wrap=how in {"right", "keep"},
            )
        for row in rows:
            table.add_row(*(Text(one_line(cell)) for cell in row))
        self.print(table)


def _harmless(part: str | tuple[str, str]) -> str | tuple[str, str]:
    return plain(part) if isinstance(part, str) else (plain(part[0]), part[1])


def emit(value: Any) -> None:
    """Write JSON to stdout, in ASCII: the same in every locale, and harmless to a terminal."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def counted(number: int, noun: str) -> str:
    """``1 message``, ``1,200 messages``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
