"""What a reader found beside facts: the gate in front of it, and the records it becomes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.findings.gate import admit_found
from backstory.core.findings.model import Findings
from backstory.core.findings.planning import graph_records, plan_found
from backstory.core.model.derived import (
    EmotionalMoment,
    Event,
    GraphEntity,
    Intention,
    IntentionStatus,
    Relation,
    Summary,
)
from backstory.core.model.fact import Evidence
from backstory.core.model.message import Role
from backstory.core.model.reading import Reading
from tests.unit.core.found_help import (
    AT,
    MADE_UP_KEY,
    NOW,
    TEXT,
    entity,
    event,
    findings,
    intention,
    moment,
    put,
    relation,
    stored,
    summary,
    turn,
)

# --- the gate ---


def refused(found: Findings) -> list[tuple[str, str]]:
    _, rejections = admit_found(found)
    return [(one.guard, one.reason) for one in rejections]


def test_what_was_said_passes_as_it_is() -> None:
    found = findings()
    passed, rejections = admit_found(found)
    assert rejections == ()
    assert passed == found


def only(name: str, found: Any) -> Reading:
    given: dict[str, Any] = {name: (found,)}
    return Reading(**given)


KINDS: dict[str, Callable[..., Any]] = {
    "events": event, "moments": moment, "intentions": intention,
    "entities": entity, "relations": relation,
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("change", "guard"),
    [
        ({"quote": "I adopted a whale"}, "evidence"),
        ({"quote": "  "}, "evidence"),
        ({"message_id": "m9"}, "evidence"),
    ],
)
def test_a_quote_stands_in_its_message(name: str, change: dict[str, Any], guard: str) -> None:
    found = findings(only(name, KINDS[name](**change)))
    passed, (rejection,) = admit_found(found)
    assert getattr(passed.reading, name) == ()
    assert rejection.guard == guard
    assert rejection.message_id == change.get("message_id", "m1")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_only_people_are_evidence(name: str, role: Role) -> None:
    said = (turn(1, TEXT, role=role, is_user=False),)
    found = findings(only(name, KINDS[name]()), turns=said)
    assert [guard for guard, _ in refused(found)] == ["attribution"]


@pytest.mark.parametrize("name", KINDS)
def test_feelings_and_intentions_are_the_users_own(name: str) -> None:
    said = (turn(1, TEXT, is_user=False, speaker="Oda"),)
    found = findings(only(name, KINDS[name]()), turns=said)
    own = name in {"moments", "intentions"}
    assert [guard for guard, _ in refused(found)] == (["attribution"] if own else [])


@pytest.mark.parametrize(
    ("reading", "guard"),
    [
        (Reading(events=(event(predicate="усыновила Беллу"),)), "language"),
        (Reading(intentions=(intention(what="给奥达打电话"),)), "language"),
        (Reading(entities=(entity(label="Белла"),)), "language"),
        (Reading(summaries=(summary(text="Она взяла собаку из приюта."),)), "language"),
        (Reading(events=(event(predicate="?!"),)), "form"),
        (Reading(events=(event(predicate="x" * 501),)), "form"),
        (
            Reading(intentions=(intention(what="The memory search returned no results"),)),
            "is_meta_commentary_fact",
        ),
        (
            Reading(summaries=(summary(text="The memory search returned no results."),)),
            "is_meta_commentary_fact",
        ),
        (
            Reading(intentions=(intention(what=MADE_UP_KEY),)),
            "secrets",
        ),
    ],
)
def test_what_may_not_be_stored(reading: Reading, guard: str) -> None:
    assert [name for name, _ in refused(findings(reading))] == [guard]


def test_the_script_is_that_of_its_own_source() -> None:
    """The check looks at the message, whatever else the batch holds."""
    other = turn(2, "昨天我收养了小白", session_id="t")
    turns = (turn(1, TEXT), other)
    there = {"message_id": "m2", "session_id": "t", "quote": "收养了小白"}
    good = event(predicate="收养了小白", **there)
    bad = event(predicate="adopted a little dog there", **there)
    passed, rejections = admit_found(findings(Reading(events=(good, bad)), turns=turns))
    assert passed.reading.events == (good,)
    assert [one.guard for one in rejections] == ["language"]
    told = (summary(session_id="t", text="The user adopted a little white dog."),)
    assert refused(findings(Reading(summaries=told), turns=turns))[0][0] == "language"


def test_secrets_in_words_and_quotes_are_masked() -> None:
    key = MADE_UP_KEY
    text = f"I should rotate {key} today"
    said = (turn(1, text),)
    meant = intention(quote=text, what=f"rotate {key}")
    told = summary(text=f"The user will rotate {key}.")
    found = findings(Reading(intentions=(meant,), summaries=(told,)), turns=said)
    passed, _ = admit_found(found)
    assert key not in repr(passed.reading)
    assert "rotate" in passed.reading.intentions[0].what
    plain, _ = admit_found(found, redaction=False)
    assert key in plain.reading.intentions[0].what


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_judged_without_an_error(text: str, quote: str) -> None:
    said = (turn(1, text),)
    reading = Reading(
        events=(event(predicate=text, quote=quote),),
        summaries=(summary(text=quote),),
        intentions=(intention(what=quote, quote=text),),
    )
    passed, _ = admit_found(findings(reading, turns=said))
    for one in (*passed.reading.events, *passed.reading.intentions):
        assert "\x00" not in repr(one)
        assert not any("\ud800" <= char <= "\udfff" for char in one.quote)
    put(passed)


# --- the records ---


def test_each_thing_becomes_its_record() -> None:
    records = put(findings())
    assert [type(one) for one in records] == [
        Event, EmotionalMoment, Intention, GraphEntity, Relation, Summary,
    ]  # fmt: skip
    happened, felt, meant, _, _, told = records
    assert isinstance(happened, Event)
    assert (happened.predicate, happened.made_by) == ("adopted Bella", "model:test")
    assert isinstance(felt, EmotionalMoment)
    assert (felt.tags, felt.made_by) == (("joy",), "model:test")
    assert isinstance(meant, Intention)
    assert meant.status is IntentionStatus.PROPOSED
    assert isinstance(told, Summary)
    assert (told.text, told.messages, told.made_by) == ("The user adopted Bella.", 1, "model:test")
    for one in records:
        assert (one.user_id, one.session_id, one.known_from) == ("vera", "s", None)
    for one in records[:-1]:
        assert [evidence.message_id for evidence in one.evidence] == ["m1"]


def test_the_same_read_again_is_the_same_record() -> None:
    first = put(findings())
    assert [one.id for one in put(findings())] == [one.id for one in first]
    again = put(findings(), book=stored(*first))
    assert {one.id for one in again} <= {one.id for one in first}
    assert not any(isinstance(one, Intention) for one in again)


def test_of_an_import_it_was_known_when_it_was_said() -> None:
    assert {one.known_from for one in put(findings(bulk=True))} == {AT}


def test_of_a_message_that_was_changed_nothing_is_written() -> None:
    turns = (turn(1, TEXT), turn(2, "ok"))
    found = findings(turns=turns)
    assert put(found, unread=frozenset({"m2"})) == ()
    kept = put(found, unread=frozenset({"m1"}))
    assert Summary not in {type(one) for one in kept}  # it was made of both
    assert len(kept) == 5


def test_a_weak_feeling_is_no_moment_and_the_strongest_counts() -> None:
    weak, strong = moment(valence=0.3, arousal=0.1), moment(valence=-0.95, tags=("grief",))
    assert put(findings(Reading(moments=(weak,)))) == ()
    (felt,) = put(findings(Reading(moments=(weak, moment(valence=0.8), strong))))
    assert isinstance(felt, EmotionalMoment)
    assert felt.tags == ("grief",)
    lexical = replace(felt, id="by-words", made_by="lexicon", tags=("joy",))
    (again,) = put(findings(Reading(moments=(strong,))), book=stored(lexical))
    assert (again.id, again.made_by) == ("by-words", "model:test")  # type: ignore[attr-defined]


def test_an_intention_is_proposed_once_whatever_became_of_it() -> None:
    reading = Reading(intentions=(intention(),))
    (proposed,) = put(findings(reading))
    assert isinstance(proposed, Intention)
    for status in IntentionStatus:
        if status is not IntentionStatus.ERASED:
            book = stored(replace(proposed, status=status))
            assert put(findings(reading), book=book) == ()
    done = stored(replace(proposed, status=IntentionStatus.DONE))
    later = turn(2, TEXT)
    anew = Reading(intentions=(intention(message_id="m2"),))
    assert len(put(findings(anew, turns=(later,)), book=done)) == 1


def test_of_events_the_models_take_the_place_of_the_rules() -> None:
    """Only in messages in which it found some; what others noted stays."""
    (found,) = put(findings(Reading(events=(event(),))))
    assert isinstance(found, Event)
    elsewhere = (Evidence(message_id="m9", quote="x"),)
    known = stored(
        replace(found, id="same message", made_by="rules"),
        replace(found, id="by hand", made_by="api"),
        replace(found, id="another message", made_by="rules", evidence=elsewhere),
    )
    batch = findings(Reading(events=(event(),)))
    for reading, gone in ((batch, ("same message",)), (findings(Reading()), ())):
        plan = plan_found(known, [reading], (), frozenset({"m1"}), NOW, lambda text, _: text)
        assert plan.withdraw == gone


def test_two_events_with_one_date_are_two() -> None:
    both = (event(), event(predicate="called Oda"))
    records = put(findings(Reading(events=both)))
    assert len({one.id for one in records}) == 2


def test_what_the_graph_does_not_take_is_refused_with_the_reason() -> None:
    strange = (relation(type="eats"), relation(object="Rex", object_kind="pet"))
    found = findings(Reading(relations=strange))
    assert put(found) == ()
    refusals = graph_records([found], frozenset({"m1"}), NOW).rejections
    assert [one.guard for one in refusals] == ["graph schema", "not in the text"]
