"""Vectors of messages: what needs one, and what was made."""

from dataclasses import dataclass

from backstory.core.model.scope import Scope


@dataclass(frozen=True, kw_only=True)
class Pending:
    """A message that still needs its vector. ``revision`` says which version of its text."""

    scope: Scope
    id: str
    seq: int
    revision: int
    text: str


@dataclass(frozen=True, kw_only=True)
class MadeVector:
    """A vector for one version of a message: little-endian float32, of length 1."""

    message_id: str
    revision: int
    vector: bytes
