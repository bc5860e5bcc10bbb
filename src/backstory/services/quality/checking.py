"""The self-check: a model looks at the latest responses. Once a day, or when a caller asks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from backstory.core.fence import strip_memory
from backstory.core.model.derived import Quality
from backstory.core.model.derived.quality import SelfCheckReport
from backstory.core.model.message import Message
from backstory.core.model.scope import Scope
from backstory.core.quality import checked, exchanges_of
from backstory.core.quality.stats import spread_of
from backstory.core.secrets import redact
from backstory.errors import BackstoryError, ReadingError
from backstory.ports.clock import Clock
from backstory.ports.self_check import Given, SelfChecker
from backstory.ports.store import Store

A_DAY: Final = 8
"""Responses of a daily run."""
NO_MODEL: Final = "no language model is set, so nothing was checked; give llm= or set BACKSTORY_LLM"
NOTHING: Final = "no scored response waits for a check"


class SelfChecks:
    """Runs self-checks.

    Args:
        store: Where messages and scores are.
        checker: Judges; None = there is no model.
        clock: The time.
        redaction: Whether the model sees secrets masked.
    """

    def __init__(
        self, store: Store, checker: SelfChecker | None, clock: Clock, *, redaction: bool = True
    ) -> None:
        self._store = store
        self._checker = checker
        self._clock = clock
        self._redaction = redaction

    async def report(self, scope: Scope, n: int) -> SelfCheckReport:
        """Check the latest responses, and say what came of it; a failure is reported."""
        if self._checker is None:
            return SelfCheckReport(problem=NO_MODEL)
        chosen = await self._chosen(scope, n)
        if not chosen:
            return SelfCheckReport(problem=NOTHING)
        try:
            return await self._check(self._checker, scope, chosen)
        except BackstoryError as error:
            return SelfCheckReport(asked=len(chosen), problem=str(error))

    async def run(self, scope: Scope) -> int:
        """Check the latest responses. Gives how many were.

        Raises:
            BackstoryError: The model failed; nothing was changed.
        """
        if self._checker is None:
            return 0
        chosen = await self._chosen(scope, A_DAY)
        return (await self._check(self._checker, scope, chosen)).checked if chosen else 0

    async def _chosen(self, scope: Scope, n: int) -> list[tuple[Quality, Given]]:
        """The latest stored responses that were not checked, with their words."""
        book = await self._store.derived.book(scope)
        waiting = [one for one in book.of(Quality) if one.self_check is None and one.evidence]
        waiting.sort(key=lambda one: (one.at, one.id), reverse=True)
        found: list[tuple[Quality, Given]] = []
        for one in waiting:
            given = await self._given(scope, one)
            if given is not None:
                found.append((one, given))
            if len(found) == n:
                break
        return found

    async def _given(self, scope: Scope, one: Quality) -> Given | None:
        behind = [evidence.message_id for evidence in one.evidence]
        messages = await self._store.messages.many(scope, behind)
        response = messages.get(one.message_id)
        if response is None:
            return None
        spoken = sorted(messages.values(), key=lambda m: behind.index(m.id))
        exchange = next((e for e in exchanges_of(spoken) if e.response.id == response.id), None)
        if exchange is None:
            return None
        return Given(
            prompt="\n".join(map(self._text, exchange.prompts)), response=self._text(response)
        )

    async def _check(
        self, checker: SelfChecker, scope: Scope, chosen: Sequence[tuple[Quality, Given]]
    ) -> SelfCheckReport:
        answers = await _answers(checker, [given for _, given in chosen])
        found = {chosen[place][0].id: answer for place, answer in answers.items()}
        now = self._clock.now()
        written = await self._store.derived.change(scope, partial(checked, found=found), now)
        checks = tuple(one for one in written.put if isinstance(one, Quality))
        mean = spread_of([one.self_check for one in checks if one.self_check is not None])
        left = len(chosen) - len(checks)
        return SelfCheckReport(
            asked=len(chosen),
            checked=len(checks),
            mean=None if mean is None else mean.mean,
            problem=f"the model left {left} of them out" if left else None,
            checks=checks,
        )

    def _text(self, message: Message) -> str:
        text = strip_memory(message.text)
        return redact(text).text if self._redaction else text


class CheckResponses:
    """The step of a daily run.

    Args:
        checks: Runs them.
    """

    name = "self_checks"

    def __init__(self, checks: SelfChecks) -> None:
        self._checks = checks

    async def run(self, scope: Scope, now: datetime) -> int:  # noqa: ARG002 - they read the clock
        """Check the latest responses of a user. Gives how many were."""
        return await self._checks.run(scope)


async def _answers(checker: SelfChecker, given: Sequence[Given]) -> Mapping[int, tuple[float, str]]:
    """Ask a model that may be foreign code: whatever it raises, nothing is changed."""
    try:
        return await checker.check(given)
    except BackstoryError:
        raise
    except Exception as error:  # foreign code may raise anything
        raise ReadingError(f"the check failed with {type(error).__name__}") from error
