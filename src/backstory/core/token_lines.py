"""The bound of a text as a sum over its lines, each of which can be remembered.

A context is mostly lines that an earlier one held. ``token_upper_bound`` is a sum over units, and
no unit goes on behind a line end that a letter, a digit or most signs follow. So a text is cut
there, and what is known of a line does not depend on what stands beside it.
"""

import re
from dataclasses import dataclass
from typing import Final

from backstory.core._token_units import unit_cost, units

# Not before white space, a slash (it may belong to the sign before the line end), an apostrophe
# (what stands before it decides what it is) and anything beyond ASCII.
_CUT: Final = re.compile(r"\n(?=[A-Za-z0-9!-&(-.:-@\[-`{-~])")
_WHITE: Final = " \t\r\n\x0b\x0c"


@dataclass(frozen=True, slots=True)
class LineBound:
    """What one line costs.

    Attributes:
        alone: At the end of a text.
        ended: With the line end behind it, before another line.
    """

    alone: int
    ended: int


def lines_of(text: str) -> list[str]:
    """Cut a text into lines that can be counted one by one.

    Args:
        text: Any text.

    Returns:
        The lines, without the line ends that were cut at; joined by them they are the text.
    """
    return _CUT.split(text)


def line_bound(line: str) -> LineBound:
    """Bound the tokens of one line; the sum over a text's lines is the sum over its units.

    Args:
        line: A line of ``lines_of``, or any text without a place to cut.
    """
    parts = units(line)
    alone = sum(map(unit_cost, parts))
    if not parts or "\r" in line or line[-1] in _WHITE:
        return LineBound(alone, sum(map(unit_cost, units(f"{line}\n"))))
    # only the last unit can take the line end in
    last = parts[-1]
    ended = alone - unit_cost(last) + sum(map(unit_cost, units(f"{last}\n")))
    return LineBound(alone, ended)
