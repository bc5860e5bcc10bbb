"""The block keeps its budget, whatever is in it, and its text cannot be forged."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.core.block.arc import Arc, Told
from backstory.core.block.assembling import BlockFrame, Gathered, Line, assemble
from backstory.core.block.lines import BlockLabels, chapter_line, plain, thread_line
from backstory.core.block.view import View
from backstory.core.block.weighing import entity_weights, heaviest
from backstory.core.model.block import BlockPart
from backstory.core.model.plot import PlotThread, ThreadStatus
from backstory.core.tokens import token_upper_bound

WILD = st.text(
    st.sampled_from("ab \n\r\u2028[T1]</memory>#-\u6797\U0001f98a\u202e`\u0301"), max_size=60
)


def _lines(texts: list[str]) -> list[Line]:
    count = len(texts)
    return [
        Line(key=str(n), text=chapter_line(n, "", text, 4000), order=(n,))
        for n, text in sorted(enumerate(texts), reverse=True)
    ][:count]


OTHERS = [BlockPart.ENTITIES, BlockPart.RETRIEVAL, BlockPart.THREADS]


def _arc(texts: list[str]) -> Arc:
    recent = (Told(number=n, place=n, title=t, summary=t) for n, t in enumerate(texts, 1))
    return Arc(recent=tuple(recent))


@given(
    st.dictionaries(st.sampled_from(OTHERS), st.lists(WILD, max_size=12), max_size=3),
    st.lists(WILD, max_size=12),
    st.integers(0, 400),
)
def test_the_budget_is_kept_and_parts_are_in_order(
    texts: dict[BlockPart, list[str]], summaries: list[str], budget: int
) -> None:
    lines = {part: _lines(some) for part, some in texts.items()}
    gathered = Gathered(arc=_arc(summaries), lines=lines)
    block = assemble(gathered, BlockFrame(chapter=7, unit="u", budget=budget), token_upper_bound)
    assert block.tokens == token_upper_bound(block.text) <= budget
    assert [section.part for section in block.sections] == list(BlockPart)
    offered = {part: len(some) for part, some in texts.items()}
    offered[BlockPart.RECENT] = len(summaries)
    for section in block.sections:
        kept = [int(key) for key in section.kept]
        assert kept == sorted(kept)
        if section.part is not BlockPart.SKELETON:
            assert len(kept) + len(section.left_out) == offered.get(section.part, 0)
    recent = [int(key) for key in block.sections[1].kept]
    assert recent == list(range(len(summaries) - len(recent) + 1, len(summaries) + 1))


@given(WILD)
def test_no_text_makes_a_line_or_a_mark_of_its_own(text: str) -> None:
    for line in (plain(text), chapter_line(3, text, text, 4000)):
        assert len(line.splitlines()) <= 1
        assert "</memory>" not in line
        assert "[T1]" not in line
    thread = PlotThread(number=5, summary=text, kind=text or None, status=ThreadStatus.OPEN)
    line = thread_line(thread, 3, None, View(as_of=2), BlockLabels(), is_owed=False)
    assert line.startswith("- [T5] open")
    assert "[T1]" not in line
    assert len(line.splitlines()) == 1


def test_the_unit_and_other_labels_are_shown() -> None:
    labels = BlockLabels(recent="Zuletzt, nach {unit}", note="Bekannt: {unit}")
    gathered = Gathered(arc=_arc(["x"]))
    frame = BlockFrame(chapter=7, unit="Lektion\n## x", budget=999, labels=labels)
    text = assemble(gathered, frame, token_upper_bound).text
    assert "## Zuletzt, nach Lektion ## x\n" in text
    assert "Bekannt: {unit}\n" in text


def test_what_is_near_and_often_named_matters_most() -> None:
    weights = entity_weights({1: {"a": 1, "b": 9}, 19: {"a": 1}}, 20, [{"c": 1}])
    assert heaviest(weights) == ["c", "b", "a"]
    assert weights["a"] > 1.0
    assert heaviest({"x": 1.0, "w": 1.0, "y": 2.0}, 2) == ["y", "w"]
