import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.plot import lines, svg

_NUMBERS = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False, allow_subnormal=False)
_POINTS = st.lists(st.tuples(_NUMBERS, _NUMBERS), min_size=1, max_size=12).map(sorted)


def _marks(text: str) -> list[tuple[float, float]]:
    """Where the first mark of each series is, by the points of its line."""
    lines_of = re.findall(r'<polyline class="s\d+" [^>]*points="([^"]+)"', text)
    return [tuple(map(float, line.split()[0].split(","))) for line in lines_of[::2]]  # type: ignore[misc]


def test_a_chart_is_an_image_with_a_name_and_the_same_each_time(tmp_path: Path) -> None:
    series = {"ours & theirs": [(5, 70.0), (50, 92.5)], "BM25": [(5, 50.0), (50, 76.0)]}
    path = tmp_path / "new" / "chart.svg"
    lines(path, "Recall <at> k", "k", "%", series, log_x=True)
    text = path.read_text("utf-8")
    root = ElementTree.fromstring(text)  # noqa: S314 - what we wrote
    assert root.attrib["aria-label"] == "Recall <at> k"
    assert "ours &amp; theirs" in text
    assert "prefers-color-scheme:dark" in text
    assert text == svg("Recall <at> k", "k", "%", series, log_x=True)


def test_more_is_higher_and_later_is_further_right() -> None:
    low, high = _marks(svg("t", "x", "y", {"low": [(1, 1.0)], "high": [(2, 2.0)]}))
    assert low[0] < high[0]
    assert low[1] > high[1]


@given(_POINTS)
def test_every_point_is_inside_the_picture(points: list[tuple[float, float]]) -> None:
    text = svg("t", "x", "y", {"s": points})
    places = re.findall(r'points="([^"]+)"', text)[0].split()
    assert len(places) == len(points)
    for place in places:
        x, y = map(float, place.split(","))
        assert 0 <= x <= 760
        assert 0 <= y <= 420


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        svg("t", "x", "y", {"s": []})
    with pytest.raises(ValueError, match="logarithmic"):
        svg("t", "x", "y", {"s": [(0, 1.0)]}, log_x=True)
