"""What is written of scores: one record for each response, and no score pushes another out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from backstory.core.derived.book import DerivedBook, DerivedPlan
from backstory.core.model.derived import Quality
from backstory.core.model.scope import Scope
from backstory.errors import NotFoundError


def quality_id(scope: Scope, message_id: str) -> str:
    """The id of the scores of a response: the same in every run and on every machine."""
    parts = ("quality", scope.tenant_id, scope.user_id, message_id)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def rescored(book: DerivedBook, fresh: Quality) -> DerivedPlan:
    """Write the integrity of a response; what was known of its reply and its check stays.

    Args:
        book: What is known of the user.
        fresh: The new score. What it says of a reply counts where none is known.
    """
    known = book.in_slot(Quality, fresh.message_id)
    if known is None:
        return DerivedPlan(put=(fresh,))
    if known.interaction_vitality is not None:
        fresh = _with_reply_of(fresh, known)
    return DerivedPlan(
        put=(
            replace(
                fresh,
                id=known.id,
                self_check=known.self_check,
                self_check_note=known.self_check_note,
            ),
        )
    )


def score_new(book: DerivedBook, fresh: Iterable[Quality]) -> DerivedPlan:
    """Write what is not known yet: scores of new responses, replies to those scored before."""
    put = []
    for one in fresh:
        known = book.in_slot(Quality, one.message_id)
        if known is None:
            put.append(one)
        elif known.interaction_vitality is None and one.interaction_vitality is not None:
            put.append(_with_reply_of(replace(known, recorded_at=one.recorded_at), one))
    return DerivedPlan(put=tuple(put))


def resolved(book: DerivedBook, message_id: str, reply: Quality) -> DerivedPlan:
    """Write how the user took a response, in place of what was known of that.

    Raises:
        NotFoundError: The response was not scored.
    """
    known = book.in_slot(Quality, message_id)
    if known is None:
        raise NotFoundError(f"no response {message_id!r} was scored")
    return DerivedPlan(put=(_with_reply_of(replace(known, recorded_at=reply.recorded_at), reply),))


def checked(book: DerivedBook, found: Mapping[str, tuple[float, str]]) -> DerivedPlan:
    """Write what a model found of responses: score and reason by the id of their record."""
    put = []
    for name, (score, note) in found.items():
        known = book.get(Quality, name)
        if known is not None:
            put.append(replace(known, self_check=score, self_check_note=note))
    return DerivedPlan(put=tuple(put))


def _with_reply_of(record: Quality, other: Quality) -> Quality:
    said = {evidence.message_id: evidence for evidence in (*record.evidence, *other.evidence)}
    return replace(
        record,
        interaction_vitality=other.interaction_vitality,
        vitality_parts=other.vitality_parts,
        feedback=other.feedback,
        replied_at=other.replied_at,
        evidence=tuple(said.values()),
    )
