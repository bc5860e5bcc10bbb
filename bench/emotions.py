"""How often the feeling of a text is read as people do, and how fast.

The data are JSON Lines with ``text``, ``valence`` (neg, neutral, pos), ``intense`` and ``note``
(those whose note says "doubtful" are left out). By default they are our own; the rules
were written beside its odd lines, so the even lines of ``emotions.jsonl`` count more. Beside it:
VADER alone, with the same borders and a strong compound for intense. Of the talk of
``backstory demo`` it says how many of the user's messages are emotional moments.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from backstory.core.feelings.moments import passes
from backstory.functions import score_emotion
from bench.measure import RESULTS, ROOT, Figure, Result, timed

DATA = ROOT / "tests" / "data"
_LOTS = ("", "_second", "_third", "_fourth", "_fifth")
OWN = tuple(DATA / f"emotions{name}.jsonl" for name in _LOTS)
TALK = ROOT / "src" / "backstory" / "data" / "demo" / "conversation.jsonl"
_NEUTRAL = 0.15
_VADER_INTENSE = 0.7
_UNITS = {
    "plain": "The train to Lund leaves at nine and the museum opens at ten. ",
    "emotional": "I am so happy today, but my dog died and I can't stop crying! ",
    "emoji": "😭",
}


def cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a file of JSON Lines, without doubtful ones."""
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in read if "doubtful" not in case["note"]]


def polarity(valence: float) -> str:
    """The word for a valence."""
    return "pos" if valence > _NEUTRAL else "neg" if valence < -_NEUTRAL else "neutral"


def ours(text: str) -> tuple[str, bool]:
    """What backstory reads."""
    found = score_emotion(text)
    return polarity(found.valence), found.intense


def vader() -> Callable[[str], tuple[str, bool]]:
    """What VADER reads by itself."""
    analyzer = SentimentIntensityAnalyzer()

    def read(text: str) -> tuple[str, bool]:
        compound = analyzer.polarity_scores(text)["compound"]
        return polarity(compound), abs(compound) >= _VADER_INTENSE

    return read


def compare(
    read: Callable[[str], tuple[str, bool]], tried: Sequence[dict[str, Any]]
) -> tuple[int, int, list[str]]:
    """How often valence and intensity are right, and what was read otherwise."""
    valence = intense = 0
    wrong = []
    for case in tried:
        found = read(case["text"])
        valence += found[0] == case["valence"]
        intense += found[1] == case["intense"]
        if found != (case["valence"], case["intense"]):
            wrong.append(f"{case['id']}: {case['text']!r} read as {found}")
    return valence, intense, wrong


def run(paths: Sequence[Path], *, full: bool) -> tuple[Result, list[str]]:
    """Measure each file."""
    result = Result(name="emotions", parameters={"data": [path.name for path in paths]}, full=full)
    wrong = []
    alone = vader()
    for path in paths:
        lots = {path.stem: cases(path)}
        if path == OWN[0]:
            lots = {
                f"{path.stem}, developed on": lots[path.stem][::2],
                f"{path.stem}, kept": lots[path.stem][1::2],
            }
        for name, tried in lots.items():
            valence, intense, missed = compare(ours, tried)
            result.add(_share(f"valence, {name}", valence, len(tried), at_least=80.0))
            result.add(_share(f"intense, {name}", intense, len(tried), at_least=80.0))
            valence, intense, _ = compare(alone, tried)
            result.add(_share(f"valence, {name}, VADER alone", valence, len(tried)))
            result.add(_share(f"intense, {name}, VADER alone", intense, len(tried)))
            wrong += missed
    for name, unit in _UNITS.items():
        text = unit * (1_000_000 // len(unit.encode()))
        seconds = [timed(score_emotion, text) / 1000 for _ in range(3)]
        result.add(Figure(label=f"1 MB, {name}", values=seconds, unit="s", at_most=3.0))
    texts = [case["text"] for path in OWN for case in cases(path)]
    result.add(_speed(texts))
    said = _said(TALK)
    kept = sum(passes(score_emotion(text).strength) for text in said)
    result.add(_share("moments in the talk of the demo", kept, len(said)))
    return result, wrong


def _speed(texts: Sequence[str]) -> Figure:
    """Of messages as people write them; several rounds, each the mean of all."""
    rounds = []
    for _ in range(5):
        begun = time.process_time()
        for text in texts:
            score_emotion(text)
        rounds.append(1000 * (time.process_time() - begun) / len(texts))
    length = round(sum(map(len, texts)) / len(texts))
    label = f"one message, of {length} characters on average, CPU"
    return Figure(label=label, values=rounds, unit="ms", at_most=0.3)


def _said(talk: Path) -> list[str]:
    """What the user says in a talk."""
    rows = [json.loads(line) for line in talk.read_text(encoding="utf-8").splitlines() if line]
    return [row["content"] for row in rows if row.get("role") == "user"]


def _share(label: str, part: int, whole: int, at_least: float | None = None) -> Figure:
    values = [100 * part / whole]
    return Figure(label=label, values=values, unit="%", at_least=at_least, note=f"of {whole}")


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench emotions", description=__doc__)
    parser.add_argument("--full", action="store_true", help="write into bench/results")
    parser.add_argument("--data", type=Path, nargs="*", default=OWN, help="default: our own")
    parser.add_argument("--wrong", action="store_true", help="print what was read otherwise")
    parser.add_argument("--out", type=Path, help="a folder; default: bench/results if --full")
    options = parser.parse_args(argv)
    result, wrong = run(options.data, full=options.full)
    folder = options.out or (RESULTS if options.full else None)
    result.write(folder / f"{result.name}.json" if folder else None)
    if options.wrong:
        print("\n".join(wrong))
    return int(any(figure.met is False for figure in result.figures))
