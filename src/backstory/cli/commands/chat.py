"""``backstory chat``."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from backstory.api import Context, Memory, Prompt, Session
from backstory.cli.facts import show_facts
from backstory.cli.options import Common, command
from backstory.cli.output import Screen
from backstory.cli.plain import one_line, plain
from backstory.cli.stores import opened
from backstory.errors import BackstoryError, InvalidInputError, ModelError

app = typer.Typer(add_completion=False)

INSTRUCTIONS: Final = (
    "You are a friendly assistant in a conversation with a user. What follows is what you remember "
    "of them. Use it where it helps, do not recite it, and never invent memories."
)
_HELP: Final = "/facts shows what is true now, /context the memory block, /quit ends (so does ^D)"


@dataclass(kw_only=True)
class Chat:
    """A conversation in a terminal.

    Attributes:
        has_model: Whether a language model answers; else the prompt is shown.
        budget: Most tokens of the memory block.
        answer_tokens: Most tokens of an answer.
        unanswered: Turns that got no answer because of an error.
        is_model_down: Whether the model could not be had at the last turn: asking it once more
            would only take as long again.
        context: The memory block of the last turn.
    """

    memory: Memory
    session: Session
    user: str
    as_json: bool
    has_model: bool
    budget: int
    answer_tokens: int
    unanswered: int = 0
    is_model_down: bool = False
    context: Context | None = None

    def turn(self, text: str) -> None:
        """Take one line of the user: a command, or a turn. An error of it ends nothing else."""
        if text.startswith("/") and not text.startswith("//"):
            self._command(text)
            return
        said = text.removeprefix("/") if text.startswith("//") else text
        try:
            self._say(said)
        except (InvalidInputError, ModelError) as error:
            self.unanswered += 1
            self.is_model_down = isinstance(error, ModelError) and error.retryable
            self._fail(said, error)

    def _say(self, text: str) -> None:
        # the context comes first, so that the turn is not in the prompt twice; the turn is stored
        # before the model is asked, so that it is kept whatever the model does
        context = self._build(text)
        self.session.add("user", text)
        prompt = Prompt(
            system=f"{INSTRUCTIONS}\n\n{context.text}".rstrip(),
            user=text,
            max_tokens=self.answer_tokens,
        )
        if not self.has_model:
            self._show_prompt(prompt)
            return
        answer = self.memory.complete(prompt).text
        self.is_model_down = False
        self.session.add("assistant", answer)
        if self.as_json:
            _emit({"user": text, "answer": answer, "context_tokens": context.tokens})
        else:
            _write(plain(answer))

    def _build(self, text: str | None) -> Context:
        self.context = self.memory.context(
            self.user, text, session_id=self.session.id, max_tokens=self.budget
        )
        return self.context

    def _show_prompt(self, prompt: Prompt) -> None:
        if self.as_json:
            _emit({"user": prompt.user, "prompt": {"system": prompt.system, "user": prompt.user}})
        else:
            _write(f"--- system\n{plain(prompt.system)}\n--- user\n{plain(prompt.user)}\n---")

    def _fail(self, text: str, error: BackstoryError) -> None:
        if self.as_json:
            _emit({"user": text, "error": error.code, "message": str(error)})
        else:
            _note(f"error: {error}")

    def _command(self, text: str) -> None:
        name = text.split()[0]
        if name == "/facts":
            facts = self.memory.facts.get(self.user)
            if self.as_json:
                _emit({"facts": [fact.to_dict() for fact in facts]})
            elif facts:
                show_facts(Screen(), facts)
            else:
                _note("nothing is known yet")
        elif name == "/context":
            context = self.context or self._build(None)
            if self.as_json:
                _emit({"context": context.text, "tokens": context.tokens})
            else:
                _write(plain(context.text))
                _note(f"{context.tokens:,} of {context.max_tokens:,} tokens")
        elif name == "/help":
            _note(_HELP)
        else:
            _note(f"there is no {one_line(name)}; {_HELP}; // begins a text with /")


@command(app, "chat")
def chat(
    common: Common,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The conversation; one of before goes on. None: new."),
    ] = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="The user's name.")] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", "-t", min=0, help="Most tokens of the memory block.")
    ] = 2000,
    answer_tokens: Annotated[
        int, typer.Option("--answer-tokens", min=1, help="Most tokens of an answer.")
    ] = 1024,
) -> None:
    """Talk in the terminal, with memory. /facts, /context, /quit; ^D ends, too.

    Where a language model is set (BACKSTORY_LLM, or llm in the config file) it answers; without
    one, the prompt that it would get is shown. Lines of a pipe are turns.
    """
    settings = common.settings()
    has_model = settings.llm not in (None, "", "none")
    user = common.user or ""
    if not has_model:
        _note("no language model is set (BACKSTORY_LLM): the prompt is shown instead of an answer")
    with opened(settings, create=True, background=True) as memory:
        with memory.session(user_id=user, session_id=session, speaker=speaker) as handle:
            talk = Chat(
                memory=memory,
                session=handle,
                user=user,
                as_json=common.as_json,
                has_model=has_model,
                budget=max_tokens,
                answer_tokens=answer_tokens,
            )
            for line in _lines():
                if line == "/quit":
                    break
                talk.turn(line)
        if talk.is_model_down:
            _note("note: the model did not answer; what waits for it is read when it is back")
        else:
            _finish(memory, user)
    if talk.unanswered:
        raise typer.Exit(1)


def _finish(memory: Memory, user: str) -> None:
    """Read and embed what waits. What cannot be done now stays pending, and is said."""
    done = memory.flush(user)
    if done.failed or done.pending:
        why = f" ({one_line(done.reasons[0])})" if done.reasons else ""
        _note(f"note: {done.failed + done.pending} messages wait to be read or embedded{why}")


def _lines() -> Iterator[str]:
    """What the user says, line by line, without blank ones."""
    is_terminal = sys.stdin.isatty()
    while True:
        if is_terminal:
            sys.stdout.write("> ")
            sys.stdout.flush()
        raw = sys.stdin.buffer.readline()
        if not raw:
            if is_terminal:
                sys.stdout.write("\n")
            return
        line = raw.decode("utf-8-sig", errors="replace").strip()
        if line:
            yield line


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _note(text: str) -> None:
    sys.stderr.write(plain(text) + "\n")
    sys.stderr.flush()


def _emit(value: dict[str, object]) -> None:
    """One line of JSON for one turn."""
    _write(json.dumps(value))
