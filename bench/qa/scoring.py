"""From answers and verdicts to figures: what is right, what was left out, and what it cost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median, stdev
from typing import Any

from bench.qa import asking
from bench.qa.running import Records, Task

RIGHT, WRONG, DECLINED = "right", "wrong", "abstained"
EMPTY, TRUNCATED, FAILED, UNJUDGED = (
    asking.EMPTY,
    asking.TRUNCATED,
    asking.FAILED,
    asking.UNJUDGED,
)
OUTCOMES = (RIGHT, WRONG, DECLINED, EMPTY, TRUNCATED, FAILED, UNJUDGED)
_COMPLETED = (RIGHT, WRONG, DECLINED)


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0

    def of(self, lines: Sequence[Mapping[str, Any]]) -> float:
        """What calls cost."""
        taken: float = sum(line["input_tokens"] for line in lines) * self.input
        given: float = sum(line["output_tokens"] for line in lines) * self.output
        return (taken + given) / 1e6


def outcome_of(task: Task, records: Records, judge: str) -> str:
    """What became of a question: one of OUTCOMES.

    To abstain is right where there is no answer, and is counted apart where there is one.
    """
    answer = records.answers.get(task.key)
    if answer is None:
        return FAILED
    if answer["status"] != asking.ANSWERED:
        return str(answer["status"])
    line = records.verdicts.get((*task.key, judge))
    verdict = line["verdict"] if line else asking.UNJUDGED
    if verdict == asking.UNJUDGED:
        return UNJUDGED
    if verdict == asking.ABSTAINED:
        return DECLINED if task.asked.answerable else RIGHT
    return RIGHT if task.asked.answerable and verdict == asking.CORRECT else WRONG


def score(outcomes: Sequence[str]) -> float | None:
    """Right in percent of all; without those that no judge could tell. None if there are none."""
    counted = [one for one in outcomes if one != UNJUDGED]
    return 100 * counted.count(RIGHT) / len(counted) if counted else None


def completed_score(outcomes: Sequence[str]) -> float | None:
    """Right in percent of the answers that came whole and were judged."""
    counted = [one for one in outcomes if one in _COMPLETED]
    return 100 * counted.count(RIGHT) / len(counted) if counted else None


def summary(
    tasks: Sequence[Task], records: Records, judge: str, prices: Mapping[str, Price]
) -> list[dict[str, Any]]:
    """The figures of each reader and row, in order."""
    groups: dict[tuple[str, str], list[Task]] = {}
    for task in tasks:
        groups.setdefault((task.reader, task.built.row), []).append(task)
    return [
        {"reader": reader, "row": row, **_figures(group, records, judge, prices)}
        for (reader, row), group in groups.items()
    ]


def _figures(
    tasks: Sequence[Task], records: Records, judge: str, prices: Mapping[str, Price]
) -> dict[str, Any]:
    found = [(task, outcome_of(task, records, judge)) for task in tasks]
    seeds = sorted({task.seed for task in tasks})
    by_seed = [[one for task, one in found if task.seed == seed] for seed in seeds]
    kinds = sorted({task.asked.kind for task in tasks})
    counts = Counter(one for _, one in found)
    return {
        "questions": len(found),
        "score": spread([score(outcomes) for outcomes in by_seed]),
        "completed": spread([completed_score(outcomes) for outcomes in by_seed]),
        "answerable": spread(
            [
                score([one for task, one in found if task.asked.answerable and task.seed == seed])
                for seed in seeds
            ]
        ),
        "outcomes": {name: counts[name] for name in OUTCOMES},
        "by_category": {
            kind: _category([one for task, one in found if task.asked.kind == kind])
            for kind in kinds
        },
        "context_tokens": _sizes([task.built.tokens for task in tasks]),
        **_cost(tasks, records, judge, prices),
    }


def _category(outcomes: Sequence[str]) -> dict[str, Any]:
    return {
        "asked": len(outcomes),
        "score": _rounded(score(outcomes)),
        "completed": _rounded(completed_score(outcomes)),
        "abstained": outcomes.count(DECLINED),
    }


def spread(values: Sequence[float | None]) -> dict[str, float] | None:
    """Mean, lowest, highest and standard deviation over reruns; None if there is no value."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return {
        "mean": round(mean(known), 2),
        "min": round(min(known), 2),
        "max": round(max(known), 2),
        "sd": round(stdev(known), 2) if len(known) > 1 else 0.0,
        "reruns": len(known),
    }


def _sizes(tokens: Sequence[int]) -> dict[str, float]:
    return {"median": median(tokens), "mean": round(mean(tokens), 1), "max": max(tokens)}


def _cost(
    tasks: Sequence[Task], records: Records, judge: str, prices: Mapping[str, Price]
) -> dict[str, Any]:
    answers = [line for task in tasks if (line := records.answers.get(task.key))]
    verdicts = [line for task in tasks if (line := records.verdicts.get((*task.key, judge)))]
    reader = tasks[0].reader
    dollars = prices.get(reader, Price()).of(answers) + prices.get(judge, Price()).of(verdicts)
    return {
        "reader_tokens": _tokens(answers),
        "judge_tokens": _tokens(verdicts),
        "caps_raised": sum(line["raised"] for line in answers),
        "dollars": round(dollars, 4),
    }


def _tokens(lines: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    names = ("calls", "input_tokens", "output_tokens")
    return {name: sum(line[name] for line in lines) for name in names}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
