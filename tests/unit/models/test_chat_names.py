"""What ``llm`` may be: names, model objects, objects of the port; the switch for reasoning."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from backstory.errors import ConfigurationError, MissingDependencyError, ModelError
from backstory.models.chat.factory import make_chat_model, thinking_for
from backstory.models.chat.remote import ChatLimits
from backstory.ports.chat_model import ChatModel, Completion, Prompt
from backstory.testing.chat_server import ChatServer, Reply

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY")
QUICK = ChatLimits(first_wait_s=0.01, longest_wait_s=0.05, attempts=2, total_s=20, request_s=5)
PROMPT = Prompt(
    system="Be short.",
    user="Which colour?",
    schema={
        "type": "object",
        "properties": {"colour": {"type": "string"}},
        "required": ["colour"],
        "additionalProperties": False,
    },
)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in KEYS:
        monkeypatch.setenv(name, "sk-test-0123456789abcdefghijklmnop")
    with ChatServer('{"colour": "teal"}') as running:
        yield running


def ask(model: ChatModel, owner: Model | None = None) -> Completion:
    """One answer; a model object's own connections are closed by its owner."""

    async def work() -> Completion:
        async with owner or AsyncExitStack():
            try:
                return await model.complete(PROMPT)
            finally:
                await model.aclose()

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("", "provider:model"),
        (" ", "provider:model"),
        ("gpt-5-mini", "llm_url"),
        ("openai:", "provider:model"),
        (":gpt", "provider:model"),
        ("nobody:gpt", "nobody"),
    ],
)
def test_a_name_that_is_none(spec: str, names: str) -> None:
    with pytest.raises(ConfigurationError, match=names):
        make_chat_model(spec)


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("openai:gpt-5-mini", "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-2.5-flash", "GOOGLE_API_KEY"),
        ("openrouter:acme/shades", "OPENROUTER_API_KEY"),
    ],
)
def test_a_key_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, spec: str, variable: str
) -> None:
    for name in (*KEYS, "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError, match=variable):
        make_chat_model(spec)


def test_a_server_without_keys_needs_none(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert ask(make_chat_model("shades", base_url=server.url)).text


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai.direct", None)
    monkeypatch.delitem(sys.modules, "backstory.models.chat._pydantic_ai", raising=False)
    with pytest.raises(MissingDependencyError, match=r"backstory\[llm\]"):
        make_chat_model("openai:gpt-5-mini")


def test_an_object_of_the_port_is_taken_as_it_is() -> None:
    class Own:
        name = "own:model"

        async def complete(self, prompt: Prompt) -> Completion:
            return Completion(text=prompt.user)

        async def aclose(self) -> None:
            return

    own = Own()
    assert make_chat_model(own) is own


@pytest.mark.parametrize("thing", [object(), 3, {"model": "x"}, ChatServer])
def test_another_object_is_refused(thing: Any) -> None:
    with pytest.raises(ConfigurationError, match="llm must be"):
        make_chat_model(thing)


def test_the_test_model_of_pydantic_ai() -> None:
    model = make_chat_model(TestModel(custom_output_text='{"colour": "red"}'))
    assert model.name == "test:test"
    assert ask(model).text == '{"colour": "red"}'


def test_a_function_model_sees_the_prompt_and_the_schema() -> None:
    seen: list[AgentInfo] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        return ModelResponse(parts=[TextPart("<think>{</think>red")])

    assert ask(make_chat_model(FunctionModel(answer))).text == "<think>{</think>red"
    wanted = seen[0].model_request_parameters.output_object
    assert wanted is not None
    assert wanted.json_schema["required"] == ["colour"]
    assert "Be short." in (seen[0].instructions or "")


def test_a_model_object_with_its_own_connection(server: ChatServer) -> None:
    own = OpenAIChatModel("shades", provider=OpenAIProvider(base_url=server.url, api_key="k"))
    before = dict(own.profile)
    server.script("<think>{")
    assert ask(make_chat_model(own), own).text == "<think>{"
    assert own.profile == before
    assert server.calls[0].key == "Bearer k"


def test_a_chain_of_models_falls_back(server: ChatServer) -> None:
    provider = OpenAIProvider(base_url=server.url, api_key="k")
    chain = FallbackModel(
        OpenAIChatModel("first", provider=provider, settings=ModelSettings(max_retries=0)),
        OpenAIChatModel("second", provider=provider),
    )
    server.script(Reply(status=400, text="no"))
    assert ask(make_chat_model(chain), chain).text
    assert [call.model for call in server.calls] == ["first", "second"]
    assert "colour" in server.calls[1].system


def test_an_address_does_not_go_with_an_object() -> None:
    with pytest.raises(ConfigurationError, match="llm_url"):
        make_chat_model(TestModel(), base_url="http://127.0.0.1:9")


Body = Mapping[str, Any]


def body_of(server: ChatServer, spec: str, thinking: bool | str = False) -> Body:
    base = server.root if spec.startswith(("anthropic:", "google:")) else server.url
    ask(make_chat_model(spec, base_url=base, thinking=thinking, limits=QUICK))
    return server.calls[-1].body


def test_reasoning_is_off_where_a_model_can_switch_it(server: ChatServer) -> None:
    assert body_of(server, "openai:gpt-5.2")["reasoning_effort"] == "none"
    assert body_of(server, "openai:gpt-5-mini")["reasoning_effort"] == "minimal"
    google = body_of(server, "google:gemini-2.5-flash")
    assert google["generationConfig"]["thinkingConfig"]["thinking_budget"] == 0
    router = body_of(server, "openrouter:anthropic/claude-sonnet-4.5")
    assert router["reasoning"] == {"enabled": False} or router["reasoning"]["effort"] == "none"
    anthropic = body_of(server, "anthropic:claude-haiku-4-5")
    assert anthropic.get("thinking", {"type": "disabled"}) == {"type": "disabled"}


@pytest.mark.parametrize("thinking", [False, True, "high"])
@pytest.mark.parametrize("spec", ["openai:gpt-4.1-mini", "ollama:qwen3", "shades", "llama:8b"])
def test_the_switch_is_not_sent_to_a_model_that_does_not_take_it(
    server: ChatServer, spec: str, thinking: bool | str
) -> None:
    body = body_of(server, spec, thinking)
    assert not [name for name in body if "reason" in name or "think" in name]


def test_reasoning_can_be_switched_on(server: ChatServer) -> None:
    assert body_of(server, "openai:gpt-5.2", "high")["reasoning_effort"] == "high"
    assert body_of(server, "openai:gpt-5.2", thinking=True)["reasoning_effort"] == "medium"
    assert body_of(server, "anthropic:claude-haiku-4-5", "low")["thinking"]["type"] == "enabled"
    assert body_of(server, "openai:gpt-5.2", "openai=low,google=high")["reasoning_effort"] == "low"
    assert body_of(server, "openai:gpt-5.2", "google=high")["reasoning_effort"] == "none"


def test_a_server_that_refuses_the_switch_is_asked_without(server: ChatServer) -> None:
    server.script(Reply(status=400, text="Unrecognized request argument: reasoning_effort"))
    body = body_of(server, "openai:gpt-5.2")
    assert "reasoning_effort" not in body
    assert len(server.calls) == 2


def test_an_objects_own_switch_is_kept(server: ChatServer) -> None:
    own = OpenAIChatModel(
        "gpt-5.2",
        provider=OpenAIProvider(base_url=server.url, api_key="k"),
        settings=ModelSettings(thinking="high"),
    )
    ask(make_chat_model(own), own)
    assert server.calls[0].body["reasoning_effort"] == "high"


def test_a_temperature_is_sent_only_if_given(server: ChatServer) -> None:
    ask(make_chat_model("shades", base_url=server.url))
    ask(make_chat_model("shades", base_url=server.url, temperature=0.0))
    assert [call.body.get("temperature") for call in server.calls] == [None, 0.0]


@pytest.mark.parametrize("switch", ["maybe", "openai=perhaps", "=on2"])
def test_a_switch_that_is_no_word(switch: str) -> None:
    with pytest.raises(ConfigurationError, match="llm_thinking"):
        thinking_for("openai", switch=switch)


def test_a_model_that_refuses_is_not_tried_again(server: ChatServer) -> None:
    server.script(Reply(status=400, text="the request is odd"))
    with pytest.raises(ModelError, match="odd"):
        body_of(server, "openai:gpt-5.2")
    assert len(server.calls) == 1


def test_nothing_is_loaded_before_a_model_is_made() -> None:
    code = (
        "import sys; import backstory.models.chat.factory; "
        "heavy = {'pydantic', 'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'httpx'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
