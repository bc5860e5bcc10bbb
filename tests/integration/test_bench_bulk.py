"""The benchmark of imports counts right."""

import json

from bench import bulk


def test_an_import_is_read_in_few_calls_and_only_once() -> None:
    result = bulk.run(messages=60, live=3, databases=["sqlite"], latency_s=0.01)
    figures = {figure.label.removeprefix("sqlite, "): figure for figure in result.figures}
    assert figures["calls per message"].value <= 0.12
    assert figures["calls at once, at most"].value <= 9
    assert figures["sessions with a summary by the model"].value >= 80
    assert figures["the same import again, calls"].value == 0
    assert figures["the same import again, records that are new"].value == 0
    assert figures["live, calls per message"].value >= 1
    bars = [(f.at_least, f.at_most) for f in result.figures if f.met is not None]
    assert bars == [(20.0, None), (None, 0.1), (None, 0.0), (None, 0.0)]
    assert "0.42" in result.notes[0]
    json.dumps(result.to_dict())


def test_the_history_has_as_many_messages_as_were_asked_for() -> None:
    sessions = list(bulk.history(100))
    assert sum(len(messages) for _, messages in sessions) == 100
    assert len({name for name, _ in sessions}) == len(sessions) > 5
    times = [one["timestamp"] for _, messages in sessions for one in messages]
    assert times == sorted(times)
    assert len(set(times)) == 100
