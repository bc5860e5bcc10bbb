"""Fresh random input gives what the published package gives.

What is compared is how results are shown: the names of their classes, their types, and every digit.
"""

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

import longform_memory as published
import longform_memory.language as published_language
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory import longform as ours
from backstory.longform import language
from tests.unit.longform.deviations import raw_vector

# First and last of the blocks that any function looks at; their neighbours are in no block.
_BLOCKS: Final = [
    (0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xFF), (0x400, 0x4FF), (0x590, 0x5FF), (0x600, 0x6FF),
    (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF), (0x3040, 0x30FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xD7A4, 0xD7AF), (0xF900, 0xFAFF),
]  # fmt: skip
_EDGES: Final = [chr(edge + step) for block in _BLOCKS for edge in block for step in (-1, 0, 1)]
_PIECES: Final = [
    "The keeper walked north. ", "守灯人向北走", "灯台守は北へ", "등대지기는", "ผู้ดูแล", "смотритель",
    "سار حارس", "שומר", "रखवाला", "\x00", "\ud800", "\udfff\ud800", "😀", "👩‍👩‍👧", " ", "\n\t",
    "\u2028", "\x1c", '"', "{'a': [1, 2]}", "ł\xd7÷", "𠀀",
]  # fmt: skip

characters = st.sampled_from(_EDGES) | st.characters()
texts = st.one_of(
    st.text(characters, max_size=40),
    st.lists(st.sampled_from(_PIECES), max_size=12).map("".join),
    st.tuples(st.sampled_from(_PIECES), st.integers(0, 400)).map(lambda pair: pair[0] * pair[1]),
)
totals = st.integers(-300, 3_000) | st.integers(-(10**9), 10**18)
chapters = st.integers(-3, 40) | st.integers(0, 10**6)
floats = st.floats(width=64) | st.floats(-1, 1)


def shown(call: Callable[[], Any]) -> str:
    """How a result is shown, or the type of what was raised."""
    try:
        return repr(call())
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
        return type(error).__name__


def same(function: str, *given: Any, **named: Any) -> None:
    results = [
        shown(lambda api=api: getattr(api, function)(*given, **named))  # type: ignore[misc]
        for api in (ours, published)
    ]
    assert results[0] == results[1]


@given(texts)
@example("".join(_EDGES))
@example("a守" * 40_000)
@example("々〇ｱ、。ㄅㄱ")
@example(("the “north” — " * 90 + "守灯人の등") * 40)
def test_estimate_tokens(text: str) -> None:
    same("estimate_tokens", text)


@pytest.mark.parametrize("block", range(0, 0x11000, 0x1000))
def test_every_character_is_estimated_as_there(block: int) -> None:
    for code in range(block, block + 0x1000):
        text = chr(code) * 3
        assert ours.estimate_tokens(text) == published.estimate_tokens(text), hex(code)


@given(totals | st.floats(-1e9, 1e9))
def test_allocate(total: float) -> None:
    same("allocate", total)


@given(totals, totals)
def test_skeleton_chapters(up_to: int, exclude: int) -> None:
    same("skeleton_chapters", up_to, exclude)


budgets = st.integers(-5, 60) | st.sampled_from([math.inf, -math.inf, math.nan, 12.5])


@given(st.lists(texts, max_size=8), budgets)
def test_fit_items(items: list[str], budget: Any) -> None:
    same("fit_items", items, str, budget)
    same("fit_items", tuple(items), lambda text: text * 2, budget)


class Once(list[str]):
    """Items that can be gone through once, as those of a cursor that knows how many there are."""

    def __iter__(self) -> Iterator[str]:
        while len(self) > 2:
            yield self.pop(0)


def test_items_that_can_be_gone_through_once() -> None:
    kept = [api.fit_items(Once("abcdefgh"), str, 3).kept for api in (ours, published)]
    assert kept == [["a", "b", "c"]] * 2


sized = st.lists(st.integers(0, 30), max_size=14) | st.integers(0, 30).map(lambda size: [size] * 40)


@given(sized, sized, sized, sized, st.integers(-50, 700) | st.floats(-50, 700))
@example([217, 1], [337, 1], [145, 1], [301, 1], 1_000)  # nothing is left over
def test_fit_sections(
    entity: list[int], recent: list[int], skeleton: list[int], retrieval: list[int], total: Any
) -> None:
    calls: list[list[tuple[str, int]]] = [[], []]

    def section(api: Any, name: str, items: list[int]) -> Any:
        def to_text(size: int) -> str:
            calls[api is ours].append((name, size))
            return "word" * size

        return api.SectionInput(items, to_text)

    names = ("entity", "recent", "skeleton", "retrieval")
    given_items = (entity, recent, skeleton, retrieval)
    results = [
        api.fit_sections(
            **{n: section(api, n, items) for n, items in zip(names, given_items, strict=True)},
            total=total,
        )
        for api in (ours, published)
    ]
    assert repr(results[0]) == repr(results[1])
    assert calls[0] == calls[1], "texts are asked for in the same order"


vectors = st.lists(floats | st.integers(-(2**70), 2**70) | st.booleans(), max_size=20)


@given(vectors)
@example([1e200, 1e200])
@example([1e-200])
@example([10**155, 1])
@example([10**400])
@example(["1", "2"])
@example([5e-324, 0.0, -0.0])
def test_encode_vector_byte_for_byte(vector: list[Any]) -> None:
    same("encode_vector", vector)
    same("encode_vector", tuple(vector))


def test_encode_long_vectors_byte_for_byte() -> None:
    for seed in range(40):
        vector = np.random.default_rng(seed).standard_normal(1_536)
        assert ours.encode_vector(vector.tolist()) == published.encode_vector(vector.tolist())
        assert ours.encode_vector(vector) == published.encode_vector(vector.tolist())
        single = vector.astype(np.float32)
        assert ours.encode_vector(list(single)) == published.encode_vector(single.tolist())


alphabet = st.sampled_from("AQgw/+8=") | st.sampled_from("-_ \n\x00é日")
encoded = st.lists(st.floats(width=32), max_size=9).map(lambda numbers: raw_vector(*numbers))


@given(encoded | st.text("AQgw/+8", max_size=24) | st.text(alphabet, max_size=12))
@example("AACAPx==")
@example("data:;base64,AACAPw==")
def test_decode_vector(text: str) -> None:
    if re.fullmatch("(....)*=+", text):
        assert ours.decode_vector(text) is None  # there it depends on the version of Python
    else:
        same("decode_vector", text)
        same("decode_vector", text.encode())


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[float], list[str]]:
    size = draw(st.integers(1, 8))
    numbers = st.floats(-2, 2, width=32) | st.sampled_from([0.0, 1.0, -1.0])
    rows = draw(st.lists(st.lists(numbers, min_size=size, max_size=size), max_size=20))
    written = [draw(st.sampled_from([raw_vector(*row), ours.encode_vector(row)])) for row in rows]
    bad = draw(st.lists(st.sampled_from(["", "???", raw_vector(1.0), "AACAPw"]), max_size=3))
    query = draw(st.lists(floats, min_size=size, max_size=size))
    return query, draw(st.permutations([*written, *bad, *written[:4]]))


@given(
    searches(),
    st.integers(-3, 25) | st.none(),
    st.sampled_from([0.2, 0.0, -1.0, 0.9, math.nan]),
    st.sampled_from([0.88, 0.0, 1.0, 1.2, -1.0, math.nan]),
)
def test_search_top_k(
    search: tuple[list[float], list[str]], k: int | None, least: float, floor: float
) -> None:
    query, rows = search
    found = [
        api.search_top_k(query, range(len(rows)), rows.__getitem__, k, least, floor)
        for api in (ours, published)
    ]
    assert [hit.row for hit in found[0]] == [hit.row for hit in found[1]]
    assert [hit.score for hit in found[0]] == pytest.approx([hit.score for hit in found[1]])


def test_search_by_numpy() -> None:
    random = np.random.default_rng(7)
    numbers = random.standard_normal((150, 400))
    rows = [ours.encode_vector(row) for row in numbers]
    rows = [*rows[:90], *rows[:40], *rows[90:]]
    for query in (numbers[3], random.standard_normal(400)):
        found = [
            api.search_top_k(query.tolist(), range(190), rows.__getitem__, 150, -1.0, -50.0)
            for api in (ours, published)
        ]
        assert [repr(hit) for hit in found[0]] == [repr(hit) for hit in found[1]]
        assert len(found[0]) == 150


@given(texts)
@example("The lantern keeper walked " * 9)
@example("a" * 10)
@example("a" * 11)
@example("")
@example(" \n")
def test_languages(text: str) -> None:
    same("resolve_language", text)
    same("is_char_counted_language", text)
    same("language_mismatch", text, document_is_char_counted=True)
    same("language_mismatch", text, document_is_char_counted=False)


@pytest.mark.parametrize("other", ["a", "Ж", "守", "a守", "Жa守の가กعשक"])
def test_languages_at_the_edges_of_the_blocks(other: str) -> None:
    for edge in _EDGES:
        for text in (edge + other, edge * 2 + other * 3):
            same("resolve_language", text)
            same("language_mismatch", text * 4, document_is_char_counted=True)
            same("language_mismatch", text, document_is_char_counted=False)


PATTERNS: Final = ("HANGUL", "KANA", "HAN", "THAI", "CYRILLIC", "ARABIC", "HEBREW", "DEVANAGARI")


@given(texts, st.sampled_from([*PATTERNS, "LATIN"]))
def test_dominates(text: str, name: str) -> None:
    same("dominates", text, getattr(published_language, name))
    wanted = published.dominates(text, getattr(published_language, name))
    assert ours.dominates(text, getattr(language, name)) == wanted


raws = (
    st.integers(-5, 60)
    | floats
    | st.none()
    | st.sampled_from(
        ["12", " 7 ", "7.9", "1e1", "1_0", "\u0661\u0662", "nan", "", "x", "-3", [9], True]
    )
)


@given(raws, chapters, chapters)
def test_resolve_thread_deadline(raw: Any, chapter: int, total: int) -> None:
    if not (isinstance(raw, float) and math.isinf(raw)):
        same("resolve_thread_deadline", raw, chapter, total)


owed = st.tuples(st.sampled_from("ab"), st.integers(0, 9), st.integers(0, 9), st.integers(-2, 6))


@given(st.lists(owed, max_size=8), chapters, chapters)
@example([("a", 1, 5, 2)], 8, 100)
@example([("a", 1, 5, 3), ("b", 0, 5, 3)], 8, 100)
@example([("a", 1, 5, 0)], 74, 99)
@example([("a", 1, 5, 0)], 75, 99)
def test_plan_owed_payoff(rows: list[tuple[str, int, int, int]], chapter: int, total: int) -> None:
    results = [
        api.plan_owed_payoff([api.OwedThread(*row) for row in rows], chapter, total)
        for api in (ours, published)
    ]
    assert repr(results[0]) == repr(results[1])


@given(st.integers(-3, 9), st.integers(-3, 9), st.integers(-3, 9), st.integers(-3, 9))
def test_compare_thread_urgency(deadline: int, active: int, opened: int, chapter: int) -> None:
    keys = [
        api.compare_thread_urgency(api.ThreadUrgency(deadline, active, opened), chapter)
        for api in (ours, published)
    ]
    assert repr(keys[0]) == repr(keys[1])


actions = st.sampled_from(
    ["open", "progress", "resolve", " RESOLVE\n", "resolved", "close", "", None, "x"]
)
refs = st.sampled_from(
    [
        "T1",
        "t2",
        " T3 ",
        "T01",
        "T0",
        "T9",
        "[T1]",
        "T1.",
        "",
        None,
        "T\u0661",
        "T²",
        "T1\n",
        "T-1",
        "1",
    ]
)
summaries = st.sampled_from(["a", " a ", "", "  ", None, "\n[T2] forged", "日\ud800"])
items = st.tuples(actions, refs, summaries, st.sampled_from([None, "plot"]), raws, summaries)


@example([("resolve", "T1", "a", None, None, "")] * 2, 1, 5, 20, 10)
@example([("resolve", "T1", "a", None, None, ""), (None, "t1", "b", None, 9, "")], 1, 5, 20, 10)
@given(st.lists(items, max_size=14), st.integers(0, 4), chapters, chapters, st.integers(-2, 12))
def test_plan_thread_ops(rows: list[Any], known: int, chapter: int, total: int, most: int) -> None:
    finite = [row for row in rows if not (isinstance(row[4], float) and math.isinf(row[4]))]
    results = [
        api.plan_thread_ops(
            [api.RawThreadItem(*row) for row in finite],
            [api.KnownThread(f"id{place}", "resolved") for place in range(known)],
            chapter,
            total,
            most,
        )
        for api in (ours, published)
    ]
    assert repr(results[0]) == repr(results[1])


class Row:
    """A thread as a caller has it."""

    def __init__(self, summary: str, status: str, deadline_chapter: Any) -> None:
        self.summary = summary
        self.status = status
        self.deadline_chapter = deadline_chapter


rendered = st.builds(
    Row,
    texts,
    st.sampled_from(["open", "progressing", "Progressing", "resolved"]),
    st.integers(-3, 30)
    | st.sampled_from([np.int64(7), np.float64(7.9), Decimal("7.9"), True, None]),
)


@given(st.lists(rendered, max_size=6))
def test_render_known_threads(rows: list[Row]) -> None:
    same("render_known_threads", rows)
    labels = {"empty": "无", "in_progress": "…", "due": lambda chapter: f"<{chapter}>"}
    results = [
        api.render_known_threads(rows, api.ThreadLabels(**labels)) for api in (ours, published)
    ]
    assert results[0] == results[1]


def test_the_comparison_can_fail() -> None:
    assert shown(lambda: ours.Fitted([1], 1)) == shown(lambda: published.Fitted([1], 1))
    assert shown(lambda: ours.Fitted([1], 1)) != shown(lambda: published.Fitted([1], True))
    assert shown(lambda: ours.encode_vector(["x"])) == "TypeError"  # type: ignore[list-item]
