"""The faults that the published package tells of: each check holds, and fails with its fault back.

The stories are those of its README: a status that vanished, a deadline of 0, one Han character, a
budget that some sizes of items overran, a skeleton that grew, vectors that another program could
not read, damaged rows, references that opened ghosts.
"""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from backstory.longform import budget, language, threads, vector
from backstory.longform.budget import SectionInput, fit_sections
from backstory.longform.threads import KnownThread, RawThreadItem, ThreadUrgency
from tests.unit.longform.deviations import raw_vector

Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Story:
    """A check, and what puts its fault back."""

    check: Callable[[], None]
    break_it: Callable[[Patch], None]


# One question, "which threads are still open?", was asked in many places; two forgot a status.


def a_thread_that_progressed_can_be_resolved() -> None:
    record = {"letter": "open", "key": "open"}
    said = [
        [("progress", "T2")],
        [("progress", "T1")],
        [("resolve", "T2"), ("resolve", "T1")],
    ]
    for chapter, actions in enumerate(said, start=1):
        shown = [
            KnownThread(name, status)
            for name, status in record.items()
            if status in threads.UNRESOLVED_THREAD_STATUSES
        ]
        items = [RawThreadItem(action, ref, "something") for action, ref in actions]
        for op in threads.plan_thread_ops(items, shown, chapter, 20):
            if op.id is not None:
                record[op.id] = "progressing" if op.kind == "progress" else "resolved"
    assert record == {"letter": "resolved", "key": "resolved"}


def forget_a_status(patch: Patch) -> None:
    patch.setattr(threads, "UNRESOLVED_THREAD_STATUSES", ("open",))


# Models answer 0 for "only the ending can resolve this"; what is never due is never closed.


def a_deadline_of_zero_is_the_ending() -> None:
    for raw in (0, "0", -3, None, "", "the ending", math.inf, math.nan, 5, "5"):
        item = RawThreadItem("open", None, "who sent the letter", None, raw)
        (op,) = threads.plan_thread_ops([item], [], 5, 20)
        assert op.deadline_chapter == 20
        urgency = ThreadUrgency(op.deadline_chapter, 5, 5)
        assert threads.compare_thread_urgency(urgency, 20)[0] == 0, "due at the end"
    assert threads.resolve_thread_deadline(0, 20, 20) == 30, "not past in the last chapter"


def keep_zero(patch: Patch) -> None:
    patch.setattr(threads, "resolve_thread_deadline", lambda raw, *_: int(float(raw or 0)))


# A single Han character made an English book Chinese, and the guard asked the same question.


def one_han_character_does_not_make_a_book_chinese() -> None:
    page = "The sign over the door read 茶, and Ines knew the place at once. "
    assert not language.dominates(page, language.HAN)
    assert not language.is_char_counted_language(page)
    assert page.strip() in language.resolve_language(page).directive
    is_char_counted = language.is_char_counted_language(page * 3)
    assert language.language_mismatch("茶馆的招牌伊内斯一眼就认出来了。", is_char_counted)
    assert not language.language_mismatch("Ines knew the tea house.", is_char_counted)


def ask_for_any_character(patch: Patch) -> None:
    patch.setattr(language, "dominates", lambda text, script: script.search(text) is not None)


# What a section did not use was given away and kept as well: seen only where sizes leave a rest.


def no_size_of_items_overruns_the_budget() -> None:
    for size in range(1, 400):
        many = SectionInput([size] * 200, lambda tokens: "word" * tokens)
        few = SectionInput([size] * 2, lambda tokens: "word" * tokens)
        for entity in (few, many):
            for total in (0, 1, 500, 777):
                assert fit_sections(entity, many, few, many, total).used_tokens <= total


def give_the_rest_twice(patch: Patch) -> None:
    def spread(sections: list[Any], spare: int) -> None:
        for section in sections:
            if spare > 0 and section.lacks:
                section.fill(section.share + spare)
                spare -= max(0, section.used - section.share)

    patch.setattr(budget, "spread", spread)


# A fixed stride gives an entry for every so many chapters, without an end.


def the_skeleton_does_not_grow() -> None:
    for last in (1, 9, 10, 11, 119, 120, 121, 1_000, 100_000, 10**30):
        chapters = budget.skeleton_chapters(last + 21, last + 1)
        assert chapters[0] == 1
        assert chapters == sorted(set(chapters))
        assert len(chapters) <= budget.MAX_SKELETON_ENTRIES
        assert chapters[-1] <= last


def stride_of_twenty(patch: Patch) -> None:
    patch.setattr(
        budget,
        "skeleton_chapters",
        lambda up_to, exclude: list(range(1, min(up_to, exclude, 10_000), 20)),
    )


# Both sides consistent with themselves, and unreadable for each other.


def vectors_are_little_endian_and_of_length_one() -> None:
    assert vector.encode_vector([3, 4]) == "mpkZP83MTD8="
    assert vector.encode_vector([1.0, 0.0]) == "AACAPwAAAAA="
    assert vector.decode_vector("mpkZP83MTD8=") == [0.6000000238418579, 0.800000011920929]
    numbers = vector.decode_vector(vector.encode_vector([0.1 * n for n in range(1, 99)]))
    assert numbers is not None
    assert math.fsum(number * number for number in numbers) == pytest.approx(1, abs=1e-6)


class BigEndian:
    """The module struct, in the other order of bytes."""

    Struct = staticmethod(lambda form: struct.Struct(form.replace("<", ">")))
    pack = staticmethod(lambda form, *values: struct.pack(form.replace("<", ">"), *values))
    unpack = staticmethod(lambda form, data: struct.unpack(form.replace("<", ">"), data))


def other_byte_order(patch: Patch) -> None:
    patch.setattr(vector, "struct", BigEndian)


# NaN is neither less nor more than anything: one such row put a whole list out of order.


def a_damaged_row_changes_nothing() -> None:
    rows = [vector.encode_vector([1, n / 20]) for n in range(20)]
    wanted = [hit.row for hit in vector.search_top_k([1, 0.4], rows, str, 20)]
    damaged = [raw_vector(math.nan, 1), raw_vector(math.inf, 0), "???", "", rows[0][:-5]]
    for place in range(0, 21, 4):
        for row in damaged:
            mixed = [*rows[:place], row, *rows[place:]]
            assert [hit.row for hit in vector.search_top_k([1, 0.4], mixed, str, 20)] == wanted


class AllFinite:
    """The module math, for which everything is finite."""

    sqrt = staticmethod(math.sqrt)
    isfinite = staticmethod(lambda _: True)


def let_damaged_rows_in(patch: Patch) -> None:
    patch.setattr(vector, "math", AllFinite)


# A reference to nothing is a mistake of the model, and not a new thread.


def a_wrong_reference_opens_no_thread() -> None:
    known = [KnownThread("a", "open")]
    for action in ("progress", "resolve", " Resolve "):
        for ref in ("T2", "T0", "", None, "the letter"):
            (op,) = threads.plan_thread_ops([RawThreadItem(action, ref, "s")], known, 5, 20)
            assert (op.kind, op.reason) == ("skip", "unmatched-ref")


def open_what_does_not_match(patch: Patch) -> None:
    plan = threads.plan_thread_ops

    def opening(items: list[RawThreadItem], *others: Any) -> list[threads.ThreadOp]:
        ops = plan(items, *others)
        return [
            threads.ThreadOp("open", summary=op.summary) if op.reason == "unmatched-ref" else op
            for op in ops
        ]

    patch.setattr(threads, "plan_thread_ops", opening)


STORIES = {
    "a status that vanished": Story(a_thread_that_progressed_can_be_resolved, forget_a_status),
    "a deadline of 0": Story(a_deadline_of_zero_is_the_ending, keep_zero),
    "one Han character": Story(
        one_han_character_does_not_make_a_book_chinese, ask_for_any_character
    ),
    "an overrun at some sizes": Story(no_size_of_items_overruns_the_budget, give_the_rest_twice),
    "a skeleton that grew": Story(the_skeleton_does_not_grow, stride_of_twenty),
    "bytes in another order": Story(vectors_are_little_endian_and_of_length_one, other_byte_order),
    "a damaged row": Story(a_damaged_row_changes_nothing, let_damaged_rows_in),
    "a ghost thread": Story(a_wrong_reference_opens_no_thread, open_what_does_not_match),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_the_fault_is_not_there(story: Story) -> None:
    story.check()


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_the_check_fails_with_the_fault_back(story: Story, monkeypatch: Patch) -> None:
    story.break_it(monkeypatch)
    with pytest.raises(AssertionError):
        story.check()


def test_the_overrun_shows_at_some_sizes_only(monkeypatch: Patch) -> None:
    give_the_rest_twice(monkeypatch)
    used = {}
    for size in range(1, 200):
        items = SectionInput([size] * 200, lambda tokens: "word" * tokens)
        used[size] = fit_sections(items, items, items, items, 500).used_tokens
    overrun = {size for size, tokens in used.items() if tokens > 500}
    assert 0 < len(overrun) < len(used)
