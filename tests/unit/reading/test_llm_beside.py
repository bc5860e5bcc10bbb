"""What the model's reader gives beside facts: parts, shapes, evidence, sessions, providers."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from backstory.core.model.derived import Precision
from backstory.core.model.message import Role
from backstory.core.model.reading import Batch, Reading
from backstory.errors import ReadingError, TruncatedCompletionError
from backstory.models.chat.factory import make_chat_model
from backstory.reading.llm import LISTS, MAX_TOKENS, MAX_TOKENS_BESIDE, LLMReader
from backstory.testing.chat_server import ChatServer, Reply
from tests.unit.reading.beside_help import (
    TEXT,
    all_of,
    entity,
    event,
    intention,
    moment,
    reading_of,
    relation,
)
from tests.unit.reading.llm_help import (
    QUICK,
    ScriptedModel,
    batch,
    fact,
    read,
    read_with,
    size_of,
    turn,
)


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(all_of())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, "sk-test")
    with ChatServer(all_of()) as running:
        yield running


def test_one_call_gives_everything(server: ChatServer) -> None:
    reading = read(server, batch(TEXT))
    assert reading.usage["calls"] == len(server.calls) == 1
    assert reading.rejections == ()
    (happened,) = reading.events
    assert (happened.predicate, happened.occurred_on) == ("adopted Bella", date(2026, 3, 1))
    assert (happened.precision, happened.expression) == (Precision.MONTH, "in March")
    assert (happened.message_id, happened.place) == ("m1", TEXT.index("in March"))
    (felt,) = reading.moments
    assert (felt.valence, felt.arousal, felt.tags) == (0.9, 0.6, ("joy",))
    (meant,) = reading.intentions
    assert (meant.what, meant.when_hint, meant.quote) == (
        "call Oda", None, "I should call Oda about it",
    )  # fmt: skip
    (named,) = reading.entities
    assert (named.kind, named.label) == ("pet", "Bella")
    (tied,) = reading.relations
    assert (tied.type, tied.subject, tied.subject_kind) == ("owns_pet", "user", "person")
    assert (tied.object, tied.object_kind) == ("Bella", "pet")
    assert tied.valid_from == datetime(2026, 3, 1, tzinfo=UTC)
    (told,) = reading.summaries
    assert (told.session_id, told.text, told.earlier) == (
        "s", "The user adopted Bella in March.", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    "spec", ["openai:shades", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash"]
)
@pytest.mark.parametrize("stream", [False, True])
def test_every_provider_is_asked_the_same(server: ChatServer, spec: str, stream: bool) -> None:
    base = server.url if spec.startswith("openai") else server.root
    model = make_chat_model(spec, base_url=base, stream=stream, limits=QUICK)

    async def work() -> Reading:
        try:
            return await LLMReader(model).read(batch(TEXT))
        finally:
            await model.aclose()

    reading = asyncio.run(work())
    found = (reading.events, reading.moments, reading.intentions, reading.entities)
    assert [len(some) for some in (*found, reading.relations, reading.summaries)] == [1] * 6
    (call,) = server.calls
    assert call.schema is not None
    assert set(call.schema["properties"]) == {name for names in LISTS.values() for name in names}
    assert call.max_tokens == MAX_TOKENS_BESIDE


@pytest.mark.parametrize("part", LISTS)
def test_what_is_off_is_neither_asked_for_nor_taken(model: ScriptedModel, part: str) -> None:
    """Nor paid for: the instructions of each part are there only with the part."""
    whole = read_with(model, batch(TEXT))
    alone = read_with(model, batch(TEXT), parts=[part])
    rest = read_with(model, batch(TEXT), parts=[name for name in LISTS if name != part])
    asked = [set((call.schema or {})["properties"]) for call in model.calls]
    assert asked[1] == set(LISTS[part])
    assert asked[2] == asked[0] - set(LISTS[part])
    assert all(size_of(call) < size_of(model.calls[0]) for call in model.calls[1:])
    for name in {n for names in LISTS.values() for n in names} - {"facts", "contradictions"}:
        mine = getattr(whole, name) if name in LISTS[part] else ()
        assert getattr(alone, name) == mine
        assert getattr(rest, name) == (() if mine else getattr(whole, name))


def test_facts_alone_cost_what_they_did(model: ScriptedModel) -> None:
    read_with(model, batch(TEXT), parts=["facts"])
    assert model.calls[0].max_tokens == MAX_TOKENS
    assert size_of(model.calls[0]) < 2_000
    read_with(model, batch(TEXT))
    assert size_of(model.calls[1]) < 3_200


def test_a_reader_of_nothing_wants_nothing(model: ScriptedModel) -> None:
    reader = LLMReader(model, parts=["textures"])
    assert not reader.wants(Role.USER, "I paint")
    assert read_with(model, batch(TEXT), parts=[]) == Reading()
    assert model.calls == []


def test_of_an_import_neither_feelings_nor_behaviour_is_read(model: ScriptedModel) -> None:
    reading = read_with(model, batch(TEXT, bulk=True))
    assert (reading.moments, reading.behaviours) == ((), ())
    assert len(reading.events) == len(reading.summaries) == 1
    assert not {"moments", "contradictions"} & set((model.calls[0].schema or {})["properties"])


@pytest.mark.parametrize(
    "changes",
    [
        {"events": event()},
        {"events": [event(message=None)]},
        {"events": [event(message="[1]")]},
        {"events": [event(what=None, predicate="adopted Bella")]},
        {"events": [event(when=None, date="in March")]},
        {"events": [event(quote=None, evidence={"message": 1, "quote": "I adopted Bella"})]},
        {"moments": [moment(tags="joy, relief")]},
        {"moments": [moment(arousal=None, dominance=None)]},
        {"moments": [moment(valence="0.9")]},
        {"entities": [entity(aliases=None)]},
        {"entities": [entity(kind="Pet")]},
        {"entities": [entity(name=None, label="Bella")]},
        {"relations": [relation(type="owns pet")]},
        {"relations": [relation(subject="the user", object="bella")]},
        {"summaries": "The user adopted Bella in March."},
        {"summaries": ["The user adopted Bella in March."]},
        {"summaries": {"text": "The user adopted Bella in March."}},
        {"summaries": [{"session": "1", "summary": "The user adopted Bella in March."}]},
        {"contradictions": None},
    ],
)
def test_a_shape_that_is_clear_is_taken(model: ScriptedModel, changes: dict[str, Any]) -> None:
    reading = reading_of(model, **changes)
    assert reading.rejections == ()
    assert len(model.calls) == 1
    found = (reading.events, reading.moments, reading.entities, reading.relations)
    assert [len(some) for some in (*found, reading.summaries)] == [1] * 5


WRONG = [
    ({"events": "none"}, "'events' must be a list"),
    ({"events": ["adopted"]}, "events[0] must be an object"),
    ({"events": [event(what="")]}, "events[0].what"),
    ({"events": [event(quote="")]}, "events[0].quote"),
    ({"moments": [moment(valence=None)]}, "moments[0].valence"),
    ({"moments": [moment(arousal=7)]}, "moments[0].arousal"),
    ({"moments": [moment(tags=[1])]}, "moments[0].tags"),
    ({"intentions": [intention(what={})]}, "intentions[0].what"),
    ({"entities": [entity(name=None)]}, "entities[0].name"),
    ({"relations": [relation(object="")]}, "relations[0].object"),
    ({"summaries": [7]}, "summaries[0] must be an object"),
    ({"summaries": [{"session": "first", "text": "x"}]}, "summaries[0].session"),
    ({"facts": None}, "'facts' must be a list"),
]


@pytest.mark.parametrize(("changes", "names"), WRONG)
def test_a_wrong_shape_anywhere_is_asked_for_again_and_then_fails(
    model: ScriptedModel, changes: dict[str, Any], names: str
) -> None:
    """Once more with the reason; two in a row are a failed reading, and nothing of it is kept."""
    model.script(all_of(**changes))
    assert len(read_with(model, batch(TEXT)).events) == 1
    assert names in model.calls[1].user
    model.script(all_of(**changes), all_of(**changes))
    with pytest.raises(ReadingError) as caught:
        read_with(model, batch(TEXT))
    assert names in str(caught.value)
    assert len(model.calls) == 4


def test_a_cut_off_answer_is_no_answer(server: ChatServer) -> None:
    server.script(Reply(text=all_of(), finish="length"))
    with pytest.raises(TruncatedCompletionError):
        read(server, batch(TEXT))
    assert len(server.calls) == 1


@pytest.mark.parametrize("missing", ["events", "moments", "entities", "relations", "summaries"])
def test_a_list_that_was_left_out_is_empty(model: ScriptedModel, missing: str) -> None:
    empty: dict[str, Any] = {missing: []}
    assert getattr(reading_of(model, **empty), missing) == ()
    without = json.loads(all_of())
    del without[missing]
    model.script(json.dumps(without))
    assert getattr(read_with(model, batch(TEXT)), missing) == ()


REFUSED = [
    ({"events": [event(quote="I adopted a whale in March")]}, "event", "evidence"),
    ({"events": [event(what="adopted Rex")]}, "event", "evidence"),
    ({"events": [event(when="")]}, "event", "date"),
    ({"events": [event(when="in July 2019")]}, "event", "date"),
    ({"events": [event(subject="assistant")]}, "event", "attribution"),
    ({"events": [event(message=9)]}, "event", "message"),
    ({"moments": [moment(quote="so sad")]}, "moment", "evidence"),
    ({"intentions": [intention(what="call Rex")]}, "intention", "evidence"),
    ({"entities": [entity(name="Rex")]}, "entity", "evidence"),
    ({"relations": [relation(object="Rex")]}, "relation", "evidence"),
    ({"summaries": [{"session": 2, "text": "x"}]}, "summary", "evidence"),
    ({"summaries": [{"session": 1, "text": "Then they met Rex."}]}, "summary", "evidence"),
    ({"summaries": [{"session": 1, "text": "They paid 40 crowns."}]}, "summary", "evidence"),
]


@pytest.mark.parametrize(("changes", "what", "guard"), REFUSED)
def test_what_nobody_said_is_refused_with_the_reason(
    model: ScriptedModel, changes: dict[str, Any], what: str, guard: str
) -> None:
    reading = reading_of(model, **changes)
    (refused,) = reading.rejections
    assert refused.reason.startswith(f"{what}: ")
    assert refused.guard == guard
    (name,) = changes
    assert getattr(reading, name) == ()


def test_of_a_summary_the_sentences_go_that_name_what_nobody_said(model: ScriptedModel) -> None:
    text = "The user adopted Bella. They paid Rex 40 crowns. It was in March."
    reading = reading_of(model, summaries=[{"session": 1, "text": text}])
    assert reading.summaries[0].text == "The user adopted Bella. It was in March."
    german = batch("ich war gestern beim arzt wegen dem knie")
    told = "Der Nutzer war wegen seines Knies beim Arzt."
    empty: dict[str, Any] = {
        "events": [],
        "moments": [],
        "intentions": [],
        "entities": [],
        "relations": [],
    }
    reading = reading_of(model, german, summaries=[{"session": 1, "text": told}], **empty)
    assert [one.text for one in reading.summaries] == [told]


def test_nobody_elses_words_are_the_users(model: ScriptedModel) -> None:
    """Of the assistant nothing; of another speaker no feelings or intentions, and their subject."""
    said = Batch(turns=(turn(1, TEXT, Role.ASSISTANT), turn(2, "ok")))
    reading = reading_of(model, said, summaries=[])
    assert (reading.events, reading.moments, reading.entities) == ((), (), ())
    assert {refused.guard for refused in reading.rejections} == {"speaker"}
    other = Batch(turns=(turn(1, TEXT, is_user=False, speaker="Oda"), turn(2, "ok")))
    reading = reading_of(model, other)
    assert [one.subject for one in reading.events] == ["speaker.oda"]
    assert (reading.moments, reading.intentions) == ((), ())
    assert [one.subject for one in reading.relations] == ["Oda"]
    assert {refused.guard for refused in reading.rejections} == {"attribution"}


def test_the_name_of_a_feeling_is_short(model: ScriptedModel) -> None:
    reading = reading_of(model, moments=[moment(tags=["Joy", "so " * 20])])
    assert reading.moments[0].tags == ("joy",)


def test_dates_are_seen_from_the_zone_of_the_writer(model: ScriptedModel) -> None:
    """Late in the evening in Kathmandu it is still the day before in UTC, and the other way."""
    said = "I adopted Bella yesterday"
    item = event(quote=said, when="yesterday")
    for hours, day in ((5.75, 14), (0, 13), (-9.5, 13)):
        local = datetime(2026, 5, 14, 20, tzinfo=UTC).astimezone(timezone(timedelta(hours=hours)))
        given = Batch(turns=(turn(1, said, timestamp=local.astimezone(UTC), local=local),))
        rest: dict[str, Any] = {"moments": [], "intentions": [], "relations": [], "summaries": []}
        reading = reading_of(model, given, events=[item], **rest)
        assert reading.events[0].occurred_on == date(2026, 5, day)


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("昨天我收养了小白", "收养了小白"),
        ("אימצתי את בלה אתמול", "אימצתי את בלה"),
        ("I adopted 🐶 Bella yesterday", "adopted 🐶 Bella"),
        ("I adopted \x00 Bella \ud800 yesterday", "adopted Bella"),
        ("I adopted Bella yesterday. " + "We went on. " * 2_000, "adopted Bella"),
        (" \n ", "adopted Bella"),
        ("{braces} %s {0} I adopted Bella yesterday", "adopted Bella"),
    ],
)
def test_any_text_can_be_read(model: ScriptedModel, said: str, what: str) -> None:
    item = event(quote=said.strip()[:40] or "I adopted Bella", what=what, when="yesterday")
    rest: dict[str, Any] = {"moments": [], "intentions": [], "entities": [], "relations": []}
    model.answer = all_of(events=[item], summaries=[], **rest)
    reading = read_with(model, batch(said, "ok then"))
    if "yesterday" in said[:80] and "\x00" not in said:
        assert [one.occurred_on for one in reading.events] == [date(2026, 5, 13)]
    else:
        assert reading.events == ()


def test_a_fact_and_the_rest_stand_side_by_side(model: ScriptedModel) -> None:
    pet = fact(quote="I adopted Bella", key="pet.dog", value="Bella")
    reading = reading_of(model, facts=[pet])
    assert [claim.value for claim in reading.claims] == ["Bella"]
    assert len(reading.events) == 1
