"""The benchmarks of facts run, count right, and notice what is wrong."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from backstory.core.model.fact import Fact, FactHistory, FactStatus
from backstory.testing.chat_server import ChatServer
from bench import fact_ingest, fact_latency, facts
from bench.__main__ import main
from bench.crashing import check_file
from bench.durability import create
from bench.fact_cases import load_cases
from bench.fact_chains import check_chain, check_values, town
from bench.fact_crashing import kill_at_each_statement, kill_at_random
from bench.fact_quality import Found, Tally, count, figures_of
from bench.fact_races import MODES, race
from bench.filled import DATABASES, places
from bench.measure import Result
from tests.counts import cases

AT = datetime(2026, 1, 1, tzinfo=UTC)


def row(value: str, status: FactStatus = FactStatus.ACTIVE, **given: Any) -> Fact:
    """A fact of the user."""
    return Fact(
        id=f"id of {value}",
        user_id="u",
        key="home.place",
        value=value,
        recorded_at=AT,
        believed_at=AT,
        status=status,
        **given,
    )


def case(kind: str = "update", /, **expect: Any) -> dict[str, Any]:
    """A case that expects something."""
    usual: dict[str, Any] = {
        "has": [],
        "not": [],
        "superseded": [],
        "as_of": [],
        "contradiction": None,
    }
    return {"id": "x", "kind": kind, "messages": [{}, {}], "expect": {**usual, **expect}}


def found(
    current: Sequence[Fact] = (),
    past: Sequence[Fact] = (),
    then: Sequence[Sequence[Fact]] = (),
    opened: int = 0,
) -> Found:
    """What a memory holds."""
    return Found(current=current, rows=[*past, *current], then=then, open=opened)


def test_stored_facts_are_right_missed_or_false() -> None:
    expect: dict[str, Any] = {"has": [{"any": ["skara"]}, {"any": ["tib"]}], "not": ["falun"]}
    wanted = case("update", **expect)
    got = count(wanted, found([row("Skara"), row("Falun"), row("a baker"), row("tibia")]))
    assert (got.found, got.missed, got.false, got.present) == (1, 1, 1, 1)


def test_a_trap_allows_only_what_it_names() -> None:
    wanted = case("trap_wish", has=[{"any": ["skara"]}])
    facts_of_others = replace(row("Lund"), subject="sister")
    got = count(wanted, found([row("Skara"), row("a baker"), facts_of_others]))
    assert (got.found, got.false) == (1, 1)


def test_a_row_is_closed_rightly_or_wrongly() -> None:
    closed = [row("Falun", FactStatus.SUPERSEDED)]
    right = count(case(superseded=["falun"]), found([row("Skara")], closed))
    assert (right.closed, right.right, right.wrong) == (1, 1, 0)
    lost = count(case(has=[{"any": ["falun"]}]), found([row("Skara")], closed))
    assert (lost.missed, lost.right, lost.wrong) == (1, 0, 1)
    hidden = count(case(contradiction=True), found([row("Skara")], closed))
    assert (hidden.silent, hidden.wrong) == (1, 1)
    still = count(case(superseded=["falun"]), found([row("Falun")]))
    assert (still.unclosed, still.right, still.wrong) == (1, 0, 0)


def test_times_and_contradictions_and_repeats_are_counted() -> None:
    past = {"valid_at": "2026-01-01T00:00:00+00:00", "has": [{"any": ["lund"]}], "not": ["skara"]}
    wanted = case(as_of=[past], contradiction=False, unique="skara")
    got = count(wanted, found([row("Skara"), row("Skara town")], then=[[row("Skara")]], opened=1))
    assert (got.then_missed, got.then_present, got.alarms, got.doubled) == (1, 1, 1, 1)


def test_figures_follow_from_counts() -> None:
    tally = Tally(messages=50, found=6, missed=2, false=4, raised=1, silent=1, quiet=3)
    figures = {f.label: f for f in figures_of(tally, {"calls": 5})}
    assert figures["facts: precision"].value == 60
    assert figures["facts: recall"].value == 75
    assert figures["facts: F1"].value == pytest.approx(2 * 60 * 75 / 135)
    assert figures["facts: false ones per 100 messages"].value == 8
    assert figures["model: calls per 100 messages"].value == 10
    assert figures["contradictions: a true one is open"].met is False
    assert figures["contradictions: none where there is none"].met is True


def test_the_written_cases_are_enough() -> None:
    cases = [case for path in facts.SETS for case in load_cases(path)]
    assert len(cases) >= 300
    assert sum(case["expect"]["contradiction"] is True for case in cases) >= 60
    assert len({case["id"] for case in cases}) == len(cases)


def test_a_result_has_both_columns_in_the_report(tmp_path: Path) -> None:
    out = tmp_path / "facts.json"
    sets = tmp_path / "own.jsonl"
    cases = [c for c in load_cases(facts.SETS[0]) if c["kind"] in {"plain", "repeat"}][:6]
    sets.write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    assert main(["facts", "--sets", str(sets), "--out", str(out)]) == 0
    got = json.loads(out.read_text())
    assert got["by_kind"]["rows"][-2][:2] == ["all", "6"]
    first = {"figures": [{**got["figures"][0], "median": 12.5}]}
    (tmp_path / "facts-first.json").write_text(json.dumps(first))
    page = tmp_path / "page.md"
    blocks = ("facts", "facts-by-kind", "summary")
    page.write_text("".join(f"<!-- bench:{name} -->\n<!-- /bench -->\n" for name in blocks))
    assert main(["report", f"--results={tmp_path}", str(page)]) == 0
    text = page.read_text()
    assert "| facts: precision | 12.5 % |" in text
    assert "| plain | 6 |" in text or "| all | 6 |" in text
    assert text.count("contradictions: none where there is none") == 2


def test_a_model_is_asked_and_counted() -> None:
    cases = [c for c in load_cases(facts.SETS[0]) if c["kind"] == "plain"][:3]
    with ChatServer('{"facts": [], "contradictions": []}') as server:
        scores = facts.run_cases(cases, "openai:bench", server.url)
    assert scores.sure.missed == sum(len(c["expect"]["has"]) for c in cases)
    assert scores.usage["calls"] == len(server.calls) == 3
    assert scores.usage["input_tokens"] > 0
    with ChatServer("no JSON") as server:
        scores = facts.run_cases(cases[:1], "openai:bench", server.url)
    assert scores.sure.unread == 1


def _sane(result: Result) -> None:
    labels = [figure.label for figure in result.figures]
    assert labels
    assert len(set(labels)) == len(labels)
    assert all(value == value for figure in result.figures for value in figure.values)


@pytest.mark.slow
@pytest.mark.parametrize("database", DATABASES)
def test_latency_of_facts_has_every_figure(database: str) -> None:
    result = fact_latency.run(facts=40, rounds=1, calls=2, databases=[database])
    _sane(result)
    labels = "\n".join(figure.label for figure in result.figures)
    for part in ("facts.get, 40 facts", "both times", "plain SELECT", "search of facts", "ratio"):
        assert part in labels


@pytest.mark.slow
def test_reading_costs_what_it_may() -> None:
    result = fact_ingest.run(messages=40, stored=60, rounds=1, databases=["sqlite"])
    _sane(result)
    judged = [f for f in result.figures if f.at_most is not None]
    assert [f.label for f in judged if not f.met] == []
    facts_read = next(f for f in result.figures if f.label == "demo import, current facts")
    assert facts_read.value >= 5


@pytest.mark.slow
@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("mode", MODES)
def test_writers_of_one_slot_leave_one_chain(database: str, mode: str) -> None:
    with places([database]) as found_places:
        url = found_places[database]
        asyncio.run(create(url))
        told = race(url, mode, writers=4, each=2)
    assert told["statements"] == 16
    assert told["rows"] == (1 if "same" in mode else 16)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("database", DATABASES)
def test_a_writer_of_facts_may_die_at_any_statement(database: str) -> None:
    with places([database]) as found_places:
        url = found_places[database]
        asyncio.run(create(url))
        told = asyncio.run(kill_at_random(url, 2, seed=1))
        assert told["kills"] == 2
        told = asyncio.run(kill_at_each_statement(url, seed=1, step=cases(23, 11)))
        assert told["kills"] >= 3
        # a message and what the rules read in it are durable together
        assert told["unread_after_kill"] == 0
        if database == "sqlite":
            check_file(Path(url))


def test_a_broken_chain_is_noticed() -> None:
    last = row("Skara", valid_from=AT)
    old = row(
        "Falun",
        FactStatus.SUPERSEDED,
        valid_until=AT,
        superseded_by=last.id,
        superseded_at=AT,
    )
    assert check_chain(FactHistory(facts=(old, last))) == last
    for broken in (
        (old,),
        (old, last, row("Lund")),
        (replace(old, superseded_by=None), last),
        (replace(old, valid_until=None), last),
        (old, replace(old, id="other"), last),
    ):
        with pytest.raises(AssertionError):
            check_chain(FactHistory(facts=broken))
    early = replace(old, recorded_at=datetime(2025, 1, 1, tzinfo=UTC))
    with pytest.raises(AssertionError, match="log"):
        check_chain(FactHistory(facts=(early, last)))
    with pytest.raises(AssertionError, match="lost"):
        check_values(FactHistory(facts=(old, last)), ["Skara", "Falun", "Lund"])


def test_towns_have_names_of_their_own() -> None:
    assert len({town(number) for number in range(3000)}) == 3000
