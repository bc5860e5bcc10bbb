"""What went wrong at a provider, as errors of this library: what to do, and no secrets."""

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelOverloadedError,
    ModelQuotaExceededError,
    ModelServerError,
    ModelUnavailableError,
)

from backstory.errors import ModelError
from backstory.models._providers import harmless, may_pass, reason_of, status_of
from backstory.models.chat.remote import TransientModelError

_REFUSED_KEY = frozenset({401, 403})
_TOO_MANY = 429
_HINTS = {
    401: "; check the key in the provider's environment variable",
    403: "; check the key in the provider's environment variable, and what it may use",
    404: "; check llm, the name of the model, and llm_url",
}
_ADVICE: dict[type[ModelAPIError], str] = {
    ModelQuotaExceededError: "the account's quota is used up; top it up, or set another llm",
    ModelContextWindowExceededError: (
        "the prompt is longer than the model reads; set an llm with a larger context"
    ),
}
_PASSING = (ModelOverloadedError, ModelServerError, ModelUnavailableError)


def translated(error: ModelAPIError, name: str) -> ModelError:
    """The error to raise for a failed request.

    Args:
        error: What the provider's adapter raised.
        name: Provider and model.
    """
    for kind, advice in _ADVICE.items():
        if isinstance(error, kind):
            return ModelError(f"{name} refused: {advice}")
    status = status_of(error)
    if status is None:
        return _without_status(error, name)
    if isinstance(error, _PASSING) or may_pass(error, status):
        message = f"{name} is overloaded or failed (HTTP {status}); try again later"
        is_limit = status == _TOO_MANY or error.retry_after is not None
        return TransientModelError(message, retry_after=error.retry_after, is_limit=is_limit)
    # The provider's own text about a key may repeat a part of it.
    said = "" if status in _REFUSED_KEY else f": {reason_of(error)}"
    return ModelError(f"{name} refused (HTTP {status}){said}{_HINTS.get(status, '')}")


def _without_status(error: ModelAPIError, name: str) -> ModelError:
    said = harmless(error.message)
    if isinstance(error, ModelConnectionError):
        return TransientModelError(
            f"{name} cannot be reached, or the connection was lost: {said}; check that it runs, "
            "and llm_url"
        )
    return TransientModelError(
        f"{name} gave no usable answer: {said}", retry_after=error.retry_after
    )
