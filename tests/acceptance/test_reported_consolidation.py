"""What was reported of other memories: consolidation that loses what it was to tidy."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from backstory import Completion, Memory, Prompt, Settings
from backstory.errors import ModelUnavailableError
from backstory.testing import FakeClock
from tests.acceptance.places import Place

QUIET = Settings(background=False)


class Odd:
    """A model that answers what it is told to, whatever it is asked."""

    name = "odd"

    def __init__(self) -> None:
        self.says: str | Exception = "{}"
        self.calls = 0

    async def complete(self, prompt: Prompt) -> Completion:
        del prompt
        self.calls += 1
        if isinstance(self.says, Exception):
            raise self.says
        return Completion(text=self.says, finish_reason="stop")

    async def aclose(self) -> None:
        """There is nothing to close."""


def judgements(*items: object) -> str:
    return json.dumps({"judgements": list(items)})


def facts_of(memory: Memory) -> list[dict[str, object]]:
    return [fact.to_dict() for fact in memory.facts.get("vera", status="all", limit=1000)]


@pytest.mark.parametrize(
    ("says", "fails"),
    [
        (judgements({"pair": 1, "compatible": "perhaps"}), True),
        (judgements({"pair": "first", "compatible": True}), True),
        ("[]", False),
        (judgements(), False),
        (judgements({"pair": 99, "compatible": True, "separation": "", "reason": ""}), False),
        ("I would rather not say.", True),
        (ModelUnavailableError("the model did not answer within 60 s"), True),
        (ModelUnavailableError("\0 \ud800 名 " * 1000), True),
    ],
)
def test_what_a_model_says_wrong_deletes_nothing(
    tmp_path: Path, ready_sqlite: bytes, says: str | Exception, fails: bool
) -> None:
    model, clock = Odd(), FakeClock()
    path = tmp_path / "memory.db"
    path.write_bytes(ready_sqlite)
    with Memory(str(path), embedder=None, llm=model, settings=QUIET, clock=clock) as memory:
        _three_days(memory, model, clock, says, fails=fails)


def _three_days(
    memory: Memory, model: Odd, clock: FakeClock, says: str | Exception, *, fails: bool
) -> None:
    for number in range(10):
        memory.facts.store(user_id="vera", key=f"work.place{number}", value=f"Volvo {number}")
        memory.facts.store(user_id="vera", key=f"job.company{number}", value=f"Volvo {number}")
    before = facts_of(memory)
    assert len(before) == 20
    model.says = says
    for _ in range(3):
        report = memory.consolidate("daily", "vera")
        assert report.ok is not fails
        assert facts_of(memory) == before
        clock.advance(timedelta(days=1))
    assert model.calls
    status = memory.consolidation_status()
    assert bool(status.failures) is fails
    if fails:
        assert status.failures[0].problem is not None
        assert status.failures[0].problem.startswith("doubles: ")
        model.says = judgements()
        assert memory.consolidate("daily", "vera").ok
        assert memory.consolidation_status().failures == ()


def test_a_right_answer_merges_and_can_be_undone(place: Place) -> None:
    model, clock = Odd(), FakeClock()
    memory = place.open(llm=model, settings=QUIET, clock=clock)
    memory.facts.store(user_id="vera", key="work.place", value="Volvo")
    memory.facts.store(user_id="vera", key="job.company", value="Volvo")
    clock.advance(timedelta(days=1))
    model.says = judgements({"pair": 1, "compatible": True, "separation": "", "reason": "same"})
    assert memory.consolidate("daily", "vera").users[0].done["doubles"] == 1
    assert [fact.key for fact in memory.facts.get("vera")] == ["work.place"]
    clock.advance(timedelta(days=1))
    memory.facts.undo("vera")
    assert memory.consolidate("daily", "vera").users[0].done["doubles"] == 0
    assert len(memory.facts.get("vera")) == 2
