"""How much of the evidence for a question is in the packed context: what a model would see.

Of each question a context is built at several budgets, with several shares of the sources and
numbers of candidates. A turn counts when it is in the text itself, recalled or recent; a fact that
was read from it does not count. Beside the recall stands the size in real tokens.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any, Final

from backstory import Memory, Recall
from backstory.services.recalling.sources import KnownFacts, RecalledMessages
from bench import plot
from bench.datasets import Conversation, Question
from bench.embedded import KeptVectors
from bench.encodings import encoding_counter
from bench.filled import places
from bench.intervals import interval
from bench.measure import RESULTS, Figure, Result, write_json
from bench.retrieval import LOADERS, add_data_options, data_files
from bench.searchers import remember

BUDGETS: Final = (500, 1000, 2000, 3200, 6000)
_SHOWN: Final = frozenset({"recalled", "recent"})
_REAL: Final = "o200k_base"
_PAGE: Final = 500


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a context is built with; None is the default.

    Attributes:
        facts: Share of the facts; the recalled messages have the rest of 1.
        candidates: How many messages are recalled at most.
        sources: Which sources are asked.
        summaries: Whether summaries of conversations are shown.
    """

    name: str
    facts: float | None = None
    candidates: int | None = None
    sources: tuple[str, ...] | None = None
    summaries: bool | None = None


DEFAULTS: Final = Setting(name="defaults")
SETTINGS: Final = (
    DEFAULTS,
    Setting(name="facts 0.1, recalled 0.9", facts=0.1),
    Setting(name="facts 0.2, recalled 0.8", facts=0.2),
    Setting(name="facts 0.3, recalled 0.7", facts=0.3),
    Setting(name="facts 0.5, recalled 0.5", facts=0.5),
    Setting(name="recalled only", sources=("recalled",)),
    Setting(name="without summaries", summaries=False),
    Setting(name="25 candidates", candidates=25),
    Setting(name="50 candidates", candidates=50),
    Setting(name="100 candidates", candidates=100),
    Setting(name="200 candidates", candidates=200),
)


@dataclass(kw_only=True)
class Cell:
    """One setting at one budget, a value for each question."""

    recall: list[float] = field(default_factory=list)
    bound: list[int] = field(default_factory=list)
    real: list[int] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


Cells = Mapping[tuple[str, int], Cell]


@contextmanager
def shares(setting: Setting) -> Iterator[None]:
    """Give the sources the shares of a setting for a while."""
    kept = KnownFacts.share, RecalledMessages.share
    if setting.facts is not None:
        KnownFacts.share, RecalledMessages.share = setting.facts, 1 - setting.facts
    try:
        yield
    finally:
        KnownFacts.share, RecalledMessages.share = kept


def run(
    name: str,
    path: Path,
    limit: int | None,
    full: bool,
    settings: Sequence[Setting] = SETTINGS,
    vectors: KeptVectors | None = None,
) -> tuple[Result, Cells]:
    """Measure one data set, on SQLite.

    Args:
        name: "locomo", "beam" or "lines", the format.
        path: The file.
        limit: Only so many conversations.
        full: Whether these are the published counts.
        settings: What to compare.
        vectors: Embeds the messages; None embeds them anew.
    """
    conversations = LOADERS[name](path)[:limit]
    cells = {(setting.name, budget): Cell() for setting in settings for budget in BUDGETS}
    with (
        places(["sqlite"]) as found,
        Memory(found["sqlite"], embedder=vectors or KeptVectors(None, queries=True)) as memory,
    ):
        for conversation in conversations:
            remember(memory, conversation.id, conversation)
            for setting in settings:
                with shares(setting):
                    _measure(memory, conversation, setting, cells)
    questions = sum(len(conversation.questions) for conversation in conversations)
    parameters = {
        "set": name,
        "file": path.name,
        "conversations": len(conversations),
        "questions": questions,
        "tokens": _REAL,
    }
    result = Result(name=f"packed-{name}", parameters=parameters, full=full)
    for (setting_name, budget), cell in cells.items():
        low, high = interval(cell.recall, cell.groups)
        note = f"95 % interval {low:.1f} to {high:.1f}; {mean(cell.real):.0f} real tokens"
        label = f"{name}, {setting_name}, {budget} tokens, evidence in the text"
        result.add(Figure(label=label, values=[mean(cell.recall)], unit="%", note=note))
    return result, cells


def _measure(memory: Memory, conversation: Conversation, setting: Setting, cells: Cells) -> None:
    turns = turns_of(memory, conversation.id)
    for question in conversation.questions:
        for budget in BUDGETS:
            cell = cells[setting.name, budget]
            recall, bound, real = _one(memory, conversation.id, question, setting, budget, turns)
            cell.recall.append(recall)
            cell.bound.append(bound)
            cell.real.append(real)
            cell.groups.append(conversation.id)


def _one(
    memory: Memory,
    user: str,
    question: Question,
    setting: Setting,
    budget: int,
    turns: Mapping[str, str],
) -> tuple[float, int, int]:
    """The recall in percent, and the size of the text by the bound and by a real tokenizer."""
    context = memory.context(
        user,
        question.text,
        max_tokens=budget,
        recall=Recall(top_k=setting.candidates, summaries=setting.summaries),
        sources=setting.sources,
    )
    shown = {
        turns[message_id]
        for item in context.items
        if item.source in _SHOWN
        for message_id in item.message_ids
    }
    share = len(question.evidence & shown) / len(question.evidence)
    return 100 * share, context.tokens, encoding_counter(_REAL)(context.text)


def turns_of(memory: Memory, user: str) -> dict[str, str]:
    """The id of the turn in the data set by the id of the message."""
    found: dict[str, str] = {}
    cursor = None
    while True:
        page = memory.get_all(user_id=user, limit=_PAGE, cursor=cursor)
        for message in page.items:
            found[message.id] = str(message.message_id)
        cursor = page.next_cursor
        if cursor is None:
            return found


def table(cells: Cells) -> dict[str, Any]:
    """A row for each setting: recall at each budget, with the size in real tokens."""
    names = dict.fromkeys(name for name, _ in cells)
    rows = []
    for name in names:
        of_name = [cells[name, budget] for budget in BUDGETS]
        rows.append([name, *(f"{mean(c.recall):.1f} ({mean(c.real):,.0f})" for c in of_name)])
    return {"columns": ["", *(f"{budget:,}" for budget in BUDGETS)], "rows": rows}


def _write(result: Result, cells: Cells, folder: Path) -> None:
    write_json(folder / f"{result.name}.json", {**result.to_dict(), "side_by_side": table(cells)})
    names = dict.fromkeys(name for name, _ in cells)
    series = {
        name: [(float(budget), mean(cells[name, budget].recall)) for budget in BUDGETS]
        for name in names
    }
    title = f"Evidence in the packed context: {result.parameters['set']}"
    path = folder / f"{result.name}.svg"
    plot.lines(path, title, "budget, tokens", "recall, %", series, log_x=True)


def main(argv: Sequence[str]) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench packed", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all conversations and settings")
    parser.add_argument(
        "--setting", action="append", choices=[s.name for s in SETTINGS], help="default: all"
    )
    add_data_options(parser)
    options = parser.parse_args(argv)
    vectors = KeptVectors(options.vectors, queries=True)
    named = options.setting or [s.name for s in (SETTINGS if options.full else (DEFAULTS,))]
    settings = [setting for setting in SETTINGS if setting.name in named]
    for name, path in data_files(parser, options).items():
        limit = options.limit or (None if options.full else 1)
        full = options.full and not options.limit and not options.setting
        result, cells = run(name, path, limit, full, settings, vectors)
        vectors.save()
        folder = options.out or (RESULTS if options.full else None)
        if folder is not None:
            _write(result, cells, folder)
        for row in table(cells)["rows"]:
            sys.stdout.write(f"    {' | '.join(row)}\n")
    return 0
