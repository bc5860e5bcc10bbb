"""The benchmark of the graph: its score does not fall."""

from bench.graph import cases, run


def test_relations_of_conversations_are_seen() -> None:
    kept = run(case for case in cases() if case["half"] == "kept")
    assert kept.cases == 28
    assert kept.recall >= 0.95
    assert kept.precision >= 0.9
