"""The state of a thread is made from its events, whatever happens to its chapters."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.plot.folding import (
    CLOSED,
    UNRESOLVED,
    after,
    fold_events,
    fold_thread,
    is_closed,
    is_orphan,
    is_unresolved,
)

PLAN = PlotThread(number=1, summary="Who sent the letter?", deadline=12, authored=True)
KINDS = st.sampled_from(ThreadEventKind)


def event(chapter: int, kind: str, note: str = "", *, id_: int = 0, thread: int = 1) -> ThreadEvent:
    return ThreadEvent(
        id=id_ or chapter,
        thread=thread,
        kind=ThreadEventKind(kind),
        chapter=chapter,
        note=note,
        revision=f"v{chapter}",
    )


STORY = [
    event(3, "planted"),
    event(7, "progressed", "a seal"),
    event(12, "resolved", "It was the butler."),
]


@st.composite
def histories(draw: st.DrawFn) -> list[ThreadEvent]:
    chapters = draw(st.lists(st.integers(1, 12), max_size=12))
    return [
        event(chapter, draw(KINDS), id_=number, thread=draw(st.sampled_from([1, 1, 1, 2])))
        for number, chapter in enumerate(chapters, start=1)
    ]


@pytest.mark.parametrize(
    ("upto", "status"),
    [
        (2, "planned"),
        (3, "open"),
        (6, "open"),
        (7, "progressing"),
        (12, "resolved"),
        (None, "resolved"),
    ],
)
def test_the_state_after_each_chapter(upto: int | None, status: str) -> None:
    assert fold_thread(PLAN, STORY, upto).status == status


def test_events_count_in_order_of_chapters_and_for_their_own_thread() -> None:
    late_news = [event(12, "resolved", id_=1), event(3, "planted", id_=2), event(7, "progressed")]
    assert fold_thread(PLAN, late_news).status == "resolved"
    assert fold_thread(PLAN, late_news).planted_in == 3
    assert fold_thread(PLAN, [event(1, "planted", thread=2)]) == PLAN


def test_a_chapter_that_is_taken_back_takes_its_event_along() -> None:
    resolved = fold_thread(PLAN, STORY)
    assert (resolved.planted_in, resolved.closed_in, resolved.note) == (3, 12, "It was the butler.")
    left = fold_thread(resolved, STORY[:2])
    assert left == replace(
        PLAN, status=ThreadStatus.PROGRESSING, planted_in=3, last_chapter=7, note=""
    )


def test_a_plan_that_is_edited_keeps_its_evidence_and_the_other_way_round() -> None:
    edited = replace(PLAN, summary="Who forged the letter?", deadline=20, hidden=True)
    for upto in (2, 3, 7, 12):
        folded = fold_thread(edited, STORY, upto)
        assert folded.status == fold_thread(PLAN, STORY, upto).status
        assert (folded.summary, folded.deadline, folded.hidden) == (edited.summary, 20, True)


def test_without_the_planting_chapter_the_rest_still_counts() -> None:
    folded = fold_thread(PLAN, STORY[1:2])
    assert (folded.status, folded.planted_in) == ("progressing", 7)


def test_a_closed_thread_opens_only_by_being_reopened() -> None:
    late = [*STORY, event(14, "progressed"), event(15, "planted"), event(16, "abandoned")]
    fold = fold_events(PLAN, late)
    assert (fold.thread.status, fold.thread.closed_in) == ("resolved", 12)
    assert [one.chapter for one in fold.unheeded] == [14, 15, 16]
    again = fold_events(PLAN, [*late, event(13, "reopened")])
    assert (again.thread.status, again.unheeded) == ("abandoned", ())


def test_what_was_given_up_can_still_be_resolved() -> None:
    events = [event(1, "planted"), event(2, "abandoned", "dull"), event(3, "resolved", "yes")]
    folded = fold_thread(PLAN, events)
    assert (folded.status, folded.closed_in, folded.note) == ("resolved", 3, "yes")


def test_one_chapter_may_do_several_things_in_order_of_their_ids() -> None:
    events = [event(4, "resolved", id_=3), event(4, "planted", id_=1), event(4, "reopened", id_=9)]
    assert fold_thread(PLAN, events).status == "progressing"


def test_a_thread_that_only_a_lost_chapter_knew_is_an_orphan() -> None:
    read = replace(PLAN, authored=False)
    assert is_orphan(fold_thread(read, []))
    assert not is_orphan(fold_thread(PLAN, []))
    assert not is_orphan(fold_thread(read, STORY))


def test_one_predicate_divides_the_statuses() -> None:
    assert frozenset(ThreadStatus) == UNRESOLVED | CLOSED | {ThreadStatus.PLANNED}
    assert [s for s in ThreadStatus if is_unresolved(s)] == ["open", "progressing"]
    assert [s for s in ThreadStatus if is_closed(s)] == ["resolved", "abandoned"]
    assert is_unresolved(fold_thread(PLAN, STORY[:1]))
    assert not is_unresolved(fold_thread(PLAN, STORY))
    assert is_closed(fold_thread(PLAN, STORY))


@given(histories(), st.randoms(use_true_random=False))
def test_order_of_recording_repetition_and_rebuilding_change_nothing(
    events: list[ThreadEvent], chance: object
) -> None:
    folded = fold_thread(PLAN, events)
    mixed = list(events)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert fold_thread(PLAN, mixed) == folded
    assert fold_thread(folded, mixed) == folded
    assert fold_events(PLAN, [*mixed, *events]) == fold_events(PLAN, events)
    assert (
        fold_thread(replace(folded, status=ThreadStatus.ABANDONED, note="stale"), mixed) == folded
    )


@given(histories(), st.integers(0, 13))
def test_upto_is_the_same_as_a_book_that_ends_there(events: list[ThreadEvent], upto: int) -> None:
    kept = [one for one in events if one.chapter <= upto]
    assert fold_thread(PLAN, events, upto) == fold_thread(PLAN, kept)


@given(histories())
def test_the_plan_is_never_changed(events: list[ThreadEvent]) -> None:
    folded = fold_thread(PLAN, events)
    assert (
        replace(
            folded,
            status=PLAN.status,
            planted_in=None,
            last_chapter=None,
            closed_in=None,
            note="",
        )
        == PLAN
    )
    assert (folded.closed_in is not None) == is_closed(folded)
    assert (folded.planted_in is None) == (folded.status is ThreadStatus.PLANNED)


@given(st.sampled_from(ThreadStatus), KINDS)
def test_nothing_but_reopening_leads_out_of_a_closed_state(
    status: ThreadStatus, kind: ThreadEventKind
) -> None:
    then = after(status, kind)
    if status in CLOSED and then is not None and then not in CLOSED:
        assert kind is ThreadEventKind.REOPENED
    assert then is not ThreadStatus.PLANNED


def test_events_that_were_not_stored_count_in_the_order_given() -> None:
    texts = [f"note {number}" for number in range(40)]  # so many that no order of a set is this one
    kinds = ["planted", *19 * ["resolved", "reopened"], "resolved"]
    events = [
        ThreadEvent(id=0, thread=1, kind=ThreadEventKind(kind), chapter=5, note=note)
        for kind, note in zip(kinds, texts, strict=True)
    ]
    assert fold_events(PLAN, events).unheeded == ()
    assert fold_thread(PLAN, events).note == texts[-1]
    assert fold_thread(PLAN, events[:-1]).status == "progressing"
    assert fold_thread(PLAN, [*events[:-1], *events[:3]]).status == "progressing"
