# ruff: noqa: RUF001 - signs that look alike are the point
"""The token bound: never below the real encoders, tight on English, the same by both paths."""

import json
import sysconfig
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backstory.core._token_scan import scan_upper_bound
from backstory.core._token_units import LONGEST_RUN, load_tables, longest_chain, unit_cost, units
from backstory.core.tokens import count_bytes, token_upper_bound
from bench.encodings import ENCODINGS, encoding_counter
from bench.texts import KINDS, draw_text
from bench.tokens import CHUNK, Tally, chunks, every_length, read_prose
from bench.translations import read_languages
from tests.counts import cases

SIGNS: Final = "'\"./,-_([{ \n\r\t#*=\\“”’—…\xa0\u0301\u200b"
LETTERS: Final = "aesntrdlvmTSEXxq éñüşœ абвоеѭ ΩλΑ שא يو कि् ไทย 中の한 ị ư ə ʻ ß 0 12 ²½٣ 👍🏽"
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
odd_text = st.text(st.sampled_from(SIGNS + LETTERS), max_size=60)
texts = any_text | odd_text

PROSE: Final = """\
When the ferry finally left, Margit noticed that she had forgotten her sister's umbrella on the
bench near the ticket office. It wasn't an expensive one, but it had been a present, and she knew
there would be questions. "Never mind," said the old man beside her, "the harbour keeps whatever
it likes and gives the rest back." They talked about the weather, about the price of diesel, and
about a bakery in Kalmar that both of them remembered; by the time the lighthouse came into view,
the umbrella seemed a small thing. She wrote herself a note: call the office on Monday morning,
ask for the lost property, and bring cinnamon buns if they actually have it. The crossing takes
four hours in calm weather and almost six when the wind comes from the north-east, which it did.
"""


def real_count(text: str) -> int:
    return max(encoding_counter(name)(text) for name in ENCODINGS)


def by_units(text: str) -> int:
    return sum(map(unit_cost, units(text)))


def by_scan(text: str) -> int:
    return scan_upper_bound(text.encode("utf-8", "surrogatepass")) if text else 0


def plain_chain(text: str, longest: int = 4) -> int:
    """The chain rule as it is defined: the best count by place and length of the last token."""
    known = load_tables().known
    best: dict[tuple[int, int], int] = {}
    for end in range(1, len(text) + 1):
        for size in range(1, end + 1):
            start = end - size
            options = [0]
            for before in range(1, start + 1):
                whole = before + size
                if whole > longest or text[start - before : end] not in known:
                    options.append(best[start, before])
            best[end, size] = 1 + max(options)
    return max(best.values(), default=0)


@settings(max_examples=cases(50, 600), derandomize=True)
@given(texts)
@example("won't o̱'n ’tis ‘quoted’ “Let” rock’n’roll")
@example("እንዲህ አለው።\n  \n  next")
@example("\u0340ยย")
@example("барада айыпланя")
@example("./a.\n//--b\r\n\r\n/* c */ \n\t \n")
@example("²12345 ½9 ٣٤٥678")
def test_never_below_the_encoders(text: str) -> None:
    assert token_upper_bound(text) >= real_count(text)


@pytest.mark.parametrize(
    "text",
    [
        *('\n"(\n/"', ",./\n/)", "./\n/("),  # slashes after a line end
        *("isch'REG", "eee'RESP", "k o\u0331'n"),  # contractions that are none
        *("ት።\n  \n", "።\n  \n”"),  # line ends after a sign
        *("барада", "\u0340ยย"),  # tokens that end inside a character
    ],
)
def test_never_below_where_the_encoders_cut_differently(text: str) -> None:
    assert token_upper_bound(text) >= real_count(text)


@settings(max_examples=cases(25, 300), derandomize=True)
@given(texts, texts, st.sampled_from(["\n", "\n\n"]))
def test_joined_lines_cost_at_most_the_sum_of_their_bounds(one: str, two: str, join: str) -> None:
    assert real_count(one + join + two) <= token_upper_bound(one + join) + token_upper_bound(two)


@settings(max_examples=cases(25, 300), derandomize=True)
@given(texts, texts)
def test_texts_put_together_cost_at_most_two_more_than_their_bounds(one: str, two: str) -> None:
    assert real_count(one + two) <= token_upper_bound(one) + token_upper_bound(two) + 2


@settings(max_examples=cases(40, 500))
@given(texts, st.sampled_from(["", "x", " the ", "'" * 60, "a" * 100, "1" * 200, "\n" * 40]))
def test_both_paths_give_the_same(text: str, more: str) -> None:
    for whole in (text, text + more + text):
        assert by_scan(whole) == by_units(whole)


def test_both_paths_give_the_same_for_texts_of_many_kinds() -> None:
    random = Random(5)  # noqa: S311 - cases, not secrets
    for _ in range(150):
        text = draw_text(random, 3_000)
        assert by_scan(text) == by_units(text)


def test_a_long_text_is_cut_into_blocks_without_changing_its_bound() -> None:
    text = PROSE * 500
    assert token_upper_bound(text) == by_units(text)
    unbroken = "中文字" * 90_000
    assert token_upper_bound(unbroken) == by_units(unbroken)


@given(texts)
def test_units_are_the_text(text: str) -> None:
    assert "".join(units(text)) == text


@given(texts | st.text())
def test_between_nothing_and_bytes(text: str) -> None:
    bound = token_upper_bound(text)
    assert bool(text) <= bound <= count_bytes(text)
    assert token_upper_bound(text, strict=True) == count_bytes(text)


def test_bytes_of_texts() -> None:
    assert [count_bytes(text) for text in ("", "abc", "é", "中", "😀", "\ud800")] == [
        0,
        3,
        2,
        3,
        4,
        3,
    ]


def test_lone_surrogates_are_counted_as_the_replacement_character() -> None:
    assert token_upper_bound("a\ud800b") >= real_count("a\ufffdb")


def test_names_of_special_tokens_are_ordinary_text() -> None:
    assert token_upper_bound("<|endoftext|>") >= real_count("<|endoftext|>") > 1


@given(st.text(st.sampled_from("aeinst rhoXеона "), max_size=40))
def test_the_machine_is_the_chain_rule(text: str) -> None:
    assert longest_chain(text) == plain_chain(text)


def test_known_strings_are_one_token_each() -> None:
    wrong = [text for text in load_tables().known if real_count(text) != 1]
    assert wrong == []
    assert len(load_tables().known) > 60_000


@pytest.mark.parametrize("kind", KINDS)
def test_never_below_for_generated_kinds(kind: str) -> None:
    random = Random(kind)  # noqa: S311 - cases, not secrets
    draw = partial(KINDS[kind], random)
    tally = Tally().add_all(draw(random.randint(1, CHUNK)) for _ in range(80))
    assert tally.below == 0


def test_never_below_for_one_character_repeated() -> None:
    counts = (*range(1, 20), LONGEST_RUN - 1, LONGEST_RUN, LONGEST_RUN + 1, 96, 97, 257, 400)
    for sign in [*map(chr, range(128)), *"é ·—。、\u3000"]:
        for count in counts:
            text = sign * count
            assert token_upper_bound(text) >= real_count(text), (sign, count)


@pytest.mark.parametrize("alphabet", [" \n\t", "\n\r ", "./\n ", "'sta", "0½1", "\ta ", "”\n .'"])
def test_never_below_for_every_short_text_of_an_alphabet(alphabet: str) -> None:
    for length in range(1, 6):
        for signs in product(alphabet, repeat=length):
            text = "x" + "".join(signs) + "y"
            assert token_upper_bound(text) >= real_count(text), text


def test_never_below_for_source_code_and_json() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    sources = [(folder / name).read_text("utf-8") for name in ("ast.py", "json/decoder.py")]
    rows = [{"id": n, "path": f"/a/b{n}", "on": None, "x": n / 7} for n in range(200)]
    for text in (*sources, json.dumps(rows), json.dumps(rows, indent=2)):
        assert Tally().add_all(chunks(text)).below == 0
        assert token_upper_bound(text) >= real_count(text)


def test_tight_on_english_prose() -> None:
    figures = Tally().add_all([PROSE]).to_dict()
    assert figures["below"] == 0
    assert 1.0 <= figures["over_o200k"] <= 1.3


def test_languages_that_no_table_was_made_from(shared: Path) -> None:
    random = Random(3)  # noqa: S311 - cases, not secrets
    below, worst = [], 1.0
    for name, whole in read_languages(shared / "data" / "scripts" / "udhr.zip").items():
        text = whole[: cases(2_500, len(whole))]
        tally = Tally().add_all(chunks(text)).add_all(every_length(text, random, cases(16, 4)))
        worst = min(worst, tally.worst)
        below += [name] * tally.below
    assert (below, worst) == ([], 1.0)


def test_tight_on_a_book(shared: Path) -> None:
    book = read_prose(shared / "data" / "books" / "world-english-bible.jsonl.gz", 300_000)
    figures = Tally().add_all(chunks(book)).to_dict()
    assert (figures["below"], figures["over_o200k"] <= 1.3) == (0, True)
