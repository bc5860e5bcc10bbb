"""Statements of another speaker: they are about that person, never about the memory's user."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from backstory.core.model.fact import USER
from backstory.core.model.reading import Claim
from backstory.core.values import normal_key

_UNNAMED: Final = "someone"


def of_another(claims: Sequence[Claim], speaker: str | None) -> list[Claim]:
    """The claims with the speaker as their subject, and the speaker's people under the speaker."""
    return [replace(c, subject=subject_of_another(c.subject, speaker)) for c in claims]


def subject_of_another(subject: str, speaker: str | None) -> str:
    """Whom a subject means in the message of another speaker."""
    name = "".join(c if c.isalnum() else "_" for c in (speaker or _UNNAMED).casefold()).strip("_")
    own = normal_key(f"speaker.{name or _UNNAMED}")
    return own if subject == USER else f"{own}.{subject}"
