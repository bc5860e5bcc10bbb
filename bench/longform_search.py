"""How fast vectors are found, from base64 text and from the index, and tokens are estimated.

Each is measured beside what it cannot be faster than (decoding base64, one product of numpy) and
beside the published package, in turns. ``estimate_tokens`` uses the standard library only.
"""

import argparse
import base64
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import longform_memory as published
import numpy as np
from numpy.typing import NDArray

from backstory import longform as ours
from backstory.functions import VectorIndex
from bench.encodings import encoding_counter
from bench.measure import RESULTS, Figure, Result, positive, timed
from bench.texts import KINDS

_TEXT_BAR, _INDEX_BAR, _SPEED_BAR = 2.0, 1.5, 50
_SMALLEST_WITH_BAR: Final = 2_000  # below, the steps around the product are what takes the time
_SIZES: Final = ((2_000, 1_536), (5_000, 1_536))
_LARGE: Final = (100_000, 384)
_TEXTS: Final = {
    "English": "Each evening the keeper counted the lamps — “eleven” — and walked north. ",
    "Chinese": "守灯人沿着海岸向北走\uff0c数着一盏盏熄灭的灯。他说\uff1a“十一盏。”",
    "Japanese": "灯台守は北へ歩き、消えたランプを数えていた。「十一」と言った。",
}
_CALLS: Final = 5
_CHARACTERS: Final = 24_000
_KINDS: Final = ("english", "thai", "code", "json", "emoji")

Rows = list[str]
Matrix = NDArray[np.float32]


def run(
    sizes: Sequence[tuple[int, int]], large: tuple[int, int], rounds: int, calls: int
) -> Result:
    """Measure all.

    Args:
        sizes: Rows and dimensions of what is searched from text and from the index.
        large: The same of what is searched from the index only.
        rounds: Values of each figure.
        calls: Of the fast ones, in each round; a value is their median.
    """
    parameters = {"sizes": sizes, "large": large, "rounds": rounds, "calls": calls}
    result = Result(name="longform-search", parameters=parameters, full=rounds >= 5)
    result.notes.append(
        "Vectors are seeded random directions. Ratios are of medians of calls made in turns; numpy "
        "multiplies with as many threads as it likes. English and Chinese are not ASCII, which "
        "would be counted at once; the fastest of five calls counts. Tokens are those of drawn "
        "words and lines of code, as in the bench of the bound."
    )
    for count, size in sizes:
        _from_text(result, count, size, rounds)
        _from_index(result, count, size, rounds, calls)
    _limited(result, *large, rounds, calls)
    _estimates(result, rounds)
    _tokens(result)
    return result


def directions(count: int, size: int) -> Matrix:
    """Random vectors of length one."""
    rows = np.random.default_rng(3).standard_normal((count, size), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def texts_of(matrix: Matrix) -> Rows:
    """The rows as ``encode_vector`` writes them."""
    return [base64.b64encode(row.tobytes()).decode("ascii") for row in matrix.astype("<f4")]


def _expect(found: object, wanted: object) -> None:
    if found != wanted:
        message = f"a search found {found!r} instead of {wanted!r}"
        raise RuntimeError(message)


def _from_text(result: Result, count: int, size: int, rounds: int) -> None:
    matrix = directions(count, size)
    rows, query = texts_of(matrix), matrix[count // 2].tolist()
    what = f"{count:,} rows of {size:,} from base64"

    def decode() -> None:
        for row in rows:
            base64.b64decode(row)

    def search(api: Any = ours) -> None:
        found = api.search_top_k(query, rows, str)
        _expect(found[0].row, rows[count // 2])

    search()
    pairs = [(timed(decode), timed(search)) for _ in range(rounds)]
    result.add(Figure(label=f"{what}, decoding alone", values=[pair[0] for pair in pairs]))
    result.add(Figure(label=f"{what}, search_top_k", values=[pair[1] for pair in pairs]))
    ratios = [searched / decoded for decoded, searched in pairs]
    label = f"{what}, search_top_k, ratio to decoding alone"
    result.add(Figure(label=label, values=ratios, unit="times", at_most=_TEXT_BAR))
    with _without_numpy():
        values = [timed(search) for _ in range(min(rounds, 3))]
    result.add(Figure(label=f"{what}, search_top_k without numpy", values=values))
    values = [timed(search, published) for _ in range(min(rounds, 3))]
    result.add(Figure(label=f"{what}, longform-memory", values=values))


@contextmanager
def _without_numpy() -> Iterator[None]:
    """Let no import of numpy succeed."""
    module = sys.modules.pop("numpy")
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.modules["numpy"] = module


def _in_turns(calls: int, *functions: Callable[[], object]) -> list[float]:
    """The median time of each function, in ms; they are called in turns."""
    times = [[timed(function) for function in functions] for _ in range(calls + 1)][1:]
    return [median(column) for column in zip(*times, strict=True)]


def _from_index(result: Result, count: int, size: int, rounds: int, calls: int) -> None:
    matrix = directions(count, size)
    rows, query = texts_of(matrix), matrix[count // 2]
    what = f"{count:,} rows of {size:,} from the index"
    index: VectorIndex[int] = VectorIndex()
    built = timed(index.add_many, list(enumerate(rows)))
    result.add(Figure(label=f"{what}, building it from base64", values=[built]))
    listed = query.tolist()
    pairs = [
        _in_turns(
            calls, lambda: matrix @ query, lambda: index.search(query), lambda: index.search(listed)
        )
        for _ in range(rounds)
    ]
    _expect(index.search(query)[0].key, count // 2)
    result.add(Figure(label=f"{what}, one product of numpy", values=[pair[0] for pair in pairs]))
    result.add(Figure(label=f"{what}, search", values=[pair[1] for pair in pairs]))
    for place, form in ((1, "array"), (2, "list")):
        ratios = [pair[place] / pair[0] for pair in pairs]
        label = f"{what}, search by {form}, ratio to one product"
        bar = _INDEX_BAR if count >= _SMALLEST_WITH_BAR else None
        result.add(Figure(label=label, values=ratios, unit="times", at_most=bar))


def _limited(result: Result, count: int, size: int, rounds: int, calls: int) -> None:
    matrix = directions(count, size)
    query = matrix[count // 2]
    index: VectorIndex[int] = VectorIndex()
    index.add_many(enumerate(matrix), range(count))
    what = f"{count:,} rows of {size:,} from the index"
    before = range(count - count // 50)
    few = range(count // 2, count // 2 + count // 50)
    rows = [
        _in_turns(
            max(3, calls // 4),
            lambda: matrix @ query,
            lambda: index.search(query),
            lambda: index.search(query, within=before),
            lambda: index.search(query, within=few),
        )
        for _ in range(rounds)
    ]
    labels = ("one product of numpy", "search", "search in 98 % of it", "search in 2 % of it")
    for place, label in enumerate(labels):
        result.add(Figure(label=f"{what}, {label}", values=[row[place] for row in rows]))


def _estimates(result: Result, rounds: int) -> None:
    for language, sentence in _TEXTS.items():
        text = sentence * (-(-1_000_000 // len(sentence.encode())))
        for api, name, bar in ((ours, "ours", _SPEED_BAR), (published, "longform-memory", None)):
            estimate = partial(api.estimate_tokens, text)
            times = [min(timed(estimate) for _ in range(_CALLS)) for _ in range(rounds)]
            speeds = [len(text) / one / 1_000 for one in times]
            label = f"estimate_tokens, 1 MB of {language}, {name}"
            result.add(Figure(label=label, values=speeds, unit="Mchar/s", at_least=bar))


def _tokens(result: Result) -> None:
    """How many tokens a text has for each that is estimated."""
    count = encoding_counter("o200k_base")
    for kind in _KINDS:
        text = KINDS[kind](Random(1), _CHARACTERS)  # noqa: S311 - not for secrets
        _expect(ours.estimate_tokens(text), published.estimate_tokens(text))
        ratio = count(text) / ours.estimate_tokens(text)
        label = f"o200k tokens for each that is estimated, {kind}"
        result.add(Figure(label=label, values=[ratio], unit="tokens"))


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench longform-search", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the counts of the published figures")
    parser.add_argument("--rounds", type=positive)
    parser.add_argument("--out", type=Path, help="default: bench/results, if --full")
    options = parser.parse_args(argv)
    if options.full:
        result = run(_SIZES, _LARGE, options.rounds or 9, calls=60)
    else:
        result = run([(500, 1_536)], (10_000, 384), options.rounds or 3, calls=20)
    out = RESULTS / f"{result.name}.json" if options.full else None
    result.write(options.out or out)
    return int(options.full and any(figure.met is False for figure in result.figures))
