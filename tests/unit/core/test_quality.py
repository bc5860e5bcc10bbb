"""Which words belong to a response, and what is written of its scores."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.derived import Quality
from backstory.core.model.message import Message, Role
from backstory.core.model.scope import Scope
from backstory.core.quality import (
    checked,
    exchanges_of,
    quality_id,
    rescored,
    resolved,
    score_new,
    stats_of,
)
from backstory.errors import NotFoundError
from tests.unit.core.shelf import Shelf

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
LETTERS = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}


def talk(roles: str) -> list[Message]:
    """A talk by the letters of its roles; a capital is a blank message."""
    return [
        Message(
            id=f"{role.lower()}{place}",
            user_id="vera",
            session_id="s",
            role=LETTERS[role.lower()],
            text=" " if role.isupper() else f"text {place}",
            timestamp=NOW + timedelta(minutes=place),
            recorded_at=NOW,
        )
        for place, role in enumerate(roles)
    ]


def shape(roles: str) -> list[tuple[str, str, str, bool]]:
    return [
        (
            e.response.id,
            " ".join(m.id for m in e.prompts),
            e.reply.id if e.reply else "",
            e.used_tools,
        )
        for e in exchanges_of(talk(roles))
    ]


def quality(message: str, **changes: object) -> Quality:
    record = Quality(
        id=quality_id(Scope("default", "vera"), message),
        user_id="vera",
        at=NOW,
        recorded_at=NOW,
        message_id=message,
        output_integrity=0.8,
        integrity_parts={"relevance": 0.8},
    )
    return replace(record, **changes)  # type: ignore[arg-type]


def with_reply(record: Quality, feedback: str = "positive", vitality: float = 0.9) -> Quality:
    return replace(record, feedback=feedback, interaction_vitality=vitality, replied_at=NOW)


def test_a_response_stands_between_what_the_user_says() -> None:
    assert shape("uau") == [("a1", "u0", "u2", False)]
    assert shape("uuaau") == [("a2", "u0 u1", "", False), ("a3", "u0 u1", "u4", False)]
    assert shape("uAtau") == [("a3", "u0", "u4", True)]
    assert shape("utauau") == [("a2", "u0", "u3", True), ("a4", "u3", "u5", False)]
    assert shape("asu") == [("a0", "", "u2", False)]
    assert shape("uaU") == [("a1", "u0", "", False)]
    assert shape("uU") == []


@given(roles=st.text("uatsUA", max_size=30))
def test_no_reply_belongs_to_two_responses(roles: str) -> None:
    found = exchanges_of(talk(roles))
    replies = [e.reply.id for e in found if e.reply]
    assert len(set(replies)) == len(replies)
    assert all(
        m.timestamp < e.response.timestamp < (e.reply or talk("u" * 31)[-1]).timestamp
        for e in found
        for m in e.prompts
    )


def test_a_digest_writes_what_is_new_and_leaves_the_rest() -> None:
    shelf = Shelf()
    shelf.apply(score_new(shelf.book, [quality("m1"), quality("m2")]), NOW)
    again = [quality("m1", output_integrity=0.1), with_reply(quality("m2", output_integrity=0.1))]
    shelf.apply(score_new(shelf.book, again), NOW)
    found = {one.message_id: one for one in shelf.book.of(Quality)}
    assert [found[name].output_integrity for name in ("m1", "m2")] == [0.8, 0.8]
    assert (found["m1"].feedback, found["m2"].feedback) == (None, "positive")
    other = with_reply(quality("m2"), "negative", 0.1)
    assert not score_new(shelf.book, [other]).put


def test_no_number_pushes_another_out() -> None:
    shelf = Shelf()
    shelf.apply(rescored(shelf.book, quality("m1")), NOW)
    shelf.apply(resolved(shelf.book, "m1", with_reply(quality("m1"))), NOW)
    name = shelf.book.of(Quality)[0].id
    shelf.apply(checked(shelf.book, {name: (0.4, "vague"), "gone": (1.0, "")}), NOW)
    shelf.apply(rescored(shelf.book, quality("m1", output_integrity=0.2)), NOW)
    (one,) = shelf.book.of(Quality)
    assert (one.output_integrity, one.interaction_vitality) == (0.2, 0.9)
    assert (one.self_check, one.self_check_note, one.feedback) == (0.4, "vague", "positive")
    shelf.apply(resolved(shelf.book, "m1", with_reply(quality("m1"), "negative", 0.1)), NOW)
    (one,) = shelf.book.of(Quality)
    assert (one.output_integrity, one.interaction_vitality) == (0.2, 0.1)
    with pytest.raises(NotFoundError):
        resolved(shelf.book, "m9", with_reply(quality("m9")))


def test_stats_count_what_there_is() -> None:
    empty = stats_of([])
    assert (empty.responses, empty.output_integrity, dict(empty.by_mode)) == (0, None, {})
    stats = stats_of(
        [
            quality("m1", output_integrity=0.2, mode="tutor"),
            with_reply(quality("m2", output_integrity=0.6, mode="tutor"), "negative", 0.1),
            with_reply(quality("m3", output_integrity=1.0), "positive", 0.9),
        ]
    )
    assert (stats.responses, stats.replies) == (3, 2)
    assert stats.output_integrity is not None
    assert stats.output_integrity.to_dict() == {
        "count": 3,
        "mean": 0.6,
        "deviation": 0.3266,
        "least": 0.2,
        "most": 1.0,
    }
    assert stats.interaction_vitality is not None
    assert (stats.interaction_vitality.mean, stats.self_check) == (0.5, None)
    assert stats.feedback == {"negative": 1, "positive": 1}
    assert {name: mode.responses for name, mode in stats.by_mode.items()} == {"": 1, "tutor": 2}
    assert stats.by_mode["tutor"].interaction_vitality == 0.1
