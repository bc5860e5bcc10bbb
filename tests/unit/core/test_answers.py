"""The JSON answer of a model: fences, reasoning, prose, broken and ambiguous pieces."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.answers import Answer, NoAnswer, find_answer

WANTED = {"facts": [{"key": "hobby.instrument", "value": "a cello {old} [sic]"}]}
PLAIN = json.dumps(WANTED)
PRETTY = json.dumps(WANTED, indent=2)


def value_of(text: str) -> Any:
    found = find_answer(text, names=("facts",))
    assert isinstance(found, Answer), found
    return found.value


def reason_of(text: str) -> str:
    found = find_answer(text, names=("facts",))
    assert isinstance(found, NoAnswer), found
    return found.reason


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\ufeff \n{PRETTY}\n",
        f"```json\n{PRETTY}\n```",
        f"```\n{PLAIN}```",
        f"~~~JSON\n{PLAIN}\n~~~",
        f"Sure, here you are:\n```json\n{PRETTY}\n```\nHope this helps!",
        f"Here is the answer: {PLAIN} Anything else?",
        f'<think>I could say {{"facts": []}} or {{nothing}}.</think>\n```json\n{PLAIN}\n```\nDone!',
        f"<thinking>a <thinking>b</thinking> {{c}}</thinking>{PLAIN}",
        f'The model was already thinking {{"facts": [1]}} </think> {PLAIN}',
        f"<THINK>\n</THINK>\n{PLAIN}",
        f"Use {{curly}} braces [1], [2], as in {{this one}}: {PLAIN}",
        f"{PLAIN}\n{PLAIN}",
        f'{{"note": "an aside"}}\n{PLAIN}',
        f'```json\n{PLAIN}\n```\nOther shapes, such as {{"facts": "none"}}, are wrong.',
        PLAIN.replace("]}", ",],}").replace('"}', '" , }'),
        f"It is unfinished business (:{{ and yet {PLAIN}",
    ],
)
def test_one_clear_answer_is_found(text: str) -> None:
    assert value_of(text) == WANTED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "empty"),
        (" \n\t\ufeff ", "empty"),
        ("null", "null"),
        ("true", "bool"),
        ("12", "int"),
        ('"facts"', "str"),
        ("I found nothing worth keeping.", "no JSON"),
        ("Use {curly} braces", "no JSON"),
        (f"<think>{PLAIN}", "not closed"),
        (f"{PLAIN} <think>Or should I", "not closed"),
        (f"<think>a<think>b</think>{PLAIN}", "not closed"),
        (PLAIN[:-1], "not finished"),
        (PLAIN[:-12], "not finished"),
        (f"```json\n{PLAIN[:-3]}\n```", "not finished"),
        ('{"facts": [{"key": "a", "value": "b"}, {"key"', "not finished"),
        ('{"facts": [{"key": "a" "value": "b"}]}', "broken at character"),
        ('{"facts": [], "facts": [1]}', "'facts' is there twice"),
        ('{"facts": NaN}', "NaN"),
        ('{"facts": [1e999]}', "inf"),
        (f'{{"facts": [1]}} or rather {PLAIN}', "2 different"),
        ('{"key": "a"}\n{"key": "b"}', "2 different"),
        ('{"a": ' * 40_000, "nested too deeply"),
        ("[" * 200 + "]" * 200, "nested"),
        (f'{{"facts": [{"9" * 5000}]}}', "number"),
    ],
)
def test_a_reason_names_what_is_wrong(text: str, names: str) -> None:
    assert names in reason_of(text)


def test_tags_and_fences_in_a_text_are_text() -> None:
    said = {"facts": [{"value": "writes <think> and ```json {} ``` by hand, </think> too"}]}
    assert value_of(json.dumps(said)) == said
    assert value_of(f"Here: {json.dumps(said)}") == said


def test_an_empty_object_and_a_list_are_answers() -> None:
    assert value_of("{}") == {}
    assert value_of("[]") == []
    assert value_of("```json\n[]\n```") == []
    assert value_of('As listed in [1]: [{"key": "a"}]') == [{"key": "a"}]


def test_a_text_may_hold_line_breaks_and_lone_surrogates() -> None:
    assert value_of('{"facts": "a\nb"}') == {"facts": "a\nb"}
    assert value_of('{"facts": "\\ud83d \\ud83d\\ude00"}') == {"facts": "\ufffd \U0001f600"}


def test_hostile_brackets_are_read_in_a_moment() -> None:
    assert "no JSON" in reason_of("{ x " * 20_000)
    assert isinstance(find_answer('"{' * 20_000), NoAnswer)
    assert isinstance(find_answer("<think>" * 20_000), NoAnswer)


@given(st.text(max_size=200))
def test_any_text_gives_an_answer_or_a_reason(text: str) -> None:
    found = find_answer(text)
    assert isinstance(found, Answer) or found.reason


json_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
objects = st.dictionaries(json_texts, json_texts | st.integers() | st.booleans(), max_size=4)


@given(objects, st.sampled_from(["{}", "```json\n{}\n```", "<think>{{x}}</think>{}", "Well: {}"]))
def test_what_was_put_in_comes_out(value: dict[str, Any], frame: str) -> None:
    wanted = {"facts": [value]}
    text = (
        frame.format(json.dumps(wanted))
        if "{{" in frame
        else frame.replace("{}", json.dumps(wanted))
    )
    assert value_of(text) == wanted


@given(st.integers(min_value=1, max_value=len(PRETTY) - 1))
def test_no_piece_of_a_cut_answer_is_taken(length: int) -> None:
    assert isinstance(find_answer(PRETTY[:length], names=("facts",)), NoAnswer)
