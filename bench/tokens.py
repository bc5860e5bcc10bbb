"""How often is the token bound below the real count, how tight is it, and how fast?

    python -m bench.tokens --full --languages udhr.zip --prose book.jsonl.gz --out tokens.json

``--languages`` takes a zip file or a folder of UTF-8 ``*.txt`` files, one a language; ``--prose`` a
gzip file of JSON lines with the field ``text``, in English. Both are texts that no table was made
from (no text was). Without them the generated texts and Python's own sources are measured.
"""

import argparse
import ast
import inspect
import sys
import sysconfig
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from backstory.core.tokens import token_upper_bound
from bench.encodings import ENCODINGS, encoding_counter
from bench.longform_books import read_rows
from bench.measure import Figure, Result, rate, write_json
from bench.texts import KINDS, draw_text
from bench.translations import read_languages

CHUNK: Final = 400
MAJOR: Final = ("eng", "spa", "fra", "deu", "rus", "cmn_hans", "jpn", "hin", "arb")
_COVER_BAR, _WORST_BAR, _ENGLISH_BAR, _SPEED_BAR = 99.5, 0.95, 1.6, 20.0
_SHORT_BAR_US: Final = 40.0
_SEPARATORS: Final = ("\n", "\n\n", " ", "")


@dataclass
class Tally:
    """Bounds against real counts.

    Attributes:
        texts: Texts counted.
        below: Texts whose bound is below the larger of the two counts.
        worst: Least bound over real count.
        bound: Sum of the bounds.
        real: Sum of the larger counts.
        o200k: Sum of the counts of the first encoding.
    """

    texts: int = 0
    below: int = 0
    worst: float = float("inf")
    bound: int = 0
    real: int = 0
    o200k: int = 0

    def add(self, text: str) -> None:
        """Count one text."""
        counts = [encoding_counter(name)(text) for name in ENCODINGS]
        bound, real = token_upper_bound(text), max(counts)
        self.texts += 1
        self.below += bound < real
        self.worst = min(self.worst, bound / real if real else 1.0)
        self.bound += bound
        self.real += real
        self.o200k += counts[0]

    def add_all(self, texts: Iterable[str]) -> "Tally":
        """Count several texts."""
        for text in texts:
            self.add(text)
        return self

    def to_dict(self) -> dict[str, float]:
        """For JSON."""
        return {
            "texts": self.texts,
            "below": self.below,
            "worst": round(self.worst, 4),
            "over_larger_count": round(self.bound / max(1, self.real), 3),
            "over_o200k": round(self.bound / max(1, self.o200k), 3),
        }


def chunks(text: str) -> Iterator[str]:
    """The text in pieces of 400 characters."""
    return (text[at : at + CHUNK] for at in range(0, len(text), CHUNK))


def script_of(text: str) -> str:
    """The most frequent first word of the names of a text's letters."""
    names = (
        unicodedata.name(char, "UNNAMED").split()[0] for char in text[:2_000] if char.isalpha()
    )
    return Counter(names).most_common(1)[0][0]


def every_length(text: str, random: Random, step: int) -> Iterator[str]:
    """A string of each length from 1 to 400, every ``step``-th, from a random place."""
    for length in range(1, CHUNK + 1, step):
        at = random.randrange(max(1, len(text) - length))
        yield text[at : at + length]


def python_texts(limit: int) -> tuple[list[str], list[str]]:
    """Sources of the standard library, and the prose of their docstrings."""
    sources: list[str] = []
    prose: list[str] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:limit]:
        source = path.read_text("utf-8", errors="replace")
        sources.append(source)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module):
                text = inspect.cleandoc(ast.get_docstring(node) or "")
                prose.extend(part for part in text.split("\n\n") if _is_prose(part))
    return sources, prose


def _is_prose(text: str) -> bool:
    return len(text) > 150 and sum(c.isalpha() or c == " " for c in text) > 0.93 * len(text)


def read_prose(path: Path, characters: int) -> str:
    """The first characters of a book."""
    parts: list[str] = []
    for row in read_rows(path):
        parts.append(row["text"])
        if sum(map(len, parts)) > characters:
            break
    return "\n".join(parts)[:characters]


def measure_languages(
    texts: dict[str, str], full: bool, seed: int, result: Result
) -> dict[str, Any]:
    """Cover in chunks and in strings of every length, by language and by script."""
    random = Random(seed)  # noqa: S311 - places in texts, not secrets
    languages: dict[str, Tally] = {}
    scripts: defaultdict[str, Tally] = defaultdict(Tally)
    short = Tally()
    for name, text in texts.items():
        languages[name] = Tally().add_all(chunks(text))
        scripts[script_of(text)].add_all(chunks(text))
        short.add_all(every_length(text, random, 1 if full else 20))
    whole = _sum(languages.values())
    _add_cover(result, f"{len(texts)} languages, {whole.texts} chunks of 400", whole)
    _add_cover(result, f"{len(texts)} languages, {short.texts} strings of 1-400", short)
    for name in MAJOR:
        if name in languages:
            facts = languages[name].to_dict()
            ratio = facts["over_larger_count"]
            note = f"over o200k: {facts['over_o200k']}"
            result.add(
                Figure(label=f"bound over real, {name}", values=[ratio], unit="x", note=note)
            )
    return {
        "languages": {name: tally.to_dict() for name, tally in languages.items()},
        "scripts": {name: tally.to_dict() for name, tally in sorted(scripts.items())},
    }


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.texts += tally.texts
        total.below += tally.below
        total.worst = min(total.worst, tally.worst)
    return total


def _add_cover(result: Result, label: str, tally: Tally) -> None:
    cover = 100 * (1 - tally.below / max(1, tally.texts))
    bar = _COVER_BAR if "languages" in label else 100
    result.add(Figure(label=f"{label}: covered", values=[cover], unit="%", at_least=bar))
    worst = _WORST_BAR if "languages" in label else 1.0
    result.add(Figure(label=f"{label}: worst", values=[tally.worst], unit="x", at_least=worst))


def measure_kinds(cases: int, sources: list[str], seed: int, result: Result) -> dict[str, Any]:
    """Cover on generated texts of each kind, and on source code."""
    random = Random(seed)  # noqa: S311 - cases, not secrets
    kinds = {
        name: Tally().add_all(draw(random, random.randint(1, CHUNK)) for _ in range(cases))
        for name, draw in KINDS.items()
    }
    kinds["mixed"] = Tally().add_all(draw_text(random) for _ in range(cases))
    kinds["python sources"] = Tally().add_all(part for text in sources for part in chunks(text))
    total = _sum(kinds.values())
    _add_cover(result, f"code, JSON, emoji, hostile, ...: {total.texts} texts", total)
    return {"kinds": {name: tally.to_dict() for name, tally in kinds.items()}}


def measure_seams(cases: int, seed: int, result: Result) -> None:
    """Real tokens of joined items against the sum of their bounds."""
    random = Random(seed)  # noqa: S311 - cases, not secrets
    for separator in _SEPARATORS:
        over = 0
        for _ in range(cases):
            items = [draw_text(random, 200) for _ in range(random.randint(2, 20))]
            text = separator.join(items)
            total = sum(token_upper_bound(item + separator) for item in items)
            over = max(over, *(encoding_counter(name)(text) - total for name in ENCODINGS))
        label = f"joined by {separator!r}: tokens above the sum of bounds"
        result.add(Figure(label=label, values=[over], unit="tokens", at_most=0))


def measure_english(texts: dict[str, list[str]], result: Result) -> None:
    """Tightness on English that nothing was fitted to."""
    for name, parts in texts.items():
        facts = Tally().add_all(parts).to_dict()
        label = f"bound over o200k, English: {name}"
        note = f"over the larger count: {facts['over_larger_count']}"
        ratio = [facts["over_o200k"]]
        result.add(Figure(label=label, values=ratio, unit="x", at_most=_ENGLISH_BAR, note=note))


def measure_speed(text: str, rounds: int, result: Result) -> None:
    """Speed on a long text, and on one of 200 characters."""
    million = (text * (1 + 1_000_000 // len(text)))[:1_000_000]
    token_upper_bound("tables " * 1_000)
    first = rate(len(million), token_upper_bound, million) / 1e6
    speeds = [rate(len(million), token_upper_bound, million) / 1e6 for _ in range(rounds)]
    note = f"the first time, tables loaded: {first:.1f}"
    label = "speed, 1,000,000 characters of English"
    result.add(Figure(label=label, values=speeds, unit="Mchar/s", at_least=_SPEED_BAR, note=note))
    short = [million[at : at + 200] for at in range(0, 20_000, 200)]
    micros = [1e6 / rate(len(short), _bound_all, short) for _ in range(rounds)]
    result.add(Figure(label="200 characters", values=micros, unit="us", at_most=_SHORT_BAR_US))


def _bound_all(texts: list[str]) -> int:
    return sum(map(token_upper_bound, texts))


def run(options: argparse.Namespace) -> tuple[Result, dict[str, Any]]:
    """Measure all of it."""
    full = bool(options.full)
    cases = 1_000 if full else 50
    sources, docstrings = python_texts(1_000 if full else 10)
    english = {"docstrings of the standard library": docstrings}
    details: dict[str, Any] = {}
    result = Result(name="tokens", parameters={"seed": options.seed, "cases": cases}, full=full)
    if options.languages:
        texts = read_languages(options.languages)
        details |= measure_languages(texts, full, options.seed, result)
    if options.prose:
        book = read_prose(options.prose, 1_000_000)
        english["book"] = list(chunks(book))
    details |= measure_kinds(cases, sources, options.seed, result)
    measure_seams(cases, options.seed, result)
    measure_english(english, result)
    measure_speed(book if options.prose else "\n".join(docstrings), 11, result)
    return result, details


def main(argv: Sequence[str] | None = None) -> int:
    """Run and write the figures; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench tokens", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--languages", type=Path)
    parser.add_argument("--prose", type=Path)
    parser.add_argument("--full", action="store_true", help="all counts; without it 1 in 20")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write the JSON")
    options = parser.parse_args(argv)
    result, details = run(options)
    if options.out:
        write_json(options.out, result.to_dict() | details)
    return 0 if all(figure.met is not False for figure in result.figures) else 1


if __name__ == "__main__":
    sys.exit(main())
