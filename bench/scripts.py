"""How often the script and the language of a text are recognised, and how fast.

The data are JSON Lines with ``text``, ``script``, ``language`` and ``note`` (those whose note says
"doubtful" are left out), or a folder or ZIP of the translations of the Declaration of Human
Rights, named by codes of ISO 639-3. Languages that the package does not know are counted apart:
there, no name is the right answer.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backstory.functions import detect_script, same_writing
from backstory.language.names import LANGUAGE_NAMES
from bench.measure import RESULTS, ROOT, Figure, Result, rate
from bench.translations import expected_language, expected_script, paragraphs_in, read_languages

OWN = ROOT / "tests" / "data" / "scripts.jsonl"
_MEGABYTE = 1_000_000
# Codes of these are used one for another.
_SAME = {"no": "nb", "hr": "sr", "bs": "sr", "prs": "fa", "yue": "zh", "grc": "el"}
_UNITS = {
    "English": "The lamp went out before the ship had passed. ",
    "Russian": "Лампа погасла, прежде чем прошёл корабль. ",
    "Chinese": "船还没有过去灯就灭了。",
    "Japanese": "船が通る前に灯りが消えた。",
    "surrogates": "\ud83d",
}


class Case(NamedTuple):
    """A text and what it is written in; ``known`` says whether its language can be named."""

    text: str
    script: str | None
    language: str | None
    known: bool
    of: str


def own_cases(path: Path) -> Iterator[Case]:
    """The cases of a file of JSON Lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "doubtful" not in case["note"]:
            language = case["language"]
            known = language is not None and language in LANGUAGE_NAMES
            yield Case(case["text"], case["script"], language, known, case["id"])


def translated_cases(path: Path) -> Iterator[Case]:
    """The paragraphs of the translations in a folder or ZIP."""
    for stem, text in read_languages(path).items():
        language = expected_language(stem)
        known = language in LANGUAGE_NAMES
        for paragraph in paragraphs_in(text):
            yield Case(paragraph, expected_script(stem), language, known, stem)


def run(path: Path, full: bool) -> tuple[Result, list[str]]:
    """Measure one file or folder; also what was recognised otherwise."""
    translations = path.suffix != ".jsonl"
    cases = list(translated_cases(path) if translations else own_cases(path))
    result = Result(
        name=f"scripts-{path.stem}",
        parameters={"data": path.name, "texts": len(cases)},
        full=full,
    )
    if translations:
        whole = read_languages(path)
        right = sum(_script(text) == expected_script(stem) for stem, text in whole.items())
        result.add(_share("script right, whole texts", right, len(whole), at_least=97.0))
    counts, wrong = _compare(cases)
    result.add(_share("script right", counts["script"], len(cases), at_least=97.0))
    known = counts["known"]
    result.add(_share("language right, of those known", counts["right"], known))
    result.add(_share("another language named, of those known", counts["wrong"], known))
    result.add(_share("language named, of others", counts["claimed"], len(cases) - known))
    for name, unit in _UNITS.items():
        text = unit * (_MEGABYTE // len(unit))
        speeds = [_speed(detect_script, text) for _ in range(5)]
        result.add(
            Figure(label=f"detect_script, {name}", values=speeds, unit="Mchar/s", at_least=5.0)
        )
    guard = _UNITS["English"] * (_MEGABYTE // len(_UNITS["English"]))
    speeds = [_speed(lambda text: same_writing(text, text), guard) for _ in range(3)]
    result.add(Figure(label="same_writing, English", values=speeds, unit="Mchar/s"))
    return result, wrong


def _script(text: str) -> str | None:
    found = detect_script(text)
    return None if found is None else found.script


def _compare(cases: Sequence[Case]) -> tuple[Counter[str], list[str]]:
    counts: Counter[str] = Counter()
    wrong = []
    for case in cases:
        found = detect_script(case.text)
        script = None if found is None else found.script
        language = None if found is None else found.language
        counts["script"] += script == case.script
        same = _same(language) == _same(case.language)
        counts["known"] += case.known
        counts["right"] += case.known and same
        counts["wrong"] += case.known and not same and language is not None
        counts["claimed"] += not case.known and language is not None
        if script != case.script or (language is not None and not same):
            wrong.append(f"{case.of}: {case.script} {case.language}, found {script} {language}")
    return counts, wrong


def _same(language: str | None) -> str | None:
    return None if language is None else _SAME.get(language, language)


def _share(label: str, part: int, whole: int, at_least: float | None = None) -> Figure:
    values = [100 * part / whole] if whole else [0.0]
    return Figure(label=label, values=values, unit="%", at_least=at_least, note=f"of {whole}")


def _speed(function: Callable[[str], object], text: str) -> float:
    return rate(len(text), function, text) / 1e6


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench scripts", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--data", type=Path, nargs="*", default=[OWN], help="default: our own")
    parser.add_argument("--wrong", action="store_true", help="print what was taken for another")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    folder = options.out or (RESULTS if options.full else None)
    missed = False
    for path in options.data:
        result, wrong = run(path, options.full)
        result.write(folder / f"{result.name}.json" if folder else None)
        if options.wrong:
            print("\n".join(f"{count} x {one}" for one, count in Counter(wrong).most_common()))
        missed = missed or any(figure.met is False for figure in result.figures)
    return int(missed)
