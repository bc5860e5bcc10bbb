"""Where in the turns that were read something was said. Pure."""

from collections.abc import Sequence

from backstory.core.model.message import Role
from backstory.core.model.reading import Turn
from backstory.reading.calls import Piece
from backstory.reading.quoting import find_quote


class RefusedError(Exception):
    """An item of an answer that is not kept.

    Attributes:
        guard: The name of the rule that refused it.
        reason: Why, in words.
    """

    def __init__(self, guard: str, reason: str) -> None:
        super().__init__(reason)
        self.guard = guard
        self.reason = reason


class Places:
    """The turns of one call, as they were numbered.

    Attributes:
        turns: In that order.
    """

    def __init__(self, call: Sequence[Piece]) -> None:
        self.turns = [piece.turn for piece in call]

    def of(self, number: int | None, quote: str) -> tuple[Turn, str]:
        """The turn of a person that was quoted, and the words in it.

        Raises:
            RefusedError: There is no such turn, the words are not in one, or no person said them.
        """
        if number is not None and not 1 <= number <= len(self.turns):
            raise RefusedError("message", f"there is no message {number} among those read")
        named = [] if number is None else [self.turns[number - 1]]
        for turn in named:
            words = find_quote(quote, turn.text)
            if words is not None:
                return _said_by_a_user(turn), words
        found = [
            (turn, words)
            for turn in {turn.message_id: turn for turn in self.turns}.values()
            if (words := find_quote(quote, turn.text)) is not None
        ]
        if len(found) != 1:
            several = "it occurs in several messages" if found else "the quote does not occur in it"
            raise RefusedError("evidence", f"not in the text: {several}")
        return _said_by_a_user(found[0][0]), found[0][1]

    def id_of(self, number: int | None) -> str | None:
        """The id of a numbered message, if there is one."""
        known = number is not None and 1 <= number <= len(self.turns)
        return self.turns[(number or 1) - 1].message_id if known else None


def _said_by_a_user(turn: Turn) -> Turn:
    if turn.role is not Role.USER:
        raise RefusedError("speaker", f"the {turn.role.value} said it, not a person")
    return turn
