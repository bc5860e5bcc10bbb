"""The closed schema: 27 types, and a reason for all that does not fit."""

from itertools import product

import pytest

from backstory.core.graph.schema import (
    RULES,
    EntityKind,
    RelationType,
    refused_kind,
    refused_label,
    refused_relation,
)


def test_there_are_27_types_each_with_a_rule() -> None:
    assert len(RelationType) == 27
    assert set(RULES) == set(RelationType)
    assert all(rule.subjects and rule.objects and rule.forward for rule in RULES.values())


def test_a_symmetric_relation_reads_the_same_from_both_ends() -> None:
    for rule in RULES.values():
        if rule.symmetric:
            assert rule.subjects == rule.objects
            assert rule.forward == rule.inverse
        else:
            assert rule.forward != rule.inverse


def test_exactly_what_the_rules_list_is_allowed() -> None:
    for type_, (subject, object_) in product(RelationType, product(EntityKind, repeat=2)):
        rule = RULES[type_]
        fits = subject in rule.subjects and object_ in rule.objects
        reason = refused_relation(type_, subject, object_)
        assert (reason is None) == fits
        if reason is not None:
            assert type_ in reason


@pytest.mark.parametrize("type_", ["", "WORKS_AT", "works at", "hates", "works_at; DROP", "愛"])
def test_other_types_are_refused(type_: str) -> None:
    assert "is no type of relation" in (refused_relation(type_, "person", "person") or "")


def test_other_kinds_are_refused() -> None:
    assert "is no kind of entity" in (refused_kind("robot") or "")
    assert "is no kind" in (refused_relation("works_at", "robot", "organisation") or "")


@pytest.mark.parametrize(
    "label", ["", " ", "\n", "\u200b", "...", "!?", "a" * 81, "a b c d e f g h i"]
)
def test_a_text_is_no_name(label: str) -> None:
    assert refused_label(label) is not None


@pytest.mark.parametrize(
    "label", ["Sam", "田中健太", "דוד כהן", "القاهرة", "srv-01", "7-Eleven", "Zoë"]
)
def test_names_are_names(label: str) -> None:
    assert refused_label(label) is None
