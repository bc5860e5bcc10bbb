"""What a chapter does to threads: no ghosts, nothing lost without a word."""

from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.chapter_reading import ThreadOpRead
from backstory.core.model.plot import PlotThread, ThreadEvent, ThreadEventKind, ThreadStatus
from backstory.core.plot.folding import CLOSED, fold_thread, is_unresolved
from backstory.core.plot.operations import ThreadOpResult, ThreadPlan, plan_threads, reports

KNOWN = (
    PlotThread(number=1, summary="Who sent the letter?", status=ThreadStatus.OPEN, planted_in=1),
    PlotThread(number=2, summary="The red key", status=ThreadStatus.PROGRESSING, planted_in=2),
    PlotThread(number=3, summary="A debt", status=ThreadStatus.RESOLVED, planted_in=1, closed_in=4),
    PlotThread(number=4, summary="The twin", status=ThreadStatus.ABANDONED, closed_in=5),
    PlotThread(number=5, summary="The flood", authored=True),
)
any_text = st.text(st.characters(exclude_categories=()), max_size=30)
values = st.one_of(
    any_text,
    st.none(),
    st.integers(),
    st.floats(),
    st.sampled_from(["T1", "[T2]", "T3", "T99", "T4, T5", 3, "new", "resolved", "plant", "reopen"]),
)
items = st.dictionaries(
    st.sampled_from(["action", "ref", "summary", "kind", "deadline", "note", "status"]), values
) | st.builds(ThreadOpRead, action=any_text, ref=any_text, summary=any_text, deadline=values)


def decide(*given_items: Any, **options: Any) -> ThreadPlan:
    return plan_threads(given_items, KNOWN, 7, planned_chapters=20, **options)


def told(plan: ThreadPlan) -> list[tuple[str, int | None, str | None]]:
    return [(one.result, one.thread, one.event) for one in plan.outcomes]


def op(action: object = None, ref: object = None, summary: object = None, **more: object) -> Any:
    return {"action": action, "ref": ref, "summary": summary, **more}


def test_a_new_thread() -> None:
    item = op(
        "plant", "", "Who is\nthe\x00 stranger?", kind="mystery", deadline="Ch. 12", note="p. 3"
    )
    plan = decide(item, revision="v7")
    assert plan.threads == (
        PlotThread(number=6, summary="Who is the\ufffd stranger?", kind="mystery", deadline=12),
    )
    assert plan.events == (
        ThreadEvent(
            id=0, thread=6, kind=ThreadEventKind.PLANTED, chapter=7, note="p. 3", revision="v7"
        ),
    )
    assert told(plan) == [("planted", 6, "planted")]
    assert fold_thread(plan.threads[0], plan.events).status is ThreadStatus.OPEN


@pytest.mark.parametrize("ref", ["[T1]", "T1.", "t01", 1, "#1", "\uff34\uff11", ["T1"]])
@pytest.mark.parametrize("action", ["resolved", "CLOSE", "pay off"])
def test_a_known_thread_is_resolved_however_it_is_spelled(action: str, ref: object) -> None:
    plan = decide(op(action, ref, note="the butler"))
    assert told(plan) == [("recorded", 1, "resolved")]
    assert plan.events[0].note == "the butler"
    assert plan.threads == ()


def test_one_item_may_name_several_threads() -> None:
    plan = decide(op("advanced", "T1, T2 and T99"))
    assert told(plan) == [
        ("recorded", 1, "progressed"),
        ("recorded", 2, "progressed"),
        ("rejected", None, "progressed"),
    ]
    assert plan.outcomes[2].reason == "no thread is called T99"


@pytest.mark.parametrize(
    "action",
    [
        "open",
        "plant",
        "new",
        "resolve",
        "resolved",
        "close",
        "advanced",
        "progress",
        "foo",
        "",
        None,
    ],
)
@pytest.mark.parametrize("ref", ["T99", "[T0]", "T" + "9" * 5000, "the duel", 99, -1, 1.5])
def test_a_bad_reference_never_opens_a_thread(action: object, ref: object) -> None:
    plan = decide(op(action, ref, "The duel at dawn"))
    assert (plan.threads, plan.events) == ((), ())
    assert [one.result for one in plan.outcomes] == ["rejected"]
    assert plan.outcomes[0].reason.startswith("no thread is called")


@pytest.mark.parametrize("action", ["resolve", "closed", "advanced", "dropped", "reopen", "foo"])
def test_without_a_reference_only_a_plant_opens_a_thread(action: str) -> None:
    plan = decide(op(action, None, "The duel at dawn"))
    assert (plan.threads, plan.events) == ((), ())
    assert reports(plan.outcomes)[0].startswith("thread item 1: ")


@pytest.mark.parametrize("ref", [None, "the RED keys"])
def test_a_summary_may_name_a_known_thread(ref: str | None) -> None:
    plan = decide(op("resolved", ref, "red key."))
    assert told(plan) == [("recorded", 2, "resolved")]
    assert "says the same" in plan.outcomes[0].reason


@pytest.mark.parametrize(
    ("number", "action", "event"),
    [
        (1, "plant", "progressed"),
        (1, "reopen", "progressed"),
        (1, "foo", "progressed"),
        (1, "", "progressed"),
        (2, "abandon", "abandoned"),
        (3, "reopen", "reopened"),
        (4, "reopen", "reopened"),
        (4, "resolve", "resolved"),
        (5, "progress", "planted"),
        (5, "plant", "planted"),
        (5, "resolve", "resolved"),
        (5, "abandon", "abandoned"),
    ],
)
def test_the_status_of_a_known_thread_is_looked_at(number: int, action: str, event: str) -> None:
    plan = decide(op(action, f"T{number}"))
    assert told(plan) == [("recorded", number, event)]
    taken_otherwise = event.startswith(action.removesuffix("e") or "?")
    assert bool(plan.outcomes[0].reason) != (taken_otherwise or not action)


@pytest.mark.parametrize(
    ("number", "action"),
    [(3, "progress"), (3, "plant"), (3, "resolve"), (3, "abandon"), (3, "foo"), (4, "progress")],
)
def test_a_closed_thread_is_reported_and_stays_closed(number: int, action: str) -> None:
    plan = decide(op(action, f"T{number}", "again"))
    assert (plan.threads, plan.events) == ((), ())
    assert f"T{number} is" in plan.outcomes[0].reason
    assert f"since chapter {number + 1}" in plan.outcomes[0].reason


def test_a_reopened_thread_can_go_on_in_the_same_chapter() -> None:
    plan = decide(op("reopen", "T3"), op("progress", "T3"), op("resolve", "T3"), op("close", "T3"))
    assert told(plan) == [
        ("recorded", 3, "reopened"),
        ("recorded", 3, "progressed"),
        ("recorded", 3, "resolved"),
        ("rejected", 3, "resolved"),
    ]


def test_doubles_become_progress_or_are_reported() -> None:
    plan = decide(
        op("plant", None, "Who sent the letters"),
        op("plant", None, "A duel at dawn"),
        op("plant", None, "The duel at dawn!"),
        op("plant", None, "The debt"),
        op("plant", None, "The blue key of the old house"),
        op("plant", None, "The green key of the old house"),
    )
    assert told(plan) == [
        ("recorded", 1, "progressed"),
        ("planted", 6, "planted"),
        ("recorded", 6, "progressed"),
        ("rejected", 3, "planted"),
        ("planted", 7, "planted"),
        ("planted", 8, "planted"),
    ]
    assert "much like that of T7" in plan.outcomes[5].reason


def test_more_than_the_cap_is_reported_and_blanks_cost_nothing() -> None:
    blanks = [op("plant", None, " \u2028 "), None, 3, {}]
    summaries = [f"Promise of {name}" for name in ("Ada", "Bo", "Cem", "Dia")]
    plan = decide(
        *blanks, *(op("plant", None, each) for each in summaries), op("resolve", 1), most=3
    )
    assert [one.result for one in plan.outcomes] == [
        *["rejected"] * 4,
        *["planted"] * 3,
        "rejected",
        "rejected",
    ]
    assert "one chapter may do 3 things" in plan.outcomes[-1].reason
    assert len(plan.outcomes) == 9


@pytest.mark.parametrize(
    "summary",
    [
        "誰が手紙を送ったか",
        "من أرسل الرسالة؟",
        "🔑",
        "\u202eevil",
        "[T2] forged",
        "x" * 10**6,
        "\ud800",
        "\u200e",
    ],
)
def test_summaries_in_any_script(summary: str) -> None:
    plan = decide(op("plant", None, summary), op("plant", None, summary))
    assert told(plan) == [("planted", 6, "planted"), ("recorded", 6, "progressed")]
    plan.threads[0].summary.encode()


@pytest.mark.parametrize(
    "run", [" ", "\t", "\n", "[T", "t ", "1", "\u200b", "\u0301", "\ud83d", "'"]
)
def test_long_runs_are_read_in_linear_time(run: str) -> None:
    long = f"{run * 10**5}x"
    plan = decide(op("plant", None, long, deadline=long), op(long, long, long, note=long))
    assert plan.outcomes[0].result == "planted"


@given(st.lists(items, max_size=25), st.integers(0, 12))
def test_laws(given_items: list[Any], most: int) -> None:
    plan = plan_threads(given_items, KNOWN, 7, planned_chapters=20, most=most)
    # nothing is lost: each item has an outcome, in order, and who is rejected is told why
    assert sorted({one.item for one in plan.outcomes}) == list(range(len(given_items)))
    assert all(one.reason for one in plan.outcomes if one.result is ThreadOpResult.REJECTED)
    done = [one for one in plan.outcomes if one.result is not ThreadOpResult.REJECTED]
    assert [(one.thread, one.event) for one in done] == [(e.thread, e.kind) for e in plan.events]
    assert len(plan.events) <= most
    # new threads are numbered on, and each is planted here
    assert [one.number for one in plan.threads] == list(range(6, 6 + len(plan.threads)))
    for thread in plan.threads:
        assert thread.deadline is None or 7 < thread.deadline <= 20
        assert thread.summary.strip()
        assert fold_thread(thread, plan.events).planted_in == 7
    # a closed thread opens by an explicit reopening only
    for thread in KNOWN:
        kinds = [event.kind for event in plan.events if event.thread == thread.number]
        if thread.status in CLOSED and kinds:
            assert kinds[0] in {ThreadEventKind.REOPENED, ThreadEventKind.RESOLVED}
    assert plan == plan_threads(given_items, KNOWN, 7, planned_chapters=20, most=most)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 9),
            st.sampled_from(["plant", "progress", "resolve", "abandon", "reopen"]),
        ),
        max_size=20,
    )
)
def test_chapter_after_chapter_no_event_goes_unheeded(story: list[tuple[int, str]]) -> None:
    plans = {1: PlotThread(number=1, summary="The twin", authored=True)}
    events: list[ThreadEvent] = []
    for chapter, (number, action) in enumerate(story, start=1):
        known = [fold_thread(thread, events) for thread in plans.values()]
        plan = plan_threads([op(action, number)], known, chapter)
        before = {one.number: one for one in known}
        events += plan.events
        if number == 1 and plan.events:
            after = fold_thread(plans[1], events)
            assert after != before[1]
            assert is_unresolved(after) or after.closed_in == chapter
    assert set(plans) == {1}


def test_an_action_that_is_no_text_is_not_silently_progress() -> None:
    plan = decide(op(["resolve"], "T1"))
    assert told(plan) == [("recorded", 1, "progressed")]
    assert plan.outcomes[0].reason == "the action 'list' is not known, and counts as progress"


@pytest.mark.parametrize("action", ["plant", "resolve"])
def test_many_items_and_many_threads_take_no_long(action: str) -> None:
    known = [
        PlotThread(number=number, summary=f"the red key of room {number} is lost")
        for number in range(1, 2_001)
    ]
    items = [op(action, "", f"the red key of room x{number} is lost") for number in range(500)]
    start = process_time()
    plan = plan_threads(items, known, 7)
    assert process_time() - start < 3.0
    assert len(plan.outcomes) == 500
    assert "much like that of T1" in plan.outcomes[0].reason
    assert all(one.result == "rejected" for one in plan.outcomes[10:])
