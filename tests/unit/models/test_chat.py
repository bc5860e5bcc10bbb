"""Chat models against a scripted server: whole answers, faults, waits, what is sent."""

import asyncio
import gc
import time
from collections.abc import Iterator

import pytest

from backstory.errors import ModelError, ModelUnavailableError, TruncatedCompletionError
from backstory.models.chat.factory import make_chat_model
from backstory.models.chat.remote import ChatLimits, TransientModelError
from backstory.ports.chat_model import ChatModel, Completion, Prompt
from backstory.testing.chat_server import ChatServer, Reply

KEY = "sk-test-0123456789abcdefghijklmnop"
QUICK = ChatLimits(first_wait_s=0.01, longest_wait_s=0.05, attempts=4, total_s=20, request_s=5)
SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}
PROMPT = Prompt(system="Be short.", user="Which colour?", schema=SCHEMA, name="colour")
ANSWER = '{"colour": "teal"}'


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(name, KEY)
    with ChatServer(ANSWER) as running:
        yield running


def model_of(
    server: ChatServer, spec: str = "openai:shades", limits: ChatLimits = QUICK
) -> ChatModel:
    own_root = spec.startswith(("anthropic:", "google:"))
    return make_chat_model(spec, base_url=server.root if own_root else server.url, limits=limits)


def ask(model: ChatModel, *prompts: Prompt) -> list[Completion]:
    async def work() -> list[Completion]:
        try:
            return [await model.complete(prompt) for prompt in prompts or (PROMPT,)]
        finally:
            await model.aclose()

    return asyncio.run(work())


def refused(model: ChatModel) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(model)
    assert KEY not in str(caught.value)
    assert KEY[:12] not in str(caught.value)
    return caught.value


SPECS = ("openai:shades", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_whole_answer_with_its_tokens(server: ChatServer, spec: str, stream: bool) -> None:
    base = server.url if spec.startswith("openai") else server.root
    model = make_chat_model(spec, base_url=base, stream=stream, limits=QUICK)
    assert model.name == spec
    (answer,) = ask(model)
    assert answer.text == ANSWER
    (call,) = server.calls
    assert (call.stream, call.model) == (stream, spec.partition(":")[2])
    assert "Be short." in call.system
    assert call.user == "Which colour?"
    assert call.schema is not None
    assert "colour" in call.schema["properties"]
    assert call.max_tokens == PROMPT.max_tokens
    assert call.key.endswith(KEY)
    assert answer.input_tokens == call.tokens > 0
    assert answer.output_tokens > 0


@pytest.mark.parametrize("spec", ["ollama:qwen3", "openrouter:acme/shades", "shades", "shades:8b"])
def test_other_servers_with_openais_protocol(server: ChatServer, spec: str) -> None:
    (answer,) = ask(model_of(server, spec))
    assert answer.text == ANSWER
    assert server.calls[0].path == "/v1/chat/completions"
    assert server.calls[0].model == (spec if spec.startswith("shades") else spec.split(":")[1])


def test_prose_is_asked_without_a_schema(server: ChatServer) -> None:
    ask(model_of(server), Prompt(system="s", user="u"))
    assert server.calls[0].schema is None
    assert "response_format" not in server.calls[0].body


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_cut_off_answer_is_an_error_and_is_not_tried_again(
    server: ChatServer, spec: str, stream: bool
) -> None:
    server.script(Reply(text='{"colour": "te', finish="length"))
    base = server.url if spec.startswith("openai") else server.root
    error = refused(make_chat_model(spec, base_url=base, stream=stream, limits=QUICK))
    assert isinstance(error, TruncatedCompletionError)
    assert error.partial == '{"colour": "te'
    assert error.finish_reason in {"length", "max_tokens", "MAX_TOKENS"}
    assert error.cap == PROMPT.max_tokens
    assert not error.retryable
    assert len(server.calls) == 1


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_overload_passes(server: ChatServer, spec: str, status: int) -> None:
    server.script(*[Reply(status=status, text=f"busy {KEY}")] * 3)
    (answer,) = ask(model_of(server, spec))
    assert answer.text == ANSWER
    assert len(server.calls) == 4


@pytest.mark.parametrize("spec", SPECS)
def test_the_wait_that_a_service_asks_for_is_kept(server: ChatServer, spec: str) -> None:
    server.script(Reply(status=429, headers={"Retry-After": "1"}))
    ask(model_of(server, spec))
    first, second = server.calls
    assert second.at_s - first.at_s >= 1


def test_tries_are_bounded_in_number_and_time(server: ChatServer) -> None:
    server.script(*[Reply(status=500)] * 20)
    error = refused(model_of(server))
    assert isinstance(error, ModelUnavailableError)
    assert error.retryable
    assert "500" in str(error)
    assert len(server.calls) == QUICK.attempts


def test_a_wait_that_is_too_long_is_not_begun(server: ChatServer) -> None:
    server.script(Reply(status=429, headers={"Retry-After": "600"}))
    start = time.monotonic()
    assert isinstance(refused(model_of(server)), TransientModelError)
    assert time.monotonic() - start < 5
    assert len(server.calls) == 1


def test_a_model_that_hangs_is_given_up(server: ChatServer) -> None:
    server.script(*[Reply(delay_s=30)] * 4)
    limits = ChatLimits(request_s=0.15, first_wait_s=0.01, attempts=2, total_s=20)
    error = refused(model_of(server, limits=limits))
    assert isinstance(error, ModelUnavailableError)
    assert "did not answer within 0.15 s" in str(error)
    assert len(server.calls) == 2


def test_all_tries_together_have_a_limit(server: ChatServer) -> None:
    server.script(*[Reply(delay_s=30)] * 4)
    start = time.monotonic()
    error = refused(model_of(server, limits=ChatLimits(request_s=10, total_s=0.3)))
    assert isinstance(error, ModelUnavailableError)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_dropped_connection_passes(server: ChatServer, spec: str, stream: bool) -> None:
    server.script(Reply(text=ANSWER, cut=True), Reply(text=ANSWER, cut=True))
    base = server.url if spec.startswith("openai") else server.root
    (answer,) = ask(make_chat_model(spec, base_url=base, stream=stream, limits=QUICK))
    assert answer.text == ANSWER
    assert len(server.calls) == 3


def test_a_server_that_is_not_there(server: ChatServer) -> None:
    model = make_chat_model("openai:shades", base_url="http://127.0.0.1:9/v1", limits=QUICK)
    error = refused(model)
    assert isinstance(error, ModelUnavailableError)
    assert "llm_url" in str(error)


@pytest.mark.parametrize(
    ("status", "names"),
    [(401, "environment variable"), (403, "environment variable"), (404, "llm_url"), (400, "odd")],
)
def test_a_refusal_says_what_to_do(server: ChatServer, status: int, names: str) -> None:
    server.script(Reply(status=status, text=f"odd request with {KEY}"))
    error = refused(model_of(server))
    assert not error.retryable
    assert names in str(error)
    assert str(status) in str(error)
    assert len(server.calls) == 1


@pytest.mark.parametrize("spec", SPECS)
def test_an_answer_that_was_filtered_is_a_refusal(server: ChatServer, spec: str) -> None:
    server.script(Reply(text="", finish="content_filter"))
    error = refused(model_of(server, spec))
    assert "refused" in str(error)
    assert len(server.calls) == 1


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<html>welcome to the proxy</html>", "text/html"),
        (b"<html>welcome to the proxy</html>", "application/json"),
        (b"", "application/json"),
        (b"null", "application/json"),
        (b"[]", "application/json"),
        (b'{"choices": [], "content": "none", "candidates": "none"}', "application/json"),
        (b'{"choices": [{"message": null}]}', "application/json"),
        (b"\xff\xfe\x00", "application/json"),
    ],
)
def test_what_is_no_answer_of_the_protocol_is_an_error(
    server: ChatServer, spec: str, body: bytes, content_type: str
) -> None:
    server.script(*[Reply(body=body, content_type=content_type)] * 4)
    error = refused(model_of(server, spec))
    assert spec in str(error)


def test_an_empty_answer_is_an_answer(server: ChatServer) -> None:
    server.script(Reply(text=""))
    (answer,) = ask(model_of(server))
    assert answer.text == ""


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "text", ['<think>{"colour": "red"}', f"<think>{{}}</think>\n```json\n{ANSWER}\n```"]
)
def test_reasoning_in_tags_stays_in_the_text(server: ChatServer, text: str, stream: bool) -> None:
    """An adapter that drops the opening tag would make a draft look like the answer."""
    server.script(Reply(text=text))
    (answer,) = ask(
        make_chat_model("openai:shades", base_url=server.url, limits=QUICK, stream=stream)
    )
    assert answer.text == text


@pytest.mark.parametrize("spec", SPECS)
def test_reasoning_given_apart_is_no_answer(server: ChatServer, spec: str) -> None:
    server.script(Reply(text=ANSWER, reasoning='{"colour": "red"}'))
    (answer,) = ask(model_of(server, spec))
    assert answer.text == ANSWER
    assert answer.details["reasoned"]


def test_the_cap_of_the_setting_bounds_that_of_a_prompt(server: ChatServer) -> None:
    model = make_chat_model("openai:shades", base_url=server.url, max_tokens=100, limits=QUICK)
    ask(model, PROMPT, Prompt(system="s", user="u", max_tokens=50))
    assert [call.max_tokens for call in server.calls] == [100, 50]


def test_a_server_that_knows_no_schemas_is_asked_in_words(server: ChatServer) -> None:
    server.script(Reply(status=400, text="response_format json_schema is not supported"))
    ask(model_of(server), PROMPT, PROMPT)
    first, second, third = server.calls
    assert first.schema is not None
    assert second.schema is third.schema is None
    assert "colour" in second.system


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_several_event_loops_have_their_own_connections(server: ChatServer) -> None:
    model = model_of(server)

    async def once() -> str:
        return (await model.complete(PROMPT)).text

    assert [asyncio.run(once()) for _ in range(3)] == [ANSWER] * 3
    asyncio.run(model.aclose())
    with pytest.raises(ModelError, match="closed"):
        asyncio.run(once())
    gc.collect()  # the connections of the loops that are gone


def test_calls_at_the_same_time(server: ChatServer) -> None:
    model = model_of(server)

    async def many() -> list[str]:
        done = await asyncio.gather(*(model.complete(PROMPT) for _ in range(8)))
        await model.aclose()
        return [one.text for one in done]

    assert asyncio.run(many()) == [ANSWER] * 8
