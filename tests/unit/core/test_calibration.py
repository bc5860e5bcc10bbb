"""Floors of similarities: a percentile and a precision point, and what is too little for them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.calibration import (
    LEAST_RELATED,
    LEAST_UNRELATED,
    PRECISION,
    RELATED_SHARE,
    calibrate,
    derived_query,
)
from backstory.core.model.calibration import Calibration
from backstory.errors import ConfigurationError

cosines = st.floats(-1, 1, width=32)
many_apart = st.lists(cosines, min_size=40, max_size=60).map(lambda some: some * 25)
many_near = st.lists(cosines, min_size=LEAST_RELATED, max_size=60)


def precision(floor: float, apart: list[float], near: list[float]) -> float:
    found = RELATED_SHARE * float(np.mean(np.array(near) >= floor))
    wrong = (1 - RELATED_SHARE) * float(np.mean(np.array(apart) >= floor))
    return found / (found + wrong) if found + wrong else 1.0


@given(many_apart, many_near)
def test_the_floors_are_what_they_are_said_to_be(apart: list[float], near: list[float]) -> None:
    found = calibrate(apart, near)
    assert found is not None
    assert float(np.mean(np.array(apart) > found.low + 1e-4)) <= 0.01
    assert float(np.mean(np.array(apart) >= found.low - 1e-4)) >= 0.01
    assert found.low <= found.high <= 1.0
    if found.high < 1.0:
        assert precision(found.high, apart, near) >= PRECISION
    assert (found.pairs, found.related) == (len(apart), len(near))


def test_the_high_floor_is_no_higher_than_it_must_be() -> None:
    apart = np.linspace(0.0, 0.5, 10_000).tolist()
    near = np.linspace(0.4, 0.9, 100).tolist()
    found = calibrate(apart, near)
    assert found is not None
    assert found.low == pytest.approx(0.495, abs=1e-3)
    # with 84 of 100 related pairs above, 9 of 10,000 others are one in ten
    assert (
        precision(found.high - 1e-3, apart, near) < PRECISION <= precision(found.high, apart, near)
    )


def test_a_model_with_other_numbers_has_other_floors() -> None:
    random = np.random.default_rng(3)
    apart, near = random.normal(0.1, 0.07, 5000), random.normal(0.5, 0.1, 200)
    plain = calibrate(apart.tolist(), near.tolist())
    shifted = calibrate((0.6 + apart * 0.4).tolist(), (0.6 + near * 0.4).tolist())
    assert plain is not None
    assert shifted is not None
    assert shifted.low == pytest.approx(0.6 + plain.low * 0.4, abs=1e-3)
    assert shifted.high == pytest.approx(0.6 + plain.high * 0.4, abs=1e-3)


@pytest.mark.parametrize(
    ("apart", "near"),
    [(LEAST_UNRELATED - 1, LEAST_RELATED), (LEAST_UNRELATED, LEAST_RELATED - 1), (0, 0)],
)
def test_too_few_pairs_give_nothing(apart: int, near: int) -> None:
    assert calibrate([0.1] * apart, [0.9] * near) is None
    assert calibrate([0.1] * LEAST_UNRELATED, [0.9] * LEAST_RELATED) is not None


def test_it_is_stored_as_text_and_comes_back() -> None:
    known = Calibration(low=0.25, high=0.4, pairs=2000, related=30)
    assert Calibration.from_text(known.to_text()) == known
    later = json.dumps({**known.to_dict(), "new": 1})
    assert Calibration.from_text(later) == known


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"low": "x"}', "null", '{"low": null}'])
def test_a_damaged_one_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="calibration"):
        Calibration.from_text(text)


def test_a_query_is_every_other_word_of_a_message() -> None:
    words = ["red", "tent", "lake", "rain", "wind"]
    assert derived_query(words) == "red lake wind"
    assert derived_query(["red", "red", "tent", "lake", "rain"]) is None
    assert derived_query(words[:4]) is None
    assert derived_query([str(n) for n in range(40)]) == "0 2 4 6 8 10"
