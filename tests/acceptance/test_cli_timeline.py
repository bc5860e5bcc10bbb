"""A slot as a line: which sign leads from one value to the next; ids found by a part."""

from datetime import UTC, datetime

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from backstory.api import Fact
from backstory.cli.output import Screen
from backstory.cli.plain import fitted
from backstory.cli.records import whole_id
from backstory.cli.timeline import show_time_line
from backstory.errors import NotFoundError

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fact(value: str, begin: int | None, end: int | None = None, *, retracted: bool = False) -> Fact:
    return Fact(
        id=value,
        user_id="ada",
        key="home.place",
        value=value,
        recorded_at=NOW,
        believed_at=NOW,
        valid_from=None if begin is None else datetime(begin, 1, 1, tzinfo=UTC),
        valid_until=None if end is None else datetime(end, 1, 1, tzinfo=UTC),
        retracted_at=NOW if retracted else None,
    )


def drawn(capsys: pytest.CaptureFixture[str], *facts: Fact) -> list[list[str]]:
    show_time_line(Screen(), facts)
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_signs(capsys: pytest.CaptureFixture[str]) -> None:
    follows = drawn(capsys, fact("Lund", 2001, 2002), fact("Ystad", 2002))
    assert follows == [["Lund", "──▶", "Ystad", "──▶"], ["2001-01-01", "2002-01-01"]]
    gap = drawn(capsys, fact("Lund", 2001, 2002), fact("Ystad", 2004, 2005))
    assert gap == [
        ["Lund", "──┤", "Ystad", "──┤"],
        ["2001-01-01", "2002-01-01", "2004-01-01", "2005-01-01"],
    ]
    disputed = drawn(capsys, fact("Lund", None), fact("Ystad", 2004))
    assert disputed == [["Lund", "──?", "Ystad", "──▶"], ["2004-01-01"]]
    never = drawn(capsys, fact("Oslo", 2000, 2001, retracted=True), fact("Lund", 2001))
    assert never == [["Lund", "──▶"], ["2001-01-01"]]


@given(st.text() | st.text("京都市e\u0301🏡"), st.integers(4, 40))
def test_what_is_fitted_fits(text: str, most: int) -> None:
    assert cell_len(fitted(text, most)) <= most


@given(st.sets(st.text("0123456789abcdef", min_size=4, max_size=8), min_size=1), st.data())
def test_an_id_is_found_by_a_part_that_is_its_own(ids: set[str], data: st.DataObject) -> None:
    known = sorted(ids)
    meant = data.draw(st.sampled_from(known))
    size = data.draw(st.integers(1, len(meant)))
    part = data.draw(st.sampled_from([meant[:size], meant[-size:]]))
    others = [one for one in known if one.startswith(part) or one.endswith(part)]
    if part in known:
        assert whole_id(part, known, "fact") == part
    elif others == [meant]:
        assert whole_id(part, known, "fact") == meant
    else:
        with pytest.raises(typer.BadParameter):
            whole_id(part, known, "fact")
    with pytest.raises(NotFoundError):
        whole_id("", known, "fact")
