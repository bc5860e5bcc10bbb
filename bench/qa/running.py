"""Asks every question of a run, a few at a time, and writes down each answer and each verdict.

What is in the file already is not asked again; failures are.
"""

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from backstory.ports.chat_model import ChatModel
from bench.qa import asking
from bench.qa.asking import Caps, Outcome
from bench.qa.contexts import Built, digest
from bench.qa.datasets import Asked
from bench.qa.files import as_line, read_lines

ANSWER, VERDICT, FAILURE = "answer", "verdict", "failure"
_PROGRESS = 50
_READER_SHA = digest(asking.READER_PROMPT)
_JUDGE_SHA = digest(asking.JUDGE_PROMPT)


class GivenUpError(Exception):
    """Many calls in a row failed; what was answered is kept, and the same command goes on."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One question to one reader from one context, in one of the reruns."""

    asked: Asked
    built: Built
    seed: int
    reader: str

    @property
    def key(self) -> tuple[object, ...]:
        """What an answer belongs to: another context or another prompt is another answer."""
        return (self.reader, self.built.row, self.seed, self.asked.id, self.built.sha256)

    def facts(self) -> dict[str, Any]:
        """The task for the file."""
        return {
            "reader": self.reader,
            "row": self.built.row,
            "seed": self.seed,
            "question": self.asked.id,
            "context_sha256": self.built.sha256,
            "reader_prompt_sha256": _READER_SHA,
        }


@dataclass(kw_only=True)
class Records:
    """The file of answers and verdicts.

    Attributes:
        path: The file; it grows.
        answers: By the key of their task.
        verdicts: By the key of their task and the judge.
        failures: What failed in this run.
    """

    path: Path
    answers: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict)
    verdicts: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict)
    failures: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict)

    def load(self) -> "Records":
        """Take what is in the file; answers and verdicts of other prompts are left alone."""
        for line in read_lines(self.path):
            if line["kind"] == ANSWER and line["reader_prompt_sha256"] == _READER_SHA:
                self.answers[_key(line)] = line
            elif line["kind"] == VERDICT and line["judge_prompt_sha256"] == _JUDGE_SHA:
                self.verdicts[*_key(line), line["judge"]] = line
        return self

    def add(self, line: dict[str, Any]) -> None:
        """Write a line down."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(as_line(line))
        key = _key(line)
        if line["kind"] == ANSWER:
            self.answers[key] = line
            self.failures.pop(key, None)
        elif line["kind"] == VERDICT:
            self.verdicts[*key, line["judge"]] = line
            self.failures.pop(key, None)
        else:
            self.failures[key] = line


def _key(line: Mapping[str, Any]) -> tuple[object, ...]:
    names = ("reader", "row", "seed", "question", "context_sha256")
    return tuple(line[name] for name in names)


@dataclass(kw_only=True)
class Asking:
    """A run with one reader and one judge.

    Attributes:
        reader, judge: The models.
        records: Where answers go.
        caps: Of the reader's answers.
        at_once: Calls at the same time, 1 or more.
        give_up: So many failures in a row end the run.
    """

    reader: ChatModel
    judge: ChatModel
    records: Records
    caps: Caps = field(default_factory=Caps)
    at_once: int = 4
    give_up: int = 20
    _failed: int = 0
    _done: int = 0

    async def run(self, tasks: Sequence[Task]) -> None:
        """Ask and judge what is not in the file yet.

        Raises:
            GivenUpError: Too many calls in a row failed.
        """
        waiting = iter(tasks)
        workers = [self._work(waiting) for _ in range(self.at_once)]
        await asyncio.gather(*workers)
        if self._failed >= self.give_up:
            message = f"{self._failed} calls in a row failed, the last: {self._last_failure()}"
            raise GivenUpError(message)

    async def _work(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            if self._failed >= self.give_up:
                return
            answer = self.records.answers.get(task.key) or await self._answer(task)
            if answer is not None:
                await self._judge(task, answer)
            self._done += 1
            if self._done % _PROGRESS == 0:
                sys.stdout.write(f"  {task.reader}: {self._done} questions\n")
                sys.stdout.flush()

    async def _answer(self, task: Task) -> dict[str, Any] | None:
        outcome = await asking.read(self.reader, task.asked, task.built.text, self.caps)
        if self._note_failure(task, outcome, self.reader.name):
            return None
        line = {"kind": ANSWER, **task.facts(), **_outcome(outcome), **_question(task)}
        self.records.add(line)
        return line

    async def _judge(self, task: Task, answer: Mapping[str, Any]) -> None:
        judged = (*task.key, self.judge.name) in self.records.verdicts
        if answer["status"] != asking.ANSWERED or judged:
            return
        if asking.declines(answer["text"]):
            verdict, outcome = asking.ABSTAINED, Outcome(status=asking.ANSWERED, text="")
        else:
            verdict, outcome = await asking.judge(self.judge, task.asked, answer["text"])
            if self._note_failure(task, outcome, self.judge.name):
                return
        names = {"judge": self.judge.name, "judge_prompt_sha256": _JUDGE_SHA, "verdict": verdict}
        self.records.add({"kind": VERDICT, **task.facts(), **names, **_outcome(outcome)})

    def _note_failure(self, task: Task, outcome: Outcome, model: str) -> bool:
        if outcome.status != asking.FAILED:
            self._failed = 0
            return False
        self._failed += 1
        self.records.add({"kind": FAILURE, **task.facts(), "model": model, **_outcome(outcome)})
        return True

    def _last_failure(self) -> str:
        return str(list(self.records.failures.values())[-1]["text"])


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "text": outcome.text,
        "raised": outcome.raised,
        **asdict(outcome.spent),
    }


def _question(task: Task) -> dict[str, Any]:
    return {
        "category": task.asked.kind,
        "answerable": task.asked.answerable,
        "asked": task.asked.text,
        "reference": task.asked.reference,
        "context_tokens": task.built.tokens,
    }
