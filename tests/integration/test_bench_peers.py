"""The comparison with other memories: its processes, its rows, its files. Nothing is installed."""

import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.peers import command
from bench.peers.command import NOTES, main, result_of, table
from bench.peers.environments import PeerError, python_of
from bench.peers.known import NOT_RUN, PEERS, Peer
from bench.peers.measuring import Row
from bench.peers.process import PeerProcess
from bench.report import filled

ROOT = Path(__file__).resolve().parents[2]
ODD = Peer(
    name="odd",
    package="odd",
    requirements=(),
    program="tests.integration.odd_peer",
    set_to="nothing",
)
UNINSTALLABLE = Peer(
    name="absent",
    package="absent",
    requirements=("absent",),
    program="tests.integration.odd_peer",
    set_to="nothing",
)
TEXTS = ["My canary sings before sunrise.", "Mine only eats.", "I fixed the tractor with wire."]


@pytest.fixture
def odd() -> Iterator[PeerProcess]:
    with PeerProcess(ODD, Path(sys.executable), limit_s=20) as process:
        assert len(process.open()) == 384
        turn = {"id": "a", "text": "t", "role": "user", "session": 1, "date": ""}
        process.add("u", [turn])
        yield process


def test_a_peer_can_talk_fail_and_stay_offline(odd: PeerProcess) -> None:
    found, seconds = odd.search("u", "anything", 5)
    assert found == ["a"]
    assert 0 <= seconds < 5
    for query, why in (("fail", "no luck"), ("connect", "may not connect"), ("ask", "look up")):
        with pytest.raises(PeerError, match=why):
            odd.search("u", query, 5)
    assert odd.search("u", "anything", 5)[0] == ["a"]


def test_a_peer_that_hangs_is_killed() -> None:
    with PeerProcess(ODD, Path(sys.executable), limit_s=20) as process:
        process.open()
        pid = process._process.pid
        process._limit_s = 0.3
        with pytest.raises(PeerError, match="not answered within"):
            process.search("u", "hang", 5)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_peer_sees_no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    process = PeerProcess(ODD, Path(sys.executable))
    assert "secret" not in process._environment(tmp_path).values()


def test_what_cannot_be_installed_says_why(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(PeerError):
        python_of(UNINSTALLABLE, tmp_path / "cache")


def _locomo(folder: Path) -> Path:
    turns = [
        {"speaker": "Ines", "dia_id": f"D1:{place}", "text": text}
        for place, text in enumerate(TEXTS, start=1)
    ]
    sample = {
        "sample_id": "s",
        "conversation": {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [
            {"question": "When does the canary sing?", "evidence": ["D1:1"], "category": 2},
            {"question": "What repaired the tractor?", "evidence": ["D1:3"], "category": 4},
        ],
    }
    path = folder / "locomo.json.gz"
    path.write_bytes(gzip.compress(json.dumps([sample]).encode()))
    return path


def test_one_run_has_everyone_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cosine = next(peer for peer in PEERS if not peer.requirements)
    monkeypatch.setattr(command, "PEERS", (cosine, UNINSTALLABLE))
    (tmp_path / "cache").write_text("a file where a folder should be")
    places = [f"--cache={tmp_path / 'cache'}", f"--out={tmp_path}"]
    assert main([f"--locomo={_locomo(tmp_path)}", *places]) == 1  # one failed, and it is told
    text = (tmp_path / "peers.json").read_text()
    facts = json.loads(text)
    rows = {row[0]: row[1:] for row in facts["by_kind"]["rows"]}
    assert list(rows)[:5] == [
        "backstory",
        'backstory, reading="none"',
        "BM25",
        "cosine alone",
        "absent",
    ]
    for name in ("backstory", "BM25", "cosine alone"):
        assert rows[name][:4] == ["100.0"] * 4
    assert rows["absent"][0].startswith("**failed**: could not be installed")
    assert rows["Zep"][0].startswith("not run: ")
    assert all(line not in text for line in TEXTS)
    assert "canary" not in text
    assert (tmp_path / "peers.svg").exists()
    assert "cosine alone" in filled("<!-- bench:peers-by-kind -->\n<!-- /bench -->", tmp_path)


def test_a_share_is_that_of_all_questions() -> None:
    row = Row(name="x", shares=[[0, 0, 0.5, 1], [1, 1, 1, 1]], added=[(30, 2.0), (10, 2.0)])
    row.searches = [0.001, 0.002, 0.3]
    assert row.recalls() == [50, 50, 75, 100]
    assert row.adds_per_second() == 10
    assert row.p50_ms() == 2
    failed = Row(name="y", failed="it hung")
    result = result_of([row, failed], {}, full=False)
    assert result.notes == [*NOTES, "y: it hung."]
    assert len(result.figures) == 6
    assert table([failed], {})["rows"][0][1] == "**failed**: it hung"


def test_the_page_names_everyone() -> None:
    page = (ROOT / "docs" / "explanation" / "benchmarks.md").read_text("utf-8")
    for name in [*(peer.name for peer in PEERS), *NOT_RUN]:
        assert name in page
