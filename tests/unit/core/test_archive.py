"""Lines of an export: what is written is read, and whatever else comes is refused in order."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.archive.lines import (
    Header,
    read_header,
    read_line,
    write_end,
    write_header,
    write_record,
)
from backstory.core.archive.readdress import id_for, readdressed
from backstory.core.model.archive import (
    Archived,
    ArchivedFact,
    ArchivedMessage,
    ArchiveHead,
    MessageVersion,
)
from backstory.core.model.embedding import EmbedderIdentity
from backstory.core.model.fact import Evidence, Fact, FactRevision, FactStatus
from backstory.core.model.message import Message, Role
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
