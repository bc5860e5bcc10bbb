"""Reading a chat from a file of JSON Lines, and storing it so that nothing doubles or is lost."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, BinaryIO, Final

from backstory.api import Memory, Session
from backstory.errors import BackstoryError, ConflictError, InvalidInputError

BATCH: Final = 64


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What a line that does not say it gets.

    Attributes:
        source: Names the file; lines without an id are named by it and their number.
        session: The session.
        role: The role.
        speaker: The speaker of user messages.
        metadata: Put under each line's own.
    """

    source: str
    session: str
    role: str = "user"
    speaker: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line that holds a message, or the reason why it does not."""

    number: int
    end: int
    session: str = ""
    message: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A line that was not stored."""

    line: int
    error: str
    message: str


@dataclass(kw_only=True)
class Outcome:
    """What became of a file so far."""

    lines: int = 0
    added: int = 0
    known: int = 0
    pending: int = 0
    sessions: dict[str, None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    degraded: str | None = None


def read_lines(stream: BinaryIO, defaults: Defaults) -> Iterator[Line]:
    """Read JSON Lines; empty lines are passed over.

    Args:
        stream: The file, as bytes.
        defaults: What lines leave out.

    Yields:
        A line each, with the position in the file after it (``end``, in bytes).
    """
    end = 0
    for number, raw in enumerate(stream, start=1):
        end += len(raw)
        if not raw.strip():
            continue
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            session, message = _message(json.loads(text), number, defaults)
            yield Line(number=number, end=end, session=session, message=message)
        except UnicodeDecodeError:
            yield Line(number=number, end=end, problem="the line is not UTF-8")
        except json.JSONDecodeError as error:
            problem = f"the line is not JSON ({error.msg}, column {error.colno})"
            yield Line(number=number, end=end, problem=problem)
        except (ValueError, RecursionError) as error:
            yield Line(number=number, end=end, problem=str(error))


def _message(value: object, number: int, defaults: Defaults) -> tuple[str, dict[str, Any]]:
    if not isinstance(value, dict):
        raise InvalidInputError("a line must be a JSON object with role and content")
    message = dict(value)
    session = _name(message, "session", "session_id") or defaults.session
    message["id"] = _name(message, "id", "message_id") or f"{defaults.source}:{number}"
    message.setdefault("role", defaults.role)
    if defaults.speaker is not None and message["role"] == "user":
        message.setdefault("speaker", defaults.speaker)
    if defaults.metadata:
        own = message.get("metadata") or {}
        if not isinstance(own, dict):
            raise InvalidInputError("metadata must be a JSON object")
        message["metadata"] = {**defaults.metadata, **own}
    return session, message


def _name(message: dict[str, Any], *keys: str) -> str | None:
    """Take an id out of a message, under any of its names; whole numbers are ids, too."""
    given = [message.pop(key, None) for key in keys]
    value = next((one for one in given if one is not None), None)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise InvalidInputError(f"{keys[0]} must be a text or a whole number")
    return str(value)


class Importer:
    """Stores the lines of a chat, session by session, in batches.

    Adding a line again changes nothing: its message id is the same. So an import that was cut
    off is finished by running it again.
    """

    def __init__(self, memory: Memory, user: str) -> None:
        self._memory = memory
        self._user = user
        self.outcome = Outcome()

    def run(self, lines: Iterator[Line], reached: Callable[[int], None]) -> Outcome:
        """Store all lines. A bad one is noted and costs no other.

        Args:
            lines: From ``read_lines``.
            reached: Called after each batch with the position in the file.

        Raises:
            BackstoryError: The store failed; what was stored before is still there.
        """
        for (session, bad), group in groupby(lines, key=_kind):
            if bad:
                for line in group:
                    self._refuse(line, InvalidInputError.code, line.problem or "")
                    reached(line.end)
                continue
            try:
                handle = self._memory.session(
                    user_id=self._user, session_id=session, bulk_import=True
                )
            except InvalidInputError as error:
                for line in group:
                    self._refuse(line, error.code, str(error))
                    reached(line.end)
                continue
            with handle:
                for batch in _batches(group):
                    self._store(handle, batch)
                    reached(batch[-1].end)
        return self.outcome

    def _store(self, session: Session, batch: list[Line]) -> None:
        try:
            result = session.add_many([line.message for line in batch])
        except (InvalidInputError, ConflictError) as error:
            # Nothing of the batch was stored: halve it until the lines at fault stand alone.
            if len(batch) == 1:
                self._refuse(batch[0], error.code, str(error))
                return
            middle = len(batch) // 2
            self._store(session, batch[:middle])
            self._store(session, batch[middle:])
            return
        outcome = self.outcome
        fresh = sum(message.created for message in result.messages)
        outcome.lines += len(result.messages)
        outcome.added += fresh
        outcome.known += len(result.messages) - fresh
        outcome.pending += result.pending
        outcome.sessions[session.id] = None
        outcome.degraded = result.degraded or outcome.degraded
        for rejection in result.rejected:
            self._refuse(batch[rejection.position], InvalidInputError.code, rejection.reason)

    def _refuse(self, line: Line, error: str, reason: str) -> None:
        self.outcome.lines += 1
        self.outcome.problems.append(Problem(line=line.number, error=error, message=reason))


def _kind(line: Line) -> tuple[str, bool]:
    return line.session, line.problem is not None


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    batch: list[Line] = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def finish(memory: Memory, user: str, outcome: Outcome) -> None:
    """Make the vectors that wait, where the embedder is not asked in the call itself."""
    if not outcome.pending:
        return
    try:
        done = memory.flush(user)
    except BackstoryError as error:
        outcome.degraded = str(error)
        return
    outcome.pending = done.failed + done.pending
    if done.reasons:
        outcome.degraded = done.reasons[0]
