"""The packer's laws: the budget holds for every counter, and nothing disappears unexplained."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.errors import BudgetError, ConfigurationError, InvalidInputError
from backstory.packing.packer import (
    DropReason,
    Frame,
    Item,
    Packed,
    Section,
    checked_count,
    pack,
)
from bench.encodings import encoding_counter
from tests.counts import cases

FRAME = Frame(preamble="<memory>\nNote.", closing="</memory>")


def o200k(text: str) -> int:
    return encoding_counter("o200k_base")(text)


def cl100k(text: str) -> int:
    return encoding_counter("cl100k_base")(text)


def utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def words(text: str) -> int:
    return len(text.split())


def variety(text: str) -> int:
    """Grows faster than its parts, and depends on parity."""
    return int(len(set(text)) ** 1.5) + 7 * (len(text) % 2)


def moody(text: str) -> int:
    """Unrelated to length: the more text, the less it may count."""
    return zlib.crc32(text.encode()) % 97 if text else 0


def with_start_tokens(text: str) -> int:
    return len(text) // 4 + 5


COUNTERS: list[Callable[[str], int]] = [
    len, utf8, words, variety, moody, with_start_tokens, o200k, cl100k,
]  # fmt: skip

natural = st.sampled_from(
    [
        "I moved to Gothenburg last May. ",
        "她在沃尔沃工作。",
        "👩‍👩‍👧",
        "سلام",
        "{'a': [1, 2]}",
        "\n> ",
        "x",
    ]
).flatmap(lambda piece: st.integers(0, 60).map(lambda times: piece * times))
texts = st.text(max_size=20) | natural


@st.composite
def sections(draw: st.DrawFn, name: str = "s") -> Section[tuple[str, int]]:
    items = draw(st.lists(texts, max_size=12))
    minimum = draw(st.sampled_from([0, 0, 5, 200]))
    maximum = draw(st.none() | st.integers(minimum, minimum + 500))
    return Section(
        name=name,
        heading=draw(st.sampled_from(["", "## Recalled", "## 日记"])),
        items=[Item(key=(name, number), text=text) for number, text in enumerate(items)],
        share=draw(st.sampled_from([0.0, 0.1, 1 / 3, 1.0, 7.5])),
        priority=draw(st.integers(-1, 2)),
        minimum=minimum,
        maximum=maximum,
        mode=draw(st.sampled_from(["skip", "prefix"])),
        order=draw(st.sampled_from([None, lambda key: -key[1]])),
    )


contexts = st.integers(0, 5).flatmap(lambda n: st.tuples(*(sections(f"s{i}") for i in range(n))))
budgets = st.integers(0, 120) | st.integers(0, 3_000) | st.integers(0, 100_000)
frames = st.sampled_from([Frame(), FRAME, Frame(separator="", section_separator="\n---\n")])


def packed_keys(packed: Packed[tuple[str, int]]) -> list[tuple[str, int]]:
    return [kept.key for section in packed.sections for kept in section.kept]


@pytest.mark.parametrize("count", COUNTERS)
@settings(max_examples=cases(15, 300))
@given(context=contexts, budget=budgets, frame=frames)
def test_the_budget_holds_and_every_item_is_accounted_for(
    count: Callable[[str], int],
    context: tuple[Section[tuple[str, int]], ...],
    budget: int,
    frame: Frame,
) -> None:
    if count("") > budget:
        with pytest.raises(BudgetError):
            pack(context, budget, count, frame)
        return
    packed = pack(context, budget, count, frame)
    assert packed.tokens == count(packed.text) <= budget
    assert pack(context, budget, count, frame) == packed
    for section, result in zip(context, packed.sections, strict=True):
        fates = [kept.key for kept in result.kept] + [gone.key for gone in result.dropped]
        assert sorted(fates) == [item.key for item in section.items]
        kept = [key[1] for key in packed_keys(packed) if key[0] == section.name]
        if section.mode == "prefix":
            assert sorted(kept) == list(range(len(kept)))
        assert kept == sorted(kept, reverse=section.order is not None)
    assert packed.text == _assembled(context, packed, frame)


def _assembled(
    context: tuple[Section[tuple[str, int]], ...], packed: Packed[tuple[str, int]], frame: Frame
) -> str:
    """The text that the kept items must give: whole items, headings only above items."""
    blocks = []
    for section, result in zip(context, packed.sections, strict=True):
        by_key = {item.key: item.text for item in section.items}
        lines = [by_key[kept.key] for kept in result.kept]
        if lines:
            blocks.append(frame.separator.join([section.heading] * bool(section.heading) + lines))
    if not blocks:
        return ""
    above, below = ([part] * bool(part) for part in (frame.preamble, frame.closing))
    return frame.separator.join([*above, frame.section_separator.join(blocks), *below])


@pytest.mark.parametrize("count", [len, utf8])
@given(context=contexts, budget=budgets, more=st.integers(0, 2_000), frame=frames)
def test_a_larger_budget_never_empties_the_text(
    count: Callable[[str], int],
    context: tuple[Section[tuple[str, int]], ...],
    budget: int,
    more: int,
    frame: Frame,
) -> None:
    if packed_keys(pack(context, budget, count, frame)):
        assert packed_keys(pack(context, budget + more, count, frame))


@given(context=contexts, frame=frames)
def test_with_additive_counts_a_text_that_fits_whole_is_kept_whole(
    context: tuple[Section[tuple[str, int]], ...], frame: Frame
) -> None:
    free = [replace(section, maximum=None) for section in context]
    whole = pack(free, 10**9, len, frame)
    assert not any(section.dropped for section in whole.sections)
    again = pack(free, whole.tokens, len, frame)
    assert again.text == whole.text


@given(context=contexts, budget=st.integers(0, 400), frame=frames)
def test_room_is_left_only_where_nothing_that_was_dropped_fits(
    context: tuple[Section[tuple[str, int]], ...], budget: int, frame: Frame
) -> None:
    free = [replace(section, maximum=None, mode="skip") for section in context]
    packed = pack(free, budget, len, frame)
    if not packed_keys(packed):
        return
    for section, result in zip(free, packed.sections, strict=True):
        opening = len(frame.section_separator + section.heading) if not result.kept else 0
        for gone in result.dropped:
            cost = len(frame.separator + section.items[gone.key[1]].text)
            assert packed.tokens + opening + cost > budget - len(frame.section_separator)


class Meter:
    """Counts its calls, apart for whole texts."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self.count = count
        self.calls = 0
        self.whole = 0

    def __call__(self, text: str) -> int:
        self.calls += 1
        self.whole += "WHOLE" in text
        return self.count(text)


@pytest.mark.parametrize("count", [o200k, variety, moody, lambda text: len(text) ** 2])
@pytest.mark.parametrize("budget", [50, 700, 3_000])
def test_the_counter_is_called_about_once_an_item(count: Callable[[str], int], budget: int) -> None:
    items = [Item(key=i, text=f"- item {i} {'word ' * (i % 30)}") for i in range(200)]
    halves = [Section(name=str(i), items=items[i::2], heading=f"## {i}") for i in range(2)]
    meter = Meter(count)
    pack(halves, budget, meter, Frame(preamble="WHOLE"))
    assert meter.calls <= 200 + 40
    assert meter.whole <= 24


def test_a_hint_saves_the_count() -> None:
    meter = Meter(len)
    items = [Item(key=i, text="x" * i, cost_hint=i) for i in range(50)]
    packed = pack([Section(name="s", items=items)], 100, meter)
    assert meter.calls < 15
    assert packed.tokens == len(packed.text) <= 100
    lies = [Item(key=i, text="x" * 30, cost_hint=0) for i in range(50)]
    assert pack([Section(name="s", items=lies)], 100, len).text == "\n".join(["x" * 30] * 3)


def _section(name: str, sizes: list[int], share: float = 1.0, **options: object) -> Section[str]:
    items = [Item(key=f"{name}{i}", text=name * size) for i, size in enumerate(sizes)]
    return replace(Section(name=name, items=items, share=share), **options)  # type: ignore[arg-type]


def _kept(packed: Packed[str]) -> list[str]:
    return [kept.key for section in packed.sections for kept in section.kept]


PLAIN = Frame(separator="\n", section_separator="\n")


def test_a_share_that_is_not_used_goes_to_others_in_order_of_priority() -> None:
    full = [_section("a", [9] * 4, priority=2), _section("b", [9] * 4, priority=1)]
    assert _kept(pack(full, 60, len, PLAIN)) == ["a0", "a1", "a2", "b0", "b1", "b2"]
    assert _kept(pack(full, 58, len, PLAIN)) == ["a0", "a1", "b0", "b1", "b2"]
    idle = [*full, _section("c", [], share=2.0)]
    assert len(_kept(pack(idle, 60, len, PLAIN))) == 6
    used = [*full, _section("c", [9] * 4, share=2.0, priority=3)]
    assert [key for key in _kept(pack(used, 60, len, PLAIN)) if key[0] != "c"] == ["a0", "b0", "b1"]


def test_one_item_may_use_the_whole_budget() -> None:
    sections_ = [_section("a", [100], share=0.1), _section("b", [], share=0.9)]
    assert pack(sections_, 100, len, PLAIN).tokens == 100
    assert pack(sections_, 99, len, PLAIN).text == ""
    assert pack([_section("a", [100, 3])], 99, len, PLAIN).text == "aaa"


def test_an_item_larger_than_its_section_is_skipped_and_reported() -> None:
    sections_ = [
        _section("a", [80, 500, 5, 5], maximum=20),
        _section("b", [5, 300, 9, 9], mode="prefix"),
        _section("c", [5], share=0.0, heading="## Third", priority=9),
    ]
    packed = pack(sections_, 100, len, PLAIN)
    reasons = {
        gone.key: (gone.cost, gone.reason) for part in packed.sections for gone in part.dropped
    }
    assert reasons == {
        "a0": (81, DropReason.LARGER_THAN_SECTION),
        "a1": (501, DropReason.LARGER_THAN_BUDGET),
        "b1": (301, DropReason.LARGER_THAN_BUDGET),
        "b2": (10, DropReason.AFTER_A_GAP),
        "b3": (10, DropReason.AFTER_A_GAP),
    }
    assert _kept(packed) == ["a2", "a3", "b0", "c0"]


def test_full_sections_and_an_exhausted_budget_have_their_own_reasons() -> None:
    packed = pack([_section("a", [9] * 9), _section("b", [9], share=0.0)], 40, len, PLAIN)
    assert {gone.reason for gone in packed.section("a").dropped} == {DropReason.SECTION_FULL}
    assert {gone.reason for gone in packed.section("b").dropped} == {DropReason.NO_BUDGET_LEFT}
    with pytest.raises(KeyError):
        packed.section("z")


def test_minimums_come_first_and_maximums_last() -> None:
    low = _section("a", [9] * 9, priority=2, minimum=30, share=0.0)
    high = _section("b", [9] * 9, priority=1, share=1.0)
    packed = pack([low, high], 60, len, PLAIN)
    assert [section.share for section in packed.sections] == [30, 31]
    assert len(packed.section("a").kept) == 3
    only = pack([replace(low, maximum=30)], 10_000, len, PLAIN)
    assert len(only.section("a").kept) == 3


def test_minimums_are_paid_by_the_least_important() -> None:
    shares = [
        _section("a", [9] * 9, priority=1, share=1.0),
        _section("b", [9] * 9, priority=2, share=1.0),
        _section("c", [9] * 9, priority=3, share=0.0, minimum=30),
    ]
    packed = pack(shares, 89, len, PLAIN)
    assert [section.share for section in packed.sections] == [45, 15, 30]


def test_the_rounding_remainder_is_used() -> None:
    thirds = [_section(name, [1] * 40, share=1 / 3) for name in "abc"]
    for budget in range(1, 150, 2):
        assert pack(thirds, budget, len, PLAIN).tokens == budget


def test_the_newest_win_and_are_rendered_in_order() -> None:
    newest_first = [Item(key=n, text=f"chapter {n:04}") for n in range(1000, 980, -1)]
    section = Section(name="recent", items=newest_first, mode="prefix", order=lambda key: key)
    packed = pack([section], 100, len)
    kept = [kept.key for kept in packed.sections[0].kept]
    assert kept == list(range(1001 - len(kept), 1001))
    assert packed.text.split("\n") == [f"chapter {n:04}" for n in kept]


def test_the_least_important_are_cut_when_tokens_do_not_add_up() -> None:
    def squared(text: str) -> int:
        return len(text) ** 2

    sections_ = [
        _section("a", [10, 10], priority=1, share=1.0),
        _section("b", [10, 10], priority=0, share=1.0),
    ]
    packed = pack(sections_, 500, squared, PLAIN)
    assert _kept(packed) == ["b0", "b1"]
    assert packed.tokens == 21**2


def test_the_text_is_taken_as_it_is() -> None:
    text = 'My config is {"port": {x}} and the template is {{name}} and 100% {0} %s'
    packed = pack([Section(name="s", heading="## {0}", items=[Item(key=1, text=text)])], 999, len)
    assert packed.text == f"## {{0}}\n{text}"


def test_nothing_fits_or_nothing_is_there() -> None:
    assert pack([_section("a", [50])], 0, len, FRAME).text == ""
    assert pack([_section("a", [1])], len(FRAME.preamble) + 3, len, FRAME).text == ""
    assert pack([], 500, len, FRAME).text == ""
    assert pack([_section("a", [], heading="## A")], 500, len, FRAME).text == ""


@pytest.mark.parametrize("budget", [True, 1.0, float("nan"), float("inf"), "9", None, -1])
def test_a_budget_that_is_no_number_of_tokens_is_refused(budget: object) -> None:
    with pytest.raises(InvalidInputError, match="the budget must be"):
        pack([_section("a", [1])], budget, len)  # type: ignore[arg-type]


@pytest.mark.parametrize("result", [1.0, -1, None, True, "3"])
def test_a_counter_that_does_not_count_is_refused(result: object) -> None:
    with pytest.raises(ConfigurationError, match="the token counter must return an int"):
        checked_count(lambda text: result, "x")  # type: ignore[arg-type,return-value]
    with pytest.raises(ConfigurationError, match="the token counter must return an int"):
        pack([_section("a", [1])], 9, lambda text: result)  # type: ignore[arg-type,return-value]


def test_what_a_counter_adds_to_every_text_is_not_charged_to_each_item() -> None:
    def started(text: str) -> int:
        return len(text) + 50

    packed = pack([_section("a", [9] * 9, maximum=40)], 500, started, PLAIN)
    assert [kept.cost for kept in packed.sections[0].kept] == [10] * 4


def test_a_counter_above_the_budget_for_the_empty_text() -> None:
    with pytest.raises(BudgetError, match="counts 5 for the empty text"):
        pack([_section("a", [1])], 4, with_start_tokens)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"share": -0.1}, "share must be"),
        ({"share": float("nan")}, "share must be"),
        ({"minimum": -1}, "minimum must be"),
        ({"minimum": 5, "maximum": 4}, "maximum 4 is below minimum 5"),
        ({"mode": "greedy"}, "mode must be"),
    ],
)
def test_sections_that_cannot_be_meant_are_refused(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        pack([_section("a", [1], **options)], 9, len)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="two sections are called 'a'"):
        pack([_section("a", [1])] * 2, 9, len)


@settings(max_examples=cases(15, 100))
@given(st.data())
def test_costs_of_bpe_are_close_to_the_whole(data: st.DataObject) -> None:
    """What the estimate leaves unused stays small, so that the budget is worth its tokens."""
    lines = data.draw(st.lists(st.integers(1, 40), min_size=60, max_size=60))
    items = [
        Item(key=i, text="- 2024-05-12 vera: " + "so it is. " * n) for i, n in enumerate(lines)
    ]
    packed = pack([Section(name="s", items=items, heading="## Earlier")], 600, o200k, FRAME)
    smallest = min((gone.cost for gone in packed.sections[0].dropped), default=600)
    assert 600 - packed.tokens < smallest or not packed.sections[0].dropped
    assert all(a.key < b.key for a, b in pairwise(packed.sections[0].kept))
