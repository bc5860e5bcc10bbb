"""Which messages of a batch are new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.message import MessageDraft, Role
from backstory.core.recording import content_hash, external_hash, plan_recording
from backstory.errors import ConflictError


def drafted(text: str, message_id: str | None) -> MessageDraft:
    return MessageDraft(role=Role.USER, text=text, message_id=message_id)


def test_a_message_without_an_id_is_always_new() -> None:
    plan = plan_recording([("1", drafted("ok", None)), ("2", drafted("ok", None))], "s", {})
    assert [p.is_new for p in plan] == [True, True]


def test_a_known_message_is_the_stored_one() -> None:
    draft = drafted("hi", "m1")
    stored = {external_hash("s", "m1"): ("old", content_hash(draft))}
    (planned,) = plan_recording([("new", draft)], "s", stored)
    assert (planned.record_id, planned.is_new) == ("old", False)


def test_a_double_inside_the_batch_is_stored_once() -> None:
    plan = plan_recording([("1", drafted("hi", "m")), ("2", drafted("hi", "m"))], "s", {})
    assert [(p.record_id, p.is_new) for p in plan] == [("1", True), ("1", False)]


def test_other_content_under_a_taken_id_is_a_conflict() -> None:
    with pytest.raises(ConflictError, match="'m'"):
        plan_recording([("1", drafted("hi", "m")), ("2", drafted("ho", "m"))], "s", {})


ids = st.text(min_size=1, max_size=8)


@given(ids, ids, ids, ids)
def test_message_ids_belong_to_their_session(a: str, b: str, c: str, d: str) -> None:
    if (a, b) != (c, d) and "\0" not in a + b + c + d:
        assert external_hash(a, b) != external_hash(c, d)


@given(st.sampled_from(Role), st.text(), st.none() | ids)
def test_the_content_is_role_speaker_and_text(role: Role, text: str, speaker: str | None) -> None:
    first = MessageDraft(role=role, text=text, speaker=speaker)
    same = MessageDraft(role=role, text=text, speaker=speaker, metadata={"a": 1}, message_id="x")
    assert content_hash(first) == content_hash(same)
    assert content_hash(first) != content_hash(
        MessageDraft(role=role, text=text + "!", speaker=speaker)
    )
