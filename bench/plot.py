"""Line charts as SVG, drawn by hand: the same data give the same bytes, in light and dark.

A series is told apart by its colour (from a palette that colour-blind readers can tell apart), by
its mark and by its dashes. No library: an image library would weigh more than all other
tools of this project together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 420
_LEFT, _TOP, _BOTTOM = 64, 48, 56
_LETTER = 7.0
_ROW = 20
_MOST_NAMED = 8
_DASHES = ("", "7 4", "2 3", "9 3 2 3")
# Okabe and Ito's palette; the second colour is for a dark background
_COLOURS = (
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8f3d"),
    ("#007a5a", "#2fd6a5"),
    ("#a8437f", "#f0a1cf"),
    ("#7a6200", "#f0e442"),
    ("#444444", "#c9c9c9"),
)
_MARKS = (
    '<circle cx="{x}" cy="{y}" r="4"/>',
    '<path d="M{x} {y}m-4 -4h8v8h-8z"/>',
    '<path d="M{x} {y}m0 -5l5 9h-10z"/>',
    '<path d="M{x} {y}m0 -5l5 5l-5 5l-5 -5z"/>',
)


@dataclass(frozen=True, kw_only=True)
class _Axis:
    """From a value to a place on the page."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        low, high, at = (
            (log10(v) for v in (self.low, self.high, value))
            if self.log
            else (self.low, self.high, value)
        )
        return round(self.start + (at - low) / (high - low) * (self.end - self.start), 2)


def lines(
    path: Path,
    title: str,
    x_label: str,
    y_label: str,
    series: Mapping[str, Points],
    log_x: bool = False,
) -> None:
    """Write a chart with one line for each series.

    Args:
        path: The SVG file; its folder is made.
        title: Above the chart.
        x_label: Below the chart, with the unit.
        y_label: Beside the chart, with the unit.
        series: For each name its points, at least one, sorted by x.
        log_x: A logarithmic x axis; all x must be above 0.

    Raises:
        ValueError: There are no points, or an x is not above 0 on a logarithmic axis.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg(title, x_label, y_label, series, log_x), "utf-8")


def svg(
    title: str, x_label: str, y_label: str, series: Mapping[str, Points], log_x: bool = False
) -> str:
    """The chart of ``lines`` as text."""
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [y for points in series.values() for _, y in points]
    if not xs:
        message = "a chart needs at least one point"
        raise ValueError(message)
    if log_x and xs[0] <= 0:
        message = f"a logarithmic axis cannot show {xs[0]:g}"
        raise ValueError(message)
    right = _WIDTH - 56 - _LETTER * max(map(len, series))
    x_ticks = xs if len(xs) <= _MOST_NAMED else _decades(xs) if log_x else _ticks(xs[0], xs[-1])
    y_ticks = _ticks(min(ys), max(ys))
    first, last = _span(min(xs[0], x_ticks[0]), max(xs[-1], x_ticks[-1]))
    across = _Axis(low=first, high=last, start=_LEFT, end=right, log=log_x)
    up = _Axis(low=y_ticks[0], high=y_ticks[-1], start=_HEIGHT - _BOTTOM, end=_TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        _style(len(series)),
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *_frame(across, up, x_ticks, y_ticks),
        *_names(x_label, y_label, across),
    ]
    for number, (name, points) in enumerate(series.items()):
        parts += _line(number, points, across, up)
        parts += _key(number, name, right)
    return "\n".join([*parts, "</svg>", ""])


def _span(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis, which are never the same."""
    near = high - low <= 1e-9 * max(1.0, abs(low), abs(high))
    return (low, high) if not near else (low, high + max(1.0, abs(high)))


def _ticks(low: float, high: float) -> list[float]:
    """About six round numbers around the values."""
    low, high = _span(low, high)
    rough = (high - low) / 5
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _decades(xs: Sequence[float]) -> list[float]:
    return [10.0**power for power in range(floor(log10(xs[0])), ceil(log10(xs[-1])) + 1)]


def _style(count: int) -> str:
    light, dark = [], []
    for number in range(count):
        day, night = _COLOURS[number % len(_COLOURS)]
        light.append(f".s{number}{{stroke:{day};fill:{day}}}")
        dark.append(f".s{number}{{stroke:{night};fill:{night}}}")
    return (
        "<style>text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px}"
        ".ground{fill:#ffffff}.grid{stroke:#d0d7de}.end{text-anchor:end}.mid{text-anchor:middle}"
        f"polyline{{fill:none!important;stroke-width:2}}{''.join(light)}"
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ground{fill:#0d1117}"
        f".grid{{stroke:#3d444d}}{''.join(dark)}}}</style>"
    )


def _frame(
    across: _Axis, up: _Axis, x_ticks: Sequence[float], y_ticks: Sequence[float]
) -> Iterator[str]:
    for value in y_ticks:
        y = up.place(value)
        yield f'<path class="grid" d="M{_LEFT} {y}H{across.end:g}"/>'
        yield f'<text class="end" x="{_LEFT - 8}" y="{y + 4:g}">{value:,g}</text>'
    for value in x_ticks:
        x = across.place(value)
        yield f'<path class="grid" d="M{x} {up.start:g}V{_TOP}"/>'
        yield f'<text class="mid" x="{x}" y="{up.start + 18:g}">{value:,g}</text>'


def _names(x_label: str, y_label: str, across: _Axis) -> Iterator[str]:
    middle = (_LEFT + across.end) / 2
    yield f'<text class="mid" x="{middle:g}" y="{_HEIGHT - 14}">{escape(x_label)}</text>'
    height = (_TOP + _HEIGHT - _BOTTOM) / 2
    turned = f'transform="rotate(-90 18 {height:g})"'
    yield f'<text class="mid" x="18" y="{height:g}" {turned}>{escape(y_label)}</text>'


def _line(number: int, points: Points, across: _Axis, up: _Axis) -> Iterator[str]:
    places = [(across.place(x), up.place(y)) for x, y in points]
    joined = " ".join(f"{x:g},{y:g}" for x, y in places)
    yield f'<polyline class="s{number}" {_dashes(number)}points="{joined}"/>'
    for (x, y), (_, value) in zip(places, points, strict=True):
        yield f'<g class="s{number}"><title>{value:g}</title>{_mark(number, x, y)}</g>'


def _key(number: int, name: str, right: float) -> Iterator[str]:
    x, y = right + 14, _TOP + 8 + number * _ROW
    yield f'<polyline class="s{number}" {_dashes(number)}points="{x:g},{y} {x + 24:g},{y}"/>'
    yield f'<g class="s{number}">{_mark(number, x + 12, y)}</g>'
    yield f'<text x="{x + 30:g}" y="{y + 4}">{escape(name)}</text>'


def _mark(number: int, x: float, y: float) -> str:
    return _MARKS[number % len(_MARKS)].format(x=f"{x:g}", y=f"{y:g}")


def _dashes(number: int) -> str:
    dashes = _DASHES[number % len(_DASHES)]
    return f'stroke-dasharray="{dashes}" ' if dashes else ""
