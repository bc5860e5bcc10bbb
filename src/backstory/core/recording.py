"""What recording a batch means: which messages are new, which are there already. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstory.core.model.message import MessageDraft
from backstory.errors import ConflictError


def content_hash(draft: MessageDraft) -> str:
    """Names the content of a message: role, speaker and text, not its time or metadata."""
    parts = (str(draft.role), draft.speaker or "", draft.text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def external_hash(session_id: str, message_id: str) -> str:
    """Names a caller's message id within its session, in 64 characters whatever its length."""
    return hashlib.sha256(f"{session_id}\0{message_id}".encode()).hexdigest()


@dataclass(frozen=True)
class Planned:
    """What becomes of one draft: stored under its own id, or the same as an earlier message."""

    record_id: str
    is_new: bool


def plan_recording(
    drafts: Sequence[tuple[str, MessageDraft]],
    session_id: str,
    stored: Mapping[str, tuple[str, str]],
) -> list[Planned]:
    """Decide for each draft whether it is new.

    Args:
        drafts: The id that each would get, and the draft.
        session_id: The session they go to.
        stored: For each external hash that is taken: record id and content hash.

    Raises:
        ConflictError: A message id is taken by other content.
    """
    taken = dict(stored)
    plan = []
    for record_id, draft in drafts:
        if draft.message_id is None:
            plan.append(Planned(record_id, is_new=True))
            continue
        key, content = external_hash(session_id, draft.message_id), content_hash(draft)
        is_new = key not in taken
        known_id, known_content = taken.setdefault(key, (record_id, content))
        if known_content != content:
            raise ConflictError(
                f"message_id {draft.message_id!r} of session {session_id!r} is already stored with "
                "other content; give another id, or change the stored one with update()"
            )
        plan.append(Planned(known_id, is_new=is_new))
    return plan
