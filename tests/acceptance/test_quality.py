"""Quality through the public API, on both databases."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backstory import Completion, Memory, Message, Prompt, Quality, Settings
from backstory.errors import InvalidInputError, NotFoundError
from backstory.testing import FakeClock
from tests.acceptance.places import Place

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
QUIET = Settings(background=False)


@pytest.fixture
def file(tmp_path: Path, ready_sqlite: bytes) -> Iterator[Place]:
    """A file, where the kind of the database makes no difference."""
    path = tmp_path / "file.db"
    path.write_bytes(ready_sqlite)
    place = Place(str(path))
    yield place
    for memory in place.opened:
        memory.close()


class Checker:
    """A model that answers self-checks only."""

    name = "checker"

    def __init__(self, *, finish: str = "stop", text: str | None = None) -> None:
        self.finish, self.text = finish, text
        self.calls = 0

    async def complete(self, prompt: Prompt) -> Completion:
        """Find everything half good."""
        if prompt.name != "checks":
            return Completion(text='{"facts": []}')
        self.calls += 1
        count = prompt.user.count("## Response ")
        checks = [{"response": n + 1, "score": 0.5, "note": "half good"} for n in range(count)]
        return Completion(
            text=self.text or json.dumps({"checks": checks}), finish_reason=self.finish
        )

    async def aclose(self) -> None:
        """Do nothing."""


class Chat:
    """A conversation with a clock."""

    def __init__(self, memory: Memory, clock: FakeClock, **label: Any) -> None:
        self.memory, self.clock = memory, clock
        self.session = memory.session(user_id="vera", **label)

    def say(self, role: str, text: str, seconds: float = 10, **more: Any) -> Message:
        self.clock.advance(seconds)
        return self.session.add(role, text, **more)


def scores(memory: Memory) -> list[Quality]:
    return list(memory.quality.list_all("vera").items)


def test_a_response_is_scored_and_its_reply_follows(place: Place) -> None:
    clock = FakeClock(START)
    memory = place.open(clock=clock, settings=QUIET)
    chat = Chat(memory, clock, mode="tutor")
    chat.say("user", "I live in Gothenburg.")
    chat.say("assistant", "Lovely, close to the sea.")
    chat.say("user", "How do I get to Malmö?")
    bad = chat.say("assistant", "You live in Lund, so it takes 12 minutes.", message_id="r2")
    scored = memory.quality.score_response("vera", bad.id)
    assert scored.integrity_parts["memory_fidelity"] < 0.3
    assert (scored.mode, scored.interaction_vitality) == ("tutor", None)
    by_own_id = memory.quality.score_response("vera", "r2", session_id=chat.session.id)
    by_text = memory.quality.score_response(
        "vera", response_content="You live in Lund, so it takes 12 minutes."
    )
    assert scored == by_own_id == by_text

    chat.say("user", "No, I live in Gothenburg.")
    stats = memory.quality.get_stats("vera")
    assert (stats.responses, stats.replies, stats.feedback) == (1, 1, {"correction": 1})
    (one,) = scores(memory)
    assert one.output_integrity == scored.output_integrity
    assert set(one.vitality_parts) == {"feedback", "length", "speed"}

    chat.session.end()
    memory.consolidate("episodic")
    memory.consolidate("episodic")
    first, second = scores(memory)
    assert (first.feedback, second) == ("neutral", one)
    since = memory.quality.get_stats("vera", since=second.at)
    assert since.responses == 1
    assert stats.by_mode["tutor"].responses == 1


def test_a_late_reply_does_not_touch_the_integrity(file: Place) -> None:
    clock = FakeClock(START)
    memory = file.open(clock=clock, settings=QUIET)
    found = []
    for delay in (10, 60 * 60 * 8):
        chat = Chat(memory, clock)
        chat.say("user", "What is the capital of Australia?")
        chat.say("assistant", "Canberra.")
        chat.say("user", "thanks!", delay)
        chat.session.end()
        memory.consolidate("episodic")
        found.append(scores(memory)[-1])
    soon, late = found
    assert soon.output_integrity == late.output_integrity
    assert soon.integrity_parts == late.integrity_parts
    assert (soon.interaction_vitality or 0) > (late.interaction_vitality or 0)


def test_a_fact_that_was_not_known_yet_accuses_nobody(file: Place) -> None:
    clock = FakeClock(START)
    memory = file.open(clock=clock, settings=QUIET)
    chat = Chat(memory, clock)
    chat.say("user", "How do I get to Malmö?")
    chat.say("assistant", "You live in Lund, so it takes 12 minutes.")
    clock.advance(60)
    begun = START - timedelta(days=99)
    memory.facts.store(user_id="vera", key="home.place", value="Gothenburg", valid_from=begun)
    chat.say("user", "So how?")
    chat.say("assistant", "You live in Lund, so it takes 12 minutes.")
    chat.session.end()
    memory.consolidate("episodic")
    before, after = (one.integrity_parts["memory_fidelity"] for one in scores(memory))
    assert before == 1.0
    assert after < 0.3


def test_imports_have_no_scores_and_the_part_can_be_off(file: Place) -> None:
    turns = [("user", "How are you?"), ("assistant", "Fine, thanks."), ("user", "Good.")]
    for user, options in (("ada", {"settings": QUIET}), ("bo", {})):
        off = Settings(reading="facts", background=False)
        memory = file.open(**(options or {"settings": off}))
        with memory.session(user_id=user, bulk_import=user == "ada") as session:
            for minute, (role, text) in enumerate(turns):
                session.add(role, text, timestamp=START + timedelta(minutes=minute))
        memory.consolidate("episodic")
        assert memory.quality.list_all(user).total == 0
    assert memory.quality.score_response("bo", response_content="Fine, thanks.").output_integrity


def test_scores_go_with_their_messages(place: Place) -> None:
    clock = FakeClock(START)
    memory = place.open(clock=clock, settings=QUIET)
    chat = Chat(memory, clock)
    asked = chat.say("user", "What is the capital of Australia?")
    response = chat.say("assistant", "Canberra.")
    chat.say("user", "thanks!")
    chat.session.end()
    memory.consolidate("episodic")
    memory.update(response.id, text="The weather is nice in Rome, and pizza is cheap there.")
    assert memory.quality.get_stats("vera").responses == 0
    memory.consolidate("episodic")
    (again,) = scores(memory)
    assert (again.message_id, again.feedback) == (response.id, "positive")
    memory.delete(asked.id)
    assert memory.quality.get_stats("vera").responses == 0
    memory.forget_user("vera")
    assert memory.quality.list_all("vera").total == 0


def test_a_response_that_is_not_stored_can_be_scored(file: Place) -> None:
    memory = file.open()
    one = memory.quality.score_response("vera", "outside-1", response_content="Canberra.")
    assert (one.message_id, one.session_id) == ("outside-1", None)
    took = memory.quality.resolve_followup(
        "vera",
        None,
        "outside-1",
        "that's wrong",
        START + timedelta(minutes=1),
        previous_assistant_created_at=START,
    )
    assert (took.feedback, took.output_integrity) == ("correction", one.output_integrity)
    assert took.vitality_parts["speed"] == pytest.approx(0.9548, abs=1e-3)
    unnamed = memory.quality.score_response("vera", response_content="Canberra, of course.")
    assert memory.quality.resolve_followup("vera", None, unnamed.message_id, "👍").feedback


def test_bad_arguments_are_refused(file: Place) -> None:
    memory = file.open()
    mine = memory.add("Hello there.", user_id="vera").messages[0]
    quality = memory.quality
    with pytest.raises(InvalidInputError, match="give the message_id"):
        quality.score_response("vera")
    with pytest.raises(NotFoundError):
        quality.score_response("vera", "nothing")
    with pytest.raises(InvalidInputError, match="the user's"):
        quality.score_response("vera", mine.id)
    with pytest.raises(InvalidInputError, match="blank"):
        quality.score_response("vera", response_content=" \n")
    with pytest.raises(NotFoundError):
        quality.resolve_followup("vera", None, "nothing", "thanks")
    with pytest.raises(NotFoundError):
        quality.score_response("bo", mine.id)
    for n in (0, 51, True):
        with pytest.raises(InvalidInputError, match="n must be"):
            quality.run_self_check("vera", n)


def filled(place: Place, model: Checker | None) -> Memory:
    clock = FakeClock(START)
    memory = place.open(clock=clock, settings=QUIET, llm=model)
    chat = Chat(memory, clock)
    for number in range(3):
        chat.say("user", f"What is {number} and {number}?")
        chat.say("assistant", f"It is {2 * number}.")
    chat.session.end()
    memory.consolidate("episodic")
    return memory


def test_a_model_looks_back_at_what_it_has_not_seen(file: Place) -> None:
    model = Checker()
    memory = filled(file, model)
    before = scores(memory)
    report = memory.quality.run_self_check("vera", n=2)
    assert (report.asked, report.checked, report.mean, report.problem) == (2, 2, 0.5, None)
    assert [one.self_check for one in scores(memory)] == [None, 0.5, 0.5]
    assert [one.output_integrity for one in scores(memory)] == [
        one.output_integrity for one in before
    ]
    memory.consolidate("daily")
    assert [one.self_check for one in scores(memory)] == [0.5, 0.5, 0.5]
    assert model.calls == 2
    assert memory.quality.run_self_check("vera").problem is not None
    assert model.calls == 2


def test_an_answer_of_no_use_changes_nothing_and_is_told(file: Place) -> None:
    for model in (Checker(text="all fine"), Checker(finish="length")):
        memory = filled(file, model)
        before = scores(memory)
        report = memory.quality.run_self_check("vera")
        assert report.problem
        assert report.checked == 0
        assert scores(memory) == before
        memory.forget_user("vera")
    without = filled(file, None).quality.run_self_check("vera")
    assert "no language model" in (without.problem or "")
