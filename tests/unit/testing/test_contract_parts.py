"""The parts of the contract suites: none hides a test of another, and each is joined."""

import inspect

import pytest

from backstory.testing.store_contract import (
    DerivedStoreContract,
    DocumentStoreContract,
    FactStoreContract,
    StoreCase,
    StoreContract,
)

_SUITES = [StoreContract, FactStoreContract, DerivedStoreContract, DocumentStoreContract]


def _parts(suite: type) -> list[type]:
    return [part for part in suite.__mro__ if issubclass(part, StoreCase)]


def _tests(part: type) -> list[str]:
    return [name for name in vars(part) if name.startswith("test_")]


@pytest.mark.parametrize("suite", _SUITES)
def test_no_part_hides_a_test_of_another(suite: type) -> None:
    names = [name for part in _parts(suite) for name in _tests(part)]
    assert sorted(names) == sorted(set(names))
    assert len(names) > 20


def test_every_part_is_joined() -> None:
    waiting, parts = [StoreCase], set[type]()
    while waiting:
        part = waiting.pop()
        parts.add(part)
        waiting += [c for c in part.__subclasses__() if c.__module__.startswith("backstory.")]
    assert parts == {part for suite in _SUITES for part in _parts(suite)}


@pytest.mark.parametrize("suite", _SUITES)
def test_every_test_says_what_it_needs(suite: type) -> None:
    for part in _parts(suite):
        for name in _tests(part):
            assert "make_store" in inspect.signature(getattr(part, name)).parameters, name
