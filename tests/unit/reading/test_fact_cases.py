"""The harness that measures readers on written cases: it must see what is wrong."""

from typing import Any

import pytest

from backstory.core.model.reading import Batch, Reading
from bench.fact_cases import Case, by_kind, contains, run_case, score


class Mute:
    """A reader that understands nothing."""

    name = "mute"
    reads_at_once = True

    def wants(self, role: object, text: str) -> bool:
        return True

    async def read(self, batch: Batch) -> Reading:
        return Reading()


def _case(*texts: str, **expect: Any) -> Case:
    wanted = {"has": [], "not": [], "as_of": [], "superseded": [], "contradiction": False}
    return {
        "id": "x-1",
        "kind": "update",
        "note": "",
        "messages": [
            {"at": f"2024-0{n}-01T12:00:00+00:00", "role": "user", "text": text}
            for n, text in enumerate(texts, start=1)
        ],
        "expect": wanted | expect,
    }


_MOVED = _case(
    "I live in Sopot",
    "I've moved to Sofia",
    has=[{"any": ["sofia"]}],
    **{"not": ["sopot"]},
    superseded=["sopot"],
    unique=["sofia"],
    as_of=[
        {"valid_at": "2024-01-15T12:00:00+00:00", "has": [{"any": ["sopot"]}], "not": ["sofia"]}
    ],
)


def test_a_case_that_is_understood_holds_everywhere() -> None:
    checks = run_case(_MOVED)
    assert all(check.ok for check in checks)
    assert score(checks) == {
        "as_of has": (1, 1),
        "as_of not": (1, 1),
        "contradiction false": (1, 1),
        "has": (1, 1),
        "not": (1, 1),
        "superseded": (1, 1),
        "unique": (1, 1),
    }
    assert by_kind(checks) == {"update": (7, 7)}


def test_a_reader_that_understands_nothing_is_seen() -> None:
    shares = score(run_case(_MOVED, Mute()))
    assert shares["has"] == shares["superseded"] == shares["as_of has"] == (0, 1)
    assert shares["not"] == (1, 1)


def test_an_open_contradiction_is_counted() -> None:
    both = _case("I live in Sopot", "I live in Sofia", contradiction=True)
    assert score(run_case(both)) == {"contradiction true": (1, 1)}
    assert score(run_case(both | {"expect": both["expect"] | {"contradiction": False}})) == {
        "contradiction false": (0, 1)
    }


@pytest.mark.parametrize(
    ("value", "needle", "found"),
    [("34", "34", True), ("134", "34", False), ("Évora", "evora", True), ("Sopot", "opot", False)],
)
def test_short_strings_are_whole_words(value: str, needle: str, *, found: bool) -> None:
    assert contains(value, needle) is found
