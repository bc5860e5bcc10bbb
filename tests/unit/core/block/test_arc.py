"""No chapter is missing between the skeleton and the recent window, whatever fits."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from backstory.core.block.arc import Arc, Told, window_start
from backstory.core.block.assembling import BlockFrame, Gathered, Line, assemble
from backstory.core.block.lines import chapter_line
from backstory.core.chapters.recent import JUMP, RECENT_CHAPTERS
from backstory.core.chapters.skeleton import nested_skeleton
from backstory.core.model.block import Block, BlockPart
from backstory.core.tokens import token_upper_bound


def passages(count: int) -> list[Line]:
    return [
        Line(key=f"p{n}", text=f"- {n}: {'the sea was dark ' * (7 + n % 9)}", order=(n,))
        for n in range(count)
    ]


WORD = "and the lamp was lit again "


def book(last: int, length: int | list[int] = 80) -> Arc:
    lengths = [length] if isinstance(length, int) else length

    def told(number: int) -> Told:
        size = lengths[number % len(lengths)]
        summary = (WORD * (size // len(WORD) + 1))[:size].strip() or "x"
        return Told(number=number, place=number, title="", summary=summary)

    start = window_start(range(1, last + 1))
    return Arc(
        skeleton=tuple(told(number) for number in nested_skeleton(start)),
        recent=tuple(told(number) for number in range(start + 1, last + 1)),
    )


def block(arc: Arc, budget: int, others: int = 0) -> Block:
    lines = {BlockPart.RETRIEVAL: passages(others), BlockPart.ENTITIES: passages(others)}
    frame = BlockFrame(chapter=999, unit="chapter", budget=budget)
    return assemble(Gathered(arc=arc, lines=lines), frame, token_upper_bound)


def kept(made: Block, part: BlockPart) -> list[int]:
    return [int(key) for section in made.sections if section.part is part for key in section.kept]


@given(
    st.integers(1, 300),
    st.lists(st.integers(1, 5000), min_size=1, max_size=7),
    st.integers(0, 4000),
    st.integers(0, 30),
)
@example(200, [5000, 10], 6000, 0)
@example(200, [300], 1200, 30)
def test_nothing_is_missing_before_the_recent_window(
    last: int, lengths: list[int], budget: int, others: int
) -> None:
    arc = book(last, lengths)
    made = block(arc, budget, others)
    recent, skeleton = kept(made, BlockPart.RECENT), kept(made, BlockPart.SKELETON)
    assert made.tokens == token_upper_bound(made.text) <= budget
    assert recent == list(range(last - len(recent) + 1, last + 1))
    before = recent[0] - 1 if recent else last
    if skeleton:
        assert skeleton[-1] == before
        assert set(skeleton) <= set(nested_skeleton(before))
    elif before:
        # its share holds not even the shortest form of that chapter
        section = made.sections[0]
        shortest = token_upper_bound(chapter_line(before, "", WORD * 3, 60))
        assert section.share < shortest + 20
    window = made.sections[1]
    assert len(recent) + len(window.left_out) == len(arc.recent)
    newest_first = [int(one.key) for one in window.left_out]
    assert newest_first == sorted(newest_first, reverse=True)


@given(st.integers(1, 2000), st.integers(0, 24))
def test_a_later_skeleton_needs_nothing_that_is_not_there(last: int, newest: int) -> None:
    arc = book(last)
    newest = min(newest, len(arc.recent))
    numbers = [told.number for told in arc.before(newest)]
    assert numbers == list(nested_skeleton(last - newest))


@given(st.sets(st.integers(1, 400), min_size=1), st.integers(0, 24))
def test_missing_numbers_leave_no_hole(numbers: set[int], newest: int) -> None:
    there = sorted(numbers)
    start = window_start(there)

    def told(number: int) -> Told:
        return Told(number=number, place=number, title="", summary="x")

    def near(limit: int) -> list[int]:
        found = {max((n for n in there if n <= one), default=0) for one in nested_skeleton(limit)}
        return sorted(found - {0})

    recent = [number for number in there if number > start]
    arc = Arc(skeleton=tuple(map(told, near(start))), recent=tuple(map(told, recent)))
    assert min(len(there), RECENT_CHAPTERS) <= len(recent) < RECENT_CHAPTERS + JUMP
    newest = min(newest, len(recent))
    before = [number for number in there if number not in recent[len(recent) - newest :]]
    found = [one.number for one in arc.before(newest)]
    assert found[-1:] == before[-1:]
    assert found[:1] == [one.number for one in (*arc.skeleton, *arc.recent)][: len(before)][:1]


def test_most_steps_only_append() -> None:
    windows = []
    for last in range(100, 140):
        arc = book(last)
        windows.append((arc.skeleton, arc.recent))
        assert RECENT_CHAPTERS <= len(arc.recent) < RECENT_CHAPTERS + JUMP
    jumps = 0
    for (skeleton, recent), (later, following) in pairwise(windows):
        if skeleton == later:
            assert following[:-1] == recent
        else:
            jumps += 1
    assert jumps == len(range(105, 140, JUMP))


def test_a_step_makes_at_most_two_entries_of_the_skeleton_new() -> None:
    skeletons = [
        nested_skeleton(window_start(range(max(1, last - 30), last + 1))) for last in range(1, 1500)
    ]
    for one, following in pairwise(skeletons):
        assert len(set(following) - set(one)) <= 2


def test_a_window_that_does_not_fit_jumps_too() -> None:
    starts = [
        kept(block(book(last, 900), 6000, 20), BlockPart.RECENT)[0] for last in range(90, 110)
    ]
    assert len(set(starts)) <= len(starts) // JUMP + 1
    sizes = [len(kept(block(book(last, 900), 6000, 20), BlockPart.RECENT)) for last in (93, 94)]
    assert min(sizes) >= 2 * JUMP


def test_a_full_skeleton_loses_its_middle() -> None:
    made = block(book(200, 700), 6000, 40)
    skeleton = kept(made, BlockPart.SKELETON)
    assert skeleton[0] == 1
    assert skeleton[-1] == kept(made, BlockPart.RECENT)[0] - 1
    assert 2 < len(skeleton) < 12


def test_what_passages_leave_over_does_not_change_the_skeleton() -> None:
    arc = book(200, 700)
    found = set()
    for size in range(2000, 4000, 100):
        some = [Line(key=f"p{n}", text="the sea " * (size // 8), order=(n,)) for n in range(20)]
        lines = {BlockPart.RETRIEVAL: some}
        frame = BlockFrame(chapter=999, unit="chapter", budget=6000)
        made = assemble(Gathered(arc=arc, lines=lines), frame, token_upper_bound)
        found.add(tuple(kept(made, BlockPart.SKELETON)))
    assert len(found) == 1


def test_blocks_far_apart_are_alike() -> None:
    def tokens(first: int) -> list[int]:
        return [block(book(last), 6000).tokens for last in range(first - 1, first + 20)]

    early, late = tokens(500), tokens(1000)
    assert all(abs(a - b) <= 30 for a, b in zip(early, late, strict=True))
    assert abs(early[0] - late[0]) <= 30
