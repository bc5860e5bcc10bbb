"""Relations follow from facts, with their times, their status and their evidence."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.facts.asof import is_current
from backstory.core.graph.facts import project
from backstory.core.graph.merging import graph_of
from backstory.core.graph.rules import is_relational
from backstory.core.graph.schema import refused_relation
from backstory.core.graph.value import holds, mark_of
from backstory.core.model.derived import RelationStatus
from backstory.core.model.fact import USER, Fact, FactStatus
from tests.unit.core.graph.making import DAY, T0, all_edges, edges, fact, labels

KEYS = [
    "home.place", "work.employer", "relationship.friend", "relationship.boss", "family.sister",
    "family.mother", "family.son", "pet.dog", "pet.cat", "study.subject", "personal.birthplace",
    "preference.like", "personal.name",
]  # fmt: skip
NAMES = [
    "Sam",
    "Oda",
    "Acme",
    "田中",
    "דוד",
    "srv-01",
    "a flat",
    "",
    "\U0001f600",
    "x" * 300,
    "A and B",
]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (fact("relationship.partner", "Priya"), (USER, "partner_of", "Priya")),
        (fact("relationship.ex", "Dirk"), (USER, "former_partner_of", "Dirk")),
        (fact("relationship.boss", "Jana"), ("Jana", "manages", USER)),
        (fact("relationship.flatmate", "Kenji"), (USER, "lives_with", "Kenji")),
        (fact("relationship.other", "Mr Peeters"), (USER, "knows", "Mr Peeters")),
        (fact("family.mother", "Greta"), ("Greta", "parent_of", USER)),
        (fact("family.son", "Leo"), (USER, "parent_of", "Leo")),
        (fact("family.brother", "Ivo"), (USER, "sibling_of", "Ivo")),
        (fact("family.other", "Rosa"), (USER, "relative_of", "Rosa")),
        (fact("pet.parrot", "Pip"), (USER, "owns_pet", "Pip")),
        (fact("home.place", "São Paulo"), (USER, "lives_in", "São Paulo")),
        (fact("personal.birthplace", "Tehran"), (USER, "born_in", "Tehran")),
        (fact("personal.origin", "Porto"), (USER, "comes_from", "Porto")),
        (fact("work.employer", "Marks & Spencer"), (USER, "works_at", "Marks & Spencer")),
        (fact("study.school", "Chalmers"), (USER, "studies_at", "Chalmers")),
        (fact("study.subject", "law"), (USER, "studies", "law")),
    ],
)
def test_slots_are_relations(stated: Fact, expected: tuple[str, str, str]) -> None:
    assert edges(graph_of([stated])) == [expected]


@pytest.mark.parametrize(
    "stated",
    [
        fact("preference.like", "Sam"),
        fact("personal.name", "Sam"),
        fact("family.sisters", "three sisters"),
        fact("pet", "two goats"),
        fact("work.employer", "a small bank"),
        fact("home.place", "a flat near the station that I never liked very much"),
        fact("work.role", "nurse"),
    ],
)
def test_what_names_nothing_is_no_entity(stated: Fact) -> None:
    graph = graph_of([stated])
    assert not graph.relations
    refused = project([stated]).refused
    assert (stated.id in refused) == is_relational(stated.key)


def test_a_value_may_name_several() -> None:
    graph = graph_of([fact("family.daughter", "Ada, Bo and Cleo"), fact("pet.dog", "Rex & Bella")])
    assert labels(graph) == ["Ada", "Bella", "Bo", "Cleo", "Rex"]


def test_an_edge_mirrors_its_fact() -> None:
    stated = fact("work.employer", "Nokia", valid_until=T0 + DAY, confidence=0.7)
    for status in FactStatus:
        changed = Fact(**{**vars(stated), "status": status})
        (edge,) = graph_of([changed]).relations
        assert edge.status == RelationStatus(status.value)
        assert (edge.valid_from, edge.valid_until) == (stated.valid_from, stated.valid_until)
        assert (edge.evidence, edge.confidence) == (stated.evidence, 0.7)
        assert (edge.fact_id, edge.recorded_at) == (stated.id, stated.recorded_at)


def test_friend_and_cat_of_one_name_are_two() -> None:
    graph = graph_of([fact("relationship.friend", "Sam"), fact("pet.cat", "Sam")])
    assert labels(graph) == ["Sam", "Sam"]
    assert {e.kind for e in graph.entities.values() if e.label == "Sam"} == {"person", "pet"}


def test_near_identical_identifiers_are_two() -> None:
    graph = graph_of([fact("work.employer", "srv-01"), fact("study.school", "srv-02")])
    assert labels(graph) == ["srv-01", "srv-02"]


def test_two_people_of_one_name_and_other_roles_stay_two() -> None:
    graph = graph_of(
        [
            fact("relationship.neighbour", "Alex Kim"),
            fact("relationship.other", "Alex Kim"),
            fact("home.place", "Leeds", "neighbour.alex_kim"),
            fact("work.employer", "City Clinic", "doctor.alex_kim"),
        ]
    )
    roles = {e.id: e.role for e in graph.entities.values() if e.label == "Alex Kim"}
    assert sorted(roles.values()) == ["acquaintance", "neighbour"]
    homes = [roles[r.subject_id] for r in graph.relations if r.type == "lives_in"]
    works = [roles[r.subject_id] for r in graph.relations if r.type == "works_at"]
    assert (homes, works) == (["neighbour"], ["acquaintance"])


def test_one_quote_that_names_one_person_twice_over_makes_one() -> None:
    said = {"quote": "my colleague and best friend Noor", "number": "1"}
    facts = [
        fact("relationship.friend", "Noor", **said),
        fact("relationship.colleague", "Noor", **said),
    ]
    assert labels(graph_of(facts)) == ["Noor"]
    other = {"quote": "my friend Noor and my colleague Noor", "number": "1"}
    facts = [
        fact("relationship.friend", "Noor", **other),
        fact("relationship.colleague", "Noor", **other),
    ]
    assert labels(graph_of(facts)) == ["Noor", "Noor"]


def test_a_former_partner_is_the_partner_that_was() -> None:
    ended: dict[str, Any] = {"status": FactStatus.ENDED, "valid_until": T0 + DAY}
    graph = graph_of(
        [fact("relationship.partner", "Dirk", **ended), fact("relationship.ex", "Dirk")]
    )
    assert labels(graph) == ["Dirk"]
    assert edges(graph) == [(USER, "former_partner_of", "Dirk")]


def test_facts_of_others_are_theirs() -> None:
    graph = graph_of(
        [
            fact("relationship.friend", "Chloé"),
            fact("home.place", "Lyon", "friend.chloe"),
            fact("relationship.friend", "田中"),
            fact("work.employer", "大阪ガス", "friend.田中"),
            fact("pet.dog", "Rex", "friend.chloe"),
            fact("pet.dog", "Rex"),
        ]
    )
    assert edges(graph) == sorted(
        [
            (USER, "friend_of", "Chloé"),
            ("Chloé", "lives_in", "Lyon"),
            (USER, "friend_of", "田中"),
            ("田中", "works_at", "大阪ガス"),
            ("Chloé", "owns_pet", "Rex"),
            (USER, "owns_pet", "Rex"),
        ]
    )
    assert labels(graph).count("Rex") == 2


def test_a_subject_says_who_somebody_is() -> None:
    quote = "my friend Zoë lives in Ghent"
    graph = graph_of([fact("home.place", "Ghent", "friend.zoe", quote=quote)])
    assert edges(graph) == [("Zoë", "lives_in", "Ghent"), (USER, "friend_of", "Zoë")]


def test_somebody_without_a_role_has_a_name() -> None:
    graph = graph_of([fact("home.place", "Łódź", "zoë_ł", quote="it is there")])
    assert edges(graph) == [("Zoë Ł", "lives_in", "Łódź")]
    known = [fact("relationship.friend", "Zoë Ł"), fact("home.place", "Łódź", "zoë_ł")]
    assert labels(graph_of(known)) == ["Zoë Ł", "Łódź"]


def test_what_ended_is_not_implied_again() -> None:
    ended: dict[str, Any] = {"status": FactStatus.ENDED, "valid_until": T0 + DAY}
    graph = graph_of(
        [fact("relationship.friend", "Sam", **ended), fact("home.place", "Oslo", "friend.sam")]
    )
    assert edges(graph) == [("Sam", "lives_in", "Oslo")]


def test_my_boss_is_who_was_the_boss_then() -> None:
    until = T0 + 30 * DAY
    facts = [
        fact("relationship.boss", "Jana", valid_until=until, status=FactStatus.SUPERSEDED),
        fact("relationship.boss", "Bo", since=until),
        fact("home.place", "Leeds", "boss", since=T0 + DAY),
        fact("work.employer", "Acme", "boss", since=until + DAY),
    ]
    assert ("Jana", "lives_in", "Leeds") in edges(graph_of(facts))
    assert ("Bo", "works_at", "Acme") in edges(graph_of(facts))
    nameless = graph_of(facts[2:3])
    assert edges(nameless) == [("boss", "lives_in", "Leeds"), ("boss", "manages", USER)]


def test_it_cannot_be_told_who_some_subjects_are() -> None:
    for subject in ("project.orion", "friend.sam.sister", "x.y.z"):
        assert not graph_of([fact("home.place", "Dublin", subject)]).relations


facts_of_all_kinds = st.lists(
    st.builds(
        lambda key, value, subject, status, days, number: fact(
            key,
            value,
            subject,
            status=status,
            since=None if days is None else T0 + days * DAY,
            number=number,
        ),
        st.sampled_from(KEYS),
        st.sampled_from(NAMES) | st.text(max_size=20),
        st.sampled_from([USER, "friend.sam", "boss", "sister.oda", "sam", "x.y.z", "friend."]),
        st.sampled_from(list(FactStatus)),
        st.none() | st.integers(-400, 400),
        st.integers(0, 10**6),
    ),
    max_size=12,
    unique_by=lambda made: made.id,
)


@given(facts_of_all_kinds)
def test_every_edge_fits_the_schema_and_its_facts(facts: list[Fact]) -> None:
    graph = graph_of(facts)
    known = {made.id: made for made in facts}
    for edge in graph.relations:
        subject, object_ = graph.entities[edge.subject_id], graph.entities[edge.object_id]
        assert refused_relation(edge.type, subject.kind, object_.kind) is None
        assert edge.subject_id != edge.object_id
        assert edge.fact_id in known
    assert len({edge.id for edge in graph.relations}) == len(graph.relations)


@given(facts_of_all_kinds, st.integers(-500, 500))
def test_what_holds_follows_from_what_is_current(facts: list[Fact], days: int) -> None:
    now: datetime = T0 + days * DAY
    current = [made for made in facts if is_current(made, now)]
    for edge in graph_of(facts).relations:
        own = next(made for made in facts if made.id == edge.fact_id)
        if edge.status == RelationStatus(own.status.value) and edge.valid_until == own.valid_until:
            assert not holds(edge, now) or own in current or edge.status == "active"


@given(facts_of_all_kinds)
def test_the_order_of_facts_makes_no_other_graph(facts: list[Fact]) -> None:
    assert all_edges(graph_of(facts)) == all_edges(graph_of(facts[::-1]))
    assert mark_of(graph_of(facts)) == mark_of(graph_of(list(facts)))
