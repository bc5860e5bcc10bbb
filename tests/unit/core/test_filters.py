"""Filters against a plain reading of the same conditions, row by row."""

from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.columns import PartitionColumns
from backstory.core.filters import Filter, mask_of, parse_filter
from backstory.core.partition import Partition, build_partition
from backstory.core.times import to_micros
from backstory.errors import InvalidFilterError

ROLES = ["user", "assistant", "user", "tool"]
SPEAKERS = ["Vera", None, "Åsa", None]
TIMES = [
    datetime(2026, 3, 1, 0, 0, tzinfo=UTC),
    datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(2026, 3, 2, 0, 0, tzinfo=UTC),
    datetime(2026, 4, 1, 12, tzinfo=UTC),
]
METADATA: list[dict[str, Any]] = [
    {"a": 1, "tags": ["x", "y"], "note": "blue sky"},
    {"a": 2.5, "tags": []},
    {"a": True, "note": None},
    {},
]


def partition() -> Partition:
    count = len(ROLES)
    return build_partition(
        PartitionColumns(
            seqs=range(count),
            message_ids=[str(n) for n in range(count)],
            sessions=["key-s", "key-s", "key-t", "key-t"],
            timestamps=[to_micros(time) for time in TIMES],
            recorded=[to_micros(time) for time in TIMES],
            known=[to_micros(time) for time in TIMES],
            roles=ROLES,
            speakers=SPEAKERS,
            agents=[None, "bot", "bot", None],
            lengths=[1] * count,
            terms=[b""] * count,
            vectors=[None] * count,
        )
    )


def passing(filters: dict[str, Any]) -> list[int]:
    keys = {"s": "key-s", "t": "key-t"}
    mask = mask_of(partition(), parse_filter(filters), keys, METADATA)
    return [int(row) for row in np.flatnonzero(mask)]


@pytest.mark.parametrize(
    ("filters", "rows"),
    [
        ({}, [0, 1, 2, 3]),
        ({"role": "user"}, [0, 2]),
        ({"role": ["user", "tool"]}, [0, 2, 3]),
        ({"role": {"ne": "user"}}, [1, 3]),
        ({"role": "USER"}, [0, 2]),
        ({"role": ["Human", "function"]}, [0, 2, 3]),
        ({"speaker": " Vera\n"}, [0]),
        ({"metadata": {"a": {"eq": 1}, "tags": {"eq": ("x", "y")}}}, [0]),
        ({"metadata": {}}, [0, 1, 2, 3]),
        ({"role": {"in": ("tool",)}}, [3]),
        ({"speaker": None}, [1, 3]),
        ({"speaker": "vera"}, []),
        ({"agent_id": "bot", "role": "user"}, [2]),
        ({"session_id": "s"}, [0, 1]),
        ({"session_id": "unknown"}, []),
        ({"session_id": {"ne": "s"}}, [2, 3]),
        ({"session_id": {"ne": "unknown"}}, [0, 1, 2, 3]),
        ({"timestamp": "2026-03-01"}, [0, 1]),
        ({"timestamp": {"gt": "2026-03-01"}}, [2, 3]),
        ({"timestamp": {"gte": "2026-03-01", "lt": "2026-03-02"}}, [0, 1]),
        ({"timestamp": {"lte": "2026-03-02T00:00:00Z"}}, [0, 1, 2]),
        ({"timestamp": {"lt": "2026-03-02T01:00:00+01:00"}}, [0, 1]),
        ({"timestamp": {"gt": TIMES[0]}}, [1, 2, 3]),
        ({"created_at": {"eq": TIMES[2]}}, [2]),
        ({"metadata": {"a": 1}}, [0]),
        ({"metadata": {"a": True}}, [2]),
        ({"metadata": {"a": {"gte": 1}}}, [0, 1]),
        ({"metadata.a": {"in": [2.5, 7]}}, [1]),
        ({"metadata": {"tags": []}}, [1]),
        ({"metadata": {"tags": ["x", "y"]}}, [0]),
        ({"metadata": {"tags": {"contains": "x"}}}, [0]),
        ({"metadata": {"note": {"contains": "blue"}}}, [0]),
        ({"metadata": {"note": {"exists": True}}}, [0, 2]),
        ({"metadata": {"note": {"exists": False}}}, [1, 3]),
        ({"metadata": {"note": None}}, [2]),
        ({"metadata": {"a": {"ne": 1}}}, [1, 2, 3]),
        ({"metadata": {"note": {"gt": 5}}}, []),
    ],
)
def test_which_rows_pass(filters: dict[str, Any], rows: list[int]) -> None:
    assert passing(filters) == rows


@pytest.mark.parametrize(
    "wrong",
    [
        {"metadata": {"a": {"in": "text"}}},
        {"metadata": {"a": {"in": 5}}},
        {"metadata": {"a": {"exists": "yes"}}},
        {"metadata": {"a": {"b": 1}}},
        {"role": {"contains": "u"}},
        {"role": [1]},
        {"role": "usr"},
        {"role": {"ne": "robot"}},
        {"role": ""},
        {"role": {}},
        {"speaker": {}},
        {"speaker": " "},
        {"speaker": 5},
        {"agent_id": ["a", 5]},
        {"agent_id": ""},
        {"timestamp": {}},
        {"metadata": {"a": {}}},
        {"metadata": {"a": float("nan")}},
        {"metadata": {"a": object()}},
        {"metadata": {"a": {"in": [object()]}}},
        {"metadata": {"a": {"eq": {1, 2}}}},
        {"metadata": {"a": {"gt": None}}},
        {"metadata": {"a": {"gt": [1]}}},
        {"metadata": {"a": {"lte": True}}},
        {"metadata": {"a": {"gte": float("inf")}}},
        {"metadata": {1: 2}},
        {"metadata": {None: 2}},
        {"metadata": None},
        {"metadata.a": date(2026, 3, 1)},
        {"role": None},
        {"session_id": None},
        {"session_id": ["a", None]},
        {"session_id": "\ud800"},
        {"timestamp": {"in": ["2026-03-01"]}},
        {"timestamp": None},
        {1: 2},
    ],
)
def test_wrong_filters_are_refused(wrong: Any) -> None:
    with pytest.raises(InvalidFilterError):
        parse_filter(wrong)


@given(st.lists(st.sampled_from([{"role": "user"}, {"speaker": None}, {"metadata": {"a": 1}}])))
def test_conditions_are_all_required(filters: list[dict[str, Any]]) -> None:
    parsed = [parse_filter(one) for one in filters]
    together = Filter(
        columns=tuple(c for one in parsed for c in one.columns),
        metadata=tuple(c for one in parsed for c in one.metadata),
    )
    rows = set(range(len(ROLES))).intersection(*(passing(one) for one in filters))
    mask = mask_of(partition(), together, {}, METADATA)
    assert set(np.flatnonzero(mask).tolist()) == rows


OPERATORS = st.sampled_from(["eq", "ne", "in", "gt", "gte", "lt", "lte", "contains", "exists"])
FIELDS = st.sampled_from(
    ["role", "speaker", "agent_id", "session_id", "timestamp", "recorded_at", "metadata.a"]
)
SCALARS = (
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(object())),
    *(st.sampled_from(["user", "USER", "s", "2026-03-01"]), st.dates(), st.datetimes()),
)
OPERANDS = st.recursive(
    st.one_of(*SCALARS, st.binary(max_size=2), st.sets(st.integers(), max_size=2)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(OPERATORS | st.text(max_size=2) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    OPERANDS
    | st.dictionaries(FIELDS | st.integers() | st.text(max_size=3), OPERANDS, max_size=3)
    | st.fixed_dictionaries({"metadata": st.dictionaries(st.sampled_from("ab"), OPERANDS)})
)
def test_any_value_is_a_filter_that_works_or_our_error(value: Any) -> None:
    with suppress(InvalidFilterError):
        rows = passing(value)
        assert set(rows) <= set(range(len(ROLES)))
