"""Is the conversation that answers a question found, and what of it is in its summary?

Conversations with questions are stored as an import and digested; then each question is asked with
``kind="conversations"``. A question counts by the share of the sessions with its evidence that are
among the first hits. Beside it stands how many of the turns with evidence give a sentence to the
summary of their session.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Final

from backstory import Memory
from bench.datasets import Conversation, Question
from bench.embedded import KeptVectors
from bench.filled import places
from bench.intervals import interval
from bench.measure import RESULTS, Figure, Result, write_json
from bench.packed import turns_of
from bench.retrieval import LOADERS, add_data_options, data_files
from bench.searchers import remember

DEPTHS: Final = (1, 3, 5)
_FLUSH_S: Final = 3600.0


def run(
    name: str, path: Path, limit: int | None, full: bool, vectors: KeptVectors | None = None
) -> Result:
    """Measure one data set, on SQLite.

    Args:
        name: "locomo", "beam" or "lines", the format.
        path: The file.
        limit: Only so many conversations.
        full: Whether these are the published counts.
        vectors: Embeds the messages; None embeds them anew.
    """
    conversations = LOADERS[name](path)[:limit]
    recall: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    groups: list[str] = []
    told: list[float] = []
    lengths: list[int] = []
    with (
        places(["sqlite"]) as found,
        Memory(found["sqlite"], embedder=vectors or KeptVectors(None, queries=True)) as memory,
    ):
        for conversation in conversations:
            remember(memory, conversation.id, conversation)
            memory.flush(timeout_s=_FLUSH_S)
            quoted, chars = _summaries(memory, conversation)
            lengths += chars
            for question in conversation.questions:
                groups.append(conversation.id)
                told.append(100 * len(question.evidence & quoted) / len(question.evidence))
                for depth, share in _one(memory, conversation, question).items():
                    recall[depth].append(share)
    parameters = {
        "set": name,
        "file": path.name,
        "conversations": len(conversations),
        "questions": len(groups),
    }
    result = Result(name=f"conversations-{name}", parameters=parameters, full=full)
    for depth, values in recall.items():
        low, high = interval(values, groups)
        label = f"{name}, conversations with the evidence among the first {depth}"
        note = f"95 % interval {low:.1f} to {high:.1f}"
        result.add(Figure(label=label, values=[mean(values)], unit="%", note=note))
    label = f"{name}, turns with evidence that a summary quotes"
    note = f"{mean(lengths):.0f} characters a summary" if lengths else ""
    result.add(Figure(label=label, values=[mean(told)], unit="%", note=note))
    return result


def _summaries(memory: Memory, conversation: Conversation) -> tuple[set[str], list[int]]:
    """The turns that summaries quote, and how long each summary is."""
    turns = turns_of(memory, conversation.id)
    made = memory.summaries.recent(conversation.id, limit=100_000)
    quoted = {turns[one.message_id] for summary in made for one in summary.evidence}
    return quoted, [len(summary.text) for summary in made]


def _one(memory: Memory, conversation: Conversation, question: Question) -> dict[int, float]:
    """The recall in percent at each depth."""
    hits = memory.search(
        question.text, user_id=conversation.id, kind="conversations", top_k=max(DEPTHS)
    )
    named = [hit.id for hit in hits]
    wanted = {
        f"session {turn.session}" for turn in conversation.turns if turn.id in question.evidence
    }
    return {depth: 100 * len(wanted & set(named[:depth])) / len(wanted) for depth in DEPTHS}


def main(argv: Sequence[str]) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench conversations", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all conversations")
    add_data_options(parser)
    options = parser.parse_args(argv)
    vectors = KeptVectors(options.vectors, queries=True)
    for name, path in data_files(parser, options).items():
        limit = options.limit or (None if options.full else 1)
        full = options.full and not options.limit
        result = run(name, path, limit, full, vectors)
        vectors.save()
        folder = options.out or (RESULTS if options.full else None)
        if folder is not None:
            write_json(folder / f"{result.name}.json", result.to_dict())
        for figure in result.figures:
            sys.stdout.write(f"    {figure.label}: {mean(figure.values):.1f} ({figure.note})\n")
    return 0
