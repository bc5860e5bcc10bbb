"""How good stored facts, supersession and contradictions are, on written cases.

Each case is told to a memory message by message, as a user of its own, through the public API
without an embedder. ``--reader rules`` needs no model; ``--reader provider:model`` (with
``--llm-url`` for a server of your own) reads with a language model, and counts its calls.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.api.portal import PORTAL
from backstory.models.chat.factory import make_chat_model
from backstory.ports.chat_model import ChatModel, Completion, Prompt
from backstory.settings import Settings
from bench.fact_cases import Case, load_cases
from bench.fact_quality import COLUMNS, Found, Tally, count, figures_of, row_of
from bench.measure import RESULTS, ROOT, Result, write_json

RULES = "rules"
SETS = tuple(ROOT / "bench" / "data" / f"facts_{name}.jsonl" for name in ("statements", "changes"))
_SAMPLE = 8
_MOST_ROWS = 1000


class CountedModel:
    """A chat model that adds up what it is asked."""

    def __init__(self, model: ChatModel) -> None:
        """Take the model that answers."""
        self._model = model
        self.usage: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask the model, and count."""
        self.usage.update(calls=1)
        answer = await self._model.complete(prompt)
        self.usage.update(input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)
        return answer

    async def aclose(self) -> None:
        """Close the model."""
        await self._model.aclose()


@dataclass(kw_only=True)
class Scores:
    """What a reader made of some cases.

    Attributes:
        sure: Counts of the cases whose answer is beyond dispute.
        doubtful: Counts of those where another answer can be defended.
        kinds: Counts of the sure ones by kind.
        usage: Calls and tokens of a model, for all cases.
    """

    sure: Tally = field(default_factory=Tally)
    doubtful: Tally = field(default_factory=Tally)
    kinds: dict[str, Tally] = field(default_factory=dict)
    usage: Counter[str] = field(default_factory=Counter)

    def take(self, case: Case, tally: Tally) -> None:
        """Add the counts of a case."""
        if "doubtful" in case.get("note", ""):
            self.doubtful += tally
            return
        self.sure += tally
        self.kinds[case["kind"]] = self.kinds.get(case["kind"], Tally()) + tally


def run_cases(
    cases: Sequence[Case], reader: str = RULES, llm_url: str | None = None, show: int = 0
) -> Scores:
    """Tell cases to a memory and count what became of them.

    Args:
        cases: As ``load_cases`` gives them; ids must be unique.
        reader: "rules", or the language model "provider:model".
        llm_url: Base URL of an OpenAI-compatible server for it.
        show: Print so many cases with something missed, false or wrong.
    """
    scores = Scores()
    model = None
    if reader != RULES:
        model = CountedModel(make_chat_model(reader, base_url=llm_url))
    settings = Settings(background=False)
    with Memory(":memory:", embedder=None, llm=model, settings=settings) as memory:
        for number, case in enumerate(cases):
            found, unread = _remember(memory, f"{number} {case['id']}", case)
            tally = replace(count(case, found), unread=unread)
            scores.take(case, tally)
            if show and _is_off(tally):
                show -= 1
                _show(case, tally, found)
    if model is not None:
        scores.usage = model.usage
        PORTAL.run(model.aclose())  # a memory leaves a caller's model open
    return scores


def _remember(memory: Memory, user: str, case: Case) -> tuple[Found, int]:
    times = [datetime.fromisoformat(message["at"]) for message in case["messages"]]
    with memory.session(user_id=user) as session:
        for message, at in zip(case["messages"], times, strict=True):
            session.add(
                message["role"], message["text"], speaker=message.get("speaker"), timestamp=at
            )
    flushed = memory.flush(user)
    asked = [past["valid_at"] for past in case["expect"]["as_of"]]
    found = Found(
        current=memory.facts.as_of(user, valid_at=max(times)),
        rows=memory.facts.get(user, status="all", limit=_MOST_ROWS),
        then=[memory.facts.as_of(user, valid_at=at) for at in asked],
        open=len(memory.contradictions.list_open(user)),
    )
    return found, flushed.failed


def _is_off(tally: Tally) -> bool:
    parts = ("missed", "false", "unclosed", "wrong", "then_missed", "then_present", "silent")
    return any(getattr(tally, name) for name in (*parts, "alarms", "doubled", "unread"))


def _show(case: Case, tally: Tally, found: Found) -> None:
    sys.stdout.write(f"{case['id']}: {case['expect']}\n")
    for message in case["messages"]:
        sys.stdout.write(f"    {message['at'][:10]} {message['role']}: {message['text']}\n")
    for row in found.rows:
        sys.stdout.write(f"  {row.status} {row.subject} {row.key}: {row.value}\n")
    off = {name: value for name, value in vars(tally).items() if value}
    sys.stdout.write(f"  {off}\n")


def run(
    sets: Sequence[Path], reader: str, llm_url: str | None, *, full: bool, show: int = 0
) -> tuple[Result, dict[str, Any]]:
    """Run all cases of files, or a sample of each kind.

    Returns:
        The figures, and the table by kind.
    """
    cases = [case for path in sets for case in load_cases(path)]
    if not full:
        seen: Counter[str] = Counter()
        cases = [case for case in cases if _taken(seen, case["kind"])]
    scores = run_cases(cases, reader, llm_url, show)
    parameters = {
        "reader": reader,
        "sets": " ".join(path.name for path in sets),
        "cases": scores.sure.cases,
        "messages": scores.sure.messages,
        "doubtful cases apart": scores.doubtful.cases,
    }
    result = Result(name="facts", parameters=parameters, full=full)
    whole = scores.sure.messages + scores.doubtful.messages
    share = scores.sure.messages / max(whole, 1)
    usage = {name: round(value * share) for name, value in scores.usage.items()}
    for figure in figures_of(scores.sure, usage):
        result.add(figure)
    rows = [row_of(kind, tally) for kind, tally in sorted(scores.kinds.items())]
    rows.append(row_of("all", scores.sure))
    rows.append(row_of("doubtful, in no other line", scores.doubtful))
    return result, {"columns": list(COLUMNS), "rows": rows}


def _taken(seen: Counter[str], kind: str) -> bool:
    seen[kind] += 1
    return seen[kind] <= _SAMPLE


def file_of(reader: str) -> Path:
    """Where the results of a reader go."""
    name = "".join(char if char.isalnum() or char in "-." else "-" for char in reader)
    return RESULTS / ("facts.json" if reader == RULES else f"facts-{name}.json")


def main(argv: Sequence[str]) -> int:
    """Run from the command line; 1 when a bar is missed in a full run."""
    parser = argparse.ArgumentParser(prog="python -m bench facts", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all cases, not a sample of each kind")
    parser.add_argument("--sets", type=Path, nargs="+", default=SETS)
    parser.add_argument("--reader", default=RULES)
    parser.add_argument("--llm-url")
    parser.add_argument("--show", type=int, default=0, help="print up to N cases that failed")
    parser.add_argument("--out", type=Path, help="default: bench/results/facts.json if --full")
    options = parser.parse_args(argv)
    result, kinds = run(
        options.sets, options.reader, options.llm_url, full=options.full, show=options.show
    )
    for row in kinds["rows"]:
        sys.stdout.write(f"  {' | '.join(row)}\n")
    path = options.out or (file_of(options.reader) if options.full else None)
    if path is not None:
        write_json(path, {**result.to_dict(), "by_kind": kinds})
    return int(options.full and any(figure.met is False for figure in result.figures))
