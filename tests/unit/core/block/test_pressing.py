"""Threads that press are shown before others, shorter if they must be."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.block.arc import Arc, Told
from backstory.core.block.assembling import BlockFrame, Gathered, Line, assemble
from backstory.core.model.block import Block, BlockPart
from backstory.core.tokens import token_upper_bound

LONG = "Ada promised to carry the letter of the keeper to his daughter before the first frost. " * 3


def _thread(number: int, text: str, *, presses: bool) -> Line:
    shorter = tuple(f"- [T{number}] due: {text[:most]}" for most in (140, 60, 30))
    return Line(
        key=f"T{number}",
        text=f"- [T{number}] due: {text}",
        order=(number,),
        shorter=shorter,
        presses=presses,
    )


def _block(lines: list[Line], budget: int, chapters: int = 12) -> Block:
    recent = (Told(number=n, place=n, title="", summary="Long ago. " * 30) for n in range(1, 13))
    gathered = Gathered(arc=Arc(recent=tuple(recent)[:chapters]), lines={BlockPart.THREADS: lines})
    frame = BlockFrame(chapter=13, unit="chapter", budget=budget)
    return assemble(gathered, frame, token_upper_bound)


def test_a_long_line_that_presses_is_cut_before_a_short_one_takes_its_place() -> None:
    lines = [
        _thread(4, LONG, presses=True),
        _thread(5, LONG, presses=True),
        _thread(6, "Who?", presses=False),
    ]
    block = _block(lines, 500)
    assert block.sections[-1].kept[:2] == ("T4", "T5")
    assert "- [T4] due: Ada promised" in block.text
    assert block.tokens == token_upper_bound(block.text) <= 500
    assert LONG.strip() in _block(lines, 500, chapters=0).text
    assert _block(lines, 6000).text.count(LONG.strip()) == 2


@given(st.lists(st.tuples(st.integers(1, 260), st.booleans()), max_size=14), st.integers(0, 900))
def test_what_is_shown_is_always_the_most_urgent(
    given_lines: list[tuple[int, bool]], budget: int
) -> None:
    sizes = sorted(given_lines, key=lambda one: not one[1])
    lines = [_thread(n, LONG[:size], presses=press) for n, (size, press) in enumerate(sizes)]
    block = _block(lines, budget)
    threads = block.sections[-1]
    assert threads.kept == tuple(f"T{n}" for n in range(len(threads.kept)))
    assert len(threads.kept) + len(threads.left_out) == len(lines)
    assert block.tokens == token_upper_bound(block.text) <= budget
