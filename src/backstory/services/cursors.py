"""Where a page of a list begins, and what is said of a record that is not there."""

import base64
import binascii

from backstory.errors import InvalidInputError


def missing(record_id: str, user_id: str | None) -> str:
    """Say that there is no record of an id in a scope."""
    whose = f" of user {user_id!r}" if user_id else ""
    return f"there is no record {record_id!r}{whose}"


def write_cursor(seq: int) -> str:
    """The cursor behind a sequence number."""
    return base64.urlsafe_b64encode(f"after {seq}".encode()).decode()


def read_cursor(cursor: str | None) -> int:
    """The sequence number that a page begins behind.

    Raises:
        InvalidInputError: It is no cursor.
    """
    if cursor is None:
        return -1
    try:
        text = base64.urlsafe_b64decode(cursor.encode()).decode()
        return int(text.removeprefix("after "))
    except (ValueError, binascii.Error, AttributeError) as error:
        raise InvalidInputError(
            "the cursor is none that get_all() gave; leave it out to start anew"
        ) from error
