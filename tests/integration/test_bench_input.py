"""Benchmarks refuse what they cannot measure with, by name and without a traceback."""

from pathlib import Path

import pytest

from bench.__main__ import main


@pytest.mark.parametrize(
    "words",
    [
        ["calibration", "--conversations", "FILE", "--format", "locomo"],
        ["calibration", "--conversations", "FILE", "--format", "beam"],
        ["calibration", "--conversations", "FILE"],
        ["calibration", "--conversations", "missing.json"],
        ["calibration", "--book", "missing.jsonl"],
    ],
)
def test_data_that_cannot_be_read_is_named(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "FILE"
    path.write_text("[1, 2]", encoding="utf-8")
    given = [str(path) if word == "FILE" else word for word in words]
    assert main(given) == 2
    told = capsys.readouterr().err
    assert given[2] in told
    assert "cannot be read in the format" in told


@pytest.mark.parametrize("name", ["latency", "scale", "ingest", "large"])
def test_no_rounds_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([name, "--rounds", "0"])
    assert "0 is less than 1" in capsys.readouterr().err
