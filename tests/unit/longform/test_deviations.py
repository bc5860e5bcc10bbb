"""What differs from the published package differs as the documentation says, and nothing else."""

import re
from pathlib import Path
from typing import Any

import longform_memory as published
import pytest

import backstory
from backstory import longform as ours
from tests.unit.longform.deviations import DEVIATIONS, Deviation

PAGE = Path(__file__).resolve().parents[3] / "docs" / "explanation" / "longform-compatibility.md"
NAMES = [f"{one.function}, {one.given}" for one in DEVIATIONS]


def outcome(deviation: Deviation, api: Any) -> Any:
    try:
        return deviation.call(api)
    except (ArithmeticError, TypeError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=NAMES)
def test_it_differs_as_it_is_said(deviation: Deviation) -> None:
    assert outcome(deviation, ours) == deviation.ours
    assert outcome(deviation, published) == deviation.published
    assert deviation.ours != deviation.published


def test_each_is_documented_with_a_reason() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    documented = [(function, given) for function, given, *_ in rows if function != "__version__"]
    assert documented == [(one.function, one.given) for one in DEVIATIONS]
    assert all(len(reason) > 20 for *_, reason in rows)


def test_the_version_is_that_of_this_package() -> None:
    assert ours.__version__ == backstory.__version__
