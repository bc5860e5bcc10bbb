"""The benchmarks run, and their results have the right shape. Speeds are not judged here."""

import gzip
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from backstory import Memory, Settings
from backstory.services.recalling.sources import KnownFacts, RecalledMessages
from bench import (
    context_sources,
    ingest,
    large,
    latency,
    longform_search,
    packed,
    retrieval,
    scale,
    soak,
    startup,
)
from bench.__main__ import NAMES, main
from bench.datasets import load_beam, load_locomo
from bench.embedded import KeptVectors
from bench.filled import (
    DATABASES,
    Conversations,
    RandomVectors,
    SameVector,
    directions,
    fill,
    places,
)
from bench.intervals import interval
from bench.measure import Figure, Result, percentile
from bench.searchers import ARMS, Bm25, Ours, Searcher, remember
from bench.stored import copy_users, prepare, store

pytestmark = pytest.mark.slow

_NEVER_FOR_SQLITE = {
    "alembic",
    "numpy",
    "onnxruntime",
    "platformdirs",
    "psycopg",
    "pydantic",
    "rich",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.ext.asyncio",
    "tenacity",
    "tokenizers",
    "tomllib",
    "typer",
}


def _labels(result: Result) -> list[str]:
    return [figure.label for figure in result.figures]


def _sane(result: Result) -> None:
    assert result.figures
    assert len(set(_labels(result))) == len(result.figures)
    for figure in result.figures:
        assert all(value == value and abs(value) < 1e6 for value in figure.values), figure.label


@pytest.mark.parametrize("database", DATABASES)
def test_latency_has_every_figure(database: str) -> None:
    result = latency.run(20, 30, rounds=1, calls=2, databases=[database])
    _sane(result)
    labels = "\n".join(_labels(result))
    for kind in (latency.WITH, latency.WITHOUT, latency.KEYWORDS):
        for call in ("search", "context"):
            assert f"{database}, {call}, 20 messages, {kind}, p50" in labels
    assert f"{database}, search, 2 messages, cold" in labels
    assert f"{database}, search, 30 messages, {latency.WITHOUT}, p50" in labels
    assert all(f.value > 0 for f in result.figures if f.unit == "ms" and "cold" not in f.label)


def test_every_source_is_measured_and_one_that_hangs_costs_its_section() -> None:
    result = context_sources.run(40, 6, rounds=1, calls=3, databases=["sqlite"])
    _sane(result)
    labels = "\n".join(_labels(result))
    for source in (KnownFacts, RecalledMessages):
        assert f"sqlite, {source.name} alone, p50" in labels
    lost = next(f for f in result.figures if f.unit == "sections")
    assert lost.value == 1


@pytest.mark.parametrize("database", DATABASES)
def test_scale_compares_with_a_store_of_many_users(database: str) -> None:
    result = scale.run(users=9, messages=12, large=24, rounds=1, calls=2, databases=[database])
    _sane(result)
    ratios = [figure for figure in result.figures if figure.unit == "times"]
    assert [figure.at_most for figure in ratios] == [1.2, 1.2]
    assert f"{database}, search, one user of 24 messages, p50" in _labels(result)


def test_large_users_are_measured_in_memory_and_by_index() -> None:
    result = large.run([120], rounds=1, calls=2)
    _sane(result)
    found = {figure.label: figure.value for figure in result.figures}
    assert found["120 messages, no filter, recall@10 of the index"] > 80
    usual, indexed = (f"120 messages, {w}, memory" for w in (large.IN_MEMORY, large.BY_INDEX))
    assert found[indexed] < found[usual] / 2


def test_copied_users_hold_what_their_template_holds() -> None:
    with places(["sqlite"]) as found:
        url = found["sqlite"]
        with Memory(url, embedder=RandomVectors()) as memory:
            fill(memory, "template0", Conversations().turns(25))
        copy_users("sqlite", url, ["template0"], count=1)
        with Memory(url, embedder=SameVector()) as memory:
            copied = memory.get_all(user_id="other0")
            assert [m.text for m in copied.items] == [
                m.text for m in memory.get_all(user_id="template0").items
            ]
            hits = memory.search(copied.items[3].text, user_id="other0", explain=True)
            assert hits[0].text == copied.items[3].text
            assert hits.explanation is not None
            assert hits.explanation["embedded"] == 25


@pytest.mark.parametrize("database", DATABASES)
def test_what_is_stored_directly_is_what_the_library_stores(database: str) -> None:
    turns = Conversations().turns(45)
    with places([database]) as found:
        url = found[database]
        prepare(url)
        store(database, url, "direct", turns, directions(45))
        with Memory(url, embedder=SameVector()) as memory:
            fill(memory, "usual", turns)
            both = [memory.get_all(user_id=user).items for user in ("direct", "usual")]
            fields = (
                "text",
                "role",
                "speaker",
                "timestamp",
                "session_id",
                "message_id",
                "metadata",
            )
            shown = [[[getattr(m, name) for name in fields] for m in items] for items in both]
            assert shown[0] == shown[1]
            text = turns[7]["content"]
            hits = memory.search(text, user_id="direct", kind="messages", explain=True)
            assert hits[0].text == text
            assert hits.explanation is not None
            assert hits.explanation["embedded"] == 45


@pytest.mark.parametrize("database", DATABASES)
def test_ingest_has_every_figure(database: str) -> None:
    result = ingest.run(embedded=4, plain=16, single=2, rounds=1, databases=[database])
    _sane(result)
    labels = "\n".join(_labels(result))
    for part in ("local embedder", "no embedder, new", "all there already", "fdatasync"):
        assert part in labels
    assert f"{database}, add_many of {ingest.BATCH}, no embedder, not read, new" in labels
    assert all(f.value > 0 for f in result.figures if f.unit == "turns/s")


def test_startup_compares_with_the_bare_libraries() -> None:
    result = startup.run(messages=60, rounds=1, warm_up=0)
    _sane(result)
    assert [f.at_most for f in result.figures if f.at_most is not None] == [0.25, 1.3, 1.5]
    assert all(f.value > 0 for f in result.figures if "more than" not in f.label)


def test_longform_search_compares_with_numpy_and_the_published_package() -> None:
    result = longform_search.run([(60, 256)], (400, 16), rounds=1, calls=2)
    _sane(result)
    labels = "\n".join(_labels(result))
    for part in ("ratio to decoding alone", "without numpy", "longform-memory", "in 2 % of it"):
        assert part in labels
    bars = {f.label: f.at_most or f.at_least for f in result.figures if f.met is not None}
    assert bars == {
        "60 rows of 256 from base64, search_top_k, ratio to decoding alone": 2,
        "estimate_tokens, 1 MB of English, ours": 50,
        "estimate_tokens, 1 MB of Chinese, ours": 50,
        "estimate_tokens, 1 MB of Japanese, ours": 50,
    }


def _loaded(program: str) -> set[str]:
    program += "; import sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_backstory_loads_nothing_else() -> None:
    assert not {"numpy", "sqlalchemy", "asyncio"} & _loaded("import backstory")


def test_opening_a_file_loads_only_what_it_uses(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with Memory(path, embedder=RandomVectors()) as memory:
        memory.add("I live in Malmö.", user_id="vera")
    loaded = _loaded(f"from backstory import Memory; Memory({path!r})")
    assert "sqlalchemy" in loaded
    assert not _NEVER_FOR_SQLITE & loaded


def _locomo_file(folder: Path) -> Path:
    turns = [
        {"speaker": name, "dia_id": f"D1:{place}", "text": text}
        for place, (name, text) in enumerate(
            [
                ("Ines", "My canary sings before sunrise."),
                ("Omar", "Mine only eats."),
                ("Ines", "I fixed the tractor with wire."),
            ],
            start=1,
        )
    ]
    sample: dict[str, Any] = {
        "sample_id": "s",
        "conversation": {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [
            {"question": "When does the canary sing?", "evidence": ["D1:01"], "category": 2},
            {"question": "What repaired the tractor?", "evidence": ["D1:3; D7:7"], "category": 4},
            {"question": "What does the parrot say?", "evidence": ["D1:2"], "category": 5},
            {"question": "No evidence?", "evidence": [], "category": 1},
        ],
    }
    path = folder / "locomo.json.gz"
    path.write_bytes(gzip.compress(json.dumps([sample]).encode()))
    return path


def _beam_file(folder: Path) -> Path:
    turns = [
        {"id": 0, "role": "user", "content": "I sail on Lake Vättern ->-> 1,1", "time_anchor": ""},
        {"id": 1, "role": "assistant", "content": "Mind the wind there."},
    ]
    files = {
        "100K/2/chat.json": [{"batch_number": 1, "turns": [turns]}],
        "100K/2/probing_questions/probing_questions.json": {
            "extraction": [{"question": "Which lake?", "source_chat_ids": {"a": [0, [9]]}}],
            "abstention": [{"question": "Which sea?", "source_chat_ids": []}],
        },
    }
    path = folder / "beam.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            data = json.dumps(content).encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def test_both_formats_are_read(tmp_path: Path) -> None:
    (locomo,) = load_locomo(_locomo_file(tmp_path))
    assert [turn.id for turn in locomo.turns] == ["D1:1", "D1:2", "D1:3"]
    assert locomo.turns[0].date.isoformat() == "2023-05-08T13:56:00+00:00"
    assert [sorted(question.evidence) for question in locomo.questions] == [["D1:1"], ["D1:3"]]
    (beam,) = load_beam(_beam_file(tmp_path))
    assert [turn.text for turn in beam.turns] == ["I sail on Lake Vättern", "Mind the wind there."]
    assert [question.evidence for question in beam.questions] == [frozenset({"0"})]


def test_retrieval_writes_every_arm(tmp_path: Path) -> None:
    code = main(
        [
            "retrieval",
            f"--locomo={_locomo_file(tmp_path)}",
            f"--beam={_beam_file(tmp_path)}",
            "--database=sqlite",
            f"--out={tmp_path}",
        ]
    )
    assert code == 0
    facts = json.loads((tmp_path / "retrieval-locomo-sqlite.json").read_text())
    shares = {figure["label"]: figure["median"] for figure in facts["figures"]}
    for arm in ("BM25", "FTS5", *ARMS):
        assert shares[f"locomo, sqlite, {arm}, recall@5"] == 100
    assert (tmp_path / "retrieval-beam-sqlite.json").exists()
    assert {"commit", "date", "command", "machine", "parameters"} <= facts.keys()


OWN = Path(retrieval.__file__).with_name("data") / "conversations.jsonl"


def test_retrieval_says_where_the_evidence_of_each_question_is(tmp_path: Path) -> None:
    lines, vectors = tmp_path / "questions.jsonl", tmp_path / "vectors.npz"
    options = ["--database=sqlite", "--limit=2", f"--lines={OWN}", f"--out={tmp_path}"]
    command = ["retrieval", *options, f"--per-question={lines}", f"--vectors={vectors}"]
    assert main(command) == 0
    asked = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [one["question"] for one in asked] == ["q0", "q1", "q2", "q3", "q0", "q1", "q2"]
    for one in asked:
        for searcher in ("BM25", "FTS5", *ARMS):
            assert set(one["places"][searcher]) <= set(one["evidence"])
        assert set(one["places"]["ours"]) == set(one["evidence"]), "all are among fifty"
    assert asked[0]["places"]["ours"] == {"a1": 1}
    assert "sunrise" not in lines.read_text(), "no text of the set"
    facts = json.loads((tmp_path / "retrieval-lines-sqlite.json").read_text())
    kinds = {row[0]: row for row in facts["by_kind"]["rows"]}
    assert kinds["single"][1] == "2"
    assert [row[0] for row in facts["side_by_side"]["rows"]] == ["BM25", "FTS5", *ARMS]
    assert "<svg" in (tmp_path / "retrieval-lines-sqlite.svg").read_text()
    again = retrieval.run("lines", OWN, "sqlite", 2, full=False, vectors=KeptVectors(vectors))
    assert [one.to_dict() | {"set": "lines", "database": "sqlite"} for one in again.asked] == asked


def test_packed_counts_what_the_text_shows(tmp_path: Path) -> None:
    options = [f"--lines={OWN}", "--limit=1", f"--out={tmp_path}"]
    settings = ["--setting=defaults", "--setting=recalled only", "--setting=25 candidates"]
    assert main(["packed", *options, *settings]) == 0
    facts = json.loads((tmp_path / "packed-lines.json").read_text())
    columns, rows = facts["side_by_side"].values()
    assert columns[1:] == ["500", "1,000", "2,000", "3,200", "6,000"]
    assert [row[0] for row in rows] == ["defaults", "recalled only", "25 candidates"]
    assert all(row[-1].startswith("100.0 ") for row in rows), "ten turns fit into 6,000 tokens"
    assert KnownFacts.share < RecalledMessages.share, "the defaults are back"


def test_packed_misses_what_does_not_fit() -> None:
    narrow = [packed.Setting(name="one candidate", candidates=1)]
    _, cells = packed.run("lines", OWN, 1, full=False, settings=narrow)
    assert cells["one candidate", 6000].recall[3] == 25, "one of four"
    for (_, budget), cell in cells.items():
        assert all(0 < tokens <= budget for tokens in cell.bound)
        assert all(0 < real <= bound for real, bound in zip(cell.real, cell.bound, strict=True))


def test_intervals_draw_whole_conversations() -> None:
    groups = ["a"] * 50 + ["b"] * 50
    low, high = interval([0.0] * 50 + [100.0] * 50, groups)
    assert (low, high) == (0.0, 100.0)
    assert interval([40.0] * 100, groups) == (40.0, 40.0)


@pytest.mark.timeout(240)
def test_we_beat_the_baseline_on_one_conversation(shared: Path) -> None:
    conversation = load_locomo(shared / "data" / "locomo" / "locomo-dev.json.gz")[0]

    def recall(searcher: Searcher) -> float:
        return mean(
            len(question.evidence & {*searcher.search(question.text, 10)}) / len(question.evidence)
            for question in conversation.questions
        )

    with Memory(":memory:", settings=Settings(background=False, reading="none")) as memory:
        remember(memory, "u", conversation)
        assert recall(Ours(memory, "u", ARMS["ours"])) > recall(Bm25(conversation)) + 0.05


def test_a_report_is_current_until_a_figure_changes(tmp_path: Path) -> None:
    result = Result(name="speed", parameters={"calls": 3}, full=True, notes=["Alone."])
    result.add(Figure(label="a call", values=[1.0, 2.0, 12.0], at_most=1.5))
    result.write(tmp_path / "speed.json")
    page = tmp_path / "page.md"
    blocks = "<!-- bench:speed -->\nold\n<!-- /bench -->", "<!-- bench:other -->\n<!-- /bench -->"
    page.write_text(f"before\n{blocks[0]}\nbetween\n{blocks[1]}\nafter\n")
    options = ["report", f"--results={tmp_path}", str(page)]
    assert main([*options, "--check"]) == 1
    assert main(options) == 0
    text = page.read_text()
    assert "| a call | 2 ms | 1 to 12 | ≤ 1.5 ms | **missed** |" in text
    assert "old" not in text
    assert "Not measured yet.\n<!-- /bench -->\nafter" in text
    assert main([*options, "--check"]) == 0
    page.write_text(text + "<!-- bench:summary -->\n<!-- /bench -->\n")
    assert main(options) == 0
    assert page.read_text().count("| a call | 2 ms |") == 2
    result.figures[0] = Figure(label="a call", values=[1.0], at_most=1.5)
    result.write(tmp_path / "speed.json")
    assert main([*options, "--check"]) == 1


def test_figures_know_their_bars() -> None:
    assert Figure(label="x", values=[3, 1, 2], at_most=2).met is True
    assert Figure(label="x", values=[3, 1, 2], at_least=2.5).met is False
    assert Figure(label="x", values=[3]).met is None
    assert percentile([5, 1, 4, 2, 3], 50) == 3
    assert percentile([5, 1, 4, 2, 3], 95) == 5


def test_soak_runs_all_that_has_a_name() -> None:
    assert set(soak.FULL) == NAMES.keys() - {"soak", "report", "qa"}
    assert set(soak.SMALL) == set(soak.FULL) - {"peers", "calibration"}


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["speed"]) == 2
    assert "latency" in capsys.readouterr().err
