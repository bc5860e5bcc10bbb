"""Whose data a call may see."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """One user of one tenant: the two walls. Every read and write of user data carries one."""

    tenant_id: str
    user_id: str


@dataclass(frozen=True)
class DocumentScope:
    """One document of one tenant: the two walls."""

    tenant_id: str
    document_id: str
