"""Statements are built once for the same tables."""

from backstory.storage.rows import UserRows
from backstory.storage.tables import build_tables


def test_stores_with_the_same_tables_share_statements() -> None:
    assert UserRows(build_tables()) is UserRows(build_tables())


def test_stores_with_other_names_do_not() -> None:
    mine, other = UserRows(build_tables("a_")), UserRows(build_tables("b_"))
    assert mine is not other
    assert type(mine) is type(other) is UserRows
