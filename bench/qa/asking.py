"""Asks a reader and a judge; what was cut off is asked for once more with a raised cap."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from backstory.errors import ModelError, TruncatedCompletionError
from backstory.ports.chat_model import ChatModel, Completion, Prompt
from bench.qa.datasets import Asked

_PROMPTS = Path(__file__).resolve().parent / "prompts"
READER_PROMPT = (_PROMPTS / "reader.txt").read_text("utf-8")
JUDGE_PROMPT = (_PROMPTS / "judge.txt").read_text("utf-8")
NOT_REMEMBERED = "NOT REMEMBERED"

ANSWERED, EMPTY, TRUNCATED, FAILED = "answered", "empty", "truncated", "failed"
CORRECT, WRONG, ABSTAINED, UNJUDGED = "correct", "wrong", "abstained", "unjudged"
_VERDICT = re.compile(r"\b(CORRECT|WRONG|ABSTAINED)\b")
_JUDGE_CAP = 64


@dataclass(frozen=True, kw_only=True)
class Caps:
    """Tokens of an answer: at first, and after it was cut off."""

    first: int = 256
    raised: int = 2048


@dataclass(kw_only=True)
class Spent:
    """What calls cost.

    Attributes:
        calls: Requests that were answered, whole or cut off.
        input_tokens, output_tokens: As the provider counts them. Of an answer that was cut off no
            count comes back: its cap is taken for the output, and the input of the next try.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(kw_only=True)
class Outcome:
    """What came of asking.

    Attributes:
        status: One of ANSWERED, EMPTY, TRUNCATED, FAILED.
        text: What was said, in part if it was cut off; of a failure the reason.
        raised: Whether the cap was raised.
        spent: Tokens and calls.
    """

    status: str
    text: str
    raised: bool = False
    spent: Spent = field(default_factory=Spent)


async def ask(model: ChatModel, system: str, user: str, caps: Caps) -> Outcome:
    """One question to a model, and once more with the raised cap if the answer was cut off."""
    spent = Spent()
    for cap in (caps.first, caps.raised):
        raised = cap == caps.raised
        try:
            done = await model.complete(Prompt(system=system, user=user, max_tokens=cap))
        except TruncatedCompletionError as error:
            spent.calls += 1
            spent.output_tokens += cap
            partial = error.partial
            continue
        except ModelError as error:
            return Outcome(status=FAILED, text=str(error), raised=raised, spent=spent)
        _count(spent, done)
        text = done.text.strip()
        status = ANSWERED if text else EMPTY
        return Outcome(status=status, text=text, raised=raised, spent=spent)
    return Outcome(status=TRUNCATED, text=partial, raised=True, spent=spent)


def _count(spent: Spent, done: Completion) -> None:
    spent.calls += 1
    spent.input_tokens += done.input_tokens * spent.calls
    spent.output_tokens += done.output_tokens


async def read(model: ChatModel, asked: Asked, context: str, caps: Caps) -> Outcome:
    """Let a reader answer from a context."""
    user = (
        f"What is remembered:\n\n{context}\n\n"
        f"The question, asked on {asked.at:%A, %d %B %Y}: {asked.text}"
    )
    return await ask(model, READER_PROMPT, user, caps)


def declines(text: str) -> bool:
    """Whether an answer is the agreed phrase for an abstention."""
    return text.strip(" .*\"'`").upper() == NOT_REMEMBERED


async def judge(model: ChatModel, asked: Asked, answer: str) -> tuple[str, Outcome]:
    """Let a judge compare an answer with the reference.

    Returns:
        The verdict, UNJUDGED where the judge gave none, and what it cost.
    """
    facts = {
        "question": asked.text,
        "answerable": asked.answerable,
        "reference": asked.reference,
        "answer": answer,
    }
    user = json.dumps(facts, ensure_ascii=False, indent=1)
    caps = Caps(first=_JUDGE_CAP, raised=_JUDGE_CAP * 16)
    outcome = await ask(model, JUDGE_PROMPT, user, caps)
    said = set(_VERDICT.findall(outcome.text)) if outcome.status == ANSWERED else set()
    return (said.pop().lower() if len(said) == 1 else UNJUDGED), outcome
