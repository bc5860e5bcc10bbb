"""Ids are opaque text: what is refused, and nothing else."""

from backstory.errors import InvalidInputError

MAX_ID_CHARS = 512
# PostgreSQL refuses an index entry of more than 2,704 bytes; tenant, user and a record's own
# id of 32 characters stand together in every primary key.
MAX_SCOPE_BYTES = 2500


def check_id(value: object, what: str) -> str:
    """Accept an id: 1 to 512 characters of text without NUL and lone surrogates.

    Raises:
        InvalidInputError: The id is empty, too long, not text, or not encodable.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} must be text, not {type(value).__name__}")
    value = str.__str__(value)  # a member of a StrEnum becomes plain text
    if not value:
        raise InvalidInputError(f"{what} is empty; give a text that names it")
    if len(value) > MAX_ID_CHARS:
        raise InvalidInputError(f"{what} has {len(value)} characters; at most {MAX_ID_CHARS}")
    if "\0" in value:
        raise InvalidInputError(f"{what} holds a NUL character; remove it")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise InvalidInputError(f"{what} holds a lone surrogate; it is not valid Unicode")
    return value


def check_optional_id(value: object, what: str) -> str | None:
    """Accept an id or None."""
    return None if value is None else check_id(value, what)


def check_scope(tenant_id: str, user_id: object) -> str:
    """Accept a user id beside its tenant: together at most 2,500 bytes of UTF-8."""
    user = check_id(user_id, "user_id")
    size = len(tenant_id.encode()) + len(user.encode())
    if size > MAX_SCOPE_BYTES:
        raise InvalidInputError(
            f"tenant and user_id have {size} bytes of UTF-8 together; at most {MAX_SCOPE_BYTES}"
        )
    return user
