"""Lines of an export: what is written is read, and whatever else comes is refused in order."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.archive.lines import (
    VERSION,
    Header,
    read_header,
    read_line,
    write_end,
    write_header,
    write_record,
)
from backstory.core.archive.readdress import id_for, readdressed
from backstory.core.archive.taking import run_here
from backstory.core.model.archive import (
    Archived,
    ArchivedDerived,
    ArchivedFact,
    ArchivedMessage,
    ArchivedRun,
    ArchiveHead,
    DerivedVersion,
    MessageVersion,
)
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.fact import Evidence, Fact, FactRevision, FactStatus
from backstory.core.model.message import Message, Role
from backstory.core.model.run import ConsolidationRun, RunState
from backstory.core.model.schedule import RunKind
from backstory.errors import InvalidInputError

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
SOME = st.text("abcdefgh", min_size=1, max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def unit(seed: int) -> bytes:
    """A vector of length 1."""
    row = np.random.default_rng(seed).normal(size=8)
    return bytes((row / np.linalg.norm(row)).astype("<f4").tobytes())


@st.composite
def messages(draw: st.DrawFn) -> ArchivedMessage:
    """Messages with everything that one can have."""
    message = Message(
        id=draw(SOME),
        user_id="vera",
        session_id=draw(SOME),
        role=draw(st.sampled_from(Role)),
        text=draw(TEXT),
        timestamp=draw(st.datetimes(timezones=st.just(UTC))),
        recorded_at=NOW,
        speaker=draw(st.none() | TEXT),
        message_id=draw(st.none() | SOME),
        metadata={"a": [1, None, {"b": draw(TEXT)}]},
        notes=tuple(draw(st.lists(TEXT, max_size=2))),
    )
    version = MessageVersion(
        revision=1, text=draw(TEXT), metadata={}, recorded_at=NOW, replaced_at=NOW
    )
    return ArchivedMessage(
        message=message,
        terms=draw(st.binary(max_size=4)).ljust(4, b"\0"),
        terms_version=1,
        revision=2,
        versions=(version,),
        needs_reading=draw(st.booleans()),
        vectors={1: unit(draw(st.integers(0, 99)))},
    )


def fact() -> ArchivedFact:
    """A fact with a state and evidence."""
    row = Fact(
        id="f1",
        user_id="vera",
        key="home.place",
        value="Lund",
        recorded_at=NOW,
        believed_at=NOW,
        superseded_by="f2",
        evidence=(Evidence(message_id="m1", quote="Lund"),),
    )
    state = FactRevision(
        fact_id="f1",
        revision=1,
        value="Oslo",
        status=FactStatus.ACTIVE,
        valid_from=None,
        valid_until=NOW,
        believed_at=NOW,
        replaced_at=NOW,
    )
    return ArchivedFact(fact=row, terms=b"", terms_version=1, revisions=(state,))


@given(messages())
def test_a_message_is_read_as_it_was_written(item: ArchivedMessage) -> None:
    line = write_record(item)
    assert line.count(b"\n") == 1
    assert read_line(line, "vera") == item
    assert b"vera" not in line


def test_a_fact_is_read_as_it_was_written() -> None:
    assert read_line(write_record(fact()), "vera") == fact()


def test_the_header_and_the_end_are_read() -> None:
    identity = EmbedderIdentity(provider="p", model="m", dimensions=8)
    head = ArchiveHead(generations={3: identity}, active=3, records={"fact": 2})
    header = Header(
        user_id="vera", tenant="default", package="1", schema="2", exported_at=NOW, head=head
    )
    assert read_header(write_header(header)) == header
    assert read_line(write_end({"fact": 2}), "vera") == {"fact": 2}


@given(st.binary())
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    for read in (lambda: read_line(line, "vera"), lambda: read_header(line)):
        with pytest.raises(InvalidInputError):
            read()


@given(st.data())
def test_a_changed_field_is_read_or_refused(data: st.DataObject) -> None:
    item: Archived = data.draw(st.sampled_from([fact()]) | messages())
    record: dict[str, Any] = json.loads(write_record(item))
    inner = record[record["kind"]]
    target = data.draw(st.sampled_from([record, inner]))
    target[data.draw(st.sampled_from(sorted(target)) | st.text(max_size=5))] = data.draw(JSON)
    line = json.dumps(record).encode()
    # any other error fails the test
    with suppress(InvalidInputError):
        read_line(line, "vera")


def test_another_user_gets_other_ids_that_stay_the_same() -> None:
    moved = readdressed(fact(), "wilma")
    assert moved == readdressed(fact(), "wilma")
    assert isinstance(moved, ArchivedFact)
    assert moved.fact.id == id_for("wilma", "f1") == moved.revisions[0].fact_id
    assert moved.fact.superseded_by == id_for("wilma", "f2")
    assert moved.fact.evidence[0].message_id == id_for("wilma", "m1")
    assert id_for("wilma", "f1") != id_for("vera", "f1")


def derived(kind: str, body: dict[str, Any], **more: Any) -> ArchivedDerived:
    """A record of one version."""
    version = DerivedVersion(
        at=NOW,
        recorded_at=NOW,
        known_from=NOW,
        body={"evidence": [{"message_id": "m1", "quote": "名 👍"}], "session_id": "s1", **body},
        vectors={1: unit(3)},
    )
    return ArchivedDerived(id="d1", type=kind, versions=(replace(version, **more),))


def run() -> ArchivedRun:
    """A run of consolidation."""
    made = ConsolidationRun(
        user_id="vera",
        kind=RunKind.DAILY,
        period="2026-03-01T02:00:00Z",
        state=RunState.DONE,
        queued_at=NOW,
        receipt={"summaries": 2, "left": [1]},
    )
    return ArchivedRun(run=made)


EVENT = {"predicate": "ran", "occurred_on": "2026-02-28"}
QUALITY = {"message_id": "m2", "output_integrity": 0.5}
RELATION = {"type": "knows", "subject_id": "e1", "object_id": "e2", "fact_id": "f1"}


@pytest.mark.parametrize(
    "item",
    [derived("event", EVENT), derived("quality", QUALITY), derived("relation", RELATION), run()],
)
def test_derived_records_and_runs_are_read_as_they_were_written(item: Archived) -> None:
    line = write_record(item)
    assert read_line(line, "vera") == item
    assert b"vera" not in line


@pytest.mark.parametrize(
    "item",
    [
        derived("event", {"predicate": "ran"}),
        derived("event", {**EVENT, "occurred_on": "2026-02-30"}),
        derived("event", {**EVENT, "extra": 1}),
        derived("event", {**EVENT, "evidence": [{"message_id": "", "quote": ""}]}),
        derived("nothing", EVENT),
        derived("event", EVENT, vectors={1: b"\0" * 32}),
        replace(derived("event", EVENT), id="x" * 65),
        replace(derived("event", EVENT), versions=()),
        replace(derived("event", EVENT), versions=derived("event", EVENT).versions * 2),
    ],
)
def test_what_is_no_derived_record_is_refused(item: ArchivedDerived) -> None:
    with pytest.raises(InvalidInputError):
        read_line(write_record(item), "vera")


def test_what_derived_records_name_gets_other_ids_too() -> None:
    def body(kind: str, given_body: dict[str, Any]) -> dict[str, Any]:
        moved = readdressed(derived(kind, given_body), "wilma")
        assert isinstance(moved, ArchivedDerived)
        assert moved.id == id_for("wilma", "d1")
        found = dict(moved.versions[0].body)
        assert found["session_id"] == "s1"
        assert found["evidence"] == [{"message_id": id_for("wilma", "m1"), "quote": "名 👍"}]
        return found

    assert body("event", EVENT)["predicate"] == "ran"
    assert body("quality", QUALITY)["message_id"] == id_for("wilma", "m2")
    found = body("relation", RELATION)
    named = [found[name] for name in ("subject_id", "object_id", "fact_id")]
    assert named == [id_for("wilma", name) for name in ("e1", "e2", "f1")]
    moved = readdressed(run(), "wilma")
    assert isinstance(moved, ArchivedRun)
    assert moved.run == replace(run().run, user_id="wilma")


def test_a_run_that_is_going_on_is_queued_elsewhere() -> None:
    here = replace(run().run, state=RunState.RUNNING, holder="there", lease_until=NOW)
    queued = run_here(here, "wilma")
    assert (queued.state, queued.holder, queued.user_id) == (RunState.QUEUED, None, "wilma")
    assert run_here(run().run, "vera") == run().run


def test_files_of_version_one_are_read() -> None:
    header = Header(user_id="vera", tenant="default", package="1", schema="5", exported_at=NOW)
    line = json.loads(write_header(header))
    assert read_header(json.dumps({**line, "version": 1}).encode()) == header
    with pytest.raises(InvalidInputError, match="newer backstory"):
        read_header(json.dumps({**line, "version": VERSION + 1}).encode())
