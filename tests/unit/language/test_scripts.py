# ruff: noqa: RUF001
"""Script and language of texts: our own test set, the kept one, and laws."""

import json
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backstory.functions import detect_script

OWN = Path(__file__).parents[2] / "data" / "scripts.jsonl"


def cases(path: Path) -> list[dict[str, str | None]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines]
    return [case for case in read if "doubtful" not in case["note"]]


def missed(path: Path) -> tuple[list[str], list[str], list[str]]:
    """The ids whose script is wrong, whose language is another, whose language is not named."""
    scripts, others, silent = [], [], []
    for case in cases(path):
        found = detect_script(str(case["text"]))
        if (found and found.script) != case["script"]:
            scripts.append(str(case["id"]))
        language = found and found.language
        if language is not None and language != case["language"]:
            others.append(f"{case['id']} {language}")
        elif language is None and case["language"] is not None:
            silent.append(str(case["id"]))
    return scripts, others, silent


def test_our_own_texts() -> None:
    known = cases(OWN)
    assert len(known) >= 200
    assert len({case["script"] for case in known}) >= 30
    scripts, others, silent = missed(OWN)
    assert len(scripts) <= 0.03 * len(known), scripts
    assert others == []
    assert len(silent) <= 0.03 * len(known), silent


def test_the_kept_texts(shared: Path) -> None:
    path = shared / "gold" / "scripts.jsonl"
    scripts, others, silent = missed(path)
    assert len(scripts) <= 0.03 * len(cases(path)), scripts
    assert len(others + silent) <= 0.03 * len(cases(path)), (others, silent)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    found = detect_script(text)
    if found is None:
        assert not any(char.isascii() and char.isalpha() for char in text)
    else:
        assert 0 < found.confidence <= 1
        assert found.language is None or (found.language.isalpha() and found.language.islower())
        assert found.variant in {None, "Hans", "Hant"}


@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800", "42", "👍🏽", "٣", "\u202e", "\ufeff", "\u0301"]
)
def test_without_letters_there_is_none(text: str) -> None:
    assert detect_script(text) is None
    assert detect_script(text * 30_000) is None


@given(st.sampled_from([str(case["text"]) for case in cases(OWN)]))
def test_the_form_of_characters_does_not_matter(text: str) -> None:
    composed, decomposed = (detect_script(normalize(form, text)) for form in ("NFC", "NFD"))
    assert composed == decomposed


@given(
    st.sampled_from([str(case["text"]) for case in cases(OWN) if case["language"]]),
    st.text(st.characters(categories=["Cc", "Cs", "So", "Nd"]), max_size=5),
)
@example("Kemarin ayah pergi ke pasar untuk membeli ikan dan sayuran.", "\x00")
@example("Domani mattina dobbiamo svegliarci presto.", "\U0001f600")
def test_signs_around_a_text_do_not_matter(text: str, signs: str) -> None:
    assert detect_script(f"{signs} {text} {signs}") == detect_script(text)
    assert detect_script(f"{signs}{text}{signs}") == detect_script(text)


def test_marks_of_stress_do_not_matter() -> None:
    stressed = "О\u0301н не зна\u0301ет, что\u0301 она\u0301 сказа\u0301ла е\u0301му вчера\u0301."
    assert detect_script(stressed) == detect_script(stressed.replace("\u0301", ""))
    assert detect_script(stressed).language == "ru"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "language", "variant"),
    [
        ("他们说明天会下雪，路上很滑", "zh", "Hans"),
        ("他們說明天會下雪，路上很滑", "zh", "Hant"),
        ("東京物語", "ja", None),
        ("心", None, None),
        ("佢哋話聽日會落雪，唔好出街喇", "yue", "Hant"),
        ("امروز هوا سرد است و من در خانه هستم", "fa", None),
        ("آج بہت سردی ہے اور میں گھر پر ہوں", "ur", None),
        ("نن هوا ډېره سړه ده او زه په کور کې یم", "ps", None),
        ("הײַנט איז זייער קאַלט און איך בין אין דער היים", "yi", None),
        ("היום קר מאוד ואני נשאר בבית", "he", None),
    ],
)  # fmt: skip
def test_what_characters_and_words_decide(
    text: str, language: str | None, variant: str | None
) -> None:
    found = detect_script(text)
    assert found is not None
    assert (found.language, found.variant) == (language, variant)
