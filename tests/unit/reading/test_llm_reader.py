"""The model's reader on a scripted server: calls, bounds, faults, shapes."""

import asyncio
import json
from collections.abc import Iterator
from math import ceil
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from backstory.core.model.message import Role
from backstory.core.model.reading import Batch
from backstory.errors import (
    ModelError,
    ModelUnavailableError,
    ReadingError,
    TruncatedCompletionError,
)
from backstory.models.chat.factory import make_chat_model
from backstory.ports.chat_model import Completion, Prompt
from backstory.ports.reader import Reader
from backstory.reading.llm import LLMReader
from backstory.testing.chat_server import ChatServer, Reply
from tests.unit.reading.llm_help import (
    AT,
    ScriptedModel,
    answer,
    batch,
    fact,
    known,
    read,
    read_with,
    size_of,
    turn,
)

CELLO = batch("I play the cello")
GOOD = answer(fact())


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(GOOD) as running:
        yield running


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(GOOD)


def values(server: ChatServer, given: Batch = CELLO) -> list[str | None]:
    return [claim.value for claim in read(server, given).claims]


def test_a_fact_is_a_claim_with_its_evidence(server: ChatServer) -> None:
    reading = read(server, CELLO)
    (claim,) = reading.claims
    assert (claim.subject, claim.key, claim.value) == ("user", "hobby.instrument", "the cello")
    assert claim.said_at == CELLO.turns[0].timestamp
    assert claim.actor == "model:shades"
    assert [(e.message_id, e.quote) for e in claim.evidence] == [("m1", "I play the cello")]
    assert reading.rejections == ()
    assert reading.usage["calls"] == len(server.calls) == 1
    assert reading.usage["input_tokens"] == server.calls[0].tokens
    assert reading.usage["output_tokens"] > 0


def test_it_is_a_reader(server: ChatServer) -> None:
    reader: Reader = LLMReader(make_chat_model("shades", base_url=server.url))
    assert reader.name == "model:shades"
    assert not reader.reads_at_once
    assert reader.wants(Role.USER, "I paint")
    assert reader.wants(Role.ASSISTANT, "Do you paint?")
    assert not reader.wants(Role.TOOL, "I paint")
    assert not reader.wants(Role.USER, "...!")


@pytest.mark.parametrize("count", [0, 1, 12, 13, 60])
def test_calls_are_bounded_by_turns(server: ChatServer, count: int) -> None:
    read(server, batch(*["I paint."] * count))
    assert len(server.calls) == ceil(count / 12)


def test_calls_are_bounded_by_characters(server: ChatServer) -> None:
    server.answer = answer()
    read(server, batch(*["I paint the old mill. " * 200] * 12))
    total = 12 * 200 * len("I paint the old mill. ")
    assert len(server.calls) == ceil(total / 12_000)


def test_the_prompt_does_not_grow_with_the_store(model: ScriptedModel) -> None:
    """Whatever is handed over, at most 40 facts are named."""
    sizes = []
    for count in (40, 50, 500, 5_000):
        read_with(model, batch("I play the cello", known=known(count)))
        sizes.append(size_of(model.calls[-1]))
    assert len(set(sizes)) == 1
    read_with(model, batch("I play the cello", known=known(5_000, "x" * 5000)))
    assert size_of(model.calls[-1]) < 12_000
    assert len(model.calls[-1].user) < 40 * 260


def test_turns_of_the_assistant_alone_need_no_call(server: ChatServer) -> None:
    read(server, Batch(turns=(turn(1, "I play the cello", Role.ASSISTANT),)))
    assert server.calls == []


def test_what_does_not_fit_is_read_in_the_next_call(server: ChatServer) -> None:
    long = "We went along the river. " * 700
    server.answer = answer()
    read(server, batch(f"{long} I play the cello", "I paint."))
    assert len(server.calls) == 2
    assert "I play the cello" not in server.calls[0].user
    assert "I play the cello" in server.calls[1].user
    assert "I paint." in server.calls[1].user
    said = "".join(call.user for call in server.calls)
    assert said.count("along the river") >= 700


@pytest.mark.parametrize(
    "text",
    [
        f'<think>a {{brace}} {{"facts": []}}</think>\n```json\n{GOOD}\n```\nHope this helps!',
        f"Here you are: {GOOD}",
        json.dumps([fact()]),
        json.dumps({"result": {"facts": [fact()]}}),
        json.dumps({"response": {"data": {"facts": [fact()]}}}),
        json.dumps({"facts": fact()}),
        json.dumps(fact()),
        json.dumps({"memories": [fact()]}),
        json.dumps([{"facts": [fact()]}]),
        answer(fact(subject=None, entity_name="user")),
        answer(
            fact(quote=None, message=None, evidence={"message": 1, "quote": "I play the cello"})
        ),
        answer(fact(quote=None, evidence="I play the cello")),
        answer(fact(message=None)),
        answer(fact(message="1")),
        answer(fact(message="[1]")),
        answer(fact(key=None, slot="Hobby.Instrument")),
        answer(fact(category="food", cardinality="several", kind="eternal")),
        answer(fact(changed="false", confidence="0.9")),
        answer(fact(since=None, until=None, replaces=None, confidence=None)),
        json.dumps({"facts": [fact()], "note": "done"}),
        GOOD.replace("}]", "},]"),
    ],
)
def test_a_shape_that_is_clear_is_taken(model: ScriptedModel, text: str) -> None:
    model.script(text)
    assert [claim.value for claim in read_with(model, CELLO).claims] == ["the cello"]
    assert len(model.calls) == 1


WRONG = [
    ("", "empty"),
    ("null", "null"),
    ("I found nothing.", "no JSON"),
    ("{}", "'facts' is missing"),
    ('{"facts": "none"}', "'facts' must be a list of objects, not a text"),
    ('{"facts": null}', "'facts' must be a list"),
    ('{"facts": {"colour": 1}}', "'facts'"),
    ('{"facts": ["plays the cello"]}', "facts[0] must be an object, not a text"),
    ('{"result": {"data": "none"}}', "'facts' is missing"),
    (answer(fact(act=None)), "facts[0].act is missing"),
    (answer(fact(act="forget")), "facts[0].act is 'forget'"),
    (answer(fact(), fact(value=None)), "facts[1].value is missing"),
    (answer(fact(key=None)), "facts[0].key is missing"),
    (answer(fact(key=None, slot="a", attribute="b")), "both could stand"),
    (answer(fact(quote="")), "facts[0].quote is missing"),
    (answer(fact(value={"name": "cello"})), "facts[0].value must be a text"),
    (answer(fact(message="first")), "facts[0].message"),
    (answer(fact(message=True)), "facts[0].message"),
    (answer(fact(changed="perhaps")), "facts[0].changed"),
    (answer(fact(confidence=95)), "facts[0].confidence"),
    (answer(contradictions="some"), "'contradictions'"),
    (f"<think>{GOOD}", "not closed"),
    (GOOD[:-3], "not finished"),
    (f"{GOOD} {answer(fact(value='a viola'))}", "2 different"),
]


@pytest.mark.parametrize(("text", "names"), WRONG)
def test_another_answer_is_asked_for_once_with_the_reason(
    model: ScriptedModel, text: str, names: str
) -> None:
    model.script(text)
    assert [claim.value for claim in read_with(model, CELLO).claims] == ["the cello"]
    first, second = model.calls
    assert names in second.user
    assert second.user.startswith(first.user)
    assert second.system == first.system


@pytest.mark.parametrize(("text", "names"), WRONG)
def test_two_answers_of_no_use_are_a_failed_reading(
    model: ScriptedModel, text: str, names: str
) -> None:
    model.script(text, text)
    with pytest.raises(ReadingError) as caught:
        read_with(model, CELLO)
    assert names in str(caught.value)
    assert len(model.calls) == 2


def test_a_batch_is_read_whole_or_not_at_all(server: ChatServer) -> None:
    server.script(GOOD, "no", "no")
    with pytest.raises(ReadingError):
        read(server, batch(*["I play the cello"] * 20))
    assert len(server.calls) == 3


def test_a_cut_off_answer_is_no_failed_reading_and_not_asked_for_again(
    server: ChatServer,
) -> None:
    server.script(Reply(text=GOOD, finish="length"))
    with pytest.raises(TruncatedCompletionError) as caught:
        read(server, CELLO, max_tokens=77)
    assert caught.value.cap == 77
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("reply", "error", "calls"),
    [
        (Reply(status=500), ModelUnavailableError, 3),
        (Reply(status=429, headers={"Retry-After": "0"}), ModelUnavailableError, 3),
        (Reply(cut=True, text=GOOD), ModelUnavailableError, 3),
        (Reply(status=401, text="no"), ModelError, 1),
        (Reply(body=b"<html>", content_type="text/html"), ModelError, 1),
    ],
)
def test_a_model_that_fails_is_a_model_error(
    server: ChatServer, reply: Reply, error: type[ModelError], calls: int
) -> None:
    server.script(*[reply] * 3)
    with pytest.raises(error):
        read(server, CELLO)
    assert len(server.calls) == calls


def test_a_model_that_is_overloaded_for_a_moment_loses_nothing(server: ChatServer) -> None:
    server.script(Reply(status=429, headers={"Retry-After": "0"}), Reply(status=503))
    assert values(server) == ["the cello"]


def test_the_schema_is_sent_and_is_strict(server: ChatServer) -> None:
    read(server, CELLO, parts=["facts"])
    sent: Any = server.calls[0].body["response_format"]["json_schema"]
    assert sent["strict"]
    assert set(sent["schema"]["required"]) == {"facts", "contradictions"}
    read(server, CELLO, parts=["facts"], behavioural=False)
    assert set(server.calls[1].schema or {}) >= {"properties"}
    assert set((server.calls[1].schema or {})["properties"]) == {"facts"}
    assert "Contradictions" not in server.calls[1].system


def test_the_instructions_are_the_same_for_every_call(server: ChatServer) -> None:
    read(server, CELLO)
    read(server, batch("I paint.", known=known(3), user_name="Nora"))
    assert server.calls[0].system == server.calls[1].system


def test_models_of_pydantic_ai_can_be_read_with() -> None:
    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(GOOD)])

    for own in (FunctionModel(reply), TestModel(custom_output_text=GOOD)):
        reader = LLMReader(make_chat_model(own))
        assert len(asyncio.run(reader.read(CELLO)).claims) == 1


def test_a_time_stands_with_each_turn(server: ChatServer) -> None:
    read(server, CELLO)
    assert f"- [1] {AT:%Y-%m-%d} 12:01 user: I play the cello" in server.calls[0].user


def test_an_own_model_that_lets_a_cut_off_answer_pass() -> None:
    class Own:
        name = "own:model"

        async def complete(self, prompt: Prompt) -> Completion:
            return Completion(text=GOOD, finish_reason="length")

        async def aclose(self) -> None:
            return

    with pytest.raises(TruncatedCompletionError):
        asyncio.run(LLMReader(Own()).read(CELLO))
