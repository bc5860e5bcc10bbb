"""Trying again: growing waits, or the wait that a service asks for, bounded in count and time."""

import asyncio
from typing import Protocol

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
)
from tenacity.wait import wait_exponential_jitter


class Transient:
    """Mixed into an error after which another try may succeed.

    Attributes:
        retry_after: Seconds that the service asked to wait, if it said so.
    """

    retry_after: float | None = None


class RetryLimits(Protocol):
    """How long a call keeps trying."""

    @property
    def attempts(self) -> int:
        """Tries in all, 1 or more."""
        ...

    @property
    def total_s(self) -> float:
        """No wait ends later than so many seconds after the first try."""
        ...

    @property
    def first_wait_s(self) -> float:
        """The first wait; it doubles with each try, and up to as much is added at random."""
        ...

    @property
    def longest_wait_s(self) -> float:
        """The longest wait, where the service does not ask for one."""
        ...


def retrying(limits: RetryLimits) -> AsyncRetrying:
    """A caller that tries again after each ``Transient`` error, and raises the last one."""

    def wait(state: RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, Transient) and failure.retry_after is not None:
            return failure.retry_after
        growing = wait_exponential_jitter(
            initial=limits.first_wait_s, max=limits.longest_wait_s, jitter=limits.first_wait_s
        )
        return float(growing(state))

    return AsyncRetrying(
        retry=retry_if_exception(lambda error: isinstance(error, Transient)),
        stop=stop_after_attempt(limits.attempts) | stop_before_delay(limits.total_s),
        wait=wait,
        sleep=asyncio.sleep,
        reraise=True,
    )
