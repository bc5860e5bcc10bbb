"""The harness for answers, against a scripted server: what it asks, counts and keeps."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from backstory.testing import Call, ChatServer, Reply
from bench.qa import asking
from bench.qa.command import main, sampled
from bench.qa.contexts import ContextsError, contexts_for
from bench.qa.datasets import Talk, load
from bench.qa.scoring import completed_score, score, spread

LOCOMO = [
    {
        "sample_id": "farm",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ines", "dia_id": "D1:1", "text": "My canary sings before sunrise."},
                {"speaker": "Omar", "dia_id": "D1:2", "text": "Mine only eats."},
            ],
            "session_2_date_time": "9:10 am on 2 June, 2023",
            "session_2": [
                {"speaker": "Ines", "dia_id": "D2:1", "text": "I fixed the tractor with wire."},
            ],
        },
        "qa": [
            {
                "question": "When does it sing?",
                "answer": "dawn",
                "evidence": ["D1:1"],
                "category": 2,
            },
            {"question": "What fixed it?", "answer": "wire", "evidence": ["D2:1"], "category": 4},
            {"question": "How old?", "answer": 3, "evidence": [], "category": 1},
            {
                "question": "What does Omar's parrot say?",
                "adversarial_answer": "hello",
                "evidence": ["D1:2"],
                "category": 5,
            },
        ],
    }
]
LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which lake do I sail on?",
        "answer": "Vättern",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["b", "a"],
        "haystack_dates": ["2023/05/21 (Sun) 02:00", "2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [
            [{"role": "user", "content": "I sail on Vättern.", "has_answer": True}],
            [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}],
        ],
        "answer_session_ids": ["b"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "Which river do I swim in?",
        "answer": "You did not mention a river.",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["a"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21"],
        "haystack_sessions": [[{"role": "user", "content": "I never swim."}]],
        "answer_session_ids": ["a"],
    },
]


def judges(call: Call) -> bool:
    """Whether a call is the judge's."""
    return call.system == asking.JUDGE_PROMPT.strip() or "compare an answer" in call.system


class Bench:
    """Runs the command in a folder against a server."""

    def __init__(self, folder: Path, server: ChatServer, data: Path) -> None:
        self.folder, self.server, self.data = folder, server, data
        self.out = folder / "out"

    def run(self, *options: str, readers: Sequence[str] = ("reader",), code: int = 0) -> None:
        at = f"@{self.server.url}"
        names = [f"--reader={reader}{at}" for reader in readers]
        quick = ["--attempts=3", "--first-wait=0.01", "--at-once=2"]
        arguments = [f"--locomo={self.data}", f"--out={self.out}", f"--judge=judge{at}"]
        assert main([*arguments, *names, *quick, *options]) == code

    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((self.out / "summary.json").read_text())["rows"]
        return found

    def asked(self, model: str) -> list[Call]:
        return [call for call in self.server.calls if call.model == model]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Callable[[ChatServer], Bench]":
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    data = tmp_path / "locomo.json"
    data.write_text(json.dumps(LOCOMO))
    return lambda server: Bench(tmp_path, server, data)


def scripted(answer: str = "It sings at dawn.", verdict: str = "CORRECT") -> ChatServer:
    return ChatServer(lambda call: verdict if judges(call) else answer)


def test_both_formats_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(LOCOMO))
    (farm,) = load("locomo", path)
    assert [(a.id, a.kind, a.answerable, a.reference) for a in farm.asked] == [
        ("farm/0", "temporal", True, "dawn"),
        ("farm/1", "single-hop", True, "wire"),
        ("farm/2", "multi-hop", True, "3"),
        ("farm/3", "adversarial", False, ""),
    ]
    assert [sorted(a.gold) for a in farm.asked] == [[1], [2], [], [1]]
    assert farm.asked[0].at.isoformat() == "2023-06-03T09:10:00+00:00"
    path.write_text(json.dumps(LONGMEMEVAL))
    lake, river = load("longmemeval", path)
    assert [turn.text for turn in lake.conversation.turns] == [
        "Hello.",
        "Hello!",
        "I sail on Vättern.",
    ]
    assert lake.asked[0].gold == {1}
    assert (lake.asked[0].answerable, river.asked[0].answerable) == (True, False)
    assert lake.asked[0].at.isoformat() == "2023-05-30T23:40:00+00:00"


def test_rows_hold_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(LONGMEMEVAL))
    talks = load("longmemeval", path)
    rows = ("500", "gold", "full")
    built = contexts_for(tmp_path / "c.jsonl", path, talks, ["q1"], rows)
    assert set(built) == {("q1", row) for row in rows}
    assert "Vättern" in built["q1", "500"].text
    assert "Vättern" in built["q1", "gold"].text
    assert "Hello!" not in built["q1", "gold"].text
    assert "Hello!" in built["q1", "full"].text
    assert "Sunday, 21 May 2023" in built["q1", "gold"].text
    assert all(one.tokens > 0 for one in built.values())
    assert built["q1", "500"].tokens <= 500


def test_several_readers_answer_from_the_same_bytes(
    bench: "Callable[[ChatServer], Bench]",
) -> None:
    rows_of = ("500", "gold", "full")
    with scripted() as server:
        runner = bench(server)
        runner.run("--rows", *rows_of, "--seeds", "1", "2", readers=["one", "two"])
        first = {call.user for call in runner.asked("one")}
        assert first == {call.user for call in runner.asked("two")}
        # Each of four questions from a budget and in full; three have gold sessions.
        tasks = 4 * 2 + 3
        assert len(runner.asked("one")) == len(runner.asked("two")) == 2 * tasks
        assert len(runner.asked("judge")) == 4 * tasks
        before = (runner.out / "contexts.jsonl").read_bytes()
        other = Bench(runner.folder, server, runner.data)
        other.out = runner.folder / "again"
        stored = f"--contexts={runner.out / 'contexts.jsonl'}"
        other.run(stored, "--rows", *rows_of, readers=["three"])
        assert (runner.out / "contexts.jsonl").read_bytes() == before
        assert first == {call.user for call in runner.asked("three")}
    rows = runner.rows()
    assert [row["row"] for row in rows[:3]] == list(rows_of)
    assert rows[0]["outcomes"]["right"] == 2 * 3
    assert rows[0]["outcomes"]["wrong"] == 2 * 1  # it should have declined
    assert rows[0]["score"] == {"mean": 75, "min": 75, "max": 75, "sd": 0, "reruns": 2}
    assert rows[0]["answerable"]["mean"] == 100
    assert (runner.out / "accuracy.svg").exists()


def test_contexts_of_another_commit_are_told(
    bench: "Callable[[ChatServer], Bench]", capsys: pytest.CaptureFixture[str]
) -> None:
    with scripted() as server:
        runner = bench(server)
        runner.run("--rows", "full")
        assert "was begun at commit" not in capsys.readouterr().out
        path = runner.out / "contexts.jsonl"
        first, _, rest = path.read_text().partition("\n")
        path.write_text(json.dumps({**json.loads(first), "commit": "abc"}) + "\n" + rest)
        runner.run("--rows", "full")
    assert "was begun at commit abc" in capsys.readouterr().out
    facts = json.loads((runner.out / "summary.json").read_text())
    assert facts["parameters"]["contexts_commit"] == "abc"


def test_what_was_answered_is_not_asked_again(bench: "Callable[[ChatServer], Bench]") -> None:
    with scripted() as server:
        runner = bench(server)
        runner.run("--rows", "full")
        assert len(server.calls) == 8
        runner.run("--rows", "full")
        assert len(server.calls) == 8
        path = runner.out / "answers.jsonl"
        path.write_bytes(path.read_bytes()[:-9])  # as a crash leaves it: the last verdict is torn
        runner.run("--rows", "full")
        assert len(server.calls) == 9
        assert judges(server.calls[-1])
        runner.run("--rows", "full", "--seeds", "2")
        assert len(server.calls) == 9 + 8


def test_a_cut_off_answer_is_asked_for_once_more(bench: "Callable[[ChatServer], Bench]") -> None:
    def cut(call: Call) -> str | Reply:
        if judges(call):
            return "CORRECT"
        if "How old" in call.user:
            return Reply(text="It is", finish="length")
        if "What fixed" in call.user and call.max_tokens == 30:
            return Reply(text="The", finish="length")
        return "An answer."

    with ChatServer(cut) as server:
        runner = bench(server)
        runner.run("--rows", "full", "--cap=30", "--raised-cap=300")
        caps = [call.max_tokens for call in runner.asked("reader")]
    assert sorted(cap for cap in caps if cap) == [30, 30, 30, 30, 300, 300]
    (row,) = runner.rows()
    assert row["outcomes"] == {
        "right": 2,
        "wrong": 1,
        "abstained": 0,
        "empty": 0,
        "truncated": 1,
        "failed": 0,
        "unjudged": 0,
    }
    assert row["score"]["mean"] == 50
    assert row["completed"]["mean"] == pytest.approx(66.67)
    assert row["caps_raised"] == 2
    assert row["reader_tokens"]["calls"] == 6


def test_abstentions_and_empty_answers_are_counted_apart(
    bench: "Callable[[ChatServer], Bench]",
) -> None:
    def answer(call: Call) -> str:
        if judges(call):
            return "ABSTAINED" if "I cannot tell" in call.user else "WRONG"
        said = {"When does": " ", "What fixed": "Not remembered.", "How old": "I cannot tell."}
        return next((text for start, text in said.items() if start in call.user), "NOT REMEMBERED")

    with ChatServer(answer) as server:
        runner = bench(server)
        runner.run("--rows", "full")
        assert len(runner.asked("judge")) == 1  # the agreed phrase needs no judge
    (row,) = runner.rows()
    assert {name: count for name, count in row["outcomes"].items() if count} == {
        "right": 1,
        "abstained": 2,
        "empty": 1,
    }
    assert row["by_category"]["adversarial"]["score"] == 100
    assert row["by_category"]["single-hop"]["abstained"] == 1
    assert row["score"]["mean"] == 25
    assert row["answerable"]["mean"] == 0


@pytest.mark.parametrize("nonsense", ["Maybe.", "", "CORRECT or WRONG", "INCORRECT"])
def test_what_no_judge_can_tell_is_not_wrong(
    bench: "Callable[[ChatServer], Bench]", nonsense: str
) -> None:
    def answer(call: Call) -> str:
        if judges(call):
            return nonsense if '"reference": "wire"' in call.user else "CORRECT"
        return "Wire."

    with ChatServer(answer) as server:
        runner = bench(server)
        runner.run("--rows", "full")
    (row,) = runner.rows()
    assert row["outcomes"]["unjudged"] == 1
    assert row["score"]["mean"] == pytest.approx(66.67)
    assert row["by_category"]["single-hop"]["score"] is None


def test_overload_is_waited_out_and_a_dead_service_given_up(
    bench: "Callable[[ChatServer], Bench]",
) -> None:
    with scripted() as server:
        runner = bench(server)
        server.script(Reply(status=429, headers={"Retry-After": "0"}), Reply(status=503))
        runner.run("--rows", "full", "--at-once=1")
        assert len(server.calls) == 8 + 2
        assert runner.rows()[0]["outcomes"]["failed"] == 0
    with ChatServer(lambda call: Reply(status=400, text="no")) as server:
        runner = Bench(runner.folder, server, runner.data)
        seeds = [str(seed) for seed in range(10, 20)]
        runner.run("--rows", "full", "--seeds", *seeds, code=1)
        assert 20 <= len(server.calls) < 4 * len(seeds)
    with scripted() as server:
        runner = Bench(runner.folder, server, runner.data)
        runner.run("--rows", "full", "--seeds", *seeds)
        assert len(runner.asked("reader")) == 4 * len(seeds)
        assert all(row["outcomes"]["failed"] == 0 for row in runner.rows())


def test_a_price_is_paid_for_every_token(bench: "Callable[[ChatServer], Bench]") -> None:
    with scripted() as server:
        runner = bench(server)
        runner.run("--rows", "full", "--price", "reader=1000000,0", "--price", "judge=0,1000000")
        (row,) = runner.rows()
        tokens = sum(call.tokens for call in runner.asked("reader"))
    assert row["reader_tokens"]["input_tokens"] == tokens
    assert row["dollars"] == tokens + row["judge_tokens"]["output_tokens"]


def _talks(folder: Path) -> tuple[Path, list[Talk]]:
    path = folder / "data.json"
    path.write_text(json.dumps(LOCOMO))
    return path, load("locomo", path)


def test_a_changed_context_or_another_file_is_refused(tmp_path: Path) -> None:
    path, talks = _talks(tmp_path)
    store = tmp_path / "contexts.jsonl"
    contexts_for(store, path, talks, ["farm/1"], ["gold"])
    good = store.read_text()
    store.write_text(good.replace("tractor", "plough"))
    with pytest.raises(ContextsError, match="was changed"):
        contexts_for(store, path, talks, ["farm/1"], ["gold"])
    store.write_text(good)
    path.write_text(json.dumps([*LOCOMO, *LOCOMO]))
    with pytest.raises(ContextsError, match="another file"):
        contexts_for(store, path, talks, ["farm/1"], ["gold"])


def test_a_seed_draws_its_sample(tmp_path: Path) -> None:
    _, talks = _talks(tmp_path)
    drawn = {seed: tuple(one.id for one in sampled(talks, 2, seed)) for seed in range(20)}
    assert drawn[3] == tuple(one.id for one in sampled(talks, 2, 3))
    assert len(set(drawn.values())) > 2
    assert all(len(ids) == 2 and list(ids) == sorted(ids) for ids in drawn.values())
    assert len(sampled(talks, None, 1)) == 4


def test_scores_leave_out_what_they_should() -> None:
    outcomes = ["right", "wrong", "abstained", "empty", "truncated", "unjudged", "failed"]
    assert score(outcomes) == pytest.approx(100 / 6)
    assert completed_score(outcomes) == pytest.approx(100 / 3)
    assert score(["unjudged"]) is None
    assert spread([50.0, 60.0, None]) == {
        "mean": 55,
        "min": 50,
        "max": 60,
        "sd": 7.07,
        "reruns": 2,
    }
