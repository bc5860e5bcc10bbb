"""Facts and what a model found are one graph: equal entities and edges once, facts decide."""

from typing import Any

from backstory.core.graph.erasing import said_by
from backstory.core.graph.merging import graph_of
from backstory.core.model.derived import RelationStatus
from backstory.core.model.fact import USER, Evidence, FactStatus
from tests.unit.core.graph.making import DAY, T0, all_edges, edges, fact, found, labels, tie

NOTE = (Evidence(message_id="m-9", quote="as said again"),)


def test_what_a_fact_says_too_is_there_once() -> None:
    stated = fact("relationship.friend", "Sam")
    graph = graph_of(
        [stated],
        [found("e1", "person", "SAM")],
        [tie("r1", USER, "friend_of", "e1", evidence=NOTE)],
    )
    (edge,) = graph.relations
    assert edge.fact_id == stated.id
    assert edge.evidence == (*stated.evidence, *NOTE)
    assert labels(graph) == ["Sam"]


def test_what_only_a_model_found_is_there() -> None:
    entities = [found("e1", "person", "Noor"), found("e2", "thing", "Orion")]
    graph = graph_of([], entities, [tie("r1", "e1", "leads", "e2")])
    assert edges(graph) == [("Noor", "leads", "Orion")]
    assert graph.relations[0].fact_id is None


def test_it_is_found_twice_and_there_once() -> None:
    entities = [found("e1", "person", "Noor"), found("e2", "thing", "Orion")]
    again = [found("f1", "person", "noor"), found("f2", "thing", "ORION")]
    ties = [tie("r1", "e1", "leads", "e2"), tie("r2", "f1", "leads", "f2", evidence=NOTE)]
    graph = graph_of([], [*entities, *again], ties)
    assert edges(graph) == [("Noor", "leads", "Orion")]
    assert graph.relations[0].evidence == NOTE


def test_both_directions_of_a_symmetric_relation_are_one() -> None:
    entities = [found("e1", "person", "Ana"), found("e2", "person", "Bo")]
    ties = [tie("r1", "e1", "friend_of", "e2"), tie("r2", "e2", "friend_of", "e1")]
    assert len(graph_of([], entities, ties).relations) == 1
    ties = [tie("r1", "e1", "parent_of", "e2"), tie("r2", "e2", "parent_of", "e1")]
    assert len(graph_of([], entities, ties).relations) == 2


def test_a_fact_that_ended_ends_what_was_found_beside_it() -> None:
    ended: dict[str, Any] = {"valid_until": T0 + 9 * DAY, "status": FactStatus.SUPERSEDED}
    facts = [
        fact("work.employer", "Nokia", **ended),
        fact("work.employer", "Acme", since=T0 + 9 * DAY),
    ]
    entities = [found("e1", "organisation", "Nokia")]
    graph = graph_of(facts, entities, [tie("r1", USER, "works_at", "e1")])
    assert edges(graph) == [(USER, "works_at", "Acme")]
    assert len(graph.relations) == 2


def test_what_was_taken_back_is_not_found_again() -> None:
    stated = fact("work.employer", "Nokia", status=FactStatus.RETRACTED)
    entities = [found("e1", "organisation", "Nokia")]
    graph = graph_of([stated], entities, [tie("r1", USER, "works_at", "e1")])
    assert edges(graph) == []


def test_it_is_said_again_after_the_end() -> None:
    ended: dict[str, Any] = {"valid_until": T0 + DAY, "status": FactStatus.ENDED}
    later = {"valid_from": T0 + 9 * DAY, "at": T0 + 9 * DAY}
    entities = [found("e1", "organisation", "Nokia")]
    ties = [tie("r1", USER, "works_at", "e1", **later)]
    graph = graph_of([fact("work.employer", "Nokia", **ended)], entities, ties)
    assert edges(graph) == [(USER, "works_at", "Nokia")]


def test_a_later_fact_answers_a_slot_that_only_a_model_had_filled() -> None:
    entities = [found("e1", "place", "Oslo")]
    facts = [fact("home.place", "Bergen", since=T0 + 5 * DAY)]
    graph = graph_of(facts, entities, [tie("r1", USER, "lives_in", "e1")])
    assert edges(graph) == [(USER, "lives_in", "Bergen")]
    past = next(r for r in graph.relations if r.fact_id is None)
    assert (past.valid_until, past.status) == (T0 + 5 * DAY, RelationStatus.SUPERSEDED)


def test_a_mention_retires_nothing_else() -> None:
    entities = [
        found("o", "thing", "Orion"), found("l", "thing", "Lyra"), found("n", "person", "Noor"),
        found("f", "place", "Frankfurt"), found("d", "place", "Dublin"),
    ]  # fmt: skip
    ties = [
        tie("r1", "o", "located_in", "f"),
        tie("r2", "n", "leads", "o"),
        tie("r3", "l", "located_in", "d", valid_from=T0 + DAY, at=T0 + DAY),
    ]
    assert edges(graph_of([], entities, ties)) == [
        ("Lyra", "located_in", "Dublin"),
        ("Noor", "leads", "Orion"),
        ("Orion", "located_in", "Frankfurt"),
    ]


def test_another_name_joins_what_was_two() -> None:
    facts = [fact("relationship.friend", "Bob"), fact("home.place", "Oslo", "friend.bob")]
    entities = [found("e1", "person", "Robert", aliases=("Bob",)), found("e2", "thing", "Orion")]
    graph = graph_of(
        facts, entities, [tie("r1", "e1", "knows", USER), tie("r2", "e1", "leads", "e2")]
    )
    (person,) = (e for e in graph.entities.values() if e.kind == "person" and e.id != USER)
    assert {person.label, *person.aliases} == {"Bob", "Robert"}
    assert len(graph.beside[person.id]) == 4


def test_without_evidence_nobody_is_joined() -> None:
    facts = [fact("relationship.friend", "Bob")]
    graph = graph_of(facts, [found("e1", "person", "Robert"), found("e2", "person", "Bobby")], [])
    assert labels(graph) == ["Bob", "Bobby", "Robert"]


def test_of_two_who_bear_a_name_none_is_chosen() -> None:
    facts = [fact("relationship.friend", "Kim"), fact("relationship.neighbour", "Kim")]
    entities = [found("e1", "person", "Kim"), found("e2", "organisation", "Acme")]
    graph = graph_of(facts, entities, [tie("r1", "e1", "works_at", "e2")])
    assert labels(graph) == ["Acme", "Kim", "Kim", "Kim"]
    named = [found("e1", "person", "Kim", role="neighbour"), entities[1]]
    graph = graph_of(facts, named, [tie("r1", "e1", "works_at", "e2")])
    assert labels(graph) == ["Acme", "Kim", "Kim"]


def test_a_relation_whose_entity_is_gone_is_left_out() -> None:
    graph = graph_of([], [found("e1", "person", "Noor")], [tie("r1", "e1", "leads", "e9")])
    assert all_edges(graph) == []


def test_the_user_has_their_own_name() -> None:
    graph = graph_of([fact("home.place", "Oslo")], user_name="Vera")
    assert graph.entities[USER].label == "Vera"


def test_what_goes_with_a_fact() -> None:
    entities = [found("e1", "person", "Sam"), found("e2", "organisation", "Acme")]
    ties = [tie("r1", "e1", "friend_of", USER), tie("r2", "e1", "works_at", "e2")]
    gone = said_by(fact("relationship.friend", "sam"), [*entities, *ties])
    assert gone == ("r1",)
    assert said_by(fact("relationship.friend", "sam"), [*entities, ties[0]]) == ("r1", "e1")
    assert said_by(fact("relationship.friend", "Samir"), [*entities, *ties]) == ()
    assert said_by(fact("preference.like", "Sam"), [*entities, *ties]) == ()


def test_records_that_no_reader_wrote_are_left_out() -> None:
    entities = [
        found("e1", "person", "Noor"),
        found("e2", "robot", "Orion"),
        found("e3", "place", "  "),
        found("e4", "person", "Bo"),
    ]
    ties = [
        tie("r1", "e1", "hates", "e4"),
        tie("r2", "e1", "works_at", "e4"),
        tie("r3", "e1", "leads", "e2"),
        tie("r4", "e1", "friend_of", "e1"),
        tie("r5", "e1", "friend_of", "e4"),
    ]
    graph = graph_of([], entities, ties)
    assert edges(graph) == [("Noor", "friend_of", "Bo")]
    assert labels(graph) == ["Bo", "Noor"]
