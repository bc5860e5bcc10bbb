"""What a model found is checked against the schema and against the words of its message."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from backstory.core.graph.admitting import NOT_IN_TEXT, SCHEMA, AdmittedGraph, admit_relations
from backstory.core.model.derived import GraphEntity, Relation
from backstory.core.model.fact import USER, Evidence
from backstory.core.model.found import FoundEntity, FoundRelation
from tests.unit.core.graph.making import DAY, T0

TEXT = "My friend Sam (we call him Sammy) works at Acme, and 田中さん lives in 大阪. I was in Rome."


def ids() -> Iterator[str]:
    return map("n{}".format, count())


def said(kind: str, label: str, quote: str = "My friend Sam", **values: Any) -> FoundEntity:
    common = {"message_id": "m", "said_at": T0, "session_id": "s"}
    return FoundEntity(kind=kind, label=label, quote=quote, **{**common, **values})


def tied(
    subject: str, type_: str, object_: str, quote: str = "Sam (we call him Sammy) works at Acme",
    kinds: tuple[str, str] = ("person", "organisation"), **values: Any,
) -> FoundRelation:  # fmt: skip
    common = {"message_id": "m", "said_at": T0}
    return FoundRelation(
        type=type_, subject=subject, subject_kind=kinds[0], object=object_, object_kind=kinds[1],
        quote=quote, **{**common, **values},
    )  # fmt: skip


def admitted(*found: FoundEntity | FoundRelation, text: str = TEXT, **values: Any) -> AdmittedGraph:
    return admit_relations(
        [f for f in found if isinstance(f, FoundEntity)],
        [f for f in found if isinstance(f, FoundRelation)],
        {"m": text}, user_id="vera", now=T0 + DAY, new_ids=ids(), **values,
    )  # fmt: skip


def test_what_fits_is_kept_as_the_message_spells_it() -> None:
    result = admitted(said("person", "SAM", aliases=("sammy",)), tied("sam", "works_at", "ACME"))
    assert result.rejections == ()
    sam, acme, works = result.records
    assert isinstance(sam, GraphEntity)
    assert isinstance(acme, GraphEntity)
    assert isinstance(works, Relation)
    assert (sam.label, sam.aliases, acme.label) == ("Sam", ("Sammy",), "Acme")
    assert (works.subject_id, works.object_id) == (sam.id, acme.id)
    assert works.valid_from == T0
    assert sam.evidence == (
        Evidence(message_id="m", quote="My friend Sam"),
        Evidence(message_id="m", quote="Sam (we call him Sammy) works at Acme"),
    )
    assert len({record.id for record in result.records}) == 3
    assert all(record.known_from is None for record in result.records)


def test_a_bulk_import_was_known_when_it_was_said() -> None:
    result = admitted(tied("Sam", "works_at", "Acme"), bulk=True)
    assert {record.known_from for record in result.records} == {T0}


def test_the_user_is_the_user() -> None:
    friend = tied(USER, "friend_of", "Sam", "My friend Sam", ("person", "person"))
    named = tied("Vera", "friend_of", "Sam", "My friend Sam", ("person", "person"))
    result = admitted(
        friend, named, said("person", "user"), said("person", "vera"), user_name="Vera"
    )
    assert result.rejections == ()
    sam, edge = result.records
    assert isinstance(edge, Relation)
    assert (edge.subject_id, edge.object_id) == (USER, sam.id)


def test_what_always_holds_has_no_beginning() -> None:
    born = tied("田中さん", "born_in", "大阪", "田中さん lives in 大阪", ("person", "place"))
    until = tied(
        "田中さん",
        "lives_in",
        "大阪",
        "田中さん lives in 大阪",
        ("person", "place"),
        valid_until=T0,
    )
    times = [
        (r.type, r.valid_from, r.valid_until)
        for r in admitted(born, until).records
        if isinstance(r, Relation)
    ]
    assert times == [("born_in", None, None), ("lives_in", None, T0)]


@pytest.mark.parametrize(
    ("found", "guard", "reason"),
    [
        (tied("Acme", "works_at", "Sam", kinds=("organisation", "person")), SCHEMA, "from person"),
        (tied("Sam", "hates", "Acme"), SCHEMA, "no type of relation"),
        (tied("Sam", "works_at", "Acme", kinds=("person", "firm")), SCHEMA, "no kind"),
        (tied("Sam", "friend_of", "sam", kinds=("person", "person")), SCHEMA, "the same"),
        (tied("Sam", "works_at", "Zintmar"), NOT_IN_TEXT, "'Zintmar' is not in the message"),
        (tied("Samm", "works_at", "Acme"), NOT_IN_TEXT, "'Samm' is not"),
        (tied("Sam", "works_at", "Acme", "Sam owns Acme"), NOT_IN_TEXT, "quote"),
        (tied("Sam", "works_at", "Acme", " "), NOT_IN_TEXT, "quote"),
        (tied("Sam", "works_at", "Acme", message_id="other"), NOT_IN_TEXT, "no message"),
        (tied("Sam", "works_at", "Acme", valid_from=T0, valid_until=T0), SCHEMA, "it begins"),
        (tied("Tanaka", "lives_in", "Acme", kinds=("person", "place")), NOT_IN_TEXT, "Tanaka"),
        (said("robot", "Sam"), SCHEMA, "no kind"),
        (said("person", "he"), SCHEMA, "names nobody"),
        (said("person", "the assistant"), SCHEMA, "names nobody"),
        (said("person", ""), SCHEMA, "no name"),
        (said("person", "\ud800"), SCHEMA, "no name"),
        (said("person", "Sam", aliases=("Samuel",)), NOT_IN_TEXT, "'Samuel'"),
        (said("place", "friend Sam works at Acme and lives in Rome or so"), SCHEMA, "a text"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_a_reason(
    found: FoundEntity | FoundRelation, guard: str, reason: str
) -> None:
    result = admitted(found)
    (rejection,) = result.rejections
    assert rejection.guard == guard
    assert reason in rejection.reason
    assert not any(isinstance(record, Relation) for record in result.records)


def test_equal_ones_are_one_with_both_quotes() -> None:
    again = tied("Sam", "works_at", "Acme", "works at Acme")
    result = admitted(tied("Sam", "works_at", "Acme"), again)
    (edge,) = (r for r in result.records if isinstance(r, Relation))
    assert [e.quote for e in edge.evidence] == [
        "Sam (we call him Sammy) works at Acme",
        "works at Acme",
    ]


def test_huge_and_strange_input_is_only_refused() -> None:
    strange = ["x" * 100_000, "\x00", "\U0001f600" * 500, "a\nb", "\u202eabc", "`) DELETE"]
    for label in strange:
        result = admitted(said("person", label), tied(label, "works_at", label))
        assert not result.records
        assert all(len(r.value or "") <= 200 for r in result.rejections)
