"""Which words of the user a response answers, and which words answer it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backstory.core.content import is_blank
from backstory.core.model.message import Message, Role


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A response of the assistant between what the user said before and after it.

    Attributes:
        response: The response.
        prompts: What the user had said since the response before.
        reply: What the user said next; None = nothing yet, or another response came first.
        used_tools: A tool answered between the prompts and the response.
        is_unstored: The response is no stored message.
    """

    response: Message
    prompts: tuple[Message, ...] = ()
    reply: Message | None = None
    used_tools: bool = False
    is_unstored: bool = False

    @property
    def stored(self) -> tuple[Message, ...]:
        """The stored messages of it; a response may be none."""
        replies = () if self.reply is None else (self.reply,)
        response = () if self.is_unstored else (self.response,)
        return (*self.prompts, *response, *replies)

    @property
    def prompt(self) -> str:
        """What the user had said, as one text."""
        return "\n".join(message.text for message in self.prompts)


def exchanges_of(messages: Sequence[Message]) -> list[Exchange]:
    """The exchanges of a session, in order.

    Of several responses in a row, all answer the same prompts, and the reply is to the last one.
    Blank messages, such as those that only call a tool, are no responses and no replies.

    Args:
        messages: In order.
    """
    spoken = [m for m in messages if m.role is Role.TOOL or not is_blank(m.text)]
    found = []
    prompts: tuple[Message, ...] = ()
    is_answered = used_tools = False
    for place, message in enumerate(spoken):
        if message.role is Role.USER:
            prompts = (message,) if is_answered else (*prompts, message)
            is_answered = used_tools = False
        elif message.role is Role.TOOL:
            used_tools = True
        elif message.role is Role.ASSISTANT:
            is_answered = True
            found.append(
                Exchange(
                    response=message,
                    prompts=prompts,
                    reply=_reply(spoken[place + 1 :]),
                    used_tools=used_tools,
                )
            )
    return found


def _reply(following: Iterable[Message]) -> Message | None:
    """The next word of the user, unless the assistant speaks again before it."""
    spoken = (m for m in following if m.role in (Role.USER, Role.ASSISTANT))
    first = next(spoken, None)
    return first if first is not None and first.role is Role.USER else None
