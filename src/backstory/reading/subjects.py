"""Whom a model means by the subject of an item. Pure."""

import re
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.values import normal_key
from backstory.core.wordlists import word_set
from backstory.errors import InvalidInputError
from backstory.reading.placing import RefusedError

_THE_USER: Final = word_set("user me i myself self the_user human the_human speaker")
_THE_MODEL: Final = word_set(
    "assistant ai bot chatbot model llm you the_assistant language_model system tool memory"
)


def subject_of(named: str, user_name: str | None) -> str:
    """The subject in normal form; "user" for the memory's user, however named.

    Raises:
        RefusedError: It is the assistant, or no subject.
    """
    if _slug(named) in _THE_MODEL:
        raise RefusedError("attribution", "it is about the assistant, not a person")
    try:
        subject = normal_key(named).removeprefix("user.")
    except InvalidInputError as error:
        raise RefusedError("form", str(error)) from error
    return USER if is_the_user(subject, user_name) else subject


def is_the_user(named: str, user_name: str | None) -> bool:
    """Whether a name is that of the memory's user, or a word for them."""
    slug = _slug(named)
    return slug in _THE_USER or (bool(user_name) and slug == _slug(user_name or ""))


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.casefold()).strip("_")
