"""Exports of chats are read as what was said, in order, with ids and times by fixed rules."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.foreign.formats import FORMATS, formats_of
from backstory.core.foreign.model import Foreign, ForeignTurn
from backstory.core.model.message import Role
from backstory.errors import InvalidInputError
from tests.unit.core.foreign.exports import (
    MESSAGES,
    START,
    chatgpt,
    claude,
    gpt,
    kind,
    locomo,
    node,
)

AT = datetime.fromtimestamp(START, UTC)


def read(name: str, *records: Any, source: str = "chat.jsonl") -> list[Foreign]:
    reader = FORMATS[name].reader
    assert reader is not None
    one = reader(source)
    return [one(place, record) for place, record in enumerate(records, 1)]


def texts(part: Foreign) -> list[str]:
    return [turn.draft.text for turn in part.turns]


def reasons(part: Foreign) -> list[tuple[str | None, str]]:
    return [(item.id, item.reason.partition(" (")[0]) for item in part.left_out]


def test_chatgpt() -> None:
    (part,) = read("chatgpt", chatgpt())
    assert [(t.draft.message_id, str(t.draft.role), t.draft.text) for t in part.turns] == [
        ("m2", "user", "My starter is called Bubbles."),
        ("m4", "assistant", "[calls python print(0.8 * 500)]"),
        ("m5", "tool", "400.0"),
        ("m6", "assistant", "Use 400 g of water."),
    ]
    assert reasons(part) == [
        ("m0", "hidden message"),
        ("m1", "hidden message"),
        ("m3", "reasoning of the model"),
        ("m2b", "message of another branch"),
    ]
    first, call, _, last = part.turns
    assert (first.session, first.about) == ("c-1", {"title": "Sourdough", "source": "chatgpt"})
    assert (first.draft.timestamp, first.is_dated) == (AT, True)
    assert (call.draft.timestamp, call.is_dated) == (AT, False), "that of the message before"
    assert last.draft.timestamp == AT + timedelta(seconds=10)
    assert last.draft.metadata == {"model": "a-model", "attachments": ["loaf.jpg"]}
    assert last.draft.notes == ("image part skipped",)
    assert part.problems == ()


def test_chatgpt_without_a_current_node_takes_the_newest_branch() -> None:
    tree = {
        "r": node("r", None, None, "a"),
        "a": node("a", "r", gpt("a", "user", "one"), "b", "c"),
        "b": node("b", "a", gpt("b", "assistant", "late", at=START + 5)),
        "c": node("c", "a", gpt("c", "assistant", "early", at=START + 1)),
    }
    for named in (None, "gone", 3):
        (part,) = read("chatgpt", {"mapping": tree, "current_node": named})
        assert texts(part) == ["one", "late"]
        assert part.turns[0].session == "chatgpt-r"


def test_chatgpt_survives_what_it_should_not_hold() -> None:
    tree = {
        "a": node("a", "b", gpt("a", "user", "said in a circle")),
        "b": node("b", "a", gpt("b", "nobody", "by whom?")),
        "c": {"message": "text"},
        "d": None,
        "e": {"id": "e", "parent": 7, "message": gpt("e", "user", "apart", at=float("nan"))},
        "f": {"parent": "e", "message": {**gpt("f", "user"), "content": None}},
        "g": {"parent": "f", "message": gpt("g", "user", "last", {"a": 1}, None, at=1e30)},
    }
    (part,) = read("chatgpt", {"mapping": tree, "current_node": "g", "title": None})
    assert texts(part) == ["apart", "last"]
    assert [turn.draft.timestamp for turn in part.turns] == [None, None]
    assert len(part.problems) == 2
    (part,) = read("chatgpt", {"mapping": tree, "current_node": "b"})
    assert texts(part) == ["said in a circle"]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        (gpt("m", "user", **kind("user_editable_context", user_profile="x")), "custom"),
        (gpt("m", "tool", **kind("sonic_webpage", text="a page")), "page"),
        (gpt("m", "tool", **kind("tether_quote", text="a page")), "page"),
        (gpt("m", "assistant", **kind("reasoning_recap", content="12 s")), "reasoning"),
        (gpt("m", "user", " \u200b"), "message without text"),
        (gpt("m", "user", {"content_type": "image_asset_pointer"}), "message without text"),
    ],
)
def test_chatgpt_leaves_out(message: dict[str, Any], left: str) -> None:
    (part,) = read("chatgpt", {"mapping": {"n": node("n", None, message)}})
    assert part.turns == ()
    assert part.left_out[0].reason.startswith(left)


def test_chatgpt_speech_is_read_and_files_stand_for_themselves() -> None:
    speech = {"content_type": "audio_transcription", "text": "Good morning."}
    voice = gpt("v", "user", speech, {"content_type": "audio_asset_pointer"})
    files = gpt("f", "user", metadata={"attachments": [{"name": "a.pdf"}, {"name": "b.pdf"}]})
    tree = {"v": node("v", None, voice), "f": node("f", "v", files)}
    (part,) = read("chatgpt", {"mapping": tree, "current_node": "f"})
    assert texts(part) == ["Good morning.", "[shares a.pdf, b.pdf]"]


def test_a_conversation_that_is_not_to_be_remembered_is_not() -> None:
    (part,) = read("chatgpt", {**chatgpt(), "is_do_not_remember": True})
    assert part.turns == ()
    assert any("not to be remembered" in item.reason for item in part.left_out)


def test_claude() -> None:
    (part,) = read("claude", claude())
    assert [(t.draft.message_id, str(t.draft.role), t.draft.text) for t in part.turns] == [
        ("u1", "user", "I row in a quad."),
        ("u2", "assistant", 'A quad has four rowers.\n[calls search {"q": "quad"}]'),
        ("u3", "user", "Bow: Iris. Stroke: Hedda."),
        ("u4", "user", "[shares plan.pdf]"),
    ]
    assert reasons(part) == [
        ("u3b", "message of another branch"),
        ("u4", "text of an attached file"),
    ]
    first, second, _, last = part.turns
    assert (first.session, first.about["title"]) == ("k-1", "Rowing")
    assert first.draft.timestamp == datetime(2025, 2, 3, 9, 0, 0, 500_000, tzinfo=UTC)
    assert second.draft.notes == ("reasoning part skipped", "tool_result part skipped")
    assert (last.draft.metadata, last.is_dated) == ({"attachments": ["plan.pdf"]}, True)


def test_claude_without_a_tree_takes_every_message() -> None:
    whole = claude()
    for message in whole["chat_messages"]:
        del message["parent_message_uuid"]
    whole["chat_messages"] += ["text", {"sender": "nobody", "text": "who?"}]
    (part,) = read("claude", whole)
    assert len(part.turns) == 5
    assert len(part.problems) == 2


def test_messages_without_an_id_get_one_of_their_place() -> None:
    said = [{"sender": "human", "text": "ok"}, {"sender": "human", "text": "ok"}]
    ids = []
    for name in ("one", "two"):
        (part,) = read("claude", {"uuid": name, "chat_messages": said})
        ids += [turn.draft.message_id for turn in part.turns]
    assert len(set(ids)) == 4


def test_locomo() -> None:
    (part,) = read("locomo", locomo())
    assert [(t.session, t.draft.message_id, t.draft.text) for t in part.turns] == [
        ("pair-1/session_2", "D2:1", "I bake rye bread on Fridays."),
        ("pair-1/session_2", "D2:2", "Look at mine. [shares a dark loaf on a board]"),
        ("pair-1/session_10", "D10:1", "Happy spring!"),
    ]
    first, second, third = part.turns
    assert (first.owner, first.user_name, first.draft.speaker) == ("pair-1", "Tove", "Tove")
    assert first.draft.timestamp == datetime(2024, 2, 9, 16, 30, tzinfo=UTC)
    assert second.draft.timestamp == datetime(2024, 2, 9, 16, 30, 1, tzinfo=UTC)
    assert third.draft.timestamp == datetime(2024, 3, 1, 0, 5, tzinfo=UTC)
    assert {turn.draft.role for turn in part.turns} == {Role.USER}


def test_messages() -> None:
    parts = read("messages", *MESSAGES)
    turns = [part.turns[0] for part in parts]
    assert [turn.position for turn in turns] == [1, 2, 3]
    assert {turn.session for turn in turns} == {"hive"}
    first = turns[0].draft
    assert (first.message_id, first.speaker, first.metadata) == ("b1", "Ulla", {"place": "garden"})
    assert [turn.is_dated for turn in turns] == [True, False, False]
    assert {turn.draft.timestamp for turn in turns} == {datetime(2025, 6, 1, 6, tzinfo=UTC)}
    assert len({turn.draft.message_id for turn in turns}) == 3


def test_what_is_wrong_with_one_message_costs_no_other() -> None:
    bad: list[Any] = [
        {"role": "user", "content": "When?", "timestamp": "2025-06-01T08:00:00"},
        {"role": "robot", "content": "Beep."},
        {"content": "Who?"},
        ["no", "object"],
        {"role": "user", "content": "Fine.", "metadata": 3},
    ]
    reader = FORMATS["messages"].reader
    assert reader is not None
    read_one = reader("chat.jsonl")
    found = 0
    for place, record in enumerate([*bad, MESSAGES[0]]):
        try:
            part = read_one(place, record)
        except InvalidInputError:
            continue
        found += len(part.turns)
        assert len(part.problems) + len(part.turns) == 1
    assert found == 1


def test_a_line_may_hold_a_whole_conversation() -> None:
    (part,) = read("messages", {"title": "Bees", "messages": MESSAGES})
    assert [turn.session for turn in part.turns] == ["chat.jsonl:1"] * 3
    assert part.turns[0].about == {"title": "Bees"}


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["ok", "yes", "no"])),
        max_size=12,
    )
)
def test_made_ids_are_of_the_conversation_its_place_and_the_text(
    said: list[tuple[str | None, str]],
) -> None:
    records: list[dict[str, Any]] = [
        {"role": "user", "content": text, "session_id": name} for name, text in said
    ]

    def ids(lines: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
        turns: list[ForeignTurn] = [p.turns[0] for p in read("messages", *lines)]
        return [(turn.session, turn.draft.message_id) for turn in turns]

    found = ids(records)
    assert len(set(found)) == len(found)
    assert ids(records) == found
    longer: list[dict[str, Any]] = [
        *records,
        {"role": "user", "content": "more", "session_id": "a"},
    ]
    assert ids(longer)[: len(found)] == found


EXAMPLES: dict[str, Any] = {
    "chatgpt": chatgpt(),
    "claude": claude(),
    "locomo": locomo(),
    "messages": MESSAGES[0],
    "mem0": {"id": "1", "memory": "Has a boat", "user_id": "vera"},
    "langmem": {"namespace": ["m"], "key": "k", "value": {"content": "Has a boat"}},
    "zep": {"uuid": "e", "fact": "Vera has a boat"},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_format_is_told_from_the_others(name: str) -> None:
    assert set(EXAMPLES) == set(FORMATS)
    assert formats_of([EXAMPLES[name]]) == [name]
    for listed in FORMATS[name].lists[:1]:
        assert name in formats_of([{listed: [EXAMPLES[name]]}])


NAMES = """id uuid mapping message parent content parts text author role sender metadata weight
chat_messages attachments extracted_content file_name create_time created_at messages conversation
session_1 session_1_date_time speaker dia_id blip_caption img_url"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=5)
    ),
    max_leaves=30,
)


@given(st.sampled_from(["chatgpt", "claude", "locomo", "messages"]), JSON, st.data())
def test_whatever_a_record_holds_it_is_read_or_refused(
    name: str, value: Any, data: st.DataObject
) -> None:
    whole = {"chatgpt": chatgpt, "claude": claude, "locomo": locomo}
    base: dict[str, Any] = whole[name]() if name in whole else dict(MESSAGES[0])
    place = data.draw(st.sampled_from(sorted(base)))
    if name == "chatgpt" and data.draw(st.booleans()):
        base["mapping"]["n2"]["message"][data.draw(st.sampled_from(["author", "content"]))] = value
    elif name == "claude" and data.draw(st.booleans()):
        base["chat_messages"][0][data.draw(st.sampled_from(["content", "attachments"]))] = value
    else:
        base[place] = value
    for record in (base, value):
        try:
            (part,) = read(name, record)
        except InvalidInputError:
            continue
        for turn in part.turns:
            json.dumps([turn.draft.text, turn.session, turn.draft.message_id]).encode()
            assert turn.draft.text.encode()
            assert turn.draft.message_id
