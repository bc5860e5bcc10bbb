"""Every error that backstory raises: one tree, each with a stable code.

    BackstoryError
    ├── InvalidInputError          the call is wrong; nothing was stored
    │   └── InvalidFilterError
    ├── NotFoundError              no such record in this scope
    ├── ConflictError              the same message id with other content
    ├── BudgetError                a token counter that no text can satisfy
    ├── ConfigurationError         a setting, or a combination of them
    │   └── MissingDependencyError an optional package is not installed
    ├── FileError                  a file of an export or import
    ├── ClosedError                the memory was closed
    ├── WrongThreadError           a call from a thread or event loop that it cannot serve
    ├── StoreError                 the database
    │   ├── StoreUnavailableError  (retryable)
    │   │   └── StoreAddressError  (not retryable)
    │   ├── StoreBusyError         (retryable)
    │   ├── StoreFullError
    │   ├── StoreReadOnlyError
    │   ├── StoreCorruptError
    │   └── SchemaVersionError
    ├── EmbeddingError             the embedding model
    │   ├── EmbeddingUnavailableError  (retryable)
    │   ├── EmbeddingDimensionError
    │   └── ModelFileError
    ├── ModelError                 the language model
    │   ├── ModelUnavailableError  (retryable)
    │   └── TruncatedCompletionError
    └── ReadingError               what a model said of messages could not be understood

The docstring of a class is its default message.
"""

from typing import ClassVar


class BackstoryError(Exception):
    """Something in backstory failed."""

    code: ClassVar[str] = "backstory_error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class InvalidInputError(BackstoryError, ValueError):
    """The input cannot be accepted; nothing was stored."""

    code = "invalid_input"


class InvalidFilterError(InvalidInputError):
    """The filter names an unknown field or operator."""

    code = "invalid_filter"


class NotFoundError(BackstoryError, LookupError):
    """There is no such record for this user."""

    code = "not_found"


class ConflictError(BackstoryError):
    """A message with this id is already stored with other content."""

    code = "conflict"


class BudgetError(BackstoryError, ValueError):
    """No text fits this budget: the token counter counts even the empty text above it."""

    code = "budget"


class ConfigurationError(BackstoryError):
    """A setting has a value that cannot be used."""

    code = "configuration"


class MissingDependencyError(ConfigurationError):
    """An optional package that this feature needs is not installed."""

    code = "missing_dependency"


class FileError(BackstoryError):
    """A file cannot be read or written; no half-written file was left."""

    code = "file"


class ClosedError(BackstoryError):
    """This memory was closed; open a new one."""

    code = "closed"


class WrongThreadError(BackstoryError):
    """A blocking Memory was called from its own event loop; use AsyncMemory there."""

    code = "wrong_thread"


class StoreError(BackstoryError):
    """The database refused or failed; nothing of this call was stored."""

    code = "store"


class StoreUnavailableError(StoreError):
    """The database cannot be reached, or the connection was lost; try again."""

    code = "store_unavailable"
    retryable = True


class StoreAddressError(StoreUnavailableError):
    """The database is not at this address, or it refuses this login; trying again does not help."""

    code = "store_address"
    retryable = False


class StoreBusyError(StoreError):
    """The database stayed busy for the whole time limit; try again."""

    code = "store_busy"
    retryable = True


class StoreFullError(StoreError):
    """There is no space left for the database; what was acknowledged before is still there."""

    code = "store_full"


class StoreReadOnlyError(StoreError):
    """The database cannot be written; check the permissions of the file and its folder."""

    code = "store_read_only"


class StoreCorruptError(StoreError):
    """The file is not a backstory database, or it is damaged; restore a backup."""

    code = "store_corrupt"


class SchemaVersionError(StoreError):
    """The database has a schema that this version does not know, or must upgrade first."""

    code = "schema_version"


class EmbeddingError(BackstoryError):
    """The embedding model failed; the message is stored and its vector is pending."""

    code = "embedding"


class EmbeddingUnavailableError(EmbeddingError):
    """The embedding service did not answer in time or is overloaded; try again."""

    code = "embedding_unavailable"
    retryable = True
    # seconds that the service asked to wait, if it said so
    retry_after: float | None = None


class EmbeddingDimensionError(EmbeddingError):
    """The embedder yields vectors of another size than the store holds."""

    code = "embedding_dimension"


class ModelFileError(EmbeddingError):
    """A file of the local embedding model is missing or damaged; reinstall backstory."""

    code = "model_file"


class ModelError(BackstoryError):
    """The language model refused or failed; nothing was lost."""

    code = "model"


class ModelUnavailableError(ModelError):
    """The language model did not answer in time or is overloaded; try again."""

    code = "model_unavailable"
    retryable = True


class TruncatedCompletionError(ModelError):
    """The model's answer was cut off at its cap; raise the cap, or ask for less at once.

    Attributes:
        partial: What there is of the answer. It was not used.
        finish_reason: The provider's word for why it stopped.
        cap: The cap in tokens.
    """

    code = "truncated_completion"

    def __init__(
        self,
        message: str | None = None,
        *,
        partial: str = "",
        finish_reason: str = "",
        cap: int = 0,
    ) -> None:
        super().__init__(
            message
            or f"the model's answer was cut off at {cap} tokens ({finish_reason}); raise the cap, "
            "or ask for less at once"
        )
        self.partial = partial
        self.finish_reason = finish_reason
        self.cap = cap


class ReadingError(BackstoryError):
    """A reader could not understand its batch; the messages are kept and can be read again."""

    code = "reading"
