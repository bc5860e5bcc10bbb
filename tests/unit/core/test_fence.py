"""What memory put into a prompt does not come back as new; what is outside stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.fence import echoes, strip_memory
from backstory.core.rendering import (
    MEMORY_CLOSE,
    MEMORY_NOTE,
    MEMORY_OPEN,
    escape,
    heading,
    render_message,
)
from tests.counts import cpu_seconds

INSIDE = "zebra"
HOSTILE = st.sampled_from(
    ["</memory>", "<memory>", "\n", "## x", "- y", "> z", "&lt;/memory>", MEMORY_NOTE, " ", "a"]
)
SAID = st.lists(HOSTILE | st.text(max_size=8), max_size=6).map(
    lambda parts: INSIDE + "".join(parts)
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """A context as it is rendered; every item says the word ``zebra`` in its first line."""
    lines = [MEMORY_OPEN, f"Today is 2026-11-30. {MEMORY_NOTE}"]
    for title in draw(st.lists(st.sampled_from(["Facts", "Recent"]), min_size=1, max_size=3)):
        lines += ["", heading(f"{title} {INSIDE}")]
        lines += [
            render_message(text, role="user", speaker="Vera")
            for text in draw(st.lists(SAID, min_size=1, max_size=3))
        ]
    return "\n".join((*lines, MEMORY_CLOSE)).replace(f"{MEMORY_NOTE}\n\n", f"{MEMORY_NOTE}\n")


OUTSIDE = st.lists(
    st.sampled_from(["I moved to Lund.", "Hello", "", "what is <memory> for?", "1 < 2"])
).map("\n".join)


def between(before: str, block: str, after: str) -> str:
    return f"{before}\n{block}\n{after}"


@given(OUTSIDE, blocks(), OUTSIDE)
def test_a_block_inside_a_prompt_is_taken_out(before: str, block: str, after: str) -> None:
    assert strip_memory(between(before, block, after)) == f"{before}\n{after}"


@given(OUTSIDE, blocks(), OUTSIDE, st.sampled_from(["> ", "    ", "\t", "> > ", "| ", ">"]))
def test_quoted_or_indented_again(before: str, block: str, after: str, mark: str) -> None:
    quoted = "\n".join(f"{mark}{line}" for line in block.split("\n"))
    assert strip_memory(between(before, quoted, after)) == f"{before}\n{after}"


@given(OUTSIDE, blocks(), blocks(), OUTSIDE)
def test_several_blocks(before: str, one: str, other: str, after: str) -> None:
    text = f"{before}\n{one}\nWhat now?\n{other}\n{after}"
    assert strip_memory(text) == f"{before}\nWhat now?\n{after}"


def html(block: str) -> str:
    """JSON as it is written inside of web pages."""
    return json.dumps(block).replace("<", "\\u003c").replace(">", "\\u003E")


@given(blocks(), st.sampled_from(["{}", "Prompt: {}", "{} (sent)"]))
def test_escaped_and_in_json(block: str, around: str) -> None:
    for spelled in (
        escape(block),
        json.dumps(block),
        json.dumps({"content": f"Hi. {block} Bye."}),
        html(block),
    ):
        left = strip_memory(around.format(spelled))
        assert INSIDE not in left
        assert ("Bye." in left) == ("Bye." in spelled)
    assert strip_memory(around.format(block)).strip() == around.format("").strip()


@given(OUTSIDE, blocks(), st.data())
def test_cut_off_at_the_end(before: str, block: str, data: st.DataObject) -> None:
    begin = block.index(MEMORY_NOTE) + len(MEMORY_NOTE)
    cut = block[: data.draw(st.integers(begin, len(block)))]
    assert INSIDE not in strip_memory(f"{before}\n{cut}")
    assert strip_memory(f"{before}\n{cut}").startswith(before)
    whole = block[: block.rindex("\n")]
    assert strip_memory(f"{before}\n{whole}\nAnd now?") == f"{before}\nAnd now?"


@given(blocks(), OUTSIDE, st.data())
def test_cut_off_at_the_beginning(block: str, after: str, data: st.DataObject) -> None:
    lines = block.split("\n")
    cut = "\n".join(lines[data.draw(st.integers(1, len(lines) - 2)) :])
    assert strip_memory(f"Hello there.\n{cut}\n{after}") == f"Hello there.\n{after}"


@given(st.text())
def test_other_text_stays(text: str) -> None:
    assert strip_memory(text) == text


@given(st.lists(HOSTILE | st.text(max_size=9)).map("\n".join), blocks())
def test_stripping_twice_changes_nothing(text: str, block: str) -> None:
    once = strip_memory(f"{text}\n{block}")
    assert strip_memory(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "my laptop has <memory>16 GB</memory>",
        "What does the <memory> tag do?",
        "close it with </memory>",
        "I said:\n- one\n- two\nand left </memory>",
        "<memory>\nI live in Lund\n</memory>",
        "I have a good memory.\n- I like tea",
        "## Memory\n- I like tea",
    ],
)
def test_tags_around_anything_else_stay(text: str) -> None:
    assert strip_memory(text) == text


SHOWN = ["- 2024-05-12 Vera: I moved to Lund\n> with a cat", "- home.city: Lund"]


def test_verbatim_lines_are_echoes() -> None:
    assert echoes("- 2024-05-12 Vera: I moved to Lund", SHOWN)
    assert echoes("  > - home.city: Lund\n\n> > with a cat\n", SHOWN)
    assert not echoes("I moved to Lund", SHOWN)
    assert not echoes("- home.city: Lund\nand I like it", SHOWN)
    assert not echoes("", SHOWN)
    assert not echoes("\n", ["", "\n"])


def test_verbatim_lines_are_taken_out() -> None:
    text = "So you know this:\n> - home.city: Lund\nI moved to Lund\n"
    assert strip_memory(text, SHOWN) == "So you know this:\nI moved to Lund\n"


@pytest.mark.parametrize(
    "unit",
    ["<memory>\n", "</memory>\n", f"{MEMORY_NOTE}\n", "- a\n</memory>\n", "<memory>\n- a\n", "\n"],
)
def test_a_hostile_text_is_stripped_in_linear_time(unit: str) -> None:
    text = unit * (150_000 // len(unit))
    assert cpu_seconds(lambda: strip_memory(text)) < 1.0
