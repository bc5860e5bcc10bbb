"""Compiled statements are kept once for all engines of a kind, and not without end."""

from sqlalchemy import URL, Dialect, Engine, Integer, bindparam, column, create_engine, select
from sqlalchemy.engine import Compiled

from backstory.storage.engines.compiled import CompiledStatements


def kind(name: str) -> Dialect:
    """A dialect of its own."""
    return URL.create(name).get_dialect()()


def compiled(dialect: Dialect) -> Compiled:
    """Any statement, compiled."""
    return select(column("a")).compile(dialect=dialect)


def engine(kept: CompiledStatements) -> Engine:
    """One of several databases in memory."""
    return create_engine("sqlite://", execution_options={"compiled_cache": kept})


def test_a_second_engine_takes_what_the_first_compiled() -> None:
    kept = CompiledStatements()
    statement = select(bindparam("number", type_=Integer) + 1)
    for number in (1, 2):
        with engine(kept).connect() as connection:
            assert connection.scalar(statement, {"number": number}) == number + 1
        assert len(kept) == 1
        (first,) = kept.values()
    (second,) = kept.values()
    assert second is first


def test_kinds_and_versions_of_databases_do_not_share() -> None:
    kept = CompiledStatements()
    older, newer = kind("postgresql+psycopg"), kind("postgresql+psycopg")
    older.server_version_info, newer.server_version_info = (15, 2), (17, 0)
    own = kind("sqlite")
    for dialect in (own, older, newer):
        kept[dialect, "key"] = compiled(dialect)
    assert len(kept) == 3
    assert kept[kind("sqlite"), "key"].dialect is own
    assert kept[newer, "key"].dialect is newer
    assert (kind("sqlite"), "another key") not in kept


def test_the_oldest_goes_when_there_are_too_many() -> None:
    kept = CompiledStatements(most=3)
    dialect = kind("sqlite")
    for number in range(5):
        kept[dialect, number] = compiled(dialect)
    assert len(kept) == 3
    assert [(dialect, number) in kept for number in range(5)] == [False, False, True, True, True]
    del kept[dialect, 3]
    assert (dialect, 3) not in kept
    assert len(kept) == len(list(kept)) == 2
