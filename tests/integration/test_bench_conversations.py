"""The measurement of whole conversations, on a small file of our own."""

import json
from pathlib import Path

import pytest

from bench import conversations
from bench.__main__ import main

pytestmark = pytest.mark.slow

OWN = Path(conversations.__file__).with_name("data") / "conversations.jsonl"


def test_conversations_with_the_evidence_are_found(tmp_path: Path) -> None:
    assert main(["conversations", f"--lines={OWN}", "--limit=1", f"--out={tmp_path}"]) == 0
    figures = json.loads((tmp_path / "conversations-lines.json").read_text())["figures"]
    shares = [figure["median"] for figure in figures]
    assert shares[0] <= shares[1] <= shares[2] == 100
    assert 0 < shares[3] <= 100
