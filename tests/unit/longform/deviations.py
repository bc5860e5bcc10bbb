"""Where backstory.longform differs from the published package on purpose.

Each is a row of the table in docs/explanation/longform-compatibility.md, which gives the reason.
"""

import base64
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Api = Any
"""The module backstory.longform or the published one."""


@dataclass(frozen=True)
class Deviation:
    """A call whose outcome differs.

    Attributes:
        function: Its name, the first cell of its row in the documentation.
        given: What it is given, the second cell.
        call: The call, for either package.
        published: What the published package gives; the type of what it raises.
        ours: What this one gives.
    """

    function: str
    given: str
    call: Callable[[Api], Any]
    published: Any
    ours: Any


def raw_vector(*numbers: float) -> str:
    """The text of numbers that are not divided by their length."""
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode("ascii")


def _found(api: Api, *rows: tuple[float, ...]) -> list[int]:
    texts = [raw_vector(*row) for row in rows]
    return [hit.row for hit in api.search_top_k([1, 0], range(len(rows)), texts.__getitem__)]


def _planned(api: Api, **item: Any) -> list[tuple[str, int]]:
    ops = api.plan_thread_ops(
        [api.RawThreadItem(summary="s", **item)], [api.KnownThread("a", "open")], 5, 20
    )
    return [(op.kind, op.deadline_chapter) for op in ops]


_ROOT = raw_vector(2**-0.5, 2**-0.5)
_HALVES = np.full(4_000, 0.5, dtype=np.float16)
_EQUAL = raw_vector(*[4_000**-0.5] * 4_000)

DEVIATIONS = (
    Deviation(
        "search_top_k", "a stored row with infinity",
        lambda api: _found(api, (1, 0), (1, 0.1), (float("inf"), 0)), [2], [0, 1],
    ),
    Deviation(
        "search_top_k", "a stored row with NaN",
        lambda api: _found(api, (float("nan"), 1), (0.5, 0), (1, 0)), [], [2],
    ),
    Deviation(
        "resolve_thread_deadline", "infinity, also from JSON as `1e999`",
        lambda api: api.resolve_thread_deadline(json.loads("1e999"), 5, 20), OverflowError, 20,
    ),
    Deviation(
        "resolve_thread_deadline", "an int that no double holds",
        lambda api: api.resolve_thread_deadline(10**400, 5, 0), OverflowError, 15,
    ),
    Deviation(
        "plan_thread_ops", "a deadline of infinity",
        lambda api: _planned(api, deadline_chapter=float("-inf")), OverflowError, [("open", 20)],
    ),
    Deviation(
        "plan_thread_ops", "a reference of thousands of digits",
        lambda api: _planned(api, action="resolve", ref="T" + "1" * 5_000),
        ValueError, [("skip", 0)],
    ),
    Deviation(
        "encode_vector", "a generator",
        lambda api: api.encode_vector(number for number in (1, 1)), "", _ROOT,
    ),
    Deviation(
        "encode_vector", "an empty generator",
        lambda api: api.encode_vector(number for number in tuple[float]()), TypeError, "",
    ),
    Deviation(
        "encode_vector", "numbers of numpy in less than double precision",
        lambda api: api.encode_vector(_HALVES) == _EQUAL, False, True,
    ),
    Deviation(
        "search_top_k", "a query that is a generator",
        lambda api: [
            hit.row for hit in api.search_top_k(
                (number for number in (1, 0)), [raw_vector(1, 0)], lambda row: row
            )
        ],
        [], [raw_vector(1, 0)],
    ),
    Deviation(
        "decode_vector", "one `=` too many after whole groups of four",
        lambda api: api.decode_vector("A" * 16 + "="), [0.0, 0.0, 0.0], None,
    ),
)  # fmt: skip
